package io.menuboard.pricing.events;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.DynamoPriceHistory;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.events.DynamoEventReplays.Progress;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.TaskRun;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.TaskWork;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Publishes events of price changes again, from history: what the feed lost because it stood still for longer than the
 * table's stream keeps. Each replay is a task, which goes on where it was when its instance dies. Events have the ids and
 * contents that {@link PriceAnnouncer} gives them, so one that comes twice is known. Thread-safe.
 */
public final class PriceEventReplay {
    /** The type of tasks that replay. */
    public static final TaskType TYPE = new TaskType(TaskType.OPERATION_PREFIX + "price-events");

    private static final int REPLAYS_AT_ONCE = 1;
    private static final int STORES_AT_ONCE = 8;
    private static final int STORES_BETWEEN_NOTES = 32;

    private final TaskSubmission submission;
    private final Stores stores;
    private final Pricing pricing;
    private final DynamoPriceHistory history;
    private final DynamoEventReplays replays;
    private final Clock clock;
    private final @Nullable PriceEvents events;

    /** @param events null where no bus is configured */
    PriceEventReplay(
            TaskSubmission submission,
            Stores stores,
            Pricing pricing,
            DynamoPriceHistory history,
            DynamoEventReplays replays,
            Clock clock,
            @Nullable PriceEvents events) {
        this.submission = submission;
        this.stores = stores;
        this.pricing = pricing;
        this.history = history;
        this.replays = replays;
        this.clock = clock;
        this.events = events;
    }

    // ---- asking for replays

    /** Whether this instance has a bus to publish on. */
    public boolean hasEventBus() {
        return events != null;
    }

    /**
     * Sees whether that can be replayed; listed stores are read, half a read unit each where they are not remembered.
     *
     * @throws InvalidInput {@code NOT_FOUND} on {@code stores}, or {@code INVALID_RANGE} on {@code from} where that is to
     *     come
     */
    public void check(ReplayPriceEvents command) {
        if (command.from().isAfter(clock.instant())) {
            throw new InvalidInput("INVALID_RANGE", "from", "must have passed");
        }
        if (command.stores() instanceof StoreSelection.Listed(var ids)) {
            var found = stores.findAllNow(ids);
            ids.stream().filter(id -> !found.containsKey(id)).findFirst().ifPresent(missing -> {
                throw new InvalidInput("NOT_FOUND", "stores", "must exist: there is no " + missing);
            });
        }
    }

    /**
     * Has them published, soon. Two write units, one per KB of listed ids, and 16 for being done; for every 32 stores one
     * more; for each store a request for each channel and two, and half a read unit per 4 KB of its history, all of it.
     *
     * @param idempotencyKey the same for every repetition of one request, so that it is one task; null for none
     * @throws InvalidInput as {@link #check}, {@code INVALID_ID} on {@code idempotencyKey}, and {@code TOO_MANY_STORES} on
     *     {@code stores} where their ids are longer together than the payload of a task may be
     */
    public ReplayPriceEventsResult start(ReplayPriceEvents command, @Nullable String idempotencyKey, Actor actor) {
        if (events == null) {
            return new ReplayPriceEventsResult.NoEventBus();
        }
        check(command);
        // A bus can be gone for hours.
        var task = SubmitTask.operation(TYPE, json(command)).idempotencyKey(idempotencyKey);
        return switch (submission.submit(task, actor)) {
            case SubmitResult.Created(var created, var _) -> new ReplayPriceEventsResult.Started(created.id());
            case SubmitResult.Replayed(var before, var _) -> new ReplayPriceEventsResult.Started(before.id());
            case SubmitResult.Conflict(var existing, var key) -> new ReplayPriceEventsResult.KeyReused(existing, key);
            case SubmitResult.Invalid _ ->
                throw new InvalidInput("TOO_MANY_STORES", "stores", "must be fewer: their ids are too long together");
        };
    }

    // ---- replaying

    TaskWork work() {
        return new TaskWork(TYPE, REPLAYS_AT_ONCE, this::handle);
    }

    private Json handle(TaskRun run) throws InterruptedException {
        var task = run.task();
        return replay(
                task.id(),
                UnreadableItem.read(task.id(), () -> command(run.payload())),
                task.submittedBy(),
                run::progress);
    }

    /** Goes on after the last store that was noted to be done. */
    Json replay(TaskId task, ReplayPriceEvents command, Actor actor, Consumer<TaskProgress> news)
            throws InterruptedException {
        var done = replays.find(task).orElseGet(() -> replays.begin(task, command, actor, clock.instant()));
        if (!done.finished()) {
            var run = new Run(command, done, Objects.requireNonNull(events), news);
            try (var left = storesAfter(done.last(), command.stores());
                    var threads = Executors.newFixedThreadPool(
                            STORES_AT_ONCE, Thread.ofVirtual().factory())) {
                for (var next = left.iterator(); next.hasNext(); ) {
                    done = run.publish(some(next), threads);
                    replays.save(task, done, clock.instant());
                }
            }
            done = replays.finish(task, done, actor, clock.instant());
            news.accept(progress(done.stores(), done.stores(), done.events()));
        }
        return Json.of(Map.of("stores", done.stores(), "events", done.events()));
    }

    private static List<StoreId> some(Iterator<StoreId> next) {
        var some = new ArrayList<StoreId>();
        while (some.size() < STORES_BETWEEN_NOTES && next.hasNext()) {
            some.add(next.next());
        }
        return some;
    }

    /** In the order of their ids, which listed ones have too. */
    private Stream<StoreId> storesAfter(@Nullable StoreId last, StoreSelection selection) {
        var ids = stores.select(selection);
        return last == null ? ids : ids.dropWhile(id -> id.value().compareTo(last.value()) <= 0);
    }

    /** One attempt. */
    private final class Run {
        private final ReplayPriceEvents command;
        private final PriceEvents bus;
        private final Consumer<TaskProgress> news;
        private final @Nullable Long expected;
        private final AtomicLong finished;
        private final AtomicLong published;

        Run(ReplayPriceEvents command, Progress before, PriceEvents bus, Consumer<TaskProgress> news) {
            this.command = command;
            this.bus = bus;
            this.news = news;
            expected = command.stores() instanceof StoreSelection.Listed(var ids) ? (long) ids.size() : null;
            finished = new AtomicLong(before.stores());
            published = new AtomicLong(before.events());
        }

        /** Several stores at a time; those that are left are given up when this is interrupted. */
        Progress publish(List<StoreId> some, ExecutorService threads) throws InterruptedException {
            var each = some.stream()
                    .map(store -> (Callable<StoreId>) () -> publish(store))
                    .toList();
            for (var one : threads.invokeAll(each)) {
                try {
                    one.get();
                } catch (ExecutionException e) {
                    throw e.getCause() instanceof RuntimeException cause
                            ? cause
                            : new IllegalStateException(e.getCause());
                }
            }
            return new Progress(some.getLast(), finished.get(), published.get(), false);
        }

        private StoreId publish(StoreId store) throws InterruptedException {
            for (var channel : pricing.channels(store)) {
                try (var entries = history.all(store, channel)) {
                    var wanted = entries.filter(command::includes)
                            .map(PriceUpdated::of)
                            .flatMap(Optional::stream)
                            .iterator();
                    while (wanted.hasNext()) {
                        if (Thread.interrupted()) {
                            throw new InterruptedException();
                        }
                        bus.publish(wanted.next());
                        published.incrementAndGet();
                        tell();
                    }
                }
            }
            finished.incrementAndGet();
            tell();
            return store;
        }

        private void tell() {
            news.accept(progress(finished.get(), expected, published.get()));
        }
    }

    private static TaskProgress progress(long stores, @Nullable Long expected, long events) {
        var message = events == 1
                ? "stores done, 1 event published"
                : String.format(Locale.ROOT, "stores done, %,d events published", events);
        return new TaskProgress(stores, expected, message);
    }

    // ---- payloads

    private static Json json(ReplayPriceEvents command) {
        var from = command.from().toString();
        var to = command.to().toString();
        return Json.of(
                command.stores() instanceof StoreSelection.Listed(var ids)
                        ? Map.of(
                                "from",
                                from,
                                "to",
                                to,
                                "stores",
                                ids.stream().map(StoreId::value).toList())
                        : Map.of("from", from, "to", to, "allStores", true));
    }

    private static ReplayPriceEvents command(Json payload) {
        if (!(payload.tree() instanceof Map<?, ?> members)) {
            throw new IllegalStateException("no replay of price events: " + payload);
        }
        var listed = members.get("stores") instanceof List<?> ids
                ? new StoreSelection.Listed(
                        ids.stream().map(id -> new StoreId(String.valueOf(id))).toList())
                : new StoreSelection.All();
        return new ReplayPriceEvents(
                listed,
                Instant.parse(String.valueOf(members.get("from"))),
                Instant.parse(String.valueOf(members.get("to"))));
    }
}
