package io.menuboard.messaging;

import io.menuboard.querydb.QueryDbException;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Takes messages from one standard queue and has them handled on virtual threads, several at once and in no order. A
 * message is deleted when it was handled, and comes again when it was not: later after each failure, until the queue makes
 * it a dead letter. While it is handled, however long, nobody else gets it.
 */
final class SqsConsumer implements QueueConsumer {
    private static final Logger log = LoggerFactory.getLogger(SqsConsumer.class);

    private final SqsQueue queue;
    private final QueueHandler handler;
    private final QueuesConfig config;
    private final Clock clock;
    private final MessagesInHand inHand;
    private final SqsPollers pollers;

    /** @param name of the queue in logs and metrics */
    SqsConsumer(
            SqsClient sqs,
            String name,
            String url,
            QueueHandler handler,
            QueuesConfig config,
            Clock clock,
            MeterRegistry registry) {
        this.queue = new SqsQueue(sqs, name, url, config, clock, registry);
        this.handler = handler;
        this.config = config;
        this.clock = clock;
        this.inHand = new MessagesInHand(name, config.concurrency());
        this.pollers = new SqsPollers(
                queue,
                inHand,
                1,
                messages -> messages.forEach(message -> inHand.handle(() -> handleAndLeave(message))));
    }

    @Override
    public void start() {
        pollers.start(config.pollers());
        log.info("consuming: queue={}", queue.name());
    }

    @Override
    public void close() {
        pollers.close();
        inHand.finish(config.stop());
    }

    private void handleAndLeave(SqsMessage message) {
        try {
            handle(message);
        } finally {
            inHand.letGo(1);
        }
    }

    private void handle(SqsMessage message) {
        var begin = System.nanoTime();
        var outcome = outcome(message);
        queue.metrics().handled(outcome.label(), Duration.ofNanos(System.nanoTime() - begin));
        // An interrupt was for the handler; what is left is to say how it ended.
        Thread.interrupted();
        switch (outcome) {
            case Outcome.Done() -> queue.delete(List.of(message));
            case Outcome.Early(var at) -> putOff(message, at);
            case Outcome.Failed(), Outcome.Malformed() ->
                comeAgainIn(message, pollers.isStopping() ? Duration.ZERO : config.backoffAfter(message.count()));
        }
    }

    private Outcome outcome(SqsMessage message) {
        QueueHandler.Work work;
        try {
            work = handler.read(message.body());
        } catch (IllegalArgumentException e) {
            // To an instance of a later version it may make sense.
            complain(message, "it makes no sense", e);
            return new Outcome.Malformed();
        }
        try (var _ = new Upkeep(
                queue.name() + "-upkeep",
                config.visibility().dividedBy(3),
                () -> comeAgainIn(message, config.visibility()))) {
            return work.perform().<Outcome>map(Outcome.Early::new).orElseGet(Outcome.Done::new);
        } catch (RuntimeException e) {
            // The edge of handlers: whatever it was, another attempt may fare better.
            complain(message, "it failed", e);
            return new Outcome.Failed();
        }
    }

    private void complain(SqsMessage message, String because, RuntimeException failure) {
        var interrupted = Thread.interrupted();
        if (interrupted || message.count() < config.maxReceives()) {
            QueryDbException.warn(
                    log,
                    failure,
                    "message comes again: queue={} message={} receives={} because={}",
                    queue.name(),
                    message.id(),
                    message.count(),
                    because);
        } else {
            queue.willBeADeadLetter(message, because, failure);
        }
    }

    /**
     * Back into the queue until then. Since every receive counts as a failure there, a message that came early for the
     * third time is replaced by a new one; sent before the old one is deleted, so that there is one at any time.
     */
    private void putOff(SqsMessage message, Instant at) {
        var left = Duration.between(clock.instant(), at);
        if (message.count() > config.maxReceives() / 2) {
            try {
                queue.sendAgainIn(message, left);
            } catch (SdkException e) {
                QueryDbException.warn(
                        log,
                        e,
                        "message comes again when its visibility time-out ends: queue={} message={}",
                        queue.name(),
                        message.id());
                return;
            }
            queue.delete(List.of(message));
        } else {
            comeAgainIn(message, left);
        }
    }

    private void comeAgainIn(SqsMessage message, Duration time) {
        queue.comeAgainIn(List.of(message), _ -> time);
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
}
