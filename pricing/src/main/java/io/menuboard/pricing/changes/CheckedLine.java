package io.menuboard.pricing.changes;

import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.chunks.ChangeChunk;
import io.menuboard.pricing.chunks.ChangeChunk.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A line with its finding, and how it is written.
 *
 * @param asked date from which it counts, where its chunk has a date of its own that is to come; otherwise null
 * @param since date from which it counts, where it has a date of its own that has begun; otherwise null
 */
record CheckedLine(
        ChangeLine line,
        Kind kind,
        @Nullable EffectiveDate asked,
        @Nullable EffectiveDate since) {

    /** A line that is written as soon as the set is applied, or not at all. */
    static CheckedLine atOnce(ChangeLine line) {
        return new CheckedLine(line, Kind.AT_ONCE, null, null);
    }

    ChangeChunk.Line toWrite() {
        return new ChangeChunk.Line(line.number(), line.subject(), line.before(), line.after(), since);
    }
}
