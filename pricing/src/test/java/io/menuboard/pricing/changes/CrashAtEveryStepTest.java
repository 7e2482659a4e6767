package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.PricingFixture.FULL_SOAK;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.product;
import static io.menuboard.pricing.changes.ChangesFixture.products;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.menuboard.kernel.Money;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.DynamoPriceHistory;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.PriceHistoryEntry;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoredPrice;
import io.menuboard.pricing.batches.DynamoPriceBatches;
import io.menuboard.pricing.batches.MemorySchedules;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.querydb.DyingClient;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.TableDefinition;
import io.menuboard.querydb.audit.AuditRecord;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.workers.WorkersFixture;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * A process dies before its first write to the table, and after each one: whoever comes after it brings about what it would
 * have, once. {@code -Dsoak=full} has it die before and after each request, which leaves the same once more.
 */
class CrashAtEveryStepTest {
    /** Two transactions. */
    private static final String[] PRODUCTS = products(DynamoChunkTransactions.LINES_AT_ONCE + 1);

    private static final EffectiveDate DAY = EffectiveDate.parse("2036-07-01");
    private static final Set<String> READS = Set.of("getItem", "batchGetItem", "transactGetItems", "query", "scan");

    /** One for each test: after thousands of writes DynamoDB Local is slow with its next table. */
    private final LocalDynamoDb dynamoDb = LocalDynamoDb.inMemory();

    private final TableDefinition table = TableDefinition.menuboard("crashes");
    private int stories;

    @BeforeEach
    void createTable() {
        LocalTables.create(dynamoDb, table);
    }

    @AfterEach
    void stop() {
        dynamoDb.close();
    }

    @Test
    void applyingABatch() {
        eachStep(
                (fixture, store) ->
                        fixture.applied(draftFor(store, "2036-07-01")).id(),
                (fixture, store, _) -> {
                    fixture.clock.set(Instant.parse("2036-06-30T22:00:00Z"));
                    fixture.batches.apply(EVERYTHING, new PriceBatch(store.id(), Channel.ALL, DAY));
                },
                (fixture, _, _) -> {
                    fixture.clock.advance(Duration.ofMinutes(3));
                    fixture.reconcile(new MemorySchedules());
                });
    }

    @Test
    void applyingASetAtOnce() {
        eachStep(
                (fixture, store) -> fixture.drafted(draftFor(store, null)).id(),
                (fixture, _, set) ->
                        fixture.applied(fixture.sets.find(GRACE, set).orElseThrow()),
                CrashAtEveryStepTest::recover);
    }

    @Test
    void applyingASetThatIsToCome() {
        eachStep(
                (fixture, store) ->
                        fixture.drafted(draftFor(store, "2036-07-01")).id(),
                (fixture, _, set) ->
                        fixture.applied(fixture.sets.find(GRACE, set).orElseThrow()),
                (fixture, store, set) -> {
                    recover(fixture, store, set);
                    fixture.clock.set(Instant.parse("2036-06-30T22:03:00Z"));
                    fixture.reconcile(new MemorySchedules());
                });
    }

    private static DraftChangeSet draftFor(Store store, @Nullable String date) {
        return draft(date, rule(setTo("5.49"), List.of(store.id().value()), PRODUCTS));
    }

    /** The task of the dead process goes to another one; where it had not begun, the caller asks again. */
    private static void recover(ChangesFixture fixture, Store store, ChangeSetId set) {
        fixture.clock.advance(Duration.ofHours(2));
        try (var background = WorkersFixture.workers(fixture.tasks, fixture.runs.work())) {
            background.start();
            // Running comes again last: a task may have been claimed between the first two lists.
            await().pollInterval(Duration.ofMillis(10))
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> Stream.of(TaskStatus.RUNNING, TaskStatus.PENDING, TaskStatus.RUNNING)
                            .allMatch(status -> fixture.tasks
                                    .reads()
                                    .list(TasksFixture.STAFF, TaskFilter.of(status), ChangesFixture.PAGE)
                                    .nodes()
                                    .isEmpty()));
        }
        var now = fixture.sets.find(GRACE, set).orElseThrow();
        if (now.status() == ChangeSetStatus.DRAFT) {
            fixture.sets.apply(GRACE, set, String.valueOf(now.token()));
        }
    }

    private interface Prepared {
        ChangeSetId prepare(ChangesFixture fixture, Store store);
    }

    private interface Step {
        void go(ChangesFixture fixture, Store store, ChangeSetId set);
    }

    /** Every step is a story of its own, in a store of its own. */
    private void eachStep(Prepared before, Step mortal, Step survivor) {
        var steps = 0;
        while (dies(steps, true, before, mortal, survivor)) {
            steps++;
        }
        // Writes are two transactions, and what tells that they are done.
        assertThat(steps).as("requests at which it died").isGreaterThan(FULL_SOAK ? 5 : 2);
        // What is left of who dies before a request is what is left of who dies after the one before it.
        for (var step = 0; step < (FULL_SOAK ? steps : 1); step++) {
            var _ = dies(step, false, before, mortal, survivor);
        }
    }

    /** False where it was done before it came to that step. */
    private boolean dies(int step, boolean afterIt, Prepared before, Step mortal, Step survivor) {
        var clock = new MovingClock();
        var store = aStore("DE-%04d".formatted(stories++)).build();
        var client = new DyingClient(
                dynamoDb.directClient(), step, afterIt, request -> FULL_SOAK || !READS.contains(request.getName()));
        try (var healthy = new ChangesFixture(db(dynamoDb.directClient(), clock), clock)) {
            healthy.stores.save(EVERYTHING, List.of(store));
            healthy.load(Stream.of(PRODUCTS)
                    .<Price>map(product -> price(store, "ALL", product, "2030-01-01", "5.00"))
                    .toList());
            var set = before.prepare(healthy, store);
            attempt(() -> {
                try (var doomed = new ChangesFixture(db(client.proxy(), clock), clock)) {
                    mortal.go(doomed, store, set);
                }
            });
            survivor.go(healthy, store, set);
            var context = "dies " + (afterIt ? "after" : "before") + " request " + step;
            check(healthy, store, context);
            assertThat(healthy.audit
                            .bySubject("CHANGESET#" + set, ChangesFixture.PAGE)
                            .nodes())
                    .as(context)
                    .extracting(AuditRecord::action)
                    .containsExactlyInAnyOrder("change set drafted", "change set applied", "change set run ended");
        }
        return client.isDead();
    }

    private QueryDb db(DynamoDbClient client, Clock clock) {
        return LocalTables.queryDb(client, table, clock);
    }

    private static void attempt(Runnable work) {
        try {
            work.run();
        } catch (UncheckedIOException _) {
            // It died.
        }
    }

    private static void check(ChangesFixture fixture, Store store, String context) {
        var id = store.id().value();
        for (var product : List.of(PRODUCTS[0], PRODUCTS[PRODUCTS.length - 1])) {
            assertThat(fixture.price(id, product, "2036-07-02T00:00:00Z"))
                    .as(context)
                    .isEqualTo("5.49");
            assertThat(fixture.history(id, product))
                    .as(context)
                    .extracting(PriceHistoryEntry::before, PriceHistoryEntry::after)
                    .containsExactly(tuple(euros("5.00"), euros("5.49")));
            assertThat(fixture.prices.versions(store.id(), Channel.ALL, List.of(product(product))))
                    .as(context)
                    .containsKey(product(product))
                    .allSatisfy((_, versions) -> assertThat(versions.versions())
                            .extracting(StoredPrice::superseded)
                            .containsExactly(true, false));
        }
        assertThat(fixture.db.load("STORE#" + id).stream().collect(groupingBy(Item::type, counting())))
                .as(context)
                .containsEntry(DynamoPriceHistory.TYPE, (long) PRODUCTS.length)
                .doesNotContainKeys("priceChange", DynamoPriceBatches.TYPE);
    }

    private static Money euros(String amount) {
        return new Money(new BigDecimal(amount), Money.currencyOf("EUR"));
    }
}
