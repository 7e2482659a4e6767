package io.menuboard.pricing.changes;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.StoreId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One price in a change set.
 *
 * @param number in the order in which it is applied, from 0; the row of the file where the set was imported
 * @param before the price in effect just before, as the preview saw it; null for none
 * @param after null for none
 * @param effectiveDate from when it counts on the store's own clock; null at once
 * @param startsAt the same as an instant; null at once, and where there is no such store
 * @param message detail of the finding, for people; or null
 * @param outcome of applying it
 */
public record ChangeLine(
        int number,
        StoreId store,
        Channel channel,
        PriceSubject subject,
        @Nullable Money before,
        @Nullable Money after,
        @Nullable EffectiveDate effectiveDate,
        @Nullable Instant startsAt,
        Finding finding,
        @Nullable String message,
        Outcome outcome) {

    /** What a preview found of a change, with no date of its own. */
    static ChangeLine found(
            RequestedChange change,
            @Nullable Money before,
            @Nullable Money after,
            Finding finding,
            @Nullable String message) {
        return new ChangeLine(
                change.number(),
                change.store(),
                change.channel(),
                change.subject(),
                before,
                after,
                null,
                null,
                finding,
                message,
                Outcome.NONE);
    }

    /** From that date on, which is that instant in its store. */
    ChangeLine at(@Nullable EffectiveDate date, @Nullable Instant instant) {
        return new ChangeLine(number, store, channel, subject, before, after, date, instant, finding, message, outcome);
    }

    /** The line of a store that there is not: without its prices. */
    ChangeLine notFound(String why) {
        return new ChangeLine(
                number, store, channel, subject, null, null, null, null, Finding.NOT_FOUND, why, Outcome.NONE);
    }

    /** Two details of one finding. */
    static String both(String detail, @Nullable String other) {
        return other == null ? detail : detail + "; it " + other;
    }

    ChangeLine suspicious(String why) {
        return new ChangeLine(
                number,
                store,
                channel,
                subject,
                before,
                after,
                effectiveDate,
                startsAt,
                Finding.SUSPICIOUS,
                both(why, message),
                outcome);
    }

    ChangeLine with(Outcome newOutcome) {
        return new ChangeLine(
                number, store, channel, subject, before, after, effectiveDate, startsAt, finding, message, newOutcome);
    }

    /** Outcome of applying a line. */
    public enum Outcome {
        /** Nothing yet, or nothing to do. */
        NONE,
        /** Written, and waits for its time. */
        SCHEDULED,
        /** In effect, or was. */
        APPLIED,
        /** A set that was made later changes the same price from the same instant on. */
        SUPERSEDED,
        /** Cancelled before it took effect. */
        CANCELLED,
        /** Not written; the message says why. */
        FAILED,
        /** Something that only another version of the application knows. */
        UNKNOWN
    }
}
