package io.menuboard.pricing;

import io.menuboard.kernel.InvalidInput;

/** Outcome of one input of a save: the inputs of one call succeed and fail each on its own. */
public sealed interface SaveOutcome {

    /** It was not there before. */
    record Created() implements SaveOutcome {}

    /** It was there with another value. */
    record Changed() implements SaveOutcome {}

    /** It was there already, exactly so; nothing was written. */
    record Unchanged() implements SaveOutcome {}

    /** It breaks a rule as things are now; nothing was written. */
    record Refused(InvalidInput rule) implements SaveOutcome {}

    /**
     * It was not written; saving it again is safe.
     *
     * @param reason one sentence for the person who asked
     */
    record NotSaved(String reason) implements SaveOutcome {}

    /** The table could not be read or written; saving it again is safe, and may succeed. */
    record TableFailed() implements SaveOutcome {}
}
