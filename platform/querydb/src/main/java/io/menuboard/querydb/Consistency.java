package io.menuboard.querydb;

/** Consistency of a read of the table; an index is always read eventually consistent. */
public enum Consistency {
    /** May miss writes of the last moment; half the read units. */
    EVENTUAL,
    /**
     * Sees every write that was acknowledged before the read started. Of a transaction that was not, a Query, a batch, or one read
     * after the other may see some items and not yet others.
     */
    STRONG
}
