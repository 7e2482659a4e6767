package io.menuboard.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDbException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * Ten minutes without the table, and the time after it, for tests of every context. Time is the test's: it moves on during
 * an outage, and after it only while nobody can do anything, so that pauses are seen, and how fast the machine is, is not.
 */
public final class Outage {
    public static final Duration LENGTH = Duration.ofMinutes(10);

    /** Short enough to tell what happens within half a minute. */
    public static final Duration LONGEST_STEP = Duration.ofSeconds(5);

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration STEP = Duration.ofSeconds(1);
    private static final long STILL_NANOS = Duration.ofSeconds(3).toNanos();
    private static final List<TaskStatus> OPEN = List.of(TaskStatus.SCHEDULED, TaskStatus.PENDING, TaskStatus.RUNNING);

    private Outage() {}

    /**
     * Waits until the table has {@linkplain io.menuboard.querydb.FaultInjectingHttpClient#breakDown broken down}, lets ten
     * minutes pass, and gives the table back as it was.
     *
     * @param eachMinute what somebody tries
     */
    public static void pass(FreshTable table, MovingClock clock, Runnable eachMinute) {
        await().atMost(PATIENCE).until(table.faults()::isDown);
        var before = table.contents();
        for (var minute = 0; minute < LENGTH.toMinutes(); minute++) {
            clock.advance(Duration.ofMinutes(1));
            var tried = table.faults().sent().size();
            eachMinute.run();
            await().atMost(PATIENCE).until(() -> table.faults().sent().size() > tried);
        }
        assertThat(table.contents()).as("nothing changes during an outage").isEqualTo(before);
        table.faults().reset();
    }

    /** Each fails with what the edge answers as {@code UNAVAILABLE}. */
    public static void refuses(ThrowingCallable... requests) {
        for (var i = 0; i < requests.length; i++) {
            var failure = catchThrowableOfType(QueryDbException.class, requests[i]);
            assertThat(QueryDbException.isPassing(failure))
                    .as("request %s: %s", i, failure)
                    .isTrue();
        }
    }

    /**
     * How much time passes until that is so. It goes on where no task of the table could be worked on, and where nothing
     * has happened to any for some seconds.
     */
    public static Duration timeUntil(MovingClock clock, TasksInstance tasks, BooleanSupplier done) {
        return timeUntil(clock, tasks, LONGEST_STEP, done);
    }

    /**
     * The same with other steps.
     *
     * @param longestStep of time; shorter where a task is due before
     */
    public static Duration timeUntil(
            MovingClock clock, TasksInstance tasks, Duration longestStep, BooleanSupplier done) {
        var begin = clock.instant();
        var still = new Object() {
            List<Task> tasks = List.of();
            long since = System.nanoTime();
        };
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(10)).until(() -> {
            if (done.getAsBoolean()) {
                return true;
            }
            var open = OPEN.stream()
                    .flatMap(status -> tasks.reads().all(TasksFixture.STAFF, TaskFilter.of(status)))
                    .toList();
            var due = open.stream()
                    .filter(task -> task.status() != TaskStatus.SCHEDULED
                            || !task.availableAt().isAfter(clock.instant()))
                    .toList();
            if (!due.equals(still.tasks)) {
                still.tasks = due;
                still.since = System.nanoTime();
            }
            if (due.isEmpty()) {
                clock.advance(untilDue(open, clock.instant(), longestStep));
            } else if (System.nanoTime() - still.since > STILL_NANOS) {
                clock.advance(STEP);
            }
            return false;
        });
        return Duration.between(begin, clock.instant());
    }

    /** Until the first of them is due, and no longer than a step: other work may begin by itself. */
    private static Duration untilDue(List<Task> scheduled, Instant now, Duration longestStep) {
        return scheduled.stream()
                .map(task -> Duration.between(now, task.availableAt()))
                .filter(time -> time.compareTo(longestStep) < 0)
                .min(Comparator.naturalOrder())
                .orElse(longestStep);
    }

    /** Whether every task has come to its end. */
    public static boolean isOver(TasksInstance tasks) {
        return OPEN.stream().allMatch(status -> tasks.reads()
                .all(TasksFixture.STAFF, TaskFilter.of(status))
                .findAny()
                .isEmpty());
    }

    /** Tasks that gave up, of any type. */
    public static Stream<Task> dead(TasksInstance tasks) {
        return tasks.reads().all(TasksFixture.STAFF, TaskFilter.of(TaskStatus.DEAD));
    }
}
