package io.menuboard.pricing.subscriptions;

import static io.menuboard.pricing.changes.ChangesFixture.GRACE;

import io.menuboard.access.Access;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.pricing.current.CurrentFixture;
import io.menuboard.pricing.revisions.RevisionsFixture;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Subscriptions of one instance on a test's own table, wired as {@link SubscriptionsFactory} does. */
public final class SubscriptionsFixture implements AutoCloseable {
    final ChangesFixture changes;
    final PriceWatches watches;
    final PriceSubscriptions subscriptions;
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    /** An instance that looks now and then, and hears of its own changes at once. */
    public SubscriptionsFixture(ChangesFixture changes) {
        this(changes, new SubscriptionsConfig(true, 20, 5, Duration.ofMillis(20), Duration.ofMinutes(1)));
    }

    SubscriptionsFixture(ChangesFixture changes, SubscriptionsConfig config) {
        this.changes = changes;
        watches =
                new PriceWatches(new PriceWatch.Around(missed(changes), changes.stores, changes.clock, config.poll()));
        changes.revisions.onForget(watches::wake);
        subscriptions =
                new PriceSubscriptions(changes.stores, watches, actor -> changes.current.of(actor), config, registry);
    }

    static MissedChanges missed(ChangesFixture changes) {
        return new MissedChanges(
                changes.revisions,
                RevisionsFixture.log(changes.db),
                CurrentFixture.snapshots(changes, changes.revisions, Duration.ofSeconds(2)),
                changes.prices,
                changes.batched,
                changes.clock);
    }

    ToldChanges all(String store, @Nullable String after) {
        return changes(GRACE, new WantedChanges(new StoreId(store), Channel.ALL, Set.of(), Set.of(), after));
    }

    ToldChanges changes(Access access, WantedChanges wanted) {
        var told = new ToldChanges();
        subscriptions.changes(access, wanted).subscribe(told);
        return told;
    }

    @Override
    public void close() {
        subscriptions.close();
    }
}
