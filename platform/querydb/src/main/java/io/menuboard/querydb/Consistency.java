package io.menuboard.querydb;

/** What a read of the table (never of an index) is guaranteed to see. */
public enum Consistency {
    /** May miss writes of the last moment; half the read units. */
    EVENTUAL,
    /** Sees every write that was acknowledged before the read started. */
    STRONG
}
