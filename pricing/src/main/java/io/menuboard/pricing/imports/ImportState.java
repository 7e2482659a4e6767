package io.menuboard.pricing.imports;

/** How far an import is. The last four are for ever. */
public enum ImportState {
    /** Nobody has begun to read it. */
    WAITING,

    /** Rows go in. */
    RUNNING,

    /** Every row was read, or as many as a file may have. */
    FINISHED,

    /** A file is not what it should be as a whole; none of its rows went in. */
    REFUSED,

    /** It could not go on. Rows that had gone in stay. */
    FAILED,

    /** Whoever ran it is gone. Rows that had gone in stay. */
    INTERRUPTED;

    /** Whether something may still happen. */
    public boolean isOpen() {
        return this == WAITING || this == RUNNING;
    }
}
