package io.menuboard.pricing.batches;

import io.menuboard.pricing.ChangeSetId;
import java.time.Instant;
import java.util.Map;

/**
 * A batch that is not applied, as it is listed.
 *
 * @param at when its effective date begins, by the time zone that its store has now
 * @param changes number of changes by their set, in the order of these, of sets that have any left
 */
public record ScheduledBatch(PriceBatch batch, Instant at, Map<ChangeSetId, Integer> changes) {

    /** Number of changes. */
    public int size() {
        return changes.values().stream().mapToInt(Integer::intValue).sum();
    }
}
