package io.menuboard.pricing.imports;

/**
 * Stage of an import. The last four are final, but {@link #INTERRUPTED} of an upload, which is not stored: each read tells it from the
 * import's task, and where somebody retries that, the import waits or runs again.
 */
public enum ImportState {
    /** It has not been read yet. */
    WAITING,

    /** Rows go in. */
    RUNNING,

    /** Every row was read, or, of a file of stores, as many as one may have. */
    FINISHED,

    /** A file is not what it should be as a whole; none of its rows went in. */
    REFUSED,

    /**
     * It could not go on, a file of prices or changes has more rows than one may have, or the table failed, so that nothing was
     * drafted of prices, or no store was saved. Rows that had gone in stay.
     */
    FAILED,

    /**
     * The instance that ran it is gone, and, of an upload, no other one is to go on: its task was cancelled or given up. Rows that
     * had gone in stay.
     */
    INTERRUPTED;

    /** Tells whether something may still happen. */
    public boolean isOpen() {
        return this == WAITING || this == RUNNING;
    }
}
