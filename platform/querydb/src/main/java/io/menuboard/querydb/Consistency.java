package io.menuboard.querydb;

/** Consistency of a read of the table; an index is always read eventually consistent. */
public enum Consistency {
    /** May miss writes of the last moment; half the read units. */
    EVENTUAL,
    /** Sees every write that was acknowledged before the read started. */
    STRONG
}
