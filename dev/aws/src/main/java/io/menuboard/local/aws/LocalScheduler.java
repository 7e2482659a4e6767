package io.menuboard.local.aws;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.local.aws.LocalHttp.Request;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * EventBridge Scheduler in this process, as its REST API is documented (EventBridge Scheduler API reference, 2021-06-30):
 * schedules and groups, without tags, and of schedules those that the application makes, which is {@code at()} with a
 * queue as target. A schedule whose time has passed when it is made fires at once.
 */
public final class LocalScheduler implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LocalScheduler.class);

    private final Clock clock;
    private final Duration precision;
    private final LocalHttp http;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread;

    // Guarded by this.
    private final Schedules schedules;
    private final SchedulerApi api;
    private final ScheduleDelivery delivery;

    private LocalScheduler(Clock clock, Duration precision, SqsClient sqs) {
        this.clock = clock;
        this.precision = precision;
        schedules = new Schedules(clock.instant());
        api = new SchedulerApi(clock, schedules);
        delivery = new ScheduleDelivery(sqs);
        http = new LocalHttp(this::serve);
        thread = Thread.ofPlatform().name("local-scheduler").daemon().unstarted(this::run);
    }

    /**
     * Starts one with the default group.
     *
     * @param clock whose time schedules mean
     * @param precision how long after its time a schedule fires at the latest; the real one promises a minute
     * @param sqs through which it delivers
     */
    public static LocalScheduler start(Clock clock, Duration precision, SqsClient sqs) {
        var scheduler = new LocalScheduler(clock, precision, sqs);
        scheduler.thread.start();
        return scheduler;
    }

    /** Fault of schedules that fire from now on. */
    public sealed interface Misfire {

        /** Nothing. */
        record None() implements Misfire {}

        /** They fire so much later. */
        record Late(Duration by) implements Misfire {}

        /** Each sends its message twice. */
        record Twice() implements Misfire {}

        /** They are gone without having sent anything. */
        record Never() implements Misfire {}
    }

    public URI endpoint() {
        return http.endpoint();
    }

    /** Creates a group, as CreateScheduleGroup does. */
    public synchronized void createGroup(String name) {
        schedules.create(name, clock.instant());
    }

    /** Gives a fault to schedules that fire from now on. */
    public void misfire(Misfire kind) {
        misfire("", kind);
    }

    /** As {@link #misfire(Misfire)}, for schedules whose message has that text. Give it to all, or to parts that differ. */
    public synchronized void misfire(String part, Misfire kind) {
        delivery.misfire(part, kind);
    }

    /** The next requests get an internal error, and do nothing; the SDK repeats a request three times. */
    public void failNext(int requests) {
        http.failNext(requests);
    }

    /** The next deliveries to a target fail, and are repeated as the schedule's retry policy says. */
    public synchronized void failNextDeliveries(int deliveries) {
        delivery.failNext(deliveries);
    }

    @Override
    public void close() {
        stopping.countDown();
        http.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized JsonNode serve(Request request) {
        return api.serve(request);
    }

    private void run() {
        try {
            do {
                try {
                    fire();
                } catch (RuntimeException e) {
                    log.error("firing failed", e);
                }
            } while (!stopping.await(precision.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void fire() {
        schedules.fire(delivery, clock.instant());
    }
}
