package io.menuboard.pricing.subscriptions;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.products;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.RecordingMeter.Units;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What it costs to watch the prices of a store and channel. */
class SubscriptionsCapacityTest {
    private static final EffectiveDate JULY = EffectiveDate.parse("2036-07-01");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private ChangesFixture changes;
    private MissedChanges missed;

    @BeforeEach
    void open() {
        changes = new ChangesFixture(table.queryDb(clock), clock);
        missed = SubscriptionsFixture.missed(changes);
        changes.stores.save(EVERYTHING, List.of(BERLIN));
        changes.stores.require(EVERYTHING, BERLIN.id());
        changes.load(Stream.of(products(100))
                .<Price>map(product -> price(BERLIN, "ALL", product, "2030-01-01", "4.99"))
                .toList());
        change(null, 1);
    }

    @AfterEach
    void close() {
        changes.close();
    }

    @Test
    void whatIsChangedAtOnceCostsAReadOfTheRevisionAndOfTheLog() {
        var start = missed.now(BERLIN, Channel.ALL);
        assertThat(cost(() -> missed.since(BERLIN, start.position(), start)))
                .as("nothing, which a watch sees every 15 seconds")
                .isEqualTo(new Units(1, 1, 0));
        change(null, 24);

        assertThat(cost(() -> missed.since(BERLIN, start.position(), start))).isEqualTo(new Units(2, 2, 0));
    }

    @Test
    void beginningToWatchReadsASnapshotOrFindsIt() {
        clock.advance(Duration.ofSeconds(1));
        // The second that is taken for past; the revision; and the revision, both lists of versions, and the revision
        // again.
        assertThat(cost(() -> missed.now(BERLIN, Channel.ALL))).isEqualTo(new Units(7, 7, 1));
        clock.advance(Duration.ofSeconds(1));

        assertThat(cost(() -> missed.now(BERLIN, Channel.ALL))).isEqualTo(new Units(4, 3, 1));
    }

    @Test
    void theTimeOfAChangeCostsAWriteAndTheVersionsThatBegin() {
        change("2036-07-01", 10);
        var start = missed.now(BERLIN, Channel.ALL);
        clock.set(JULY.startsAt(BERLIN.timeZone()));

        assertThat(cost(() -> missed.pass(BERLIN.id(), Channel.ALL, clock.instant())))
                .isEqualTo(new Units(1, 0, 1));
        // The revision twice, the versions that begin with those between them, and their set.
        assertThat(cost(() -> missed.since(BERLIN, start.position(), start))).isEqualTo(new Units(4, 3.5, 0));
    }

    @Test
    void goingOnAfterAPositionCostsTheLogAfterIt() {
        var start = missed.now(BERLIN, Channel.ALL);
        for (var i = 0; i < 10; i++) {
            change(null, 24);
        }
        assertThat(missed.now(BERLIN, Channel.ALL).revision()).isEqualTo(11);

        // The revision twice, and 16 KB of the log.
        assertThat(cost(() -> missed.since(BERLIN, start.position(), null))).isEqualTo(new Units(3, 6, 0));
    }

    private void change(@Nullable String date, int lines) {
        clock.advance(Duration.ofSeconds(1));
        var amount = "5." + (10 + clock.instant().getEpochSecond() % 90);
        changes.applied(draft(date, rule(setTo(amount), List.of("DE-0001"), products(lines))));
    }

    private Units cost(Runnable access) {
        return table.meter().during(access);
    }
}
