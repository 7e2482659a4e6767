package io.menuboard.querydb;

/** Condition on the key for a save to happen. An expired item counts as absent. */
public enum SaveMode {
    /** Only if nothing is there. */
    INIT,
    /**
     * Whatever is there is replaced; so is, where an attempt got no answer and is repeated, what another writer saved in
     * between. For items that have one writer, or of which one is as good as another.
     */
    ANY,
    /** Only if something is there. */
    OVERWRITE
}
