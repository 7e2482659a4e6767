package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.TOKYO;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.done;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.percent;
import static io.menuboard.pricing.changes.ChangesFixture.products;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.batches.DynamoPriceBatches;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.TableDefinition;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.workers.TaskWorkers;
import io.menuboard.tasks.workers.WorkersFixture;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Sets that are too large for their caller to wait for. */
class ChangeSetTasksTest {
    private static final List<Store> STORES = IntStream.range(0, 6)
            .mapToObj(number -> aStore("DE-%04d".formatted(number)).build())
            .toList();
    private static final List<String> IDS =
            STORES.stream().map(store -> store.id().value()).toList();
    private static final String[] PRODUCTS = products(40);
    private static final Duration WAIT = Duration.ofMinutes(1);
    private static final int LINES = STORES.size() * PRODUCTS.length;

    private static final TableDefinition TABLE = TableDefinition.menuboard("tasks");

    /** One for each test: after thousands of writes DynamoDB Local is slow with its next table. */
    private final LocalDynamoDb dynamoDb = LocalDynamoDb.inMemory();

    private final MovingClock clock = new MovingClock();
    private ChangesFixture fixture;

    @BeforeEach
    void open() {
        LocalTables.create(dynamoDb, TABLE);
        fixture = new ChangesFixture(db(dynamoDb.directClient()), clock, 0);
        fixture.stores.save(EVERYTHING, STORES);
        fixture.load(STORES.stream()
                .flatMap(store ->
                        Stream.of(PRODUCTS).<Price>map(product -> price(store, "ALL", product, "2030-01-01", "5.00")))
                .toList());
    }

    @AfterEach
    void close() {
        fixture.close();
        dynamoDb.close();
    }

    private QueryDb db(DynamoDbClient client) {
        return LocalTables.queryDb(client, TABLE, clock);
    }

    @Test
    void tasksPreviewAndApplyThemWithProgress() {
        var draft = previewed(draft(null, rule(setTo("5.49"), IDS, PRODUCTS)));
        assertThat(draft.summary())
                .satisfies(summary ->
                        assertThat(Objects.requireNonNull(summary).willChange()).isEqualTo(LINES));

        var begun = fixture.applied(draft);

        assertThat(begun.status()).as("said at once").isEqualTo(ChangeSetStatus.APPLYING);
        var applied = working(begun.id(), ChangeSetStatus.APPLIED);
        assertThat(applied.failed()).isZero();
        assertThat(IDS).allSatisfy(store -> assertThat(fixture.price(store, PRODUCTS[39]))
                .isEqualTo("5.49"));
        assertThat(fixture.tasks
                        .reads()
                        .list(TasksFixture.STAFF, TaskFilter.of(TaskStatus.COMPLETED), ChangesFixture.PAGE)
                        .nodes())
                .extracting(Task::progress)
                .anySatisfy(progress ->
                        assertThat(Objects.requireNonNull(progress).total()).isEqualTo(LINES));
    }

    @Test
    void whatIsInProgressIsNeitherCancelledNorMovedNorAppliedTwice() throws InterruptedException {
        var draft = previewed(draft(null, rule(setTo("5.49"), IDS, PRODUCTS)));
        var begun = fixture.applied(draft);
        try (var stuck = new Stuck()) {
            stuck.inIt.acquire();

            assertThat(fixture.sets.cancel(GRACE, begun.id())).isInstanceOf(ChangeSetResult.NotAllowed.class);
            assertThat(fixture.sets.reschedule(GRACE, begun.id(), EffectiveDate.parse("2036-08-01")))
                    .isInstanceOf(ChangeSetResult.NotAllowed.class);
            assertThat(fixture.drafts.draftUndo(GRACE, begun.id(), "no", null))
                    .isInstanceOf(ChangeSetResult.NotAllowed.class);
            assertThat(done(fixture.sets.apply(GRACE, begun.id(), String.valueOf(draft.token())))
                            .status())
                    .isEqualTo(ChangeSetStatus.APPLYING);
        }
        assertThat(working(begun.id(), ChangeSetStatus.APPLIED).failed()).isZero();
        assertThat(fixture.history(IDS.getFirst(), PRODUCTS[0])).hasSize(1);
    }

    @Test
    void sayingTheSameAgainWhileItIsInProgressIsSayingItOnce() {
        var august = EffectiveDate.parse("2036-08-01");
        var set = fixture.applied(previewed(draft("2036-07-01", rule(setTo("5.49"), IDS, PRODUCTS))));
        working(set.id(), ChangeSetStatus.SCHEDULED);

        var moving = done(fixture.sets.reschedule(GRACE, set.id(), august));

        assertThat(moving.status()).isEqualTo(ChangeSetStatus.APPLYING);
        assertThat(done(fixture.sets.reschedule(GRACE, set.id(), august)).task())
                .isEqualTo(moving.task());
        assertThat(fixture.sets.reschedule(GRACE, set.id(), EffectiveDate.parse("2036-09-01")))
                .isInstanceOf(ChangeSetResult.NotAllowed.class);
        assertThat(fixture.sets.cancel(GRACE, set.id())).isInstanceOf(ChangeSetResult.NotAllowed.class);
        var moved = working(set.id(), ChangeSetStatus.SCHEDULED);
        assertThat(done(fixture.sets.reschedule(GRACE, set.id(), august)).run()).isEqualTo(moved.run());

        var cancelling = done(fixture.sets.cancel(GRACE, set.id()));

        assertThat(cancelling.status()).isEqualTo(ChangeSetStatus.APPLYING);
        assertThat(done(fixture.sets.cancel(GRACE, set.id())).task()).isEqualTo(cancelling.task());
        assertThat(fixture.sets.reschedule(GRACE, set.id(), august)).isInstanceOf(ChangeSetResult.NotAllowed.class);
        var cancelled = working(set.id(), ChangeSetStatus.CANCELLED);
        assertThat(done(fixture.sets.cancel(GRACE, set.id())).run()).isEqualTo(cancelled.run());
    }

    @Test
    void aSetWhoseTaskWasCancelledIsTakenBackAsFarAsItCameAndTheRestIsUndone() throws InterruptedException {
        var draft = previewed(draft(null, rule(setTo("5.49"), IDS, PRODUCTS)));
        var begun = fixture.applied(draft);
        try (var stuck = new Stuck()) {
            stuck.inIt.acquire();
            assertThat(fixture.batched.countStuck()).isZero();
            fixture.tasks.administration().cancel(TasksFixture.STAFF, taskOf(begun), "not today");
            stuck.toldToStop.acquire();
        }
        assertThat(fixture.batched.countStuck()).isEqualTo(1);
        var applied = inEffect();
        assertThat(applied).isBetween(1, LINES - 1);

        fixture.sets.cancel(GRACE, begun.id());

        var stopped = working(begun.id(), ChangeSetStatus.PARTLY_APPLIED);
        assertThat(fixture.batched.countStuck()).isZero();
        assertThat(inEffect()).isEqualTo(applied);
        assertThat(stopped.failed()).isZero();
        assertThat(stopped.data().missing().count()).isEqualTo(LINES - applied);
        assertThat(done(fixture.sets.cancel(GRACE, begun.id())))
                .as("cancelled again")
                .isEqualTo(stopped);
        assertThat(fixture.lines(stopped).stream().filter(line -> line.outcome() == ChangeLine.Outcome.CANCELLED))
                .hasSize(LINES - applied);
        var undo = previewed(done(fixture.drafts.draftUndo(GRACE, begun.id(), "not today", null)));
        working(fixture.applied(undo).id(), ChangeSetStatus.APPLIED);
        assertThat(inEffect()).isZero();
    }

    @Test
    void aDraftWhosePreviewWasCancelledIsStuckUntilItIsPreviewedAgain() {
        var draft = fixture.drafted(draft(null, rule(setTo("5.49"), IDS, PRODUCTS)));
        assertThat(fixture.batched.countStuck()).isZero();

        fixture.tasks.administration().cancel(TasksFixture.STAFF, taskOf(draft), "not today");

        assertThat(fixture.batched.countStuck()).isEqualTo(1);
        var again = previewed(done(fixture.drafts.preview(GRACE, draft.id())));
        assertThat(fixture.batched.countStuck()).isZero();
        assertThat(Objects.requireNonNull(again.summary()).willChange()).isEqualTo(LINES);
    }

    @Test
    void aScheduledSetWhoseTaskWasCancelledLeavesNothing() throws InterruptedException {
        var draft = previewed(draft("2036-07-01", rule(setTo("5.49"), IDS, PRODUCTS)));
        var begun = fixture.applied(draft);
        try (var stuck = new Stuck()) {
            stuck.inIt.acquire();
            fixture.tasks.administration().cancel(TasksFixture.STAFF, taskOf(begun), "not today");
            stuck.toldToStop.acquire();
        }

        fixture.sets.cancel(GRACE, begun.id());

        working(begun.id(), ChangeSetStatus.CANCELLED);
        assertThat(STORES).allSatisfy(store -> assertThat(fixture.db.load("STORE#" + store.id()))
                .extracting(item -> item.type())
                .doesNotContain("priceChange", DynamoPriceBatches.TYPE));
        assertThat(fixture.price(IDS.getFirst(), PRODUCTS[0], "2036-07-02T00:00:00Z"))
                .isEqualTo("5.00");
    }

    @Test
    void aSetThatHasComeBeforeItIsMovedStaysAsItIsThoughSomeOfItHadFailed() {
        fixture.stores.save(EVERYTHING, List.of(TOKYO));
        fixture.load(Stream.of(products(20))
                .<Price>map(product -> price(TOKYO, "ALL", product, "2030-01-01", "500"))
                .toList());
        var draft = previewed(draft("2036-06-16", rule(percent("10"), List.of("DE-0000", "JP-0001"), products(20))));
        clock.set(Instant.parse("2036-06-15T15:00:00Z"));
        var set = working(fixture.applied(draft).id(), now -> now.failed() == 20);
        done(fixture.sets.reschedule(GRACE, set.id(), EffectiveDate.parse("2036-06-20")));
        clock.set(Instant.parse("2036-06-15T22:00:00Z"));

        var stayed = working(set.id(), now -> now.problem() != null);

        assertThat(stayed.status()).isEqualTo(ChangeSetStatus.PARTLY_APPLIED);
        assertThat(stayed.effectiveDate()).isEqualTo(EffectiveDate.parse("2036-06-16"));
        assertThat(stayed.failed()).isEqualTo(20);
        assertThat(fixture.price("DE-0000", "P000")).isEqualTo("5.50");
    }

    @Test
    void aSetThatHasComeInOneStoreBeforeItIsMovedIsInEffectThere() {
        fixture.stores.save(EVERYTHING, List.of(TOKYO));
        fixture.load(Stream.of(products(20))
                .<Price>map(product -> price(TOKYO, "ALL", product, "2030-01-01", "500"))
                .toList());
        var draft = previewed(draft("2036-06-16", rule(percent("10"), List.of("DE-0000", "JP-0001"), products(20))));
        var set = working(fixture.applied(draft).id(), ChangeSetStatus.SCHEDULED);
        done(fixture.sets.reschedule(GRACE, set.id(), EffectiveDate.parse("2036-06-20")));
        var midnight = Instant.parse("2036-06-15T15:00:00Z");
        clock.set(midnight);

        var moved = working(set.id(), now -> now.problem() != null);

        assertThat(moved.status()).as("in effect in Tokyo alone").isEqualTo(ChangeSetStatus.APPLYING);
        var summary = Objects.requireNonNull(moved.summary());
        assertThat(summary.firstInstant()).isEqualTo(midnight);
        assertThat(summary.lastInstant()).isEqualTo("2036-06-19T22:00:00Z");
        assertThat(fixture.price("JP-0001", "P000")).isEqualTo("550");
        assertThat(fixture.price("DE-0000", "P000", "2036-06-19T21:59:59Z")).isEqualTo("5.00");
        assertThat(fixture.price("DE-0000", "P000", "2036-06-19T22:00:00Z")).isEqualTo("5.50");
    }

    @Test
    void aSetOfWhichAnotherHasTakenAPlaceIsPartlyAppliedAlsoWhereItIsMovedTooLate() {
        var draft = previewed(draft("2036-06-16", rule(setTo("5.49"), IDS, PRODUCTS)));
        var set = working(fixture.applied(draft).id(), ChangeSetStatus.SCHEDULED);
        clock.advance(Duration.ofMinutes(1));
        var other = previewed(draft("2036-06-16", rule(setTo("5.99"), IDS.subList(0, 1), PRODUCTS[0])));
        working(fixture.applied(other).id(), ChangeSetStatus.SCHEDULED);
        done(fixture.sets.reschedule(GRACE, set.id(), EffectiveDate.parse("2036-06-20")));
        clock.set(Instant.parse("2036-06-16T22:00:00Z"));

        var stayed = working(set.id(), now -> now.problem() != null);

        assertThat(stayed.failed()).isOne();
        assertThat(stayed.status()).isEqualTo(ChangeSetStatus.PARTLY_APPLIED);
    }

    @Test
    void aMoveThatWasAskedForAndNotBegunStandsInNobodysWay() {
        var draft = previewed(draft("2036-07-01", rule(setTo("5.49"), IDS, PRODUCTS)));
        var set = working(fixture.applied(draft).id(), ChangeSetStatus.SCHEDULED);
        leaveAsked(set, EffectiveDate.parse("2036-08-01"));

        var moving = done(fixture.sets.reschedule(GRACE, set.id(), EffectiveDate.parse("2036-09-01T06:00")));

        assertThat(moving.status()).isEqualTo(ChangeSetStatus.APPLYING);
        var moved = working(set.id(), ChangeSetStatus.SCHEDULED);
        assertThat(moved.effectiveDate()).isEqualTo(EffectiveDate.parse("2036-09-01T06:00"));
    }

    @Test
    void aMoveWhoseTaskWasCancelledBeforeItBeganIsAskedForAgain() {
        var august = EffectiveDate.parse("2036-08-01");
        var draft = previewed(draft("2036-07-01", rule(setTo("5.49"), IDS, PRODUCTS)));
        var set = working(fixture.applied(draft).id(), ChangeSetStatus.SCHEDULED);
        var left = leaveAsked(set, august);
        fixture.tasks.administration().cancel(TasksFixture.STAFF, left, "not today");

        var moving = done(fixture.sets.reschedule(GRACE, set.id(), august));

        var task = fixture.tasks
                .reads()
                .find(TasksFixture.STAFF, Objects.requireNonNull(moving.task()))
                .orElseThrow();
        assertThat(task.id()).isNotEqualTo(left);
        assertThat(task.status()).isEqualTo(TaskStatus.PENDING);
        assertThat(working(set.id(), ChangeSetStatus.SCHEDULED).effectiveDate()).isEqualTo(august);
    }

    /** As if the process had died between the task and the run that it is for. */
    private TaskId leaveAsked(ChangeSet set, EffectiveDate date) {
        var command = ChangeSetCommand.reschedule(set, date);
        var submitted = fixture.tasks.submission().submit(GRACE, command.task().sharedKey(command.key()));
        return ((SubmitResult.Created) submitted).task().id();
    }

    @Test
    void aSetIsNotTakenBackForATimeThatHasComeBeforeItIsMoved() {
        var draft = previewed(draft("2036-07-01", rule(setTo("5.49"), IDS, PRODUCTS)));
        var set = working(fixture.applied(draft).id(), ChangeSetStatus.SCHEDULED);
        done(fixture.sets.reschedule(GRACE, set.id(), EffectiveDate.parse("2036-06-20")));
        clock.set(Instant.parse("2036-06-20T12:00:00Z"));

        var stayed = working(set.id(), now -> now.status() != ChangeSetStatus.APPLYING);

        assertThat(stayed.status()).isEqualTo(ChangeSetStatus.SCHEDULED);
        assertThat(stayed.effectiveDate()).isEqualTo(EffectiveDate.parse("2036-07-01"));
        assertThat(stayed.failed()).isZero();
        assertThat(stayed.problem()).isNotNull();
        assertThat(IDS).allSatisfy(store -> assertThat(fixture.price(store, PRODUCTS[39], "2036-07-01T12:00:00Z"))
                .isEqualTo("5.49"));
    }

    @Test
    void aCancelOfWhichAnAttemptFailsGoesOnAndSaysSo() {
        var set = scheduledAtOnce();
        try (var failing = new ChangesFixture(db(failingAtChunk(2)), clock)) {

            var cancelling = done(failing.sets.cancel(GRACE, set.id()));

            assertThat(cancelling.status()).isEqualTo(ChangeSetStatus.APPLYING);
        }
        clock.advance(Duration.ofMinutes(10));
        working(set.id(), ChangeSetStatus.CANCELLED);
    }

    /** While it is taken back, and while it is written again. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void aMoveOfWhichAnAttemptFailsGoesOnAndSaysSo(int chunk) {
        var august = EffectiveDate.parse("2036-08-01");
        var set = scheduledAtOnce();
        try (var failing = new ChangesFixture(db(failingAtChunk(chunk)), clock)) {

            var moving = done(failing.sets.reschedule(GRACE, set.id(), august));

            assertThat(moving.status()).isEqualTo(ChangeSetStatus.APPLYING);
        }
        clock.advance(Duration.ofMinutes(10));
        assertThat(working(set.id(), ChangeSetStatus.SCHEDULED).effectiveDate()).isEqualTo(august);
    }

    /** More lines than a transaction has, written while the caller waited. */
    private ChangeSet scheduledAtOnce() {
        try (var inline = new ChangesFixture(fixture.db, clock)) {
            return inline.applied(draft("2036-07-01", rule(setTo("5.49"), IDS.subList(0, 1), PRODUCTS)));
        }
    }

    /** A client that breaks down once, where it is to write that chunk. */
    private DynamoDbClient failingAtChunk(int number) {
        var client = dynamoDb.directClient();
        var chunks = new AtomicInteger();
        return (DynamoDbClient) Proxy.newProxyInstance(
                ChangeSetTasksTest.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (_, method, arguments) -> {
                    if (method.getName().equals("transactWriteItems")
                            && arguments[0].toString().contains("CHUNK#")
                            && chunks.incrementAndGet() == number) {
                        throw new IllegalStateException("broken down");
                    }
                    try {
                        return method.invoke(client, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void ofManyAtOnceOneKeyMakesOneSetAndOneApplyApplies() throws Exception {
        var draft = draft(null, rule(setTo("5.49"), IDS, "P000"));
        try (var inline = new ChangesFixture(fixture.db, clock);
                var threads = Executors.newFixedThreadPool(16)) {
            var drafted = threads.invokeAll(IntStream.range(0, 16)
                    .mapToObj(_ -> (Callable<ChangeSet>) () -> done(inline.drafts.draft(GRACE, draft, "key")))
                    .toList());
            var ids = drafted.stream().map(future -> future.resultNow().id()).distinct();
            assertThat(ids).hasSize(1);
            var set = await().atMost(WAIT)
                    .until(
                            () -> inline.sets
                                    .find(GRACE, drafted.getFirst().resultNow().id())
                                    .orElseThrow(),
                            now -> now.token() != null);

            threads.invokeAll(IntStream.range(0, 16)
                    .mapToObj(_ -> (Callable<ChangeSetResult>)
                            () -> inline.sets.apply(GRACE, set.id(), String.valueOf(set.token())))
                    .toList());

            await().atMost(WAIT)
                    .until(() -> inline.sets.find(GRACE, set.id()).orElseThrow().status() == ChangeSetStatus.APPLIED);
            assertThat(IDS).allSatisfy(store -> assertThat(inline.history(store, "P000"))
                    .hasSize(1));
        }
    }

    private int inEffect() {
        return (int) IDS.stream()
                .flatMap(store -> Stream.of(PRODUCTS).map(product -> fixture.price(store, product)))
                .filter("5.49"::equals)
                .count();
    }

    private ChangeSet previewed(DraftChangeSet draft) {
        return previewed(fixture.drafted(draft));
    }

    private ChangeSet previewed(ChangeSet draft) {
        return working(draft.id(), set -> set.token() != null);
    }

    private ChangeSet working(ChangeSetId id, ChangeSetStatus status) {
        return working(id, set -> set.status() == status);
    }

    /** The set once the tasks of an instance have brought it there. */
    private ChangeSet working(ChangeSetId id, Predicate<ChangeSet> there) {
        try (var instance = new ChangesFixture(fixture.db, clock, 0);
                var workers = WorkersFixture.workers(instance.tasks, instance.runs.work())) {
            workers.start();
            return await().atMost(WAIT).until(() -> fixture.sets.find(GRACE, id).orElseThrow(), there);
        }
    }

    private TaskId taskOf(ChangeSet set) {
        return Objects.requireNonNull(
                fixture.sets.find(GRACE, set.id()).orElseThrow().task());
    }

    /** A worker that has written something of a set, and goes no further until it is closed. */
    private final class Stuck implements AutoCloseable {
        private static final int WRITTEN = 3;

        final Semaphore inIt = new Semaphore(0);
        final Semaphore toldToStop = new Semaphore(0);
        private final Semaphore gate = new Semaphore(0);
        private final AtomicInteger transactions = new AtomicInteger();
        private final ChangesFixture stuck;
        private final TaskWorkers workers;

        Stuck() {
            stuck = new ChangesFixture(db(client()), clock, 0);
            workers = WorkersFixture.workers(stuck.tasks, stuck.runs.work());
            workers.start();
        }

        private DynamoDbClient client() {
            var client = dynamoDb.directClient();
            return (DynamoDbClient) Proxy.newProxyInstance(
                    Stuck.class.getClassLoader(), new Class<?>[] {DynamoDbClient.class}, (_, method, arguments) -> {
                        if (method.getName().equals("transactWriteItems") && transactions.incrementAndGet() > WRITTEN) {
                            inIt.release();
                            try {
                                gate.acquire();
                            } catch (InterruptedException e) {
                                toldToStop.release();
                                throw new IllegalStateException("told to stop", e);
                            }
                        }
                        try {
                            return method.invoke(client, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        @Override
        public void close() {
            gate.release(LINES);
            workers.close();
            stuck.close();
        }
    }
}
