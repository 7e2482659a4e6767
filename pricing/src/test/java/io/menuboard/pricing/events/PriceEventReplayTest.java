package io.menuboard.pricing.events;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.NOW;
import static io.menuboard.pricing.changes.ChangesFixture.PAGE;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.product;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.access.Denied;
import io.menuboard.access.Grant;
import io.menuboard.access.Permission;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Ulid;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.ComboId;
import io.menuboard.pricing.DynamoPriceHistory;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.OptionId;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.pricing.changes.PartitionFeed;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.audit.AuditRecord;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.workers.WorkersFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PriceEventReplayTest {
    private static final Actor GRACE = ChangesFixture.GRACE.actor();
    private static final Store HAMBURG = aStore("DE-0002").build();
    private static final List<String> BOTH = List.of("DE-0001", "DE-0002");
    private static final StoreSelection ONLY_BERLIN = new StoreSelection.Listed(List.of(BERLIN.id()));
    private static final Channel KIOSK = new Channel("KIOSK");
    private static final PriceSubject SALAD = new PriceSubject.Swap(new ComboId("MENU"), new OptionId("SALAD"));

    /** At half a read unit for 4 KB, some 240 bytes each. */
    private static final double HISTORY_OF_A_HUNDRED = 3;

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private final Random random = new Random(11);
    private final Recorder bus = new Recorder();

    @SuppressWarnings("NullAway.Init") // by JUnit
    private ChangesFixture fixture;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private PriceEventReplay replay;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private PriceEventReplayRuns runs;

    @BeforeEach
    void open() {
        fixture = new ChangesFixture(table.queryDb(clock), clock);
        replay = replay(true);
        runs = EventsFixture.runs(fixture, EventsFixture.NONE);
        fixture.stores.save(EVERYTHING, List.of(BERLIN, HAMBURG));
        fixture.load(List.of(
                price(BERLIN, "ALL", "COFFEE", "2030-01-01", "3.00"),
                price(BERLIN, "ALL", "TEA", "2030-01-01", "2.00"),
                price(HAMBURG, "ALL", "COFFEE", "2030-01-01", "3.00")));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private PriceEventReplay replay(boolean hasEventBus) {
        return new PriceEventReplay(fixture.tasks.submission(), fixture.stores, clock, EventsFixture.NONE, hasEventBus);
    }

    @Test
    void publishesTheEventsOfTheFeedWithTheirIds() {
        var announced = new Recorder();
        var feed = new PartitionFeed(fixture.db, "STORE#DE-0001");
        feed.next();
        fixture.applied(draft(
                null,
                rule(setTo("3.10"), List.of("DE-0001"), "COFFEE"),
                rule(new PriceOperation.Delete(), List.of("DE-0001"), "TEA"),
                new ChangeRule(ONLY_BERLIN, List.of(product("COFFEE"), SALAD), List.of(KIOSK), setTo("3.30"), null)));
        feed.next().stream()
                .filter(record -> record.type().equals(DynamoPriceHistory.TYPE))
                .forEach(new PriceAnnouncer(announced)::handle);

        var result = replayed(all(ONLY_BERLIN));

        assertThat(bus.events).hasSize(4).containsExactlyInAnyOrderElementsOf(announced.events);
        assertThat(bus.events)
                .extracting(event -> event.channel() + " " + event.type() + " " + event.product() + " " + event.before()
                        + " " + event.after())
                .containsExactly(
                        "ALL Base COFFEE " + euro("3.00") + " " + euro("3.10"),
                        "ALL Base TEA " + euro("2.00") + " null",
                        "KIOSK Base COFFEE null " + euro("3.30"),
                        "KIOSK Swap MENU#SALAD null " + euro("3.30"));
        assertThat(result).isEqualTo(result(1, 4));
    }

    @Test
    void publishesNothingForAChangeThatChangedNothing() {
        for (var date : List.of("2036-07-02", "2036-07-01")) {
            fixture.applied(draft(date, rule(setTo("3.10"), List.of("DE-0001"), "COFFEE")));
        }
        clock.advance(Duration.between(NOW, Instant.parse("2036-07-03T00:00:00Z")));
        for (var date : List.of("2036-07-01", "2036-07-02")) {
            fixture.batches.apply(EVERYTHING, new PriceBatch(BERLIN.id(), Channel.ALL, EffectiveDate.parse(date)));
        }
        assertThat(fixture.history("DE-0001", "COFFEE")).hasSize(2);

        replayed(new ReplayPriceEvents(
                ONLY_BERLIN, Instant.parse("2036-06-30T00:00:00Z"), Instant.parse("2036-07-03T00:00:00Z")));

        assertThat(bus.events)
                .extracting(PriceUpdated::effectiveAt)
                .containsExactly(Instant.parse("2036-06-30T22:00:00Z"));
    }

    @Test
    void publishesWhatCountsFromThenOnAndBeforeTheEnd() {
        var instants = new ArrayList<Instant>();
        for (var amount : List.of("3.10", "3.20", "3.30")) {
            instants.add(clock.instant());
            fixture.applied(draft(null, rule(setTo(amount), List.of("DE-0001"), "COFFEE")));
            clock.advance(Duration.ofHours(1));
        }

        replayed(new ReplayPriceEvents(ONLY_BERLIN, instants.get(0), instants.get(2)));

        assertThat(bus.events).extracting(PriceUpdated::effectiveAt).isEqualTo(instants.subList(0, 2));
        bus.events.clear();
        replayed(new ReplayPriceEvents(
                ONLY_BERLIN, instants.get(0).plusNanos(1_000), instants.get(1).plusNanos(1_000)));
        assertThat(bus.events).extracting(PriceUpdated::effectiveAt).containsExactly(instants.get(1));
    }

    @Test
    void leavesOutStoresThatWereNotChosen() {
        fixture.applied(draft(null, rule(setTo("3.10"), BOTH, "COFFEE")));

        replayed(all(new StoreSelection.Listed(List.of(HAMBURG.id()))));

        assertThat(bus.events).extracting(PriceUpdated::store).containsExactly(HAMBURG.id());
    }

    @Test
    void goesThroughEveryStoreAlsoThoseWithoutHistory() {
        fixture.stores.save(EVERYTHING, List.of(aStore("DE-0003").build()));
        fixture.applied(draft(null, rule(setTo("3.10"), BOTH, "COFFEE")));

        var result = replayed(all(new StoreSelection.All()));

        assertThat(bus.events).extracting(PriceUpdated::store).containsExactlyInAnyOrder(BERLIN.id(), HAMBURG.id());
        assertThat(result).isEqualTo(result(3, 2));
    }

    @Test
    void goesOnBehindTheLastStoresThatAreDone() {
        var ids = manyStores();
        fixture.applied(draft(null, rule(setTo("3.10"), ids, "COFFEE")));
        var task = aTask();
        bus.refused = event -> event.store().value().equals(ids.get(36));

        assertThatThrownBy(() -> runs.replay(task, all(new StoreSelection.All()), bus, GRACE, _ -> {}))
                .hasMessage("refused");

        bus.refused = _ -> false;
        bus.events.clear();
        var result = replayed(task, all(new StoreSelection.All()));
        assertThat(bus.events)
                .extracting(event -> event.store().value())
                .containsExactlyInAnyOrderElementsOf(ids.subList(30, 40));
        assertThat(result).isEqualTo(result(42, 40));
    }

    @Test
    void publishesNothingMoreOnceItIsFinished() {
        fixture.applied(draft(null, rule(setTo("3.10"), BOTH, "COFFEE")));
        var task = aTask();
        var first = replayed(task, all(new StoreSelection.All()));
        bus.events.clear();

        var again = replayed(task, all(new StoreSelection.All()));

        assertThat(again).isEqualTo(first);
        assertThat(bus.events).isEmpty();
        assertThat(audited()).hasSize(2);
    }

    @Test
    void stopsWhenItIsToldTo() {
        var ids = manyStores();
        fixture.applied(draft(null, rule(setTo("3.10"), ids, "COFFEE")));
        var replaying = Thread.currentThread();
        var told = new AtomicBoolean();
        bus.refused = _ -> {
            if (!told.getAndSet(true)) {
                replaying.interrupt();
            }
            return false;
        };

        assertThatThrownBy(() -> runs.replay(aTask(), all(new StoreSelection.All()), bus, GRACE, _ -> {}))
                .isInstanceOf(InterruptedException.class);

        assertThat(bus.events).hasSizeLessThan(ids.size());
    }

    @Test
    void isATaskWithProgressAndResultAndIsAudited() {
        fixture.applied(draft(null, rule(setTo("3.10"), BOTH, "COFFEE")));
        var command = all(new StoreSelection.Listed(List.of(BERLIN.id(), HAMBURG.id())));

        var id = started(command);

        var task = completed(id);
        assertThat(task.type()).isEqualTo(new TaskType("menuboard.price-events"));
        assertThat(task.maxAttempts()).isEqualTo(SubmitTask.MOST_ATTEMPTS);
        assertThat(task.progress()).isEqualTo(new TaskProgress(2, 2L, "stores done, 2 events published"));
        assertThat(fixture.tasks.reads().result(TasksFixture.STAFF, task)).contains(result(2, 2));
        assertThat(bus.events).hasSize(2);
        assertThat(audited()).allSatisfy(record -> assertThat(record.actor()).isEqualTo(GRACE));
        assertThat(audited())
                .extracting(AuditRecord::action, AuditRecord::details)
                .containsExactly(
                        tuple("replay finished", Map.of("task", id.value(), "stores", "2", "events", "2")),
                        tuple(
                                "replay begun",
                                Map.of(
                                        "task", id.value(),
                                        "stores", "DE-0001 DE-0002",
                                        "from", command.from().toString(),
                                        "to", command.to().toString())));
    }

    @Test
    void aTaskOfAllStoresGoesThroughThemToo() {
        fixture.applied(draft(null, rule(setTo("3.10"), BOTH, "COFFEE")));

        var task = completed(started(all(new StoreSelection.All())));

        assertThat(bus.events).hasSize(2);
        assertThat(task.progress()).isEqualTo(new TaskProgress(2, 2L, "stores done, 2 events published"));
        assertThat(audited().getLast().details()).containsEntry("stores", "all");
    }

    /** What DynamoDB Local does not charge for is what finds nothing, and much of what transactions write. */
    @Test
    void costsWhatItReads() {
        var products = ChangesFixture.products(100);
        fixture.load(Stream.of(products)
                .<Price>map(product -> price(BERLIN, "ALL", product, "2030-01-01", "3.00"))
                .toList());
        fixture.applied(draft(null, rule(setTo("3.10"), List.of("DE-0001"), products)));

        var units = table.meter().during(() -> replayed(all(ONLY_BERLIN)));

        // What was noted before, the beginning, one note, the end; three reads of channels, and the history.
        assertThat(units.requests()).isEqualTo(4 + 3 + 1);
        assertThat(units.read()).isEqualTo(1 + 2 * 0.5 + HISTORY_OF_A_HUNDRED);
    }

    @Test
    void refusesWhatCannotBeReplayed() {
        var now = clock.instant();

        assertRefused(
                () -> replay.start(
                        CurrentAccess.EVERYTHING.of(GRACE),
                        all(new StoreSelection.Listed(List.of(BERLIN.id(), new StoreId("nowhere")))),
                        null),
                "NOT_FOUND",
                "stores",
                "stores must exist: there is no nowhere");
        assertRefused(
                () -> new ReplayPriceEvents(ONLY_BERLIN, now, now), "INVALID_RANGE", "from", "from must be before to");
        assertRefused(
                () -> new ReplayPriceEvents(
                        ONLY_BERLIN, now, now.plus(Duration.ofDays(35)).plusNanos(1)),
                "INVALID_RANGE",
                "to",
                "to must be at most 35 days after from");
        assertRefused(
                () -> new ReplayPriceEvents(new StoreSelection.Found("berlin"), now, now.plusSeconds(1)),
                "INVALID_STORES",
                "stores",
                "stores must be listed, or all");
        assertRefused(
                () -> new ReplayPriceEvents(new StoreSelection.Countries(List.of("DE")), now, now.plusSeconds(1)),
                "INVALID_STORES",
                "stores",
                "stores must be listed, or all");
        assertRefused(
                () -> replay.start(
                        CurrentAccess.EVERYTHING.of(GRACE),
                        new ReplayPriceEvents(ONLY_BERLIN, now.plusSeconds(1), now.plusSeconds(2)),
                        null),
                "INVALID_RANGE",
                "from",
                "from must have passed");
    }

    @Test
    void refusesMoreIdsThanATaskCanHave() {
        var stores = IntStream.range(0, 1_000)
                .mapToObj(number -> aStore("%064d".formatted(number)).build())
                .toList();
        fixture.stores.save(EVERYTHING, stores);
        var listed = new StoreSelection.Listed(stores.stream().map(Store::id).toList());

        assertRefused(
                () -> replay.start(CurrentAccess.EVERYTHING.of(GRACE), all(listed), null),
                "TOO_MANY_STORES",
                "stores",
                "stores must be fewer: their ids are too long together");
    }

    @Test
    void oneRequestIsOneTask() {
        var command = all(ONLY_BERLIN);
        var first = (ReplayPriceEventsResult.Started) replay.start(CurrentAccess.EVERYTHING.of(GRACE), command, "once");

        assertThat(first.isNew()).isTrue();
        assertThat(replay.start(CurrentAccess.EVERYTHING.of(GRACE), command, "once"))
                .isEqualTo(new ReplayPriceEventsResult.Started(first.task(), false));
        assertThat(replay.start(CurrentAccess.EVERYTHING.of(GRACE), all(new StoreSelection.All()), "once"))
                .isEqualTo(new ReplayPriceEventsResult.KeyReused(first.task(), "once"));
        assertThat(fixture.tasks
                        .reads()
                        .list(TasksFixture.STAFF, TaskFilter.of(TaskStatus.PENDING), PAGE)
                        .nodes())
                .hasSize(1);
    }

    @Test
    void isForOperators() {
        var command = all(ONLY_BERLIN);
        for (var role : Role.values()) {
            var access = new Access(
                    new Principal("u1", Actor.Kind.USER, "grace", Set.of(Grant.of(role))), Actor.Source.PAGE);
            if (role.permissions().contains(Permission.OPERATIONS_ACT)) {
                assertThat(replay.start(access, command, "by " + role))
                        .isInstanceOf(ReplayPriceEventsResult.Started.class);
            } else {
                assertThatThrownBy(() -> replay.check(access, command)).isInstanceOf(Denied.class);
                assertThatThrownBy(() -> replay.start(access, command, null)).isInstanceOf(Denied.class);
            }
        }
    }

    @Test
    void publishesNothingForSomebodyWhoMayNoLonger() {
        fixture.applied(draft(null, rule(setTo("3.10"), List.of("DE-0001"), "COFFEE")));
        var task = started(all(ONLY_BERLIN));
        CurrentAccess disabled =
                actor -> new Access(new Principal(actor.id(), actor.kind(), actor.name(), Set.of()), actor.source());

        try (var background = WorkersFixture.workers(fixture.tasks, runs.work(bus, disabled))) {
            background.start();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> fixture.tasks
                                    .reads()
                                    .find(TasksFixture.STAFF, task)
                                    .orElseThrow()
                                    .status()
                            == TaskStatus.DEAD);
        }

        assertThat(bus.events).isEmpty();
        assertThat(audited()).isEmpty();
        assertThat(fixture.tasks
                        .reads()
                        .find(TasksFixture.STAFF, task)
                        .orElseThrow()
                        .toString())
                .contains("grace may not have events published any more");
    }

    @Test
    void beginsNothingWithoutABus() {
        var without = replay(false);

        assertThat(without.start(CurrentAccess.EVERYTHING.of(GRACE), all(ONLY_BERLIN), null))
                .isEqualTo(new ReplayPriceEventsResult.NoEventBus());
        assertThat(without.hasEventBus()).isFalse();
        assertThat(replay.hasEventBus()).isTrue();
    }

    private static void assertRefused(Runnable asked, String code, String field, String rule) {
        assertThatThrownBy(asked::run).isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(
                        List.of(refused.code(), refused.field(), refused.getMessage()))
                .containsExactly(code, field, rule));
    }

    /** Forty that have a price, behind the two that are there: more than are noted together. */
    private List<String> manyStores() {
        var stores = IntStream.range(10, 50)
                .mapToObj(number -> aStore("DE-00" + number).build())
                .toList();
        fixture.stores.save(EVERYTHING, stores);
        fixture.load(stores.stream()
                .<Price>map(store -> price(store, "ALL", "COFFEE", "2030-01-01", "3.00"))
                .toList());
        return stores.stream().map(store -> store.id().value()).toList();
    }

    /** Everything until now, and what is there by now. */
    private ReplayPriceEvents all(StoreSelection stores) {
        return new ReplayPriceEvents(stores, NOW, clock.instant().plusSeconds(1));
    }

    private Json replayed(ReplayPriceEvents command) {
        return replayed(aTask(), command);
    }

    private Json replayed(TaskId task, ReplayPriceEvents command) {
        try {
            return runs.replay(task, command, bus, GRACE, _ -> {});
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private TaskId aTask() {
        return new TaskId(Ulid.random(clock.instant(), random));
    }

    private TaskId started(ReplayPriceEvents command) {
        if (replay.start(CurrentAccess.EVERYTHING.of(GRACE), command, null)
                instanceof ReplayPriceEventsResult.Started(var task, var _)) {
            return task;
        }
        throw new AssertionError("not started");
    }

    private Task completed(TaskId id) {
        try (var background = WorkersFixture.workers(fixture.tasks, runs.work(bus, CurrentAccess.EVERYTHING))) {
            background.start();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> fixture.tasks
                                    .reads()
                                    .find(TasksFixture.STAFF, id)
                                    .orElseThrow()
                                    .status()
                            == TaskStatus.COMPLETED);
        }
        return fixture.tasks.reads().find(TasksFixture.STAFF, id).orElseThrow();
    }

    private List<AuditRecord> audited() {
        return fixture.audit.bySubject("PRICE-EVENTS", PAGE).nodes();
    }

    private static Json result(long stores, long events) {
        return Json.of(Map.of("stores", stores, "events", events));
    }

    private static Object euro(String amount) {
        return price(BERLIN, "ALL", "COFFEE", "2030-01-01", amount).price();
    }

    /** A bus that remembers, in the order in which events came. */
    private static final class Recorder implements PriceEvents {
        private final List<PriceUpdated> events = new ArrayList<>();
        private volatile Predicate<PriceUpdated> refused = _ -> false;

        @Override
        public void publish(PriceUpdated event) {
            if (refused.test(event)) {
                throw new IllegalStateException("refused");
            }
            synchronized (events) {
                events.add(event);
            }
        }
    }
}
