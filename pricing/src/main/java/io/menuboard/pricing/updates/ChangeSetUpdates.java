package io.menuboard.pricing.updates;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.graphql.streams.Watches;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSets;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import org.reactivestreams.Publisher;

/** Change sets that somebody watches, as {@link ChangeSets} finds them: one read unit per interval for each. Thread-safe. */
public final class ChangeSetUpdates {
    private final Watches<Watched, ChangeSet> watches;

    ChangeSetUpdates(ChangeSets sets, Duration interval, ScheduledExecutorService timer) {
        // None is the last: what was applied can be undone.
        watches = new Watches<>(watched -> sets.find(watched.access, watched.id), _ -> false, interval, timer);
    }

    private record Watched(Access access, ChangeSetId id) {}

    /**
     * The set as it is, and each time that it is another one; a subscriber that does not keep up misses states between.
     * Nothing, where it is not to be seen.
     */
    public Publisher<ChangeSet> of(Access access, ChangeSetId id) {
        access.require(Permission.PRICES_READ);
        return watches.watch(new Watched(access, id));
    }
}
