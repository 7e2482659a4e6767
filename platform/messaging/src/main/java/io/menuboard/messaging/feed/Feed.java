package io.menuboard.messaging.feed;

import io.menuboard.messaging.BackgroundService;
import io.menuboard.querydb.QueryDbException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sns.model.NotFoundException;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/**
 * Has this instance hear of changes: one thread that makes its queue, subscribes it, receives, and says now and then that it
 * lives. Whatever fails is tried again, with longer and longer pauses; the instance serves all the same.
 */
final class Feed implements BackgroundService {
    private static final Logger log = LoggerFactory.getLogger(Feed.class);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /** A queue may not be found for a second after it was made (Amazon SQS API reference, CreateQueue), with a reserve. */
    private static final Duration SETTLES = Duration.ofSeconds(10);

    /** For listeners, and for AWS to answer; then they are interrupted. */
    private static final Duration TIME_TO_STOP = Duration.ofSeconds(3);

    private final FeedQueues queues;
    private final FeedTopic topic;
    private final FeedListeners listeners;
    private final FeedMetrics metrics;
    private final FeedConfig config;
    private final Clock clock;
    private final CountDownLatch stopping = new CountDownLatch(1);

    private @Nullable Thread thread;
    private boolean receiving;

    /** Of the thread while it runs, and of who closes afterwards. */
    private @Nullable FeedQueue queue;

    private @Nullable String subscription;
    private Instant renewed = Instant.MIN;

    /** @param clock one that instances agree on */
    Feed(
            FeedQueues queues,
            FeedTopic topic,
            FeedListeners listeners,
            FeedMetrics metrics,
            FeedConfig config,
            Clock clock) {
        this.queues = queues;
        this.topic = topic;
        this.listeners = listeners;
        this.metrics = metrics;
        this.config = config;
        this.clock = clock;
    }

    @Override
    public synchronized void start() {
        if (thread != null || isStopping()) {
            throw new IllegalStateException("a feed can be started once");
        }
        metrics.isDeaf();
        thread = Thread.ofVirtual().name("feed").start(this::run);
    }

    private boolean isStopping() {
        return stopping.getCount() == 0;
    }

    private void run() {
        var pause = FIRST_PAUSE;
        while (!isStopping()) {
            try {
                hear();
                metrics.hears();
                pause = FIRST_PAUSE;
                continue;
            } catch (InterruptedException _) {
                // Only close() interrupts.
                return;
            } catch (QueueDoesNotExistException _) {
                goOnWithAnotherQueue();
            } catch (SdkException e) {
                if (isStopping()) {
                    return;
                }
                QueryDbException.warn(log, e, "changes not heard for a while: queue={}", name());
            } catch (RuntimeException e) {
                // The edge of this thread, which must go on.
                log.error("changes not heard for a while: queue={}", name(), e);
            }
            metrics.isDeaf();
            pause(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    /** Waits for changes once, with a queue that subscribes. */
    private void hear() throws InterruptedException {
        var own = queue;
        if (own == null) {
            unsubscribe();
            own = queues.create(clock.instant());
            queue = own;
            renewed = own.made();
        }
        if (subscription == null) {
            subscription = topic.subscribe(queues.arn(own));
            log.info("changes are heard: queue={}", own.name());
        }
        renew(own);
        var messages = receive(own);
        for (var message : messages) {
            listeners.tell(message.body());
            metrics.told(Duration.between(sent(message), clock.instant()));
        }
        if (!messages.isEmpty()) {
            queues.delete(own, messages);
        }
    }

    /**
     * Says that this instance lives when that is due, and subscribes again, in case somebody has ended its subscription. Where that
     * fails, it hears of changes as before, and tries again when it is due next.
     */
    private void renew(FeedQueue own) {
        var now = clock.instant();
        if (Duration.between(renewed, now).abs().compareTo(config.renew()) < 0) {
            return;
        }
        try {
            queues.renew(own, now);
            subscription = topic.subscribe(queues.arn(own));
        } catch (QueueDoesNotExistException | NotFoundException e) {
            // Without its queue, or without the topic, it hears nothing.
            throw e;
        } catch (SdkException e) {
            QueryDbException.warn(log, e, "subscription not renewed: queue={}", own.name());
        }
        renewed = now;
    }

    /** Unless the one that is not found was made just now: then it may yet be. */
    private void goOnWithAnotherQueue() {
        if (queue != null && queue.made().plus(SETTLES).isAfter(clock.instant())) {
            return;
        }
        log.warn("the queue of this instance is gone, and is made again: queue={}", name());
        queue = null;
    }

    private void unsubscribe() {
        var ended = subscription;
        if (ended != null) {
            topic.unsubscribe(ended);
            subscription = null;
        }
    }

    private List<Message> receive(FeedQueue own) throws InterruptedException {
        synchronized (this) {
            if (isStopping()) {
                throw new InterruptedException();
            }
            receiving = true;
        }
        try {
            return queues.receive(own);
        } finally {
            synchronized (this) {
                receiving = false;
                // An interrupt was for the request, which is over.
                Thread.interrupted();
            }
        }
    }

    private static Instant sent(Message message) {
        return Instant.ofEpochMilli(
                Long.parseLong(message.attributes().getOrDefault(MessageSystemAttributeName.SENT_TIMESTAMP, "0")));
    }

    /** Of the queue, or that there is none. */
    private String name() {
        return queue == null ? "none" : queue.name();
    }

    private void pause(Duration time) {
        try {
            stopping.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            // Only close() interrupts, which the loop sees.
        }
    }

    /** Breaks the wait for messages off, and leaves nothing behind if AWS answers within some seconds. */
    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            if (isStopping()) {
                return;
            }
            stopping.countDown();
            running = thread;
            if (running != null && receiving) {
                running.interrupt();
            }
        }
        if (running == null) {
            return;
        }
        try {
            if (!running.join(TIME_TO_STOP)) {
                running.interrupt();
                if (!running.join(TIME_TO_STOP)) {
                    log.warn("changes are still being heard");
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        leave();
    }

    private void leave() {
        var own = queue;
        try {
            unsubscribe();
            if (own != null) {
                queues.remove(own.url());
            }
        } catch (SdkException e) {
            QueryDbException.warn(log, e, "queue left behind, which another instance removes: queue={}", name());
        }
    }
}
