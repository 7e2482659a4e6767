package io.menuboard.pricing;

import io.menuboard.kernel.Money;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One price in a change set.
 *
 * @param number from 0, in the order in which it is applied
 * @param before the price in effect just before, as the preview saw it; null for none
 * @param after null for none
 * @param startsAt from when it counts; null where that is not known, for a change at once or a store that is not
 * @param message what the finding does not say; or null
 * @param outcome what became of it
 */
public record ChangeLine(
        int number,
        StoreId store,
        Channel channel,
        PriceSubject subject,
        @Nullable Money before,
        @Nullable Money after,
        @Nullable Instant startsAt,
        Finding finding,
        @Nullable String message,
        Outcome outcome) {

    /** What became of a line. */
    public enum Outcome {
        /** Nothing yet, or nothing to do. */
        NONE,
        /** Written, and waits for its time. */
        SCHEDULED,
        /** In effect, or was. */
        APPLIED,
        /** A set that was made later changes the same price from the same instant on. */
        SUPERSEDED,
        /** Taken back before its time. */
        CANCELLED,
        /** Not written; the message says why. */
        FAILED
    }
}
