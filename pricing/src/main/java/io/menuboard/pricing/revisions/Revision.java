package io.menuboard.pricing.revisions;

import java.time.Instant;

/**
 * State of the prices of a store and channel. Every transaction that changes one of them, now or for later, makes another
 * one; that the time of a change comes does not.
 *
 * @param number grows with each change; 0 where there was none
 * @param isLoading while first prices are loaded, which come one by one without another revision
 * @param logged number of the last transaction in the log, see {@link PriceLogEntry}; 0 where there was none
 * @param loads grows whenever prices are loaded, or what was loaded is removed
 * @param passed the latest instant, a whole second, that somebody has taken for past: no change at once has an earlier one
 *     from then on, and nothing is scheduled for it, or taken back, any more. 1970 where nobody has
 */
public record Revision(long number, boolean isLoading, long logged, long loads, Instant passed) {
    static final Revision NONE = new Revision(0, false, 0, 0, Instant.EPOCH);

    /** True where there is a price, or was one. */
    public boolean isUsed() {
        return number > 0 || loads > 0 || isLoading;
    }

    /** True where both are the same revision of the prices. */
    public boolean isSame(Revision other) {
        return number == other.number && isLoading == other.isLoading;
    }
}
