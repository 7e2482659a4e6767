package io.menuboard.app.queues;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * Takes messages from one queue and has them handled on virtual threads, several at once; those of one message group of a
 * FIFO queue one after the other. A message is deleted when it was handled, and comes again when it was not: later after
 * each failure, until the queue makes it a dead letter. While it is handled, however long, nobody else gets it.
 *
 * <p>A FIFO queue is asked for one message at a time. Of several messages of a group, those behind one that fails would
 * be received as often as it, without ever being handled, and become dead letters with it.
 */
public final class SqsConsumer implements AutoCloseable {
    /** The longest that a message can be held back when it is sent (Amazon SQS, DelaySeconds). */
    static final Duration LONGEST_DELAY = Duration.ofMinutes(15);

    private static final Logger log = LoggerFactory.getLogger(SqsConsumer.class);

    /** The longest that a message can stay with who received it, less a reserve for the way (Amazon SQS quotas). */
    private static final Duration LONGEST_HOLD = Duration.ofHours(12).minusSeconds(30);

    private static final int MOST_MESSAGES = 10;
    private static final int BACKOFF_FACTOR = 4;
    private static final Duration AFTER_A_FAULT = Duration.ofSeconds(1);
    private static final Duration TIME_TO_STOP = Duration.ofSeconds(5);

    private final SqsClient sqs;
    private final String name;
    private final String url;
    private final QueueHandler handler;
    private final QueuesConfig config;
    private final Clock clock;
    private final Metrics metrics;
    private final Semaphore places;
    private final List<Thread> pollers = new ArrayList<>();
    private final Set<Thread> receiving = ConcurrentHashMap.newKeySet();
    private final Set<Thread> handling = ConcurrentHashMap.newKeySet();
    private final CountDownLatch stopping = new CountDownLatch(1);

    /** @param name of the queue in logs and metrics */
    SqsConsumer(
            SqsClient sqs,
            String name,
            String url,
            QueueHandler handler,
            QueuesConfig config,
            Clock clock,
            MeterRegistry registry) {
        this.sqs = sqs;
        this.name = name;
        this.url = url;
        this.handler = handler;
        this.config = config;
        this.clock = clock;
        this.metrics = new Metrics(registry, name);
        this.places = new Semaphore(config.concurrency(), true);
    }

    /** Begins, once. */
    public synchronized void start() {
        if (!pollers.isEmpty() || isStopping()) {
            throw new IllegalStateException("the consumer of " + name + " can be started once");
        }
        for (var i = 0; i < config.pollers(); i++) {
            pollers.add(Thread.ofVirtual().name(name + "-poller-" + i).start(this::poll));
        }
        log.info("consuming: queue={}", name);
    }

    /**
     * Receives nothing more, and gives handlers {@code menuboard.queues.stop} to finish; then interrupts them, and what
     * they were at comes again.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (isStopping()) {
                return;
            }
            stopping.countDown();
            receiving.forEach(Thread::interrupt);
        }
        try {
            for (var poller : pollers) {
                poller.join();
            }
            if (!areHandlersDoneWithin(config.stop())) {
                handling.forEach(Thread::interrupt);
                if (!areHandlersDoneWithin(TIME_TO_STOP)) {
                    log.warn("message handlers did not stop: queue={} running={}", name, handling.size());
                }
            }
        } catch (InterruptedException e) {
            handling.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
    }

    private boolean areHandlersDoneWithin(Duration time) throws InterruptedException {
        var done = places.tryAcquire(config.concurrency(), time.toNanos(), TimeUnit.NANOSECONDS);
        if (done) {
            places.release(config.concurrency());
        }
        return done;
    }

    private boolean isStopping() {
        return stopping.getCount() == 0;
    }

    private void poll() {
        while (!isStopping()) {
            try {
                for (var message : receive()) {
                    Thread.ofVirtual().name(name + "-handler").start(() -> handleAndLeave(message));
                }
            } catch (InterruptedException _) {
                // Only close() interrupts.
                return;
            } catch (SdkException e) {
                if (!isStopping()) {
                    log.warn("receiving postponed: queue={}", name, e);
                    pause();
                }
            } catch (RuntimeException e) {
                // The edge of this thread, which must go on.
                log.error("receiving failed: queue={}", name, e);
                pause();
            }
        }
    }

    private void pause() {
        try {
            stopping.await(AFTER_A_FAULT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            // Only close() interrupts, which the loop sees.
        }
    }

    /** Waits for a place and for messages; each message has a place of its own then. */
    private List<Message> receive() throws InterruptedException {
        beginReceiving();
        var taken = 0;
        List<Message> messages = List.of();
        try {
            places.acquire();
            taken = 1;
            while (!isFifo() && taken < MOST_MESSAGES && places.tryAcquire()) {
                taken++;
            }
            var most = taken;
            messages = sqs.receiveMessage(request -> request.queueUrl(url)
                            .maxNumberOfMessages(most)
                            .waitTimeSeconds((int) config.longPoll().toSeconds())
                            .visibilityTimeout((int) config.visibility().toSeconds())
                            .messageSystemAttributeNames(
                                    MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT,
                                    MessageSystemAttributeName.SENT_TIMESTAMP))
                    .messages();
            return messages;
        } finally {
            places.release(taken - messages.size());
            endReceiving();
        }
    }

    private synchronized void beginReceiving() throws InterruptedException {
        if (isStopping()) {
            throw new InterruptedException();
        }
        receiving.add(Thread.currentThread());
    }

    private synchronized void endReceiving() {
        receiving.remove(Thread.currentThread());
        // An interrupt was for the request, which is over: what came of it is still handled.
        Thread.interrupted();
    }

    private boolean isFifo() {
        return url.endsWith(".fifo");
    }

    private void handleAndLeave(Message message) {
        handling.add(Thread.currentThread());
        try {
            handle(new Received(message, clock.instant()));
        } finally {
            handling.remove(Thread.currentThread());
            places.release();
        }
    }

    private void handle(Received received) {
        metrics.received(received.age());
        var begin = System.nanoTime();
        var outcome = outcome(received);
        metrics.handled(outcome, Duration.ofNanos(System.nanoTime() - begin));
        // An interrupt was for the handler; what is left is to say how it ended.
        Thread.interrupted();
        try {
            switch (outcome) {
                case Outcome.Done() ->
                    sqs.deleteMessage(request -> request.queueUrl(url).receiptHandle(received.handle()));
                case Outcome.Early(var at) -> putOff(received, at);
                case Outcome.Failed() -> comeAgainIn(received, isStopping() ? Duration.ZERO : backoff(received));
                case Outcome.Malformed() -> comeAgainIn(received, Duration.ZERO);
            }
        } catch (SdkException e) {
            log.warn("message comes again: queue={} message={} outcome={}", name, received.id(), outcome.label(), e);
        }
    }

    private Outcome outcome(Received received) {
        QueueHandler.Work work;
        try {
            work = handler.read(received.body());
        } catch (IllegalArgumentException e) {
            log.error(
                    "message makes no sense and will be a dead letter: queue={} message={} receives={}",
                    name,
                    received.id(),
                    received.count(),
                    e);
            return new Outcome.Malformed();
        }
        var ended = new CountDownLatch(1);
        var upkeep = Thread.ofVirtual().name(name + "-upkeep").start(() -> keep(received, ended));
        try {
            return work.perform().<Outcome>map(Outcome.Early::new).orElseGet(Outcome.Done::new);
        } catch (RuntimeException e) {
            // The edge of handlers: whatever it was, another attempt may fare better.
            var interrupted = Thread.interrupted();
            if (interrupted || received.count() < config.maxReceives()) {
                log.warn("message failed: queue={} message={} receives={}", name, received.id(), received.count(), e);
            } else {
                log.error(
                        "message failed and will be a dead letter: queue={} message={} receives={}",
                        name,
                        received.id(),
                        received.count(),
                        e);
            }
            return new Outcome.Failed();
        } finally {
            ended.countDown();
            join(upkeep);
        }
    }

    /** Tells the queue again and again that the message is still being handled. */
    private void keep(Received received, CountDownLatch ended) {
        var third = config.visibility().toNanos() / 3;
        try {
            while (!ended.await(third, TimeUnit.NANOSECONDS)) {
                try {
                    comeAgainIn(received, config.visibility());
                } catch (SdkException e) {
                    log.warn("message not kept: queue={} message={}", name, received.id(), e);
                }
            }
        } catch (InterruptedException _) {
            // Nobody interrupts this thread.
            Thread.currentThread().interrupt();
        }
    }

    private static void join(Thread thread) {
        var interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Back into the queue until then. Since every receive counts as a failure there, a message that came early for the
     * third time is replaced by a new one; sent before the old one is deleted, so that there is one at any time.
     */
    private void putOff(Received received, Instant at) {
        var left = Duration.between(clock.instant(), at);
        if (received.count() > config.maxReceives() / 2 && !isFifo()) {
            sqs.sendMessage(request -> request.queueUrl(url)
                    .messageBody(received.body())
                    .delaySeconds(wholeSeconds(shorter(left, LONGEST_DELAY))));
            sqs.deleteMessage(request -> request.queueUrl(url).receiptHandle(received.handle()));
        } else {
            comeAgainIn(received, left);
        }
    }

    private void comeAgainIn(Received received, Duration time) {
        var held = Duration.between(received.at(), clock.instant());
        sqs.changeMessageVisibility(request -> request.queueUrl(url)
                .receiptHandle(received.handle())
                .visibilityTimeout(wholeSeconds(shorter(time, LONGEST_HOLD.minus(held)))));
    }

    private Duration backoff(Received received) {
        var backoff = config.backoff();
        for (var i = 1; i < received.count() && backoff.compareTo(config.maxBackoff()) < 0; i++) {
            backoff = backoff.multipliedBy(BACKOFF_FACTOR);
        }
        return shorter(backoff, config.maxBackoff());
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** Rounded up, so that nothing comes early for a fraction of a second. */
    static int wholeSeconds(Duration time) {
        return time.isNegative()
                ? 0
                : Math.toIntExact(time.plusNanos(999_999_999).toSeconds());
    }

    /** What came of a message. */
    private sealed interface Outcome {
        record Done() implements Outcome {}

        record Early(Instant at) implements Outcome {}

        record Failed() implements Outcome {}

        record Malformed() implements Outcome {}

        default String label() {
            return switch (this) {
                case Done() -> "done";
                case Early(var _) -> "early";
                case Failed() -> "failed";
                case Malformed() -> "malformed";
            };
        }
    }

    /** @param at when it was received */
    private record Received(Message message, Instant at) {
        String id() {
            return message.messageId();
        }

        String body() {
            return message.body();
        }

        String handle() {
            return message.receiptHandle();
        }

        /** How often the queue has given it to somebody, this time included. */
        int count() {
            return (int) number(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT);
        }

        Duration age() {
            var age = Duration.between(Instant.ofEpochMilli(number(MessageSystemAttributeName.SENT_TIMESTAMP)), at);
            return age.isNegative() ? Duration.ZERO : age;
        }

        private long number(MessageSystemAttributeName attribute) {
            return Optional.ofNullable(message.attributes().get(attribute))
                    .map(Long::parseLong)
                    .orElseThrow(() -> new IllegalStateException("message " + id() + " has no " + attribute));
        }
    }

    /** {@code menuboard.queue.received}, {@code .handled} (count and time by outcome) and {@code .age} of one queue. */
    private static final class Metrics {
        private final MeterRegistry registry;
        private final Tags tags;
        private final Counter received;
        private final Timer age;

        Metrics(MeterRegistry registry, String queue) {
            this.registry = registry;
            tags = Tags.of("queue", queue);
            received = Counter.builder("menuboard.queue.received")
                    .description("Messages received, repetitions included")
                    .tags(tags)
                    .register(registry);
            age = Timer.builder("menuboard.queue.age")
                    .description("How old messages were when they were received; its maximum is the oldest's age")
                    .tags(tags)
                    .register(registry);
        }

        void received(Duration messageAge) {
            received.increment();
            age.record(messageAge);
        }

        void handled(Outcome outcome, Duration time) {
            registry.timer("menuboard.queue.handled", tags.and("outcome", outcome.label()))
                    .record(time);
        }
    }
}
