package io.menuboard.pricing.subscriptions;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.pricing.Channel;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.pricing.current.CurrentFixture;
import io.menuboard.pricing.revisions.RevisionsFixture;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One watch, whose steps the test makes. */
class PriceWatchTest {
    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    /** What happens after the watch has read which changes there are, and before it tells them; once. */
    private final AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});

    private ChangesFixture changes;
    private PriceWatch watch;

    @BeforeEach
    void open() {
        changes = new ChangesFixture(table.queryDb(clock), clock);
        changes.stores.save(EVERYTHING, List.of(BERLIN));
        changes.load(List.of(price(BERLIN, "ALL", "P000", "2030-01-01", "4.99")));
        var missed = new MissedChanges(
                changes.revisions,
                RevisionsFixture.log(changes.db),
                CurrentFixture.snapshots(changes, changes.revisions, Duration.ofSeconds(2)),
                changes.prices,
                changes.batched,
                new AskedClock());
        watch = new PriceWatch(
                BERLIN.id(), Channel.ALL, new PriceWatch.Around(missed, changes.stores, clock, Duration.ofSeconds(5)));
    }

    @AfterEach
    void close() {
        changes.close();
    }

    @Test
    void whoGoesOnAfterAChangeThatTheWatchHasNotSeenKeepsItFromNobody() throws InterruptedException {
        var first = joined(null);
        watch.watch();
        var next = new ArrayList<ToldChanges>();
        meanwhile.set(() -> {
            changed("5.49");
            next.add(joined(toldByAnotherInstance()));
        });

        watch.wake();
        watch.watch();
        changed("5.99");
        watch.wake();
        watch.watch();

        first.awaitChanges("2036-06-15T12:00:00Z P000 4.99 -> 5.49", "2036-06-15T12:00:00Z P000 5.49 -> 5.99");
        next.getFirst().awaitChanges("2036-06-15T12:00:00Z P000 5.49 -> 5.99");
    }

    @Test
    void aPositionToWhichNobodyHasComeYetIsExpiredAndKeepsNothingFromTheOthers() throws InterruptedException {
        var first = joined(null);
        watch.watch();
        var madeUp = Position.parse(toldByAnotherInstance(), BERLIN.id(), Channel.ALL)
                .at(1, clock.instant());
        var next = joined(madeUp.text());
        meanwhile.set(() -> changed("5.49"));

        watch.watch();
        watch.wake();
        watch.watch();

        first.awaitChanges("2036-06-15T12:00:00Z P000 4.99 -> 5.49");
        assertThat(next.awaitCode()).isEqualTo("POSITION_EXPIRED");
    }

    private ToldChanges joined(@Nullable String after) {
        var told = new ToldChanges();
        var registry = new SimpleMeterRegistry();
        var subscriber = new Subscriber(
                GRACE,
                new WantedChanges(BERLIN.id(), Channel.ALL, Set.of(), Set.of(), after),
                told,
                20,
                new Subscriber.Counts(registry.counter("events"), registry.counter("dropped")),
                _ -> {});
        told.onSubscribe(subscriber);
        watch.join(subscriber);
        return told;
    }

    private String toldByAnotherInstance() {
        return SubscriptionsFixture.missed(changes)
                .now(BERLIN, Channel.ALL)
                .position()
                .text();
    }

    private void changed(String amount) {
        changes.applied(draft(null, rule(setTo(amount), List.of("DE-0001"), "P000")));
    }

    /** The test's clock; being asked is where the watch stands between reading and telling. */
    private final class AskedClock extends Clock {
        @Override
        public Instant instant() {
            meanwhile.getAndSet(() -> {}).run();
            return clock.instant();
        }

        @Override
        public ZoneId getZone() {
            return clock.getZone();
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }
    }
}
