package io.menuboard.querydb;

/** What must be true of the key for a save to happen. An expired item counts as absent. */
public enum SaveMode {
    /** Only if nothing is there. */
    INIT,
    /** Whatever is there is replaced. */
    ANY,
    /** Only if something is there. */
    OVERWRITE
}
