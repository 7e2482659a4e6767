package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.done;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.product;
import static io.menuboard.pricing.changes.ChangesFixture.products;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.PricingFixture;
import io.menuboard.pricing.batches.MemorySchedules;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.pricing.chunks.ChunksFixture;
import io.menuboard.pricing.chunks.DynamoChunkPlan;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.HalfVisibleTransactions;
import io.menuboard.querydb.MovingClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is decided from a transaction of which Queries find some items already, and others not yet. */
class HalfVisibleSetsTest {
    private static final EffectiveDate JULY = EffectiveDate.parse("2036-07-01");
    private static final PriceBatch BATCH = new PriceBatch(BERLIN.id(), Channel.ALL, JULY);
    private static final String STORE = BERLIN.id().value();
    private static final String IN_JULY = "2036-07-02T00:00:00Z";

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();

    /** Done once, while the next transaction is seen in part. */
    private Runnable meanwhile = () -> {};

    private ChangesFixture fixture(Predicate<String> isEarly, Predicate<String> isLate) {
        var client = HalfVisibleTransactions.of(table.client(), isEarly, isLate, () -> {
            var once = meanwhile;
            meanwhile = () -> {};
            once.run();
        });
        var fixture = new ChangesFixture(table.queryDb(client, clock), clock);
        fixture.stores.save(EVERYTHING, List.of(BERLIN));
        fixture.load(Stream.of(products(2))
                .<Price>map(product -> price(BERLIN, "ALL", product, "2030-01-01", "4.99"))
                .toList());
        return fixture;
    }

    private static boolean isOfASet(String key) {
        return key.startsWith("CHANGESET#");
    }

    private static ChangeSet drafted(ChangesFixture fixture) {
        return fixture.drafted(draft(JULY.toString(), rule(setTo("5.49"), List.of(STORE), products(2))));
    }

    private static ChangeSet now(ChangesFixture fixture, ChangeSet set) {
        return fixture.sets.find(GRACE, set.id()).orElseThrow();
    }

    @Test
    void aSetThatIsCancelledBeforeItsVersionsAreSeenLeavesNothingOfItself() {
        try (var fixture = fixture(HalfVisibleSetsTest::isOfASet, key -> key.startsWith("STORE#"))) {
            var set = drafted(fixture);
            var cancelled = new ArrayList<ChangeSet>();
            meanwhile = () -> {
                assertThat(fixture.prices
                                .versions(BERLIN.id(), Channel.ALL, List.of(product("P000"), product("P001")))
                                .values())
                        .as("none of the set's is seen")
                        .allSatisfy(versions -> assertThat(versions.versions()).hasSize(1));
                cancelled.add(done(fixture.sets.cancel(GRACE, set.id())));
            };

            fixture.applied(set);

            assertThat(cancelled).extracting(ChangeSet::status).containsExactly(ChangeSetStatus.CANCELLED);
            assertThat(now(fixture, set).status()).isEqualTo(ChangeSetStatus.CANCELLED);
            assertThat(fixture.price(STORE, "P000", IN_JULY)).isEqualTo("4.99");
            assertThat(fixture.batching.pending.left(BATCH)).isEmpty();
            assertThat(fixture.batching.stored.find(BATCH)).isEmpty();
        }
    }

    @Test
    void whatWaitsIsNotTakenForGoneWhereItsVersionIsSeenAndItsChangeIsNot() {
        try (var fixture = fixture(HalfVisibleSetsTest::isOfASet, key -> key.contains("#Change#"))) {
            var set = drafted(fixture);
            var book = new PriceBook(
                    fixture.stores, fixture.prices, fixture.storedHistory, PricingFixture.audit(fixture.audit));
            var plans = ChunksFixture.plans(book, fixture.batching, fixture.revisions, clock);
            var lines = new DynamoChangeLines(fixture.db, Duration.ofDays(1_095));
            var planned = new ArrayList<DynamoChunkPlan>();
            // As somebody has who looked for what is to come before.
            assertThat(fixture.batching.pending.left(BATCH)).isEmpty();
            meanwhile = () -> {
                assertThat(fixture.batching.pending.left(BATCH)).isEmpty();
                try (var chunks = lines.chunks(now(fixture, set))) {
                    chunks.forEach(chunk -> plans.scheduled()
                            .planBack(set.id(), chunk, BERLIN, true)
                            .ifPresent(planned::add));
                }
            };

            fixture.applied(set);

            assertThat(planned).hasSize(1);
            assertThat(fixture.batching.pending.left(BATCH)).hasSize(2);
        }
    }

    @Test
    void aBatchIsLeftUntilItsChangesAreSeen() {
        try (var fixture = fixture(HalfVisibleSetsTest::isOfASet, key -> key.contains("#Change#"))) {
            var set = drafted(fixture);
            // As somebody has who looked for what is to come before.
            assertThat(fixture.batching.pending.left(BATCH)).isEmpty();
            meanwhile = () -> {
                clock.set(JULY.startsAt(BERLIN.timeZone()));
                var _ = fixture.batches.apply(EVERYTHING, BATCH);
                assertThat(fixture.batching.pending.left(BATCH)).isEmpty();
            };

            fixture.applied(set);

            assertThat(fixture.batching.pending.left(BATCH)).hasSize(2);
            clock.advance(Duration.ofMinutes(3));
            assertThat(fixture.reconcile(new MemorySchedules())).isEqualTo(1);
            assertThat(fixture.history(STORE, "P000")).hasSize(1);
            assertThat(fixture.history(STORE, "P001")).hasSize(1);
            assertThat(fixture.batching.pending.left(BATCH)).isEmpty();
            assertThat(fixture.batching.stored.find(BATCH)).isEmpty();
        }
    }

    @Test
    void anUndoDeletesNoPriceWhoseHistoryIsNotSeenYet() {
        try (var fixture = fixture(key -> key.contains("#Change#"), key -> key.contains("#History#"))) {
            var set = fixture.applied(drafted(fixture));
            clock.set(JULY.startsAt(BERLIN.timeZone()));
            // As somebody has who looked for it before.
            for (var product : products(2)) {
                assertThat(fixture.storedHistory.firstBy(BERLIN.id(), Channel.ALL, product(product), set.id()))
                        .isEmpty();
            }
            var found = new ArrayList<Finding>();
            meanwhile = () -> found.addAll(undone(fixture, set));

            var _ = fixture.batches.apply(EVERYTHING, BATCH);

            assertThat(found).containsExactly(Finding.INVALID, Finding.INVALID);
            assertThat(undone(fixture, set)).containsExactly(Finding.WILL_CHANGE, Finding.WILL_CHANGE);
        }
    }

    private static List<Finding> undone(ChangesFixture fixture, ChangeSet set) {
        var undo = done(fixture.drafts.draftUndo(GRACE, set.id(), "a slip", null));
        return fixture.lines(undo).stream().map(ChangeLine::finding).toList();
    }
}
