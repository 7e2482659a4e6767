package io.menuboard.pricing;

import static io.menuboard.pricing.ChangesFixture.GRACE;
import static io.menuboard.pricing.ChangesFixture.draft;
import static io.menuboard.pricing.ChangesFixture.rule;
import static io.menuboard.pricing.ChangesFixture.setTo;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.kernel.Money;
import io.menuboard.querydb.ChangeHandler;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.LocalDynamoDb;
import io.menuboard.querydb.Meter;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.TableDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Change sets drafted, applied, moved and taken back, while records of the feed and messages that batches are due come
 * twice, early, late, in any order or never: prices at every instant, and in the end the history and the events, are those
 * of a model that knows of no records and no messages.
 */
class PriceChangesModelTest {
    private static final boolean FULL_SOAK = "full".equals(System.getProperty("soak"));
    private static final int RUNS = FULL_SOAK ? 3_000 : 60;
    private static final int RUNS_OF_A_TABLE = 60;
    private static final TableDefinition TABLE = TableDefinition.menuboard("model");
    private static final int STEPS = 14;
    private static final List<String> PRODUCTS = List.of("A", "B", "C");
    private static final int DAYS = 4;

    @Test
    void pricesAndHistoryAreThoseOfTheModel() {
        for (var first = 0; first < RUNS; first += RUNS_OF_A_TABLE) {
            // DynamoDB Local becomes slow after tens of thousands of writes, also in other tables.
            try (var dynamoDb = LocalDynamoDb.inMemory()) {
                dynamoDb.createTable(TABLE);
                for (var seed = first; seed < Math.min(RUNS, first + RUNS_OF_A_TABLE); seed++) {
                    new Run(seed, dynamoDb.directClient()).go();
                }
            }
        }
    }

    /** One story, in stores of its own. */
    private static final class Run {
        private final Random random;
        private final StringBuilder context = new StringBuilder();
        private final MovingClock clock = new MovingClock();
        private final ChangesFixture fixture;
        private final Store store;

        /** Versions of each product by instant, and which sets have made them. */
        private final Map<String, NavigableMap<Instant, Version>> model = new HashMap<>();

        private final List<ChangeSet> scheduled = new ArrayList<>();
        private final Set<PriceBatch> batches = new HashSet<>();
        private final MemorySchedules schedules = new MemorySchedules();
        private final Map<String, PriceUpdated> events = new HashMap<>();
        private final List<ChangeHandler> handlers;
        private final PartitionFeed feed;
        private final List<ChangeRecord> records = new ArrayList<>();
        private final boolean loses;

        private record Version(String amount, @Nullable ChangeSetId set) {}

        Run(int seed, DynamoDbClient client) {
            fixture = new ChangesFixture(
                    new QueryDb(client, TABLE, clock, FreshTable.RETRIES, Meter.NONE, FreshTable.CURSOR_KEY, 8), clock);
            random = new Random(seed);
            tell("seed " + seed);
            store = aStore("S%05d".formatted(seed))
                    .onTheClockOf(List.of("Europe/Berlin", "America/Santiago", "Asia/Tokyo")
                            .get(random.nextInt(3)))
                    .build();
            loses = seed % 2 == 1;
            feed = new PartitionFeed(fixture.db, "STORE#" + store.id());
            handlers = List.of(
                    new BatchWaker(fixture.changes, schedules),
                    new PriceAnnouncer(event -> events.put(event.id(), event)));
            fixture.stores.save(List.of(store));
            PRODUCTS.forEach(product -> {
                fixture.load(List.of(StoreBuilder.price(store, "ALL", product, "2030-01-01", "1.00")));
                versions(product).put(Instant.EPOCH, new Version("1.00", null));
            });
        }

        private void tell(String what) {
            context.append(clock.instant()).append(' ').append(what).append('\n');
        }

        private NavigableMap<Instant, Version> versions(String product) {
            return model.computeIfAbsent(product, _ -> new TreeMap<>());
        }

        void go() {
            for (var step = 0; step < STEPS; step++) {
                clock.advance(Duration.ofMinutes(1 + random.nextInt(600)));
                switch (random.nextInt(7)) {
                    case 0, 1 -> schedule();
                    case 2 -> now();
                    case 3 -> cancel();
                    case 4 -> reschedule();
                    default -> messages();
                }
                records.addAll(feed.next());
                checkPrices();
            }
            clock.advance(Duration.ofDays(DAYS + 2L));
            messages();
            fixture.batches.reconcile(schedules);
            records.addAll(feed.next());
            while (!records.isEmpty()) {
                deliver(records.removeFirst());
            }
            checkPrices();
            checkHistory();
            checkFeed();
            fixture.close();
        }

        private List<String> some() {
            return PRODUCTS.stream().filter(_ -> random.nextBoolean()).toList();
        }

        private String amount() {
            return "1." + (50 + random.nextInt(3));
        }

        private EffectiveDate date() {
            var day = clock.instant().atZone(store.timeZone()).toLocalDate().plusDays(1 + random.nextInt(DAYS));
            return random.nextInt(3) == 0 ? new EffectiveDate(day.atTime(6, 0)) : EffectiveDate.startOf(day);
        }

        private void schedule() {
            var products = some();
            if (products.isEmpty()) {
                return;
            }
            var date = date();
            var amount = amount();
            var set = fixture.drafted(draft(
                    date.toString(),
                    rule(setTo(amount), List.of(store.id().value()), products.toArray(String[]::new))));
            tell("schedule " + set.id() + " " + products + " " + amount + " at " + date);
            if (change(set, products, date.startsAt(store.timeZone()), amount)) {
                var applied = fixture.applied(set);
                scheduled.add(applied);
                batches.add(new PriceBatch(store.id(), Channel.ALL, date));
            }
        }

        private void now() {
            var products = some();
            if (products.isEmpty()) {
                return;
            }
            var amount = amount();
            var set = fixture.drafted(
                    draft(null, rule(setTo(amount), List.of(store.id().value()), products.toArray(String[]::new))));
            tell("now " + set.id() + " " + products + " " + amount);
            if (change(set, products, clock.instant(), amount)) {
                fixture.applied(set);
            }
        }

        /** Puts it into the model; false where nothing would change. */
        private boolean change(ChangeSet set, List<String> products, Instant at, String amount) {
            var changed = false;
            for (var product : products) {
                var versions = versions(product);
                var there = versions.get(at);
                var before = there != null ? there : versions.lowerEntry(at).getValue();
                if (!before.amount().equals(amount)) {
                    versions.put(at, new Version(amount, set.id()));
                    changed = true;
                }
            }
            return changed;
        }

        private @Nullable ChangeSet one() {
            scheduled.removeIf(set -> !clock.instant()
                    .isBefore(Objects.requireNonNull(
                            Objects.requireNonNull(set.summary()).firstInstant())));
            return scheduled.isEmpty() ? null : scheduled.get(random.nextInt(scheduled.size()));
        }

        private void cancel() {
            var set = one();
            if (set != null) {
                tell("cancel " + set.id());
                ChangesFixture.done(fixture.sets.cancel(set.id(), GRACE));
                scheduled.remove(set);
                model.values().forEach(versions -> versions.values()
                        .removeIf(version -> set.id().equals(version.set())));
            }
        }

        private void reschedule() {
            var set = one();
            if (set == null) {
                return;
            }
            var date = date();
            var at = date.startsAt(store.timeZone());
            tell("move " + set.id() + " to " + date);
            ChangesFixture.done(fixture.sets.reschedule(set.id(), date, GRACE));
            batches.add(new PriceBatch(store.id(), Channel.ALL, date));
            scheduled.set(scheduled.indexOf(set), fixture.sets.find(set.id()).orElseThrow());
            model.values().forEach(versions -> versions.entrySet().stream()
                    .filter(entry -> set.id().equals(entry.getValue().set()))
                    .findFirst()
                    .ifPresent(entry -> {
                        var moved = entry.getValue();
                        versions.remove(entry.getKey());
                        var there = versions.get(at);
                        if (there == null || there.set() == null || there.set().compareTo(set.id()) < 0) {
                            versions.put(at, moved);
                        }
                    }));
        }

        /** What the feed tells, and what is said to be due, rightly or not. */
        private void messages() {
            Collections.shuffle(records, random);
            for (var i = random.nextInt(records.size() + 1); i > 0; i--) {
                var record = records.removeFirst();
                switch (random.nextInt(5)) {
                    case 0 -> {
                        deliver(record);
                        records.add(record);
                    }
                    case 1 -> {
                        if (!loses || !record.type().equals(DynamoPriceChanges.BATCH)) {
                            records.add(record);
                        }
                    }
                    default -> deliver(record);
                }
            }
            for (var batch : schedules.fired(clock.instant())) {
                for (var i = random.nextInt(3); i > 0; i--) {
                    fixture.batches.apply(batch);
                }
            }
            var said = new ArrayList<>(batches);
            for (var i = random.nextInt(3); i > 0 && !said.isEmpty(); i--) {
                fixture.batches.apply(said.get(random.nextInt(said.size())));
            }
        }

        private void deliver(ChangeRecord record) {
            handlers.stream()
                    .filter(handler -> handler.types().contains(record.type()))
                    .forEach(handler -> handler.handle(record));
        }

        private void checkPrices() {
            for (var product : PRODUCTS) {
                var versions = versions(product);
                Stream.concat(
                                Stream.of(clock.instant()),
                                versions.keySet().stream()
                                        .filter(at -> at.isAfter(Instant.EPOCH))
                                        .flatMap(at -> Stream.of(at, at.minusMillis(1))))
                        .forEach(at -> assertThat(fixture.price(store.id().value(), product, at.toString()))
                                .as("%s, %s at %s", context, product, at)
                                .isEqualTo(versions.floorEntry(at).getValue().amount()));
            }
        }

        private void checkHistory() {
            for (var product : PRODUCTS) {
                var expected = new ArrayList<String>();
                var before = "1.00";
                for (var version :
                        versions(product).tailMap(Instant.EPOCH, false).entrySet()) {
                    expected.add(before + " to " + version.getValue().amount() + " by "
                            + version.getValue().set());
                    before = version.getValue().amount();
                }
                assertThat(fixture.history(store.id().value(), product))
                        .as("%s, %s", context, product)
                        .extracting(entry ->
                                text(entry.before()) + " to " + text(entry.after()) + " by " + entry.changeSet())
                        .isEqualTo(expected);
            }
            assertThat(fixture.db.load("STORE#" + store.id()))
                    .as(context.toString())
                    .extracting(Item::type)
                    .doesNotContain("priceChange", DynamoPriceChanges.BATCH);
        }

        /** Every change is announced under one id, and no schedule outlives its batch where no record of it was lost. */
        private void checkFeed() {
            var history = PRODUCTS.stream()
                    .flatMap(product -> fixture.history(store.id().value(), product).stream())
                    .filter(entry -> !Objects.equals(entry.before(), entry.after()))
                    .map(entry -> entry.subject().name() + " " + entry.at() + " " + entry.after() + " by "
                            + entry.changeSet())
                    .toList();
            assertThat(events.values())
                    .as(context.toString())
                    .extracting(event -> event.product() + " " + event.effectiveAt() + " " + event.after() + " by "
                            + event.changeSet())
                    .containsExactlyInAnyOrderElementsOf(history);
            if (!loses) {
                assertThat(schedules.all()).as(context.toString()).isEmpty();
            }
        }

        private static String text(@Nullable Money money) {
            return money == null ? "nothing" : money.amount().toPlainString();
        }
    }
}
