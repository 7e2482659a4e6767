package io.menuboard.messaging;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.Turns;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Takes changes from one standard queue and has them handled many at a time, several batches at once, while this instance
 * is one of the few that do (ADR 17). What was handled is deleted; what failed comes again, as with {@link SqsConsumer}.
 */
final class SqsBatchConsumer implements QueueConsumer {
    private static final Logger log = LoggerFactory.getLogger(SqsBatchConsumer.class);

    private final SqsQueue queue;
    private final ChangeBatchHandler handler;
    private final QueuesConfig config;
    private final BatchesConfig batches;
    private final Seat seat;
    private final MessagesInHand inHand;
    private final BlockingQueue<Told> told = new LinkedBlockingQueue<>();

    /** As many requests leave messages as bring them, so that neither side waits for the other for long. */
    private final Semaphore requests;

    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread attending;
    private final Thread gathering;

    /** @param name of the queue in logs and metrics, and of the seats */
    SqsBatchConsumer(
            SqsClient sqs,
            String name,
            String url,
            ChangeBatchHandler handler,
            Turns turns,
            QueuesConfig config,
            BatchesConfig batches,
            Clock clock,
            MeterRegistry registry) {
        this.queue = new SqsQueue(sqs, name, url, config, clock, registry);
        this.handler = handler;
        this.config = config;
        this.batches = batches;
        this.seat = new Seat(turns, name, batches.batchConsumers());
        this.inHand = new MessagesInHand(name, batches.batchMessages());
        this.requests = new Semaphore(batches.batchPollers());
        this.attending = Thread.ofVirtual().name(name + "-seat").unstarted(this::attend);
        this.gathering = Thread.ofVirtual().name(name + "-gatherer").unstarted(this::gather);
    }

    /** What a message says. */
    private record Told(SqsMessage message, ChangeRecord change) {}

    @Override
    public void start() {
        gathering.start();
        attending.start();
    }

    /** Besides, what was received and is with no handler yet comes again at once, and another instance may have the seat. */
    @Override
    public void close() {
        stopping.countDown();
        try {
            attending.join();
            gathering.interrupt();
            gathering.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        inHand.finish(config.stop());
    }

    private boolean isStopping() {
        return stopping.getCount() == 0;
    }

    /** Receives whenever there is a seat to do so. */
    private void attend() {
        @Nullable SqsPollers pollers = null;
        var number = -1;
        try {
            do {
                var seated = isSeated();
                if (seated && seat.number() != number) {
                    number = seat.number();
                    handler.seated(number);
                }
                if (seated && pollers == null) {
                    pollers = new SqsPollers(queue, inHand, SqsQueue.MOST_MESSAGES, this::read);
                    pollers.start(batches.batchPollers());
                    log.info("consuming: queue={} seat={}", queue.name(), number);
                } else if (!seated && pollers != null) {
                    pollers.close();
                    pollers = null;
                    log.info("consuming no more, others do: queue={}", queue.name());
                }
                if (seated) {
                    beat();
                }
            } while (!isStoppingWithin(pollers == null ? Seat.BETWEEN_LOOKS : Seat.BETWEEN_RENEWALS));
        } finally {
            if (pollers != null) {
                pollers.close();
            }
            leaveSeat();
        }
    }

    private boolean isSeated() {
        try {
            return seat.isHeld();
        } catch (QueryDbException e) {
            // Whoever cannot reach the table could handle nothing either.
            QueryDbException.warn(log, e, "no seat for the time being: queue={}", queue.name());
        } catch (RuntimeException e) {
            // The edge of this thread, which must go on.
            log.error("asking for a seat failed: queue={}", queue.name(), e);
        }
        return false;
    }

    private void beat() {
        try {
            handler.beat();
        } catch (QueryDbException e) {
            QueryDbException.warn(log, e, "beat left out: queue={}", queue.name());
        } catch (RuntimeException e) {
            // The edge of this thread, which must go on.
            log.error("beat failed: queue={}", queue.name(), e);
        }
    }

    private void leaveSeat() {
        try {
            seat.leave();
        } catch (QueryDbException e) {
            QueryDbException.warn(log, e, "seat stays taken for some seconds: queue={}", queue.name());
        }
    }

    private boolean isStoppingWithin(Duration time) {
        try {
            return stopping.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            // Nobody interrupts this thread.
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private void read(List<SqsMessage> messages) {
        var nonsense = new ArrayList<SqsMessage>();
        for (var message : messages) {
            if (message.count() >= config.maxReceives()) {
                // Whoever had it before may have been killed, which nobody has logged.
                log.warn("received for the last time: queue={} message={}", queue.name(), message.id());
            }
            try {
                told.add(new Told(message, ChangeRecord.parse(message.body())));
            } catch (IllegalArgumentException e) {
                queue.willBeADeadLetter(message, "it makes no sense", e);
                queue.metrics().handled("malformed", Duration.ZERO);
                nonsense.add(message);
            }
        }
        giveBack(nonsense);
    }

    /** At once. */
    private void giveBack(List<SqsMessage> messages) {
        leave(messages, some -> queue.comeAgainIn(some, _ -> Duration.ZERO));
        inHand.letGo(messages.size());
    }

    /** Makes batches of what all pollers bring. */
    private void gather() {
        var batch = new ArrayList<Told>();
        try {
            while (true) {
                batch.add(told.take());
                var end = System.nanoTime() + batches.batchWait().toNanos();
                while (batch.size() < batches.batchSize()) {
                    var next = told.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                    if (next == null) {
                        break;
                    }
                    batch.add(next);
                }
                var whole = List.copyOf(batch);
                batch.clear();
                inHand.handle(() -> handleAndLeave(whole));
            }
        } catch (InterruptedException _) {
            // Only close() interrupts, when nobody brings anything any more.
            told.drainTo(batch);
            giveBack(messages(batch));
        }
    }

    private void handleAndLeave(List<Told> batch) {
        try {
            var begin = System.nanoTime();
            var failures = failures(batch);
            var time = Duration.ofNanos(System.nanoTime() - begin);
            // An interrupt was for the handler; what is left is to say how it ended.
            Thread.interrupted();
            var done = new ArrayList<Told>();
            var failed = new ArrayList<Told>();
            for (var one : batch) {
                var isDone = !failures.containsKey(one.change());
                (isDone ? done : failed).add(one);
                queue.metrics().handled(isDone ? "done" : "failed", time);
            }
            leave(messages(done), queue::delete);
            if (!failed.isEmpty()) {
                complain(failed, failures, batch.size());
                leave(
                        messages(failed),
                        some -> queue.comeAgainIn(
                                some, one -> isStopping() ? Duration.ZERO : config.backoffAfter(one.count())));
            }
        } finally {
            inHand.letGo(batch.size());
        }
    }

    private static List<SqsMessage> messages(List<Told> batch) {
        return batch.stream().map(Told::message).toList();
    }

    private Map<ChangeRecord, RuntimeException> failures(List<Told> batch) {
        var types = handler.types();
        var wanted = batch.stream()
                .map(Told::change)
                .filter(change -> types.contains(change.type()))
                .toList();
        if (wanted.isEmpty()) {
            return Map.of();
        }
        try (var _ = new Upkeep(queue.name() + "-upkeep", config.visibility().dividedBy(3), () -> keep(batch))) {
            return handler.handle(wanted);
        } catch (RuntimeException e) {
            // The edge of handlers: whatever it was, another attempt may fare better.
            return wanted.stream().collect(toMap(identity(), _ -> e, (one, _) -> one));
        }
    }

    private void keep(List<Told> batch) {
        leave(messages(batch), some -> queue.comeAgainIn(some, _ -> config.visibility()));
    }

    /** In one line for all that come again: what fails, fails for many at once. */
    private void complain(List<Told> failed, Map<ChangeRecord, RuntimeException> failures, int of) {
        @Nullable RuntimeException first = null;
        for (var one : failed) {
            var failure = failures.get(one.change());
            if (failure != null && one.message().count() >= config.maxReceives() && !isStopping()) {
                queue.willBeADeadLetter(one.message(), "it failed", failure);
            } else {
                first = first == null ? failure : first;
            }
        }
        if (first != null) {
            QueryDbException.warn(
                    log, first, "messages failed: queue={} failed={} of={}", queue.name(), failed.size(), of);
        }
    }

    /** Returns when all of these requests are through, ten messages each. */
    private void leave(List<SqsMessage> messages, Consumer<List<SqsMessage>> request) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var from = 0; from < messages.size(); from += SqsQueue.MOST_MESSAGES) {
                var some = messages.subList(from, Math.min(messages.size(), from + SqsQueue.MOST_MESSAGES));
                threads.execute(() -> {
                    requests.acquireUninterruptibly();
                    try {
                        request.accept(some);
                    } finally {
                        requests.release();
                    }
                });
            }
        }
    }
}
