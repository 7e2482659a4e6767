package io.menuboard.querydb;

/** Result of one input of a batch. */
public sealed interface Outcome {

    Key key();

    /** Stored. */
    record Saved(Key key) implements Outcome {}

    /** Not there any more, if it ever was. */
    record Deleted(Key key) implements Outcome {}

    /** Not written, or not certainly: the reason says which. */
    record Failed(Key key, QueryDbException reason) implements Outcome {}
}
