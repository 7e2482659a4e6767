package io.menuboard.pricing.events;

import io.menuboard.access.CurrentAccess;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.DynamoPriceHistory;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.events.DynamoEventReplays.Progress;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.requests.Concurrently;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.workers.TaskFailed;
import io.menuboard.tasks.workers.TaskRun;
import io.menuboard.tasks.workers.TaskWork;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Replays events of price changes from history, as tasks. A task goes on where it was when its instance dies. Events have
 * the ids and contents that {@link PriceAnnouncer} gives them, so one that is published twice is known. Thread-safe.
 */
final class PriceEventReplayRuns {
    private static final int REPLAYS_AT_ONCE = 1;
    private static final int STORES_AT_ONCE = 8;
    private static final int STORES_PER_SAVE = 32;

    private final Stores stores;
    private final Pricing pricing;
    private final DynamoPriceHistory history;
    private final DynamoEventReplays replays;
    private final ReplayReceivers receivers;
    private final Clock clock;

    PriceEventReplayRuns(
            Stores stores,
            Pricing pricing,
            DynamoPriceHistory history,
            DynamoEventReplays replays,
            ReplayReceivers receivers,
            Clock clock) {
        this.stores = stores;
        this.pricing = pricing;
        this.history = history;
        this.replays = replays;
        this.receivers = receivers;
        this.clock = clock;
    }

    /** @param current tells whether whoever asked for a replay may still have it */
    TaskWork work(PriceEvents bus, CurrentAccess current) {
        return new TaskWork(PriceEventReplay.TYPE, REPLAYS_AT_ONCE, run -> {
            checkPermission(run, current);
            return replay(run, command(run), bus);
        });
    }

    /** The same of those that are for a webhook. */
    TaskWork workForWebhooks(CurrentAccess current) {
        return new TaskWork(PriceEventReplay.TO_WEBHOOK, REPLAYS_AT_ONCE, run -> {
            checkPermission(run, current);
            var command = command(run);
            var webhook = String.valueOf(command.webhook());
            try {
                receivers.check(current.of(run.task().submittedBy()), webhook);
                return replay(run, command, receivers.to(webhook, run.task().id()));
            } catch (InvalidInput e) {
                throw new TaskFailed(e.getMessage(), false);
            }
        });
    }

    private static void checkPermission(TaskRun run, CurrentAccess current) throws TaskFailed {
        var by = run.task().submittedBy();
        if (!current.of(by).isForAll(Permission.OPERATIONS_ACT)) {
            throw new TaskFailed(by.name() + " may not have events published any more", false);
        }
    }

    private static ReplayPriceEvents command(TaskRun run) throws TaskFailed {
        return UnreadableItem.read(run.task().id(), () -> ReplayPriceEvents.of(run.payload()));
    }

    private Json replay(TaskRun run, ReplayPriceEvents command, PriceEvents events) throws InterruptedException {
        return replay(run.task().id(), command, events, run.task().submittedBy(), run::progress);
    }

    /** Publishes events of the stores after the last one that is saved as done. */
    Json replay(TaskId task, ReplayPriceEvents command, PriceEvents events, Actor actor, Consumer<TaskProgress> news)
            throws InterruptedException {
        var done = replays.find(task).orElseGet(() -> replays.begin(task, command, actor, clock.instant()));
        if (!done.finished()) {
            var run = new Run(command, events, done, news);
            try (var left = storesAfter(done.last(), command.stores())) {
                for (var next = left.iterator(); next.hasNext(); ) {
                    done = run.publish(some(next));
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
        while (some.size() < STORES_PER_SAVE && next.hasNext()) {
            some.add(next.next());
        }
        return some;
    }

    /** In the order of their ids, which listed ones have too. */
    private Stream<StoreId> storesAfter(@Nullable StoreId last, StoreSelection selection) {
        var ids = stores.select(PriceEventReplay.SYSTEM, selection);
        return last == null ? ids : ids.dropWhile(id -> id.value().compareTo(last.value()) <= 0);
    }

    /** One attempt. */
    private final class Run {
        private final ReplayPriceEvents command;
        private final PriceEvents events;
        private final Consumer<TaskProgress> news;
        private final @Nullable Long expected;
        private final AtomicLong finished;
        private final AtomicLong published;

        Run(ReplayPriceEvents command, PriceEvents events, Progress before, Consumer<TaskProgress> news) {
            this.command = command;
            this.events = events;
            this.news = news;
            expected = command.stores() instanceof StoreSelection.Listed(var ids) ? (long) ids.size() : null;
            finished = new AtomicLong(before.stores());
            published = new AtomicLong(before.events());
        }

        /** Several stores at a time; those that are left are given up when this is interrupted or one fails. */
        Progress publish(List<StoreId> some) throws InterruptedException {
            Concurrently.forEachInterruptibly(STORES_AT_ONCE, some.stream(), this::publish);
            return new Progress(some.getLast(), finished.get(), published.get(), false);
        }

        private void publish(StoreId store) throws InterruptedException {
            var channels = events.wants(store) ? pricing.channels(PriceEventReplay.SYSTEM, store) : List.<Channel>of();
            for (var channel : channels) {
                try (var entries = history.all(store, channel)) {
                    var wanted = entries.filter(command::includes)
                            .map(PriceUpdated::of)
                            .flatMap(Optional::stream)
                            .iterator();
                    while (wanted.hasNext()) {
                        if (Thread.interrupted()) {
                            throw new InterruptedException();
                        }
                        events.publish(wanted.next());
                        published.incrementAndGet();
                        report();
                    }
                }
            }
            finished.incrementAndGet();
            report();
        }

        private void report() {
            news.accept(progress(finished.get(), expected, published.get()));
        }
    }

    private static TaskProgress progress(long stores, @Nullable Long expected, long events) {
        var message = events == 1
                ? "stores done, 1 event published"
                : String.format(Locale.ROOT, "stores done, %,d events published", events);
        return new TaskProgress(stores, expected, message);
    }
}
