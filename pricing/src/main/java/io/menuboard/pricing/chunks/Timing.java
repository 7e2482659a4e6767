package io.menuboard.pricing.chunks;

import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.revisions.PriceLogEntry;
import io.menuboard.pricing.revisions.Revision;
import java.time.Instant;
import java.util.List;

/** When what a plan writes takes effect, and what the plan has taken for granted about that. */
public sealed interface Timing {

    /**
     * As soon as it is committed.
     *
     * @param revision read before everything else
     * @param now the instant for which it was planned, not before the one that has passed by that revision
     * @param lines what is logged
     */
    record AtOnce(Attribution by, Revision revision, Instant now, List<PriceLogEntry.Line> lines) implements Timing {}

    /** At that instant, which must not have passed when it is committed. */
    record Later(Instant at) implements Timing {}

    /** Never: it writes no price. */
    record Never() implements Timing {}
}
