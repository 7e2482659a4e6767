package io.menuboard.pricing.current;

/** How old the prices may be that somebody asks for. */
public enum ReadConsistency {
    /** All that was committed as long ago as {@code menuboard.pricing.snapshots.max-age} is in them. */
    BOUNDED,
    /** All that was committed before the request is in them. */
    STRONG
}
