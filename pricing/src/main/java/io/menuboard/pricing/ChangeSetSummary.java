package io.menuboard.pricing;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a preview found, all lines together.
 *
 * @param willChange lines that change and are in no conflict and not suspicious
 * @param stores stores that have lines which change
 * @param replaced how many different prices the lines that change replace, counted up to 1,000
 * @param replacing how many different prices they become, counted up to 1,000
 * @param firstInstant when the first line takes effect; null without one, and for a change at once
 * @param lastInstant when the last one does
 * @param timeZones how many time zones the stores of the lines that change have
 */
public record ChangeSetSummary(
        int lines,
        int willChange,
        int conflicts,
        int suspicious,
        int unchanged,
        int notFound,
        int invalid,
        int stores,
        int replaced,
        int replacing,
        @Nullable Instant firstInstant,
        @Nullable Instant lastInstant,
        int timeZones) {

    /** The same lines at another time. */
    ChangeSetSummary at(Instant newFirst, Instant newLast) {
        return new ChangeSetSummary(
                lines,
                willChange,
                conflicts,
                suspicious,
                unchanged,
                notFound,
                invalid,
                stores,
                replaced,
                replacing,
                newFirst,
                newLast,
                timeZones);
    }

    /** Lines that applying the set writes. */
    public int written() {
        return willChange + conflicts + suspicious;
    }
}
