package io.menuboard.pricing.subscriptions;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.products;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.benmanes.caffeine.cache.Ticker;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.pricing.current.CurrentFixture;
import io.menuboard.pricing.revisions.RevisionsFixture;
import io.menuboard.pricing.subscriptions.MissedChanges.Seen;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.HalfVisibleTransactions;
import io.menuboard.querydb.MovingClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a watch sees of a transaction of which the table shows the revision already, and nothing else. */
class HalfVisibleChangesTest {
    private static final EffectiveDate JULY = EffectiveDate.parse("2036-07-01");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private final List<Runnable> looks = new ArrayList<>();
    private ChangesFixture changes;
    private MissedChanges missed;

    @BeforeEach
    void open() {
        var client = HalfVisibleTransactions.of(
                table.client(),
                partition -> partition.startsWith("PRICES#"),
                partition -> partition.startsWith("STORE#") || partition.startsWith("PRICELOG#"),
                () -> looks.forEach(Runnable::run));
        changes = new ChangesFixture(table.queryDb(client, clock), clock);
        missed = new MissedChanges(
                changes.revisions,
                RevisionsFixture.log(changes.db),
                CurrentFixture.settling(changes, Duration.ofSeconds(2), Duration.ofSeconds(10), Ticker.systemTicker()),
                changes.prices,
                changes.batched,
                changes.clock);
        changes.stores.save(EVERYTHING, List.of(BERLIN));
        changes.load(Stream.of(products(1))
                .<Price>map(product -> price(BERLIN, "ALL", product, "2030-01-01", "4.99"))
                .toList());
    }

    @AfterEach
    void close() {
        changes.close();
    }

    @Test
    void anEntryThatIsNotSeenYetIsWaitedFor() {
        var start = missed.now(BERLIN, Channel.ALL);
        // As others have, who found nothing after it.
        RevisionsFixture.log(changes.db).between(BERLIN.id(), Channel.ALL, 0, 1);
        looks.add(() -> assertThatThrownBy(() -> missed.since(BERLIN, start.position(), start))
                .isInstanceOf(MissedChanges.Busy.class));

        change(null);

        assertThat(missed.since(BERLIN, start.position(), start).moments()).hasSize(1);
    }

    @Test
    void anEntryThatIsStillNotSeenHasExpired() {
        var start = missed.now(BERLIN, Channel.ALL);
        change(null);
        var entry = changes.db.load("PRICELOG#DE-0001#ALL").getFirst();
        changes.db.delete(entry.key());

        clock.advance(Duration.ofSeconds(10));

        assertThatThrownBy(() -> missed.since(BERLIN, start.position(), start))
                .isInstanceOfSatisfying(
                        InvalidInput.class, e -> assertThat(e.code()).isEqualTo("POSITION_EXPIRED"));
    }

    @Test
    void whatIsScheduledAndNotSeenYetIsLookedForAgain() {
        var start = missed.now(BERLIN, Channel.ALL);
        var seen = new ArrayList<Seen>();
        looks.add(() -> seen.add(missed.since(BERLIN, start.position(), start).seen()));

        change(JULY.toString());

        assertThat(seen).isNotEmpty().allMatch(one -> one.next() == null && !one.isSettled());
        assertThat(missed.since(BERLIN, seen.getLast().position(), seen.getLast())
                        .seen()
                        .next())
                .isEqualTo(JULY.startsAt(BERLIN.timeZone()));
    }

    private void change(@Nullable String date) {
        clock.advance(Duration.ofSeconds(1));
        changes.applied(draft(date, rule(setTo("5.99"), List.of("DE-0001"), products(1))));
    }
}
