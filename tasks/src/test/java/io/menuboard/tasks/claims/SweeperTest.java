package io.menuboard.tasks.claims;

import static io.menuboard.tasks.TasksFixture.ADA;
import static io.menuboard.tasks.TasksFixture.NOW;
import static io.menuboard.tasks.TasksFixture.PRINT;
import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.WORKER;
import static io.menuboard.tasks.TasksFixture.created;
import static io.menuboard.tasks.TasksFixture.done;
import static io.menuboard.tasks.TasksFixture.print;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.requests.Concurrently;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.TaskSettings;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.Unreliable;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many instances that move what has become due. */
class SweeperTest {
    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock(NOW);

    @Test
    void whatIsDueAtOnceIsMovedOnceHoweverManyInstancesThereAre() {
        var due = 2_000;
        var sweepers = sweepers(20);
        var later = Collections.nCopies(1_000, print().notBefore(NOW.plusSeconds(60)));
        var tasks = TasksFixture.tasks(table.queryDb(clock), clock);
        tasks.submission().submit(STAFF, later);
        tasks.submission().submit(STAFF, later);
        clock.advance(Duration.ofSeconds(60));

        var moved = new AtomicInteger();
        table.meter().during(() -> Concurrently.forEach(20, sweepers, sweeper -> moved.addAndGet(sweeper.sweep())));

        var writes = table.meter().usages().stream()
                .filter(usage -> usage.operation().equals("update"))
                .count();
        assertThat(moved).hasValue(due);
        assertThat(tasks.count(TaskStatus.PENDING, PRINT)).isEqualTo(due);
        assertThat(writes).isBetween((long) due, (long) (1.1 * due));
    }

    @Test
    void anotherInstanceTakesOverWithinSeconds() {
        var sweepers = sweepers(3);
        assertThat(sweepers.getFirst().sweep()).isZero();
        TasksFixture.tasks(table.queryDb(clock), clock)
                .submission()
                .submit(STAFF, print().notBefore(NOW.plusSeconds(1)));

        // The first one is not heard of any more.
        var moved = 0;
        for (var second = 0; second < 6; second++) {
            clock.advance(Duration.ofSeconds(1));
            moved += sweepers.get(1).sweep() + sweepers.get(2).sweep();
        }
        assertThat(moved).isOne();
    }

    @Test
    void anInstanceThatStopsLeavesItsTurn() {
        var sweepers = sweepers(2);
        sweepers.getFirst().sweep();
        TasksFixture.tasks(table.queryDb(clock), clock)
                .submission()
                .submit(STAFF, print().notBefore(NOW.plusSeconds(1)));
        clock.advance(Duration.ofSeconds(1));

        sweepers.getFirst().stop();

        assertThat(sweepers.getLast().sweep()).isOne();
    }

    @Test
    void oneWhoseClockWasWrongDoesNotGoOnWithoutItsTurn() {
        var sweepers = sweepers(2);
        clock.set(NOW.plus(Duration.ofHours(1)));
        sweepers.getFirst().sweep();
        clock.set(NOW);
        sweepers.getLast().sweep();
        TasksFixture.tasks(table.queryDb(clock), clock)
                .submission()
                .submit(STAFF, print().notBefore(NOW.plusSeconds(1)));
        clock.advance(Duration.ofSeconds(1));

        assertThat(sweepers.getFirst().sweep()).isZero();
        assertThat(sweepers.getLast().sweep()).isOne();
    }

    @Test
    void whatIsDueIsReadAsItIsMoved() {
        var tasks = TasksFixture.tasks(table.queryDb(clock), clock, TaskSettings.USUAL.shards(1));
        var large = SubmitTask.of(PRINT, Json.of("payload", "x".repeat(250))).notBefore(NOW.plusSeconds(60));
        for (var thousand = 0; thousand < 4; thousand++) {
            tasks.submission().submit(STAFF, Collections.nCopies(1_000, large));
        }
        clock.advance(Duration.ofSeconds(60));

        var asked = new AtomicInteger();
        var moved = new AtomicInteger();
        table.meter().during(() -> moved.set(tasks.sweeper().sweep(() -> asked.incrementAndGet() <= 2)));

        assertThat(moved).hasValue(100);
        assertThat(table.meter().usages().stream()
                        .map(usage -> usage.operation())
                        .filter("tasksSCHEDULED"::equals))
                .hasSize(1);
    }

    @Test
    void aTaskThatCannotBeMovedKeepsNoOtherFromBeingMoved() {
        var tasks = TasksFixture.tasks(table.queryDb(clock), clock);
        var held = created(tasks.submission().submit(STAFF, print())).id();
        done(tasks.protocol().claim(WORKER, held, ADA, Duration.ofSeconds(60)));
        var due = created(tasks.submission().submit(STAFF, print().notBefore(NOW.plusSeconds(60))))
                .id();
        var client = Unreliable.withoutUpdatesOf("TASK#" + held, table.client());
        var failing = TasksFixture.tasks(table.queryDb(client, clock), clock);
        clock.advance(Duration.ofSeconds(60));

        assertThat(failing.sweep()).isOne();

        assertThat(tasks.reads().find(STAFF, due).orElseThrow().status()).isEqualTo(TaskStatus.PENDING);
        assertThat(tasks.sweep()).isOne();
        assertThat(tasks.reads().find(STAFF, held).orElseThrow().status()).isEqualTo(TaskStatus.PENDING);
    }

    /** {@code docs/capacity.md} has what this finds. */
    @Test
    void fiftyIdleInstancesCostLittle() {
        var sweepers = sweepers(50);
        sweepers.forEach(Sweeper::sweep);

        var minute = table.meter().during(() -> {
            for (var second = 0; second < 60; second++) {
                clock.advance(Duration.ofSeconds(1));
                sweepers.forEach(Sweeper::sweep);
            }
        });

        // DynamoDB Local charges nothing for a refused write, nor for a query that finds nothing.
        var asked = table.meter().usages().stream()
                .filter(usage -> usage.operation().equals("update"))
                .count();
        // One keeps its turn every second, the others ask for it every two or three, 2.7 on average: 1,149 were seen.
        assertThat(asked).isBetween(1_000L, 1_400L);
        assertThat(minute.requests() - asked).isEqualTo(8 * 60);
    }

    private List<Sweeper> sweepers(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> TasksFixture.tasks(table.queryDb(clock), clock).leasedSweeper("instance " + i))
                .toList();
    }
}
