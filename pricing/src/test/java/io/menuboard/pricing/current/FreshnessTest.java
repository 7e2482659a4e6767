package io.menuboard.pricing.current;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.done;
import static io.menuboard.pricing.changes.ChangesFixture.product;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Ticker;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.pricing.current.CurrentPrices.Asked;
import io.menuboard.pricing.revisions.PriceRevisions;
import io.menuboard.pricing.revisions.RevisionsFixture;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.HalfVisibleTransactions;
import io.menuboard.querydb.MovingClock;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two instances while prices change again and again. One hears of each change late, never, twice or out of order, and the table
 * shows revisions before the prices that the same transaction has written. Whatever they remember, no answer lacks what was committed longer ago than the bound or has what was taken back longer ago, and what is
 * scheduled counts from its instant on.
 */
class FreshnessTest {
    private static final Duration BOUND = Duration.ofMillis(120);
    private static final Duration PAUSE = Duration.ofNanos(500_000);
    private static final Duration HALF_VISIBLE = Duration.ofMillis(3);
    private static final Duration SETTLE_AFTER = Duration.ofMillis(60);
    private static final int CHANGES = 60;
    private static final List<String> PRODUCTS = List.of("P001", "P002", "P003");
    private static final Instant JULY = EffectiveDate.parse("2036-07-01").startsAt(BERLIN.timeZone());

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();

    /** Amounts that were committed, by the moment at which that was known, of each product now and in July. */
    private final Map<String, ConcurrentSkipListMap<Long, BigDecimal>> committed = new ConcurrentSkipListMap<>();

    /** Amounts that were taken back, each of a change of its own, and the moment at which that was known. */
    private final Map<BigDecimal, Long> takenBack = new ConcurrentHashMap<>();

    private final ConcurrentLinkedQueue<String> stale = new ConcurrentLinkedQueue<>();
    private volatile boolean isOver;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void noAnswerIsOlderThanTheBound(long seed) throws Exception {
        var random = new Random(seed);
        var client = HalfVisibleTransactions.of(
                table.client(),
                partition -> partition.startsWith("PRICES#"),
                partition -> partition.startsWith("STORE#"),
                () -> LockSupport.parkNanos(HALF_VISIBLE.toNanos()));
        try (var fixture = new ChangesFixture(table.queryDb(client, clock), clock);
                var threads = Executors.newVirtualThreadPerTaskExecutor();
                var feed = Executors.newScheduledThreadPool(1)) {
            fixture.stores.save(EVERYTHING, List.of(BERLIN));
            fixture.load(PRODUCTS.stream()
                    .<Price>map(product -> price(BERLIN, "ALL", product, "2030-01-01", "1.00"))
                    .toList());
            var other = RevisionsFixture.revisions(fixture.db);
            var readers = Stream.of(fixture.revisions, other)
                    .flatMap(revisions -> Stream.of(revisions, revisions))
                    .map(revisions -> threads.submit(() -> keepReading(fixture, revisions)))
                    .toList();

            for (var i = 0; i < CHANGES; i++) {
                change(fixture, random, i);
                // To the instance that did not make the change: perhaps never, perhaps several times, perhaps after
                // later ones.
                for (var times = random.nextInt(3); times > 0; times--) {
                    var _ = feed.schedule(() -> other.forget(BERLIN.id()), random.nextInt(300), TimeUnit.MILLISECONDS);
                }
            }

            isOver = true;
            for (var reader : readers) {
                assertThat(reader.get()).as("answers from memory").isPositive();
            }
        }
        assertThat(stale).isEmpty();
    }

    private void change(ChangesFixture fixture, Random random, int number) {
        var product = PRODUCTS.get(random.nextInt(PRODUCTS.size()));
        var amount = BigDecimal.valueOf(200 + number, 2);
        clock.advance(Duration.ofSeconds(2));
        switch (random.nextInt(4)) {
            case 0 -> {
                var draft = draft(fixture, "2036-07-01", product, amount);
                fixture.applied(draft);
                committed(product + " in July", amount);
            }
            case 1 -> {
                // Scheduled and taken back: what counted before counts again.
                var draft = draft(fixture, "2036-06-20", product, amount);
                fixture.applied(draft);
                done(fixture.sets.cancel(GRACE, draft.id()));
                takenBack.put(amount, System.nanoTime());
            }
            default -> {
                fixture.applied(draft(fixture, null, product, amount));
                committed(product, amount);
            }
        }
    }

    private static ChangeSet draft(ChangesFixture fixture, @Nullable String date, String product, BigDecimal amount) {
        return fixture.drafted(ChangesFixture.draft(
                date,
                new ChangeRule(
                        new StoreSelection.Listed(List.of(BERLIN.id())),
                        List.of(product(product)),
                        List.of(Channel.ALL),
                        new PriceOperation.SetTo(amount, null),
                        null)));
    }

    private void committed(String what, BigDecimal amount) {
        committed.computeIfAbsent(what, _ -> new ConcurrentSkipListMap<>()).put(System.nanoTime(), amount);
    }

    private int keepReading(ChangesFixture fixture, PriceRevisions revisions) {
        var snapshots = CurrentFixture.snapshots(fixture.prices, revisions, BOUND, SETTLE_AFTER, Ticker.systemTicker());
        var prices = CurrentFixture.prices(fixture.db, fixture, snapshots);
        var remembered = 0;
        while (!isOver) {
            if (snapshots.fresh(BERLIN.id(), Channel.ALL).isPresent()) {
                remembered++;
            }
            check(prices, "", clock.instant());
            check(prices, " in July", JULY);
            LockSupport.parkNanos(PAUSE.toNanos()); // leaves the machine to what changes prices
        }
        return remembered;
    }

    private void check(CurrentPrices prices, String when, Instant at) {
        long since = System.nanoTime() - BOUND.toNanos();
        var expected = PRODUCTS.stream()
                .map(product -> committed
                        .getOrDefault(product + when, new ConcurrentSkipListMap<>())
                        .headMap(since, true))
                .map(all -> all.isEmpty() ? BigDecimal.ONE : all.lastEntry().getValue())
                .toList();
        var found = prices.basePrices(
                        EVERYTHING,
                        new Asked(BERLIN.id(), Channel.ALL, at, ReadConsistency.BOUNDED),
                        null,
                        PageRequest.forward(10, null))
                .nodes();
        IntStream.range(0, PRODUCTS.size())
                .filter(i -> found.get(i).price().amount().compareTo(expected.get(i)) < 0)
                .mapToObj(i -> PRODUCTS.get(i) + when + ": " + amount(found.get(i)) + ", not " + expected.get(i))
                .forEach(stale::add);
        found.stream()
                .map(FreshnessTest::amount)
                .filter(amount -> takenBack.getOrDefault(amount, Long.MAX_VALUE) < since)
                .map(amount -> amount + when + ", which was taken back")
                .forEach(stale::add);
    }

    private static BigDecimal amount(BasePrice price) {
        return price.price().amount();
    }
}
