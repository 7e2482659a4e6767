package io.menuboard.tasks;

import static io.menuboard.tasks.TasksFixture.ADA;
import static io.menuboard.tasks.TasksFixture.MAIL;
import static io.menuboard.tasks.TasksFixture.PRINT;
import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.WORKER;
import static io.menuboard.tasks.TasksFixture.created;
import static io.menuboard.tasks.TasksFixture.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.kernel.Count;
import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.TableDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;
import org.jspecify.annotations.Nullable;

/** Lists of tasks of several types and priorities in several shards, against the same lists in memory. */
class TaskListModelTest {
    private static final AtomicInteger TABLES = new AtomicInteger();
    private static final Duration STEP = Duration.ofSeconds(1);

    private TableDefinition definition = TableDefinition.menuboard("never used");

    @BeforeTry
    void createTable() {
        definition = TableDefinition.menuboard("task-lists-" + TABLES.incrementAndGet());
        LocalTables.create(LocalDynamoDb.shared(), definition);
    }

    @AfterTry
    void deleteTable() {
        LocalDynamoDb.shared().client().deleteTable(request -> request.tableName(definition.name()));
    }

    /** A task, submitted some seconds after the one before. */
    record Sample(TaskType type, TaskPriority priority, TaskStatus status, int seconds) {}

    /** @param from and before are seconds from the beginning; null for any */
    record Wanted(
            @Nullable TaskType type,
            @Nullable Integer from,
            @Nullable Integer before) {}

    @Property(tries = 25)
    void everyListIsTheSameInBothDirectionsAndInPagesOfEverySize(
            @ForAll @Size(max = 30) List<@From("samples") Sample> samples,
            @ForAll @From("wanted") Wanted wanted,
            @ForAll @IntRange(min = 1, max = 7) int size) {
        var clock = new MovingClock(TasksFixture.NOW);
        var db = LocalTables.queryDb(LocalDynamoDb.shared().directClient(), definition, clock);
        var tasks = TasksFixture.tasks(db, clock);
        var all = new ArrayList<Task>();
        for (var sample : samples) {
            clock.advance(STEP.multipliedBy(sample.seconds()));
            all.add(make(tasks, sample));
        }

        for (var status : TaskStatus.values()) {
            var filter =
                    new TaskFilter(status, wanted.type(), instant(wanted.from()), instant(wanted.before()), null, null);
            var expected = all.stream()
                    .filter(task -> task.status() == status && filter.matches(task))
                    .sorted(order(status))
                    .map(Task::id)
                    .toList();

            assertThat(walk(tasks, filter, size, expected.size(), true)).isEqualTo(expected);
            assertThat(walk(tasks, filter, size, expected.size(), false)).isEqualTo(expected);
            assertThat(tasks.reads().all(STAFF, filter).map(Task::id)).containsExactlyInAnyOrderElementsOf(expected);
        }
        assertThat(tasks.statistics().queues(STAFF)).allSatisfy(queue -> {
            var pending = all.stream()
                    .filter(task ->
                            task.status() == TaskStatus.PENDING && task.type().equals(queue.type()))
                    .map(Task::submittedAt)
                    .sorted()
                    .toList();
            assertThat(queue.pending()).isEqualTo(pending.size());
            assertThat(queue.oldestPending()).isEqualTo(pending.isEmpty() ? null : pending.getFirst());
        });
    }

    private static Task make(TasksInstance tasks, Sample sample) {
        var later =
                sample.status() == TaskStatus.SCHEDULED ? tasks.reads().now().plus(STEP) : null;
        var id = created(tasks.submission()
                        .submit(
                                STAFF,
                                SubmitTask.of(sample.type(), Json.EMPTY)
                                        .priority(sample.priority())
                                        .notBefore(later)))
                .id();
        return switch (sample.status()) {
            case SCHEDULED, PENDING -> tasks.reads().find(STAFF, id).orElseThrow();
            case RUNNING -> done(tasks.protocol().claim(WORKER, id, ADA, Duration.ofMinutes(10)));
            case COMPLETED -> {
                done(tasks.protocol().claim(WORKER, id, ADA, null));
                yield done(tasks.protocol().complete(WORKER, id, TasksFixture.token(1), null));
            }
            case DEAD -> {
                done(tasks.protocol().claim(WORKER, id, ADA, null));
                yield done(tasks.protocol().fail(WORKER, id, TasksFixture.token(1), "for good", false));
            }
            case CANCELLED -> done(tasks.administration().cancel(STAFF, id, null));
        };
    }

    private static Comparator<Task> order(TaskStatus status) {
        Comparator<Task> first =
                switch (status) {
                    case PENDING -> Comparator.comparing(Task::priority).reversed();
                    case SCHEDULED -> Comparator.comparing(Task::availableAt);
                    case RUNNING ->
                        Comparator.comparing(
                                task -> Objects.requireNonNull(task.lease()).endsAt());
                    case COMPLETED, DEAD, CANCELLED -> Comparator.comparing(Task::submittedAt);
                };
        return first.thenComparing(Task::id);
    }

    private static List<TaskId> walk(TasksInstance tasks, TaskFilter filter, int size, int total, boolean forward) {
        var walked = new ArrayList<TaskId>();
        var direction = forward ? PageRequest.Direction.FORWARD : PageRequest.Direction.BACKWARD;
        var page = tasks.reads().list(STAFF, filter, new PageRequest(direction, size, null));
        assertThat(page.totalCount()).isEqualTo(Count.exactly(total));
        while (true) {
            var before = walked.size();
            var ids = page.nodes().stream().map(Task::id).toList();
            walked.addAll(forward ? ids : ids.reversed());
            var ahead = forward ? page.hasNextPage() : page.hasPreviousPage();
            var behind = forward ? page.hasPreviousPage() : page.hasNextPage();
            assertThat(ahead).isEqualTo(walked.size() < total);
            assertThat(behind).isEqualTo(before > 0);
            if (!ahead) {
                return forward ? walked : walked.reversed();
            }
            page = tasks.reads()
                    .list(
                            STAFF,
                            filter,
                            new PageRequest(direction, size, forward ? page.endCursor() : page.startCursor()));
        }
    }

    private static @Nullable Instant instant(@Nullable Integer seconds) {
        return seconds == null ? null : TasksFixture.NOW.plus(STEP.multipliedBy(seconds));
    }

    @Provide
    Arbitrary<Sample> samples() {
        return Combinators.combine(
                        Arbitraries.of(PRINT, MAIL, new TaskType("menus.check")),
                        Arbitraries.of(TaskPriority.class),
                        Arbitraries.of(TaskStatus.class),
                        Arbitraries.integers().between(0, 2))
                .as(Sample::new);
    }

    @Provide
    Arbitrary<Wanted> wanted() {
        var from = Arbitraries.integers().between(0, 15).injectNull(0.4);
        return Combinators.combine(
                        Arbitraries.of(PRINT, MAIL).injectNull(0.4),
                        from,
                        Arbitraries.integers().between(16, 40).injectNull(0.4))
                .as(Wanted::new);
    }
}
