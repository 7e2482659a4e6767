package io.menuboard.messaging;

import io.menuboard.messaging.BatchHandler.NotDone;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.requests.Concurrently;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Gatherers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Receives messages of one standard queue and has them handled on virtual threads, in batches of one or many, several
 * batches at the same time and in no order (ADR 22). A message is deleted when it was handled, and retried when it was not:
 * later after each failure, until the queue makes it a dead letter. While it is handled, however long, nobody else
 * receives it.
 */
final class SqsConsumer<M> implements QueueConsumer {
    private static final Logger log = LoggerFactory.getLogger(SqsConsumer.class);

    private final SqsQueue queue;
    private final BatchHandler<M> handler;
    private final ConsumerSettings settings;
    private final QueuesConfig config;
    private final InFlightMessages inFlight;
    private final BlockingQueue<Received<M>> received = new LinkedBlockingQueue<>();
    /** Permits for requests of all batches that are handled at the same time. */
    private final Semaphore requests;

    private @Nullable Thread gatherer;
    private @Nullable SqsPollers pollers;
    private volatile boolean stopping;

    SqsConsumer(SqsQueue queue, BatchHandler<M> handler, ConsumerSettings settings, QueuesConfig config) {
        this.queue = queue;
        this.handler = handler;
        this.settings = settings;
        this.config = config;
        this.inFlight = new InFlightMessages(queue.name(), settings.maxInFlight());
        this.requests = new Semaphore(settings.maxRequests());
    }

    /** A message and what it says. */
    private record Received<M>(SqsMessage message, M content) {}

    /** A message that failed. */
    private record Failure(SqsMessage message, RuntimeException cause) {}

    @Override
    public void start() {
        startReceiving();
        log.info("consuming: queue={}", queue.name());
    }

    /**
     * Begins to receive messages, or begins again; does nothing once this is closed. Threads that handle them inherit the
     * caller's workload.
     */
    synchronized void startReceiving() {
        if (stopping) {
            return;
        }
        if (gatherer == null) {
            gatherer = Thread.ofVirtual().name(queue.name() + "-gatherer").start(this::gather);
        }
        var least = Math.min(settings.batchSize(), SqsQueue.MOST_MESSAGES);
        pollers = new SqsPollers(queue, inFlight, least, this::read);
        pollers.start(settings.pollers());
    }

    /** Receives nothing more; messages that were received are handled. */
    synchronized void stopReceiving() {
        if (pollers != null) {
            pollers.close();
            pollers = null;
        }
    }

    @Override
    public void close() {
        stopping = true;
        stopReceiving();
        stopGathering();
        inFlight.awaitNone(config.stop());
    }

    private synchronized void stopGathering() {
        if (gatherer == null) {
            return;
        }
        gatherer.interrupt();
        try {
            gatherer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(List<SqsMessage> messages) {
        var malformed = new ArrayList<SqsMessage>();
        for (var message : messages) {
            if (message.count() >= config.maxReceives()) {
                // An instance that received it before may have been killed without logging anything.
                log.warn("received for the last time: queue={} message={}", queue.name(), message.id());
            }
            try {
                received.add(new Received<>(message, handler.read(message.body())));
            } catch (RuntimeException e) {
                // Whatever it is: the permits of the messages after it must come back.
                queue.metrics().handled("malformed", Duration.ZERO);
                logMalformed(message, e);
                malformed.add(message);
            }
        }
        if (!malformed.isEmpty()) {
            retry(malformed, settings.malformedWait());
            inFlight.release(malformed.size());
        }
    }

    private void logMalformed(SqsMessage message, RuntimeException cause) {
        if (message.count() < config.maxReceives()) {
            QueryDbException.warn(
                    log,
                    cause,
                    "message cannot be read, and is retried: queue={} message={} receives={}",
                    queue.name(),
                    message.id(),
                    message.count());
        } else {
            queue.logDeadLetter(message, "it cannot be read", cause);
        }
    }

    /** Makes batches of what all pollers receive. */
    private void gather() {
        var batch = new ArrayList<Received<M>>();
        try {
            while (true) {
                batch.add(received.take());
                var end = System.nanoTime() + settings.batchWait().toNanos();
                while (batch.size() < settings.batchSize()) {
                    var next = received.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                    if (next == null) {
                        break;
                    }
                    batch.add(next);
                }
                var whole = List.copyOf(batch);
                batch.clear();
                inFlight.handle(() -> handle(whole));
            }
        } catch (InterruptedException _) {
            // Only close() interrupts, when nothing is received any more.
            received.drainTo(batch);
            retry(messages(batch), false);
            inFlight.release(batch.size());
        }
    }

    private void handle(List<Received<M>> batch) {
        try {
            var begin = System.nanoTime();
            var notDone = notDone(batch);
            var time = Duration.ofNanos(System.nanoTime() - begin);
            // An interrupt was for the handler; what is left is to settle its messages.
            Thread.interrupted();
            settle(batch, notDone, time);
        } finally {
            inFlight.release(batch.size());
        }
    }

    private Map<M, NotDone> notDone(List<Received<M>> batch) {
        var contents = batch.stream().map(Received::content).toList();
        try (var _ = new Heartbeat(
                queue.name() + "-heartbeat",
                config.visibility().dividedBy(3),
                () -> changeVisibility(messages(batch), config.visibility()))) {
            return handler.handle(contents);
        } catch (RuntimeException e) {
            // The edge of handlers: whatever it was, another attempt may fare better.
            var failures = new HashMap<M, NotDone>();
            contents.forEach(content -> failures.put(content, new NotDone.Failed(e)));
            return failures;
        }
    }

    private void settle(List<Received<M>> batch, Map<M, NotDone> notDone, Duration time) {
        var done = new ArrayList<SqsMessage>();
        var failures = new ArrayList<Failure>();
        for (var one : batch) {
            var outcome = notDone.get(one.content());
            queue.metrics().handled(label(outcome), time);
            switch (outcome) {
                case null -> done.add(one.message());
                case NotDone.Postponed(var until) -> postpone(one.message(), until);
                case NotDone.Failed(var cause) -> failures.add(new Failure(one.message(), cause));
            }
        }
        inTens(done, queue::delete);
        if (!failures.isEmpty()) {
            logFailures(failures, batch.size());
            retry(failures.stream().map(Failure::message).toList(), true);
        }
    }

    private static String label(@Nullable NotDone outcome) {
        return switch (outcome) {
            case null -> "done";
            case NotDone.Postponed(var _) -> "early";
            case NotDone.Failed(var _) -> "failed";
        };
    }

    /** Logs each message that becomes a dead letter, and one line for all others: what fails, fails for many at once. */
    private void logFailures(List<Failure> failures, int of) {
        @Nullable Failure first = null;
        for (var failure : failures) {
            if (failure.message().count() >= config.maxReceives()) {
                queue.logDeadLetter(failure.message(), "it failed", failure.cause());
            } else if (first == null) {
                first = failure;
            }
        }
        if (first != null) {
            QueryDbException.warn(
                    log,
                    first.cause(),
                    "messages failed, and are retried: queue={} failed={} of={} first={} receives={}",
                    queue.name(),
                    failures.size(),
                    of,
                    first.message().id(),
                    first.message().count());
        }
    }

    /**
     * Releases a message until then. Since every receive counts as a failure in the queue, a message that came early for
     * the third time is replaced by a new one; sent before the old one is deleted, so that there is one at any time.
     */
    private void postpone(SqsMessage message, Instant until) {
        var left = queue.timeUntil(until);
        if (message.count() <= config.maxReceives() / 2) {
            changeVisibility(List.of(message), left);
            return;
        }
        try {
            queue.sendAgain(message, left);
        } catch (SdkException e) {
            QueryDbException.warn(
                    log,
                    e,
                    "message is retried when its visibility time-out ends: queue={} message={}",
                    queue.name(),
                    message.id());
            return;
        }
        inTens(List.of(message), queue::delete);
    }

    /**
     * Releases messages that were not handled.
     *
     * @param wait later after each failure, or at once; at once too where this instance stops
     */
    private void retry(List<SqsMessage> messages, boolean wait) {
        inTens(
                messages,
                some -> queue.changeVisibility(some, message -> wait && !stopping ? backoff(message) : Duration.ZERO));
    }

    /** None after the last failure: the next receive makes the message a dead letter, which is to be seen soon. */
    private Duration backoff(SqsMessage message) {
        return message.count() < config.maxReceives() ? config.backoffAfter(message.count()) : Duration.ZERO;
    }

    private void changeVisibility(List<SqsMessage> messages, Duration time) {
        inTens(messages, some -> queue.changeVisibility(some, _ -> time));
    }

    private List<SqsMessage> messages(List<Received<M>> batch) {
        return batch.stream().map(Received::message).toList();
    }

    /** Returns when all of these requests are through, ten messages each. */
    private void inTens(List<SqsMessage> messages, Consumer<List<SqsMessage>> request) {
        var tens = messages.stream()
                .gather(Gatherers.windowFixed(SqsQueue.MOST_MESSAGES))
                .toList();
        if (!tens.isEmpty()) {
            Concurrently.forEach(tens.size(), tens, some -> permitted(some, request));
        }
    }

    private void permitted(List<SqsMessage> messages, Consumer<List<SqsMessage>> request) {
        requests.acquireUninterruptibly();
        try {
            request.accept(messages);
        } finally {
            requests.release();
        }
    }
}
