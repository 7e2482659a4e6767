package io.menuboard.favorites;

import static io.menuboard.favorites.FavoritesFixture.GRACE;
import static io.menuboard.favorites.FavoritesFixture.PAGE;
import static io.menuboard.favorites.FavoritesFixture.restaurant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import io.menuboard.favorites.Recount.Difference;
import io.menuboard.favorites.Recount.Drift;
import io.menuboard.favorites.Recount.Mode;
import io.menuboard.favorites.Recount.Outcome;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.HalfVisibleTransactions;
import io.menuboard.querydb.InterruptedClient;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.audit.AuditRecord;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

class RecountsTest {
    private static final String PIZZERIA = "pizzeria";

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private FavoritesFixture fixture;

    @BeforeEach
    void open() {
        fixture = new FavoritesFixture(table.queryDb(clock), clock);
    }

    @Test
    void findsNothingWhereEverythingIsCounted() throws InterruptedException {
        count(fixture.marks(PIZZERIA, 0, 150));
        count(fixture.marks("diner", 0, 3));
        caughtUp();

        var recount = recount(Mode.CHECK);

        assertThat(recount).returns(2L, Recount::checked).returns(0L, Recount::drifted);
        assertThat(recount.finishedAt()).isNotNull();
        assertThat(fixture.recounts.drifts(GRACE, recount.id(), PAGE).nodes()).isEmpty();
    }

    @Test
    void aMarkThatWasTakenBackMonthsAfterItWasMadeIsNoDrift() throws InterruptedException {
        count(fixture.marks(PIZZERIA, 0, 1));
        clock.advance(Duration.ofDays(70));
        count(List.of(fixture.unmark("user-0", PIZZERIA).orElseThrow()));
        caughtUp();

        assertThat(drifts(recount(Mode.CORRECT))).isEmpty();
        assertThat(audits(PIZZERIA)).isEmpty();
        isRight(PIZZERIA);
    }

    @Test
    void pagesThatAreFullAtTheEndOfAMonthAreReadInBothMonths() throws InterruptedException {
        // A page of the last level that all restaurants have is for 16.4 seconds, and the five before it are full
        // first.
        var midnight = Instant.parse("2036-08-01T00:00:00Z");
        var before = Duration.ofMillis(midnight.toEpochMilli() % 16_384);
        clock.advance(Duration.between(clock.instant(), midnight.minus(before)));
        for (var from = 0; from < 1_000; from += 200) {
            count(fixture.marks(PIZZERIA, from, from + 200));
        }
        clock.advance(before.plusSeconds(4)); // on the page of the last quarter, which begins after midnight
        count(fixture.marks(PIZZERIA, 1_000, 1_010));
        caughtUp();

        assertThat(drifts(recount(Mode.CHECK))).isEmpty();
        isRight(PIZZERIA);
    }

    @Test
    void correctsAMarkThatWasNeverDeliveredAndCountsItOnce() throws InterruptedException {
        count(fixture.marks(PIZZERIA, 0, 5));
        var lost = fixture.marks(PIZZERIA, 5, 7);
        caughtUp();

        assertThat(drifts(recount(Mode.CHECK)))
                .singleElement()
                .returns(2L, Drift::notCounted)
                .returns(Outcome.FOUND, Drift::outcome);
        assertThat(fixture.counted(PIZZERIA)).containsEntry(FavoriteWindow.ALL_TIME, 5L);

        assertThat(drifts(recount(Mode.CORRECT)))
                .singleElement()
                .returns(Outcome.CORRECTED, Drift::outcome)
                .satisfies(drift ->
                        assertThat(drift.differences()).contains(new Difference(FavoriteWindow.ALL_TIME, 5, 5, 7)));
        isRight(PIZZERIA);

        count(lost);
        isRight(PIZZERIA);
        assertThat(drifts(recount(Mode.CHECK))).isEmpty();
    }

    @Test
    void countsUndeliveredMarksWhileOthersAreCounted() throws Exception {
        count(fixture.marks(PIZZERIA, 0, 5));
        fixture.marks(PIZZERIA, 5, 105);
        caughtUp();
        var other = new FavoritesFixture(table.queryDb(clock), clock, 1);
        var enough = new AtomicBoolean();
        List<Drift> found;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var busy = threads.submit(() -> {
                for (var i = 0; !enough.get(); i++) {
                    assertThat(other.counts.handle(other.marks(PIZZERIA, 1_000 + i, 1_001 + i)))
                            .isEmpty();
                }
            });
            try {
                await().untilAsserted(() -> assertThat(fixture.counted(PIZZERIA))
                        .hasEntrySatisfying(FavoriteWindow.ALL_TIME, count -> assertThat(count)
                                .isGreaterThan(20)));

                found = drifts(recount(Mode.CORRECT));
            } finally {
                enough.set(true);
            }
            busy.get();
        }
        assertThat(found).hasSize(1);
        isRight(PIZZERIA);
        assertThat(audits(PIZZERIA)).anySatisfy(record -> assertThat(record)
                .returns("missing marks counted", AuditRecord::action)
                .returns(GRACE.actor(), AuditRecord::actor));
        assertThat(drifts(recount(Mode.CHECK))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aMarkMadeAndCountedDuringARecountIsNoDrift(Mode mode) throws InterruptedException {
        var next = new AtomicInteger(5);
        count(fixture.marks(PIZZERIA, 0, 5));
        caughtUp();
        var slow = interrupted(
                request -> request instanceof QueryRequest query
                        && query.expressionAttributeValues().values().stream()
                                .anyMatch(value ->
                                        value.s() != null && value.s().startsWith("FAVSEEN#" + PIZZERIA + "#2036-06")),
                2,
                0,
                () -> count(fixture.marks(PIZZERIA, next.get(), next.incrementAndGet())));

        slow.recountWork.recount(slow.recounts.start(GRACE, mode, null), _ -> {});

        assertThat(slow.recounts.list(GRACE, PAGE).nodes()).singleElement().returns(0L, Recount::drifted);
        assertThat(audits(PIZZERIA)).isEmpty();
        isRight(PIZZERIA);
    }

    @Test
    void correctsNoRollupThatWasChangedMeanwhile() throws InterruptedException {
        count(fixture.marks(PIZZERIA, 0, 5));
        var other = new FavoritesFixture(table.queryDb(clock), clock, 1);
        assertThat(other.counts.handle(other.marks(PIZZERIA, 5, 7))).isEmpty();
        fixture.db.update(Update.of(DynamoRollups.key(restaurant(PIZZERIA), 0))
                .add("m203606", 10)
                .add("version", 1));
        caughtUp();
        var late = new FavoritesFixture(table.queryDb(clock), clock, 2);
        var slow = interrupted(
                request -> request instanceof TransactWriteItemsRequest write
                        && write.transactItems().stream()
                                .anyMatch(item -> item.put() != null
                                        && Objects.equals(
                                                item.put().item().get("type"), AttributeValue.fromS("audit"))),
                () -> {
                    assertThat(other.counts.handle(other.marks(PIZZERIA, 7, 8))).isEmpty();
                    assertThat(late.counts.handle(late.marks(PIZZERIA, 8, 9))).isEmpty();
                    assertThat(other.counts.handle(
                                    List.of(other.unmark("user-2", PIZZERIA).orElseThrow())))
                            .isEmpty();
                });

        slow.recountWork.recount(slow.recounts.start(GRACE, Mode.CORRECT, null), _ -> {});

        isRight(PIZZERIA);
        assertThat(audits(PIZZERIA)).hasSize(1);
        assertThat(drifts(recount(Mode.CHECK))).isEmpty();
    }

    @Test
    void whoHasNeverCountedTheRestaurantLearnsOfACorrectionMadeMeanwhile() {
        count(fixture.marks(PIZZERIA, 0, 5));
        clock.advance(Duration.ofHours(3));
        var lost = fixture.unmark("user-3", PIZZERIA).orElseThrow();
        caughtUp();
        var slow = interrupted(TransactWriteItemsRequest.class::isInstance, 1, 2, () -> {
            try {
                assertThat(drifts(recount(Mode.CORRECT))).singleElement().returns(Outcome.CORRECTED, Drift::outcome);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });

        assertThat(slow.counts.handle(List.of(lost))).isEmpty();

        isRight(PIZZERIA);
    }

    /** An instance that takes its time before one of its requests. */
    private FavoritesFixture interrupted(Predicate<DynamoDbRequest> request, Runnable meanwhile) {
        return interrupted(request, 1, 0, meanwhile);
    }

    private FavoritesFixture interrupted(
            Predicate<DynamoDbRequest> request, int times, int counterShard, Runnable meanwhile) {
        var client =
                InterruptedClient.before(request, times, LocalDynamoDb.shared().directClient(), meanwhile);
        return new FavoritesFixture(table.queryDb(client, clock), clock, counterShard);
    }

    @Test
    void correctsAMarkWhoseRemovalWasNeverDeliveredAndCountsItOnce() throws InterruptedException {
        var other = new FavoritesFixture(table.queryDb(clock), clock, 1);
        count(fixture.marks(PIZZERIA, 0, 5));
        assertThat(other.counts.handle(fixture.marks(PIZZERIA, 5, 6))).isEmpty();
        clock.advance(Duration.ofDays(3));
        var lost = fixture.unmark("user-3", PIZZERIA).orElseThrow();
        caughtUp();

        var found = drifts(recount(Mode.CORRECT));

        assertThat(found).singleElement().returns(1L, Drift::gone).returns(Outcome.CORRECTED, Drift::outcome);
        isRight(PIZZERIA);
        assertThat(drifts(recount(Mode.CHECK))).isEmpty();

        // It was a dead letter, say, and is sent back: to one who counted before, and to one who never did.
        for (var instance : List.of(other, new FavoritesFixture(table.queryDb(clock), clock, 2))) {
            assertThat(instance.counts.handle(List.of(lost))).isEmpty();
            isRight(PIZZERIA);
        }
        assertThat(drifts(recount(Mode.CHECK))).isEmpty();
    }

    @Test
    void countsStayAsTheyAreUntilEveryUndeliveredEventIsKnownNotToBeCountedAgain() throws InterruptedException {
        var ofARecount = 4 * FavoritesFixture.MOST_UNDELIVERED;
        var users = ofARecount + 20;
        count(fixture.marks(PIZZERIA, 0, users));
        clock.advance(Duration.ofDays(3));
        var lost = new ArrayList<ChangeRecord>();
        for (var user = 0; user < ofARecount + 10; user++) {
            lost.add(fixture.unmark("user-" + user, PIZZERIA).orElseThrow());
        }
        caughtUp();

        assertThat(drifts(recount(Mode.CORRECT)))
                .singleElement()
                .returns((long) FavoritesFixture.MOST_UNDELIVERED, Drift::gone)
                .returns(Outcome.BUSY, Drift::outcome);
        assertThat(fixture.counted(PIZZERIA)).containsEntry(FavoriteWindow.ALL_TIME, (long) users);
        assertThat(audits(PIZZERIA)).hasSize(4).allSatisfy(record -> assertThat(record)
                .returns("undelivered events noted", AuditRecord::action)
                .satisfies(noted -> assertThat(noted.details()).containsOnlyKeys("recount", "not counted", "gone")));

        // Dead letters that are sent back between two recounts: those that are known, and others.
        count(lost.subList(0, ofARecount + 5));
        assertThat(drifts(recount(Mode.CORRECT))).singleElement().returns(Outcome.CORRECTED, Drift::outcome);
        isRight(PIZZERIA);
        count(lost);
        isRight(PIZZERIA);
        assertThat(drifts(recount(Mode.CHECK))).isEmpty();
    }

    @Test
    void asManyEventsAsAreReconciledAtOnceFitIntoATransaction() {
        var numbers = LongStream.rangeClosed(1, DynamoEventLedger.MOST_RECONCILED)
                .boxed()
                .toList();

        var writes = DynamoEventLedger.putReconciled(restaurant(PIZZERIA), 0, numbers);
        fixture.db.transact(writes);

        var last = writes.size();
        assertThat(reconciled(fixture.ledger, PIZZERIA, last)).isEqualTo(numbers);
        assertThat(reconciled(fixture.ledger, PIZZERIA, last - 1)).hasSizeLessThan(numbers.size());
        assertThat(reconciled(fixture.ledger, PIZZERIA, 0)).isEmpty();
        assertThat(fixture.ledger.reconciled(restaurant(PIZZERIA), last + 1))
                .as("of one more, whose events are not seen yet")
                .isEmpty();
    }

    @Test
    void reconciledEventsAreReadAgainRatherThanHeldBeyondABound() {
        var names = List.of("a", "b", "c");
        var numbers = LongStream.rangeClosed(1, 4_000).boxed().toList();
        names.forEach(
                name -> fixture.db.transact(DynamoEventLedger.putReconciled(restaurant(name), 0, numbers.reversed())));
        var all = new DynamoEventLedger(fixture.db, 4L * numbers.size() * Long.BYTES);
        var some = new DynamoEventLedger(fixture.db, 2L * numbers.size() * Long.BYTES);
        for (var ledger : List.of(all, some)) {
            for (var name : names) {
                // Of each restaurant the last ones only.
                assertThat(reconciled(ledger, name, 1)).hasSize(numbers.size() / 2);
                assertThat(reconciled(ledger, name, 2)).isEqualTo(numbers);
            }
        }

        var ofAll = table.meter().during(() -> names.forEach(name -> reconciled(all, name, 2)));
        var ofSome = table.meter().during(() -> names.forEach(name -> reconciled(some, name, 2)));

        assertThat(ofAll.requests()).isZero();
        assertThat(ofSome.requests()).isPositive();
    }

    private static List<Long> reconciled(DynamoEventLedger ledger, String name, long corrections) {
        return ledger.reconciled(restaurant(name), corrections)
                .orElseThrow()
                .numbers()
                .boxed()
                .toList();
    }

    @Test
    void whoCountsWhileACorrectionIsSeenInPartKnowsAfterwardsWhatItReconciled() throws InterruptedException {
        var instances = new ArrayList<FavoritesFixture>();
        var marks = new ArrayList<ChangeRecord>();
        var client = HalfVisibleTransactions.of(
                table.client(),
                partition -> partition.startsWith("FAVUNTOLD#"),
                partition -> partition.startsWith("FAVUNTOLD#"),
                () -> instances.forEach(instance -> {
                    marks.addAll(instance.marks(PIZZERIA, 6, 7));
                    instance.counts.handle(marks); // is delivered again where that fails
                }));
        var other = new FavoritesFixture(table.queryDb(client, clock), clock, 1);
        instances.add(other);
        count(fixture.marks(PIZZERIA, 0, 5));
        assertThat(other.counts.handle(fixture.marks(PIZZERIA, 5, 6))).isEmpty();
        clock.advance(Duration.ofDays(3));
        var lost = fixture.unmark("user-3", PIZZERIA).orElseThrow();
        caughtUp();
        assertThat(new DynamoEventLedger(other.db, FavoritesFactory.RECONCILED_BYTES)
                        .reconciled(restaurant(PIZZERIA), 1))
                .as("an answer of before, which the table may give again")
                .isEmpty();

        var slow = new FavoritesFixture(table.queryDb(client, clock), clock);
        slow.recountWork.recount(slow.recounts.start(GRACE, Mode.CORRECT, null), _ -> {});

        assertThat(marks).hasSize(1);
        assertThat(other.counts.handle(marks)).isEmpty();
        assertThat(other.counts.handle(List.of(lost))).isEmpty();
        isRight(PIZZERIA);
    }

    @Test
    void correctsDaysWeeksAndMonthsThatAreOver() throws InterruptedException {
        var day = markedDayWithALostRemoval();

        assertThat(drifts(recount(Mode.CORRECT))).singleElement().returns(Outcome.CORRECTED, Drift::outcome);

        isRanked(day, 4);
        isRight(PIZZERIA);
    }

    @Test
    void aRecountThatGoesOnRanksWhatWasCorrectedBeforeItsProcessDied() throws InterruptedException {
        var day = markedDayWithALostRemoval();
        var dying = interrupted(request -> puts(request, "FAVCOUNT#"), () -> {
            throw new IllegalStateException("the process dies");
        });
        var recount = dying.recounts.start(GRACE, Mode.CORRECT, null);
        assertThatThrownBy(() -> dying.recountWork.recount(recount, _ -> {})).hasMessageContaining("the process dies");
        assertThat(audits(PIZZERIA)).hasSize(1);
        isRanked(day, 5);

        fixture.recountWork.recount(recount, _ -> {});

        isRanked(day, 4);
        isRight(PIZZERIA);
        assertThat(audits(PIZZERIA)).hasSize(1);
        assertThat(drifts(fixture.recounts.find(GRACE, recount.id()).orElseThrow()))
                .singleElement()
                .returns(Outcome.CORRECTED, Drift::outcome);
    }

    @Test
    void whatARecountDidNotComeToCorrectIsOnlyFound() throws InterruptedException {
        var day = markedDayWithALostRemoval();
        var dying = interrupted(TransactWriteItemsRequest.class::isInstance, () -> {
            throw new IllegalStateException("the process dies");
        });
        var recount = fixture.recounts.start(GRACE, Mode.CORRECT, null);

        assertThatThrownBy(() -> dying.recountWork.recount(recount, _ -> {})).hasMessageContaining("the process dies");

        assertThat(drifts(recount)).singleElement().returns(Outcome.FOUND, Drift::outcome);
        assertThat(audits(PIZZERIA)).isEmpty();
        isRanked(day, 5);
    }

    /** Of what it found: before it corrects, once it has, and when nothing differs any more. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aRecountThatGoesOnSaysWhatWasCorrectedHoweverFarItWas(int note) throws InterruptedException {
        var day = markedDayWithALostRemoval();
        var notes = new AtomicInteger();
        var dying = interrupted(request -> puts(request, "FAVRECOUNT#"), note, 0, () -> {
            if (notes.incrementAndGet() == note) {
                throw new IllegalStateException("the process dies");
            }
        });
        var recount = fixture.recounts.start(GRACE, Mode.CORRECT, null);
        assertThatThrownBy(() -> dying.recountWork.recount(recount, _ -> {})).hasMessageContaining("the process dies");
        assertThat(drifts(recount)).extracting(Drift::outcome).doesNotContain(Outcome.CORRECTED);

        fixture.recountWork.recount(recount, _ -> {});

        assertThat(drifts(recount)).singleElement().returns(Outcome.CORRECTED, Drift::outcome);
        assertThat(audits(PIZZERIA)).hasSize(1);
        isRanked(day, 4);
        isRight(PIZZERIA);
    }

    /** It stands still before it notes what it found, until another process has corrected that. */
    @Test
    void aProcessThatWasOvertakenLeavesARecountThatIsDoneAsItIs() throws InterruptedException {
        markedDayWithALostRemoval();
        var begin = clock.instant();
        var recount = fixture.recounts.start(GRACE, Mode.CORRECT, null);
        var slow = interrupted(request -> puts(request, "FAVRECOUNT#"), () -> {
            clock.advance(Duration.ofSeconds(1));
            caughtUp();
            try {
                fixture.recountWork.recount(recount, _ -> {});
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            clock.advance(Duration.ofSeconds(1));
        });

        slow.recountWork.recount(recount, _ -> {});

        assertThat(drifts(recount)).singleElement().returns(Outcome.CORRECTED, Drift::outcome);
        assertThat(fixture.recounts.find(GRACE, recount.id()).orElseThrow().finishedAt())
                .isEqualTo(begin.plusSeconds(1));
        assertThat(audits(PIZZERIA)).hasSize(1);
        isRight(PIZZERIA);
    }

    @Test
    void whatWasCorrectedIsNotTakenForUnreadableWhereAMarkIsSoAfterwards() throws InterruptedException {
        count(fixture.marks(PIZZERIA, 0, 5));
        fixture.marks(PIZZERIA, 5, 7);
        caughtUp();
        var newer = DynamoFavorites.key(new UserId("user-3"), restaurant(PIZZERIA));
        var slow = interrupted(
                request -> puts(request, "FAVCOUNT#"),
                () -> fixture.db.update(Update.of(newer).set("created", "x")));
        var recount = fixture.recounts.start(GRACE, Mode.CORRECT, null);

        slow.recountWork.recount(recount, _ -> {});

        assertThat(fixture.recounts.find(GRACE, recount.id()).orElseThrow())
                .returns(1L, Recount::drifted)
                .returns(0L, Recount::undecided);
        assertThat(drifts(recount))
                .singleElement()
                .returns(2L, Drift::notCounted)
                .returns(Outcome.BUSY, Drift::outcome);
        assertThat(audits(PIZZERIA)).hasSize(1);
    }

    /** Whether it puts an item into such a partition, of the table or of an index. */
    private static boolean puts(DynamoDbRequest request, String partition) {
        return request instanceof PutItemRequest put
                && put.item().values().stream()
                        .anyMatch(value -> value.s() != null && value.s().startsWith(partition));
    }

    /** Of a week, and a month, that are over by now too. */
    private LocalDate markedDayWithALostRemoval() {
        clock.set(Instant.parse("2036-06-29T12:00:00Z"));
        var day = Rollup.day(clock.instant());
        count(fixture.marks(PIZZERIA, 0, 5));
        clock.advance(Duration.ofMinutes(2));
        isRanked(day, 5);
        assertThat(fixture.unmark("user-3", PIZZERIA)).isPresent();
        clock.advance(Duration.ofDays(3));
        caughtUp();
        isRanked(day, 5);
        return day;
    }

    private void isRanked(LocalDate day, long count) {
        for (var window : List.of(FavoriteWindow.DAY, FavoriteWindow.WEEK, FavoriteWindow.MONTH)) {
            assertThat(fixture.rankings.top(GRACE, window, day, PAGE).page().nodes())
                    .as(window.name())
                    .singleElement()
                    .returns(count, RankedRestaurant::count);
        }
    }

    @Test
    void correctsAMarkOfWhichOnlyTheRemovalWasDeliveredAndCountsItOnce() throws InterruptedException {
        count(fixture.marks(PIZZERIA, 0, 5));
        var lost = fixture.marks(PIZZERIA, 5, 6);
        count(List.of(fixture.unmark("user-5", PIZZERIA).orElseThrow()));
        caughtUp();

        var found = drifts(recount(Mode.CORRECT));

        assertThat(found).singleElement().returns(1L, Drift::gone).returns(Outcome.CORRECTED, Drift::outcome);
        isRight(PIZZERIA);
        count(lost);
        isRight(PIZZERIA);
        assertThat(drifts(recount(Mode.CHECK))).isEmpty();
    }

    /** The list of marks may be behind by seconds, and look the same twice. */
    @Test
    void correctsNothingWhereAMarkOfTheLastHourIsNotInTheListOfMarks() throws InterruptedException {
        count(fixture.marks(PIZZERIA, 0, 5));
        var key = DynamoFavorites.key(new UserId("user-3"), restaurant(PIZZERIA));
        var item = fixture.db.get(key).orElseThrow();
        fixture.db.update(Update.of(key).remove("gsi1pk").remove("gsi1sk"));
        caughtUp();

        assertThat(drifts(recount(Mode.CORRECT))).singleElement().returns(Outcome.COUNTING_IS_BEHIND, Drift::outcome);
        assertThat(fixture.counted(PIZZERIA)).containsEntry(FavoriteWindow.ALL_TIME, 5L);
        assertThat(audits(PIZZERIA)).isEmpty();

        fixture.db.save(item, SaveMode.ANY);
        assertThat(drifts(recount(Mode.CORRECT))).isEmpty();
    }

    @Test
    void aMarkThatWasTakenBackIsNotThereThoughItIsStillInTheListOfMarks() throws InterruptedException {
        count(fixture.marks(PIZZERIA, 0, 5));
        var key = DynamoFavorites.key(new UserId("user-3"), restaurant(PIZZERIA));
        var item = fixture.db.get(key).orElseThrow();
        count(List.of(fixture.unmark("user-3", PIZZERIA).orElseThrow()));
        fixture.db.save(item, SaveMode.ANY);
        caughtUp();

        assertThat(drifts(recount(Mode.CORRECT))).isEmpty();
        assertThat(fixture.counted(PIZZERIA)).containsEntry(FavoriteWindow.ALL_TIME, 4L);
    }

    /** An entry of the list whose mark is gone: here it belongs to another item, which is all that a test can do. */
    @Test
    void readsTheMarkItselfBeforeItIsCounted() throws InterruptedException {
        count(fixture.marks(PIZZERIA, 0, 5));
        fixture.marks(PIZZERIA, 5, 6);
        caughtUp();
        var key = DynamoFavorites.key(new UserId("user-5"), restaurant(PIZZERIA));
        var slow = interrupted(
                request -> request instanceof BatchGetItemRequest batch
                        && batch.requestItems().values().stream().anyMatch(keys -> keys.keys().stream()
                                .anyMatch(one ->
                                        AttributeValue.fromS("USER#user-5").equals(one.get("pk")))),
                () -> fixture.db.delete(key));

        slow.recountWork.recount(slow.recounts.start(GRACE, Mode.CORRECT, null), _ -> {});

        assertThat(fixture.counted(PIZZERIA)).containsEntry(FavoriteWindow.ALL_TIME, 5L);
        assertThat(audits(PIZZERIA)).isEmpty();
    }

    @Test
    void whatANewerVersionHasWrittenIsLeftOutAndStopsNothing() throws InterruptedException {
        fixture.marks(PIZZERIA, 0, 2);
        fixture.marks("diner", 0, 2);
        caughtUp();
        for (var restaurant : List.of(PIZZERIA, "diner")) {
            fixture.recountWork.recount(fixture.recounts.start(GRACE, Mode.CHECK, restaurant(restaurant)), _ -> {});
        }
        var newer = fixture.recounts.start(GRACE, Mode.CHECK, null);
        fixture.db.update(Update.of(new Key("FAVRECOUNT#" + newer.id(), "META")).set("mode", "SIMULATE"));
        var known = fixture.recounts.list(GRACE, PAGE).nodes();
        assertThat(known).hasSize(2).extracting(Recount::mode).containsOnly(Mode.CHECK);
        fixture.db.update(Update.of(new Key(
                        "FAVRECOUNT#" + known.getFirst().id(),
                        "DRIFT#" + known.getFirst().restaurant()))
                .set("outcome", "EXPLAINED"));

        assertThatThrownBy(() -> fixture.recounts.find(GRACE, newer.id())).isInstanceOf(UnreadableItem.class);
        assertThat(fixture.recounts.drifts(GRACE, known.getFirst().id(), PAGE).nodes())
                .isEmpty();
        assertThat(fixture.recounts.drifts(GRACE, known.getLast().id(), PAGE).nodes())
                .hasSize(1);
        assertThat(fixture.db.unreadable()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void correctsARollupThatSomebodyChanged() throws InterruptedException {
        count(fixture.marks(PIZZERIA, 0, 5));
        fixture.db.update(Update.of(DynamoRollups.key(restaurant(PIZZERIA), 0))
                .add("m203606", 10)
                .add("version", 1));
        caughtUp();

        var found = drifts(recount(Mode.CORRECT));

        assertThat(found)
                .singleElement()
                .returns(0L, Drift::notCounted)
                .returns(Outcome.CORRECTED, Drift::outcome)
                .satisfies(drift ->
                        assertThat(drift.differences()).contains(new Difference(FavoriteWindow.MONTH, 15, 15, 5)));
        isRight(PIZZERIA);
        assertThat(audits(PIZZERIA))
                .singleElement()
                .returns("counts corrected", AuditRecord::action)
                .returns(GRACE.actor(), AuditRecord::actor)
                .satisfies(record -> assertThat(record.details()).containsEntry("MONTH", "15 became 5"));
    }

    @Test
    void correctsARankingThatSomebodyChanged() throws InterruptedException {
        count(fixture.marks(PIZZERIA, 0, 5));
        fixture.ranks.rank(restaurant(PIZZERIA), Span.current(clock.instant()));
        fixture.db.update(
                Update.of(DynamoRanks.key(restaurant(PIZZERIA), Span.at(FavoriteWindow.ALL_TIME, clock.instant())))
                        .set("count", 999)
                        .set("gsi1sk", "9999999000#2036-06-15T12:00:00.000000Z#pizzeria"));
        caughtUp();
        assertThat(fixture.ranked(PIZZERIA)).containsEntry(FavoriteWindow.ALL_TIME, 999L);

        var found = drifts(recount(Mode.CORRECT));

        assertThat(found)
                .singleElement()
                .extracting(Drift::differences)
                .isEqualTo(List.of(new Difference(FavoriteWindow.ALL_TIME, 999, 5, 5)));
        isRight(PIZZERIA);
    }

    /** Whenever it is read, another mark is counted meanwhile: before the marks are listed, or after. */
    @ParameterizedTest
    @CsvSource({
        "CHECK, RESTAURANT#pizzeria#0",
        "CORRECT, RESTAURANT#pizzeria#0",
        "CHECK, FAVSEEN#pizzeria#2036-06",
        "CORRECT, FAVSEEN#pizzeria#2036-06"
    })
    void aRestaurantThatIsCountedAllTheTimeIsUndecided(Mode mode, String partition) throws InterruptedException {
        count(fixture.marks(PIZZERIA, 0, 5));
        caughtUp();
        var next = new AtomicInteger(5);
        var slow = interrupted(
                request -> request instanceof QueryRequest query
                        && query.expressionAttributeValues().values().stream()
                                .anyMatch(
                                        value -> value.s() != null && value.s().startsWith(partition)),
                100,
                0,
                () -> count(fixture.marks(PIZZERIA, next.get(), next.incrementAndGet())));

        var recount = slow.recounts.start(GRACE, mode, null);
        slow.recountWork.recount(recount, _ -> {});

        var done = slow.recounts.find(GRACE, recount.id()).orElseThrow();
        assertThat(done).returns(0L, Recount::drifted).returns(1L, Recount::undecided);
        assertThat(drifts(done))
                .singleElement()
                .returns(Outcome.UNSETTLED, Drift::outcome)
                .returns(0L, Drift::notCounted);
        assertThat(audits(PIZZERIA)).isEmpty();
        isRight(PIZZERIA);
        assertThat(recount(Mode.CHECK)).returns(0L, Recount::drifted).returns(0L, Recount::undecided);
    }

    @Test
    void aMarkThatCannotBeReadStopsNeitherListsNorARecountOfTheOtherRestaurants() throws InterruptedException {
        for (var restaurant : List.of("a", "b", "c")) {
            count(fixture.marks(restaurant, 0, 5));
        }
        var newer = DynamoFavorites.key(new UserId("user-3"), restaurant("b"));
        fixture.db.update(Update.of(newer).set("created", "x"));
        fixture.marks("c", 5, 7);
        caughtUp();

        var recount = recount(Mode.CORRECT);

        assertThat(recount)
                .returns(3L, Recount::checked)
                .returns(1L, Recount::drifted)
                .returns(1L, Recount::undecided);
        assertThat(recount.finishedAt()).isNotNull();
        assertThat(drifts(recount))
                .extracting(drift -> drift.restaurant().value(), Drift::outcome)
                .containsExactly(tuple("b", Outcome.UNREADABLE), tuple("c", Outcome.CORRECTED));
        isRight("a");
        isRight("c");
        assertThat(fixture.favorites.favoritedBy(GRACE, restaurant("b"), PAGE).nodes())
                .hasSize(4);
        assertThat(fixture.favorites
                        .favorites(GRACE, new UserId("user-3"), PAGE)
                        .nodes())
                .hasSize(2);
        assertThat(fixture.favorites.findAll(
                        GRACE,
                        List.of(
                                new Favorite.Id(new UserId("user-3"), restaurant("a")),
                                new Favorite.Id(new UserId("user-3"), restaurant("b")))))
                .hasSize(1);
        assertThatThrownBy(() -> fixture.favorites.find(GRACE, new UserId("user-3"), restaurant("b")))
                .isInstanceOf(UnreadableItem.class);
    }

    @Test
    void whatIsNotCountedYetIsNoDrift() throws InterruptedException {
        count(fixture.marks(PIZZERIA, 0, 5));
        caughtUp();
        clock.advance(Duration.ofSeconds(1));
        var onTheWay = new ArrayList<ChangeRecord>(fixture.marks(PIZZERIA, 5, 7));
        onTheWay.add(fixture.unmark("user-1", PIZZERIA).orElseThrow());

        assertThat(drifts(recount(Mode.CORRECT))).singleElement().returns(Outcome.COUNTING_IS_BEHIND, Drift::outcome);
        assertThat(audits(PIZZERIA)).isEmpty();

        count(onTheWay);
        isRight(PIZZERIA);
    }

    @Test
    void goesOnWhereItWas() throws InterruptedException {
        for (var i = 0; i < 70; i++) {
            count(fixture.marks("restaurant-" + i, 0, 1));
        }
        caughtUp();
        var recount = fixture.recounts.start(GRACE, Mode.CHECK, null);
        var seen = new ArrayList<Long>();
        try {
            fixture.recountWork.recount(recount, progress -> {
                seen.add(progress.done());
                throw new IllegalStateException("the process dies");
            });
        } catch (IllegalStateException _) {
            // As it was meant to.
        }

        var other = new FavoritesFixture(table.queryDb(clock), clock, 1);
        other.recountWork.recount(
                other.recounts.find(GRACE, recount.id()).orElseThrow(), progress -> seen.add(progress.done()));

        assertThat(seen).isSorted().doesNotHaveDuplicates();
        assertThat(other.recounts.find(GRACE, recount.id()).orElseThrow()).returns(70L, Recount::checked);
    }

    @Test
    void aRecountThatIsDoneHasLookedAtAllWhateverASlowProcessNotesLater() throws InterruptedException {
        for (var i = 0; i < 20; i++) {
            count(fixture.marks("restaurant-" + i, 0, 1));
        }
        caughtUp();
        var recount = fixture.recounts.start(GRACE, Mode.CHECK, null);
        var slow = interrupted(
                request -> request instanceof UpdateItemRequest update
                        && AttributeValue.fromS("FAVRECOUNT#" + recount.id())
                                .equals(update.key().get("pk")),
                () -> {
                    try {
                        fixture.recountWork.recount(recount, _ -> {});
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                });

        assertThatThrownBy(() -> slow.recountWork.recount(recount, _ -> {
                    throw new IllegalStateException("another process took it over");
                }))
                .hasMessageContaining("another process took it over");

        assertThat(fixture.recounts.find(GRACE, recount.id()).orElseThrow())
                .returns(20L, Recount::checked)
                .returns(clock.instant(), Recount::finishedAt);
    }

    @Test
    void oneRestaurantCanBeRecountedAlone() throws InterruptedException {
        fixture.marks(PIZZERIA, 0, 2);
        fixture.marks("diner", 0, 2);
        caughtUp();

        var recount = fixture.recounts.start(GRACE, Mode.CORRECT, restaurant(PIZZERIA));
        fixture.recountWork.recount(recount, _ -> {});

        isRight(PIZZERIA);
        assertThat(fixture.counted("diner")).containsEntry(FavoriteWindow.ALL_TIME, 0L);
    }

    @Test
    void eachNightThereIsOneRecountHoweverManyInstancesAsk() {
        clock.set(Instant.parse("2036-06-16T02:59:59Z"));
        fixture.recounts.nightly();
        assertThat(fixture.recounts.list(GRACE, PAGE).nodes()).isEmpty();

        clock.set(Instant.parse("2036-06-16T03:00:00Z"));
        fixture.recounts.nightly();
        new FavoritesFixture(table.queryDb(clock), clock, 1).recounts.nightly();
        fixture.recounts.nightly();

        assertThat(fixture.recounts.list(GRACE, PAGE).nodes())
                .singleElement()
                .returns(Mode.CORRECT, Recount::mode)
                .satisfies(recount -> assertThat(recount.task()).isNotNull())
                .satisfies(recount -> assertThat(fixture.audit
                                .bySubject("RECOUNT#" + recount.id().value(), PAGE)
                                .nodes())
                        .singleElement()
                        .satisfies(record -> {
                            assertThat(record.action()).isEqualTo("recount begun");
                            assertThat(record.details()).isEqualTo(Map.of("mode", "CORRECT", "restaurant", "all"));
                        }));
        assertThat(tasks()).hasSize(1);

        clock.advance(Duration.ofDays(1));
        fixture.recounts.nightly();
        assertThat(fixture.recounts.list(GRACE, PAGE).nodes()).hasSize(2);
    }

    @Test
    void recountsThatWaitForTheirTurnCostNothingBesideTheList() {
        for (var i = 0; i < 5; i++) {
            fixture.recounts.start(GRACE, Mode.CHECK, restaurant(PIZZERIA));
        }

        var units = table.meter()
                .during(() -> assertThat(fixture.recounts.list(GRACE, PAGE).nodes())
                        .hasSize(5)
                        .allMatch(recount -> recount.drifted() == 0 && recount.finishedAt() == null));

        assertThat(units.requests()).isOne();
    }

    @Test
    void aRecountWhoseProcessDiedBeforeItsTaskWasSubmittedIsDoneAllTheSame() throws InterruptedException {
        fixture.marks(PIZZERIA, 0, 2);
        caughtUp();
        var dying = interrupted(
                request -> request instanceof PutItemRequest put
                        && put.item().values().stream()
                                .anyMatch(
                                        value -> value.s() != null && value.s().startsWith("TASK#")),
                () -> {
                    throw new IllegalStateException("the process dies");
                });
        assertThatThrownBy(() -> dying.recounts.start(GRACE, Mode.CORRECT, restaurant(PIZZERIA)))
                .hasMessageContaining("the process dies");
        fixture.recounts.submitMissingTasks();
        assertThat(tasks()).as("its process may be about to submit it").isEmpty();

        clock.advance(Duration.ofMinutes(2));
        caughtUp();
        fixture.recounts.submitMissingTasks();
        fixture.recounts.submitMissingTasks();

        var recount = fixture.recounts.list(GRACE, PAGE).nodes().getFirst();
        assertThat(tasks()).extracting(Task::id).containsExactly(recount.task());
        assertThat(recount.by()).isEqualTo(GRACE.actor());
        fixture.recountWork.recount(recount, _ -> {});
        isRight(PIZZERIA);
    }

    @Test
    void aRecountThatIsDoneGetsNoTask() throws InterruptedException {
        var recount = recount(Mode.CHECK);
        fixture.db.update(
                Update.of(new Key("FAVRECOUNT#" + recount.id(), "META")).remove("task"));
        clock.advance(Duration.ofMinutes(2));

        fixture.recounts.submitMissingTasks();

        assertThat(fixture.recounts.find(GRACE, recount.id()).orElseThrow().task())
                .isNull();
    }

    private List<Task> tasks() {
        var pending = new TaskFilter(TaskStatus.PENDING, Recounts.TYPE, null, null, null, null);
        return fixture.tasks.reads().list(TasksFixture.STAFF, pending, PAGE).nodes();
    }

    /** As it does where it is time shortly before midnight, and is looked at shortly after. */
    @Test
    void aNightIsNotSkippedWhereTheDayEndsBeforeItIsLookedAt() {
        clock.set(Instant.parse("2036-06-16T02:59:00Z"));
        fixture.recounts.nightly();

        clock.set(Instant.parse("2036-06-17T00:04:00Z"));
        new FavoritesFixture(table.queryDb(clock), clock, 1).recounts.nightly();
        assertThat(fixture.recounts.list(GRACE, PAGE).nodes()).isEmpty();
        fixture.recounts.nightly();
        fixture.recounts.nightly();
        assertThat(fixture.recounts.list(GRACE, PAGE).nodes()).hasSize(1);

        clock.set(Instant.parse("2036-06-17T03:00:00Z"));
        fixture.recounts.nightly();
        assertThat(fixture.recounts.list(GRACE, PAGE).nodes()).hasSize(2);
    }

    @Test
    void theLastRecountOfAllIsFoundHoweverManyOfSingleRestaurantsThereWereSince() throws InterruptedException {
        assertThat(fixture.recounts.lastOfAll(GRACE)).isEmpty();
        recount(Mode.CHECK);
        clock.advance(Duration.ofMinutes(1));
        var last = recount(Mode.CORRECT);
        for (var i = 0; i < 20; i++) {
            clock.advance(Duration.ofMinutes(1));
            fixture.recountWork.recount(fixture.recounts.start(GRACE, Mode.CHECK, restaurant(PIZZERIA)), _ -> {});
        }
        fixture.recounts.start(GRACE, Mode.CHECK, null);

        assertThat(fixture.recounts.lastOfAll(GRACE)).map(Recount::id).contains(last.id());
    }

    private void count(List<ChangeRecord> records) {
        assertThat(fixture.counts.handle(records)).isEmpty();
    }

    /** Everything that happened until now, and in the second that follows, is counted, as far as anybody knows. */
    private void caughtUp() {
        fixture.watermarks.counted(clock.instant());
    }

    private Recount recount(Mode mode) throws InterruptedException {
        var recount = fixture.recounts.start(GRACE, mode, null);
        fixture.recountWork.recount(recount, _ -> {});
        return fixture.recounts.find(GRACE, recount.id()).orElseThrow();
    }

    private List<Drift> drifts(Recount recount) {
        return fixture.recounts.drifts(GRACE, recount.id(), PAGE).nodes();
    }

    private void isRight(String restaurant) {
        var marks = fixture.recounted(restaurant);
        assertThat(fixture.counted(restaurant)).isEqualTo(marks);
        assertThat(fixture.ranked(restaurant)).isEqualTo(marks);
    }

    private List<AuditRecord> audits(String restaurant) {
        return fixture.audit.bySubject("FAVORITES#" + restaurant, PAGE).nodes();
    }

    @Test
    void whatWasCorrectedIsSaidAlsoWhereCountingIsBehindAfterwards() throws InterruptedException {
        count(fixture.marks(PIZZERIA, 0, 5));
        fixture.marks(PIZZERIA, 5, 7);
        caughtUp();
        var slow = interrupted(request -> puts(request, "FAVCOUNT#"), () -> {
            clock.advance(Duration.ofSeconds(2));
            fixture.marks(PIZZERIA, 7, 8);
        });
        var recount = fixture.recounts.start(GRACE, Mode.CORRECT, null);

        slow.recountWork.recount(recount, _ -> {});

        assertThat(drifts(recount))
                .singleElement()
                .returns(2L, Drift::notCounted)
                .returns(Outcome.BUSY, Drift::outcome);
        assertThat(audits(PIZZERIA)).hasSize(1);
    }

    @Test
    void whatWasCountedEachTimeThatItWasAboutToBeCorrectedIsOnlyFound() throws InterruptedException {
        var next = new AtomicInteger(5);

        var found = driftsWhereBeforeEachCorrection(
                () -> count(fixture.marks(PIZZERIA, next.get(), next.incrementAndGet())));

        assertThat(found).singleElement().returns(Outcome.FOUND, Drift::outcome);
        assertThat(audits(PIZZERIA)).isEmpty();
    }

    @Test
    void whatSomebodyElsePutRightIsOnlyFound() throws InterruptedException {
        var found = driftsWhereBeforeEachCorrection(() -> countMoreInJune(-10));

        assertThat(found).singleElement().returns(Outcome.FOUND, Drift::outcome);
        assertThat(audits(PIZZERIA)).isEmpty();
        isRight(PIZZERIA);
    }

    /** Of a restaurant with ten marks too many. */
    private List<Drift> driftsWhereBeforeEachCorrection(Runnable meanwhile) throws InterruptedException {
        count(fixture.marks(PIZZERIA, 0, 5));
        countMoreInJune(10);
        caughtUp();
        var slow = interrupted(TransactWriteItemsRequest.class::isInstance, 100, 0, meanwhile);
        var recount = fixture.recounts.start(GRACE, Mode.CORRECT, null);
        slow.recountWork.recount(recount, _ -> {});
        return drifts(recount);
    }

    private void countMoreInJune(int marks) {
        fixture.db.update(Update.of(DynamoRollups.key(restaurant(PIZZERIA), 0))
                .add("m203606", marks)
                .add("version", 1));
    }
}
