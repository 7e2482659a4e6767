package io.menuboard.querydb.requests;

/** Receives what every request to the table cost. Called on the requesting thread; must be quick and thread-safe. */
@FunctionalInterface
public interface Meter {

    /** Forgets everything. */
    Meter NONE = usage -> {};

    void record(Usage usage);
}
