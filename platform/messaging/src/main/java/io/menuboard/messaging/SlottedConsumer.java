package io.menuboard.messaging;

import io.menuboard.querydb.QueryDbException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Consumes changes while this instance holds one of a few slots (ADR 17). */
final class SlottedConsumer implements QueueConsumer {
    private static final Logger log = LoggerFactory.getLogger(SlottedConsumer.class);
    private static final int NONE = -1;

    /** For a renewal or a heartbeat in progress and the release of the slot, beside the time that handlers had. */
    private static final Duration TIME_TO_FINISH = Duration.ofSeconds(3);

    private static final Duration TIME_TO_STOP = Duration.ofSeconds(2);

    private final String queue;
    private final SqsConsumer<?> consumer;
    private final ConsumerSlot slot;
    private final ChangeBatchHandler handler;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private @Nullable Thread thread;

    /** @param queue name in logs */
    SlottedConsumer(String queue, SqsConsumer<?> consumer, ConsumerSlot slot, ChangeBatchHandler handler) {
        this.queue = queue;
        this.consumer = consumer;
        this.slot = slot;
        this.handler = handler;
    }

    @Override
    public synchronized void start() {
        thread = Thread.ofVirtual().name(queue + "-slot").start(this::run);
    }

    /** Besides, another instance can have the slot at once, unless the table does not answer. */
    @Override
    public synchronized void close() {
        stopping.countDown();
        consumer.close();
        if (thread != null) {
            awaitEnd(thread);
        }
    }

    private void awaitEnd(Thread ending) {
        try {
            if (!ending.join(TIME_TO_FINISH)) {
                ending.interrupt();
                if (!ending.join(TIME_TO_STOP)) {
                    log.warn("consumer slot not given up: queue={}", queue);
                }
            }
        } catch (InterruptedException e) {
            ending.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        var assigned = NONE;
        var consuming = false;
        try {
            do {
                var held = acquireOrRenew();
                if (held && slot.number() != assigned) {
                    assigned = slot.number();
                    handler.slotAssigned(assigned);
                }
                if (held && !consuming) {
                    consumer.startReceiving();
                    log.info("consuming: queue={} slot={}", queue, assigned);
                } else if (!held && consuming) {
                    consumer.stopReceiving();
                    log.info("consuming no more, other instances hold all slots: queue={}", queue);
                }
                consuming = held;
                if (held) {
                    heartbeat();
                }
            } while (!isStoppingWithin(consuming ? ConsumerSlot.RENEWAL_INTERVAL : ConsumerSlot.RETRY_INTERVAL));
        } finally {
            consumer.stopReceiving();
            release();
        }
    }

    private boolean acquireOrRenew() {
        try {
            return slot.acquireOrRenew();
        } catch (QueryDbException e) {
            // An instance that cannot reach the table could handle nothing either.
            QueryDbException.warn(log, e, "no consumer slot for the time being: queue={}", queue);
        } catch (RuntimeException e) {
            // The edge of this thread, which must go on.
            log.error("acquiring a consumer slot failed: queue={}", queue, e);
        }
        return false;
    }

    private void heartbeat() {
        try {
            handler.heartbeat();
        } catch (QueryDbException e) {
            QueryDbException.warn(log, e, "heartbeat skipped: queue={}", queue);
        } catch (RuntimeException e) {
            // The edge of this thread, which must go on.
            log.error("heartbeat failed: queue={}", queue, e);
        }
    }

    private void release() {
        try {
            slot.release();
        } catch (QueryDbException e) {
            QueryDbException.warn(log, e, "consumer slot is free only when its lease ends: queue={}", queue);
        }
    }

    private boolean isStoppingWithin(Duration time) {
        try {
            return stopping.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            // Only close() interrupts.
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
