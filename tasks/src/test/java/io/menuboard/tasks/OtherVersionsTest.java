package io.menuboard.tasks;

import static io.menuboard.tasks.TasksFixture.ADA;
import static io.menuboard.tasks.TasksFixture.NOW;
import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.WORKER;
import static io.menuboard.tasks.TasksFixture.claim;
import static io.menuboard.tasks.TasksFixture.created;
import static io.menuboard.tasks.TasksFixture.done;
import static io.menuboard.tasks.TasksFixture.print;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Count;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.Update;
import io.menuboard.tasks.TaskEvent.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What instances of other versions write into the same table. */
class OtherVersionsTest {
    private static final PageRequest PAGE = PageRequest.forward(64, null);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock(NOW);

    @SuppressWarnings("NullAway.Init") // by JUnit
    private TasksInstance tasks;

    @BeforeEach
    void connect() {
        tasks = TasksFixture.tasks(
                table.queryDb(clock), clock, TaskSettings.USUAL.shards(1).pollInterval(Duration.ofMillis(250)));
    }

    @Test
    void nothingStarvesBehindWhatCannotBeRead() {
        var due = tasks.submission().submit(STAFF, Collections.nCopies(150, print().notBefore(NOW.plusSeconds(1))));
        change(due.subList(0, 120), "status", "PAUSED");
        var urgent = tasks.submission().submit(STAFF, Collections.nCopies(300, print().priority(TaskPriority.URGENT)));
        change(urgent, "priority", "EXTREME");
        var ordinary = created(tasks.submission().submit(STAFF, print()));
        clock.advance(Duration.ofSeconds(1));
        var db = table.queryDb(clock);
        var elsewhere =
                TasksFixture.tasks(db, clock, TaskSettings.USUAL.shards(1).pollInterval(Duration.ofMillis(250)));

        assertThat(elsewhere.sweep()).isEqualTo(30);
        assertThat(elsewhere
                        .reads()
                        .list(STAFF, TaskFilter.of(TaskStatus.PENDING), PAGE)
                        .nodes())
                .hasSize(31)
                .contains(ordinary);
        assertThat(elsewhere.protocol().claim(WORKER, claim(ADA, 40))).hasSize(31);
        assertThat(db.unreadable()).isGreaterThanOrEqualTo(420);
        assertThatThrownBy(() ->
                        elsewhere.reads().find(STAFF, created(urgent.getFirst()).id()))
                .isInstanceOf(UnreadableItem.class)
                .hasMessageContaining("another version");
    }

    @Test
    void aTaskThatBecomesUnreadableCannotBeChanged() {
        var held = created(tasks.submission().submit(STAFF, print())).id();
        done(tasks.protocol().claim(WORKER, held, ADA, null));
        var waiting = created(tasks.submission().submit(STAFF, print()));
        change(List.of(new SubmitResult.Created(waiting, null)), "status", "PAUSED");
        table.queryDb(clock).update(Update.of(meta(held)).set("status", "PAUSED"));

        assertThat(tasks.protocol().claim(WORKER, claim(ADA, 1))).isEmpty();
        assertThatThrownBy(() -> tasks.protocol().complete(WORKER, held, TasksFixture.token(1), null))
                .isInstanceOf(UnreadableItem.class);
    }

    @Test
    void unknownActorsAndEventsAreTolerated() {
        var task = created(tasks.submission().submit(STAFF, print()));
        var at = Long.toString(NOW.toEpochMilli(), 36);
        var events = List.of(
                at + "\tMOVED\tPENDING\t0\tROBOT\tVOICE\tr2\tada\tx.1\tcloser",
                at + "\tPAUSED\tPAUSED\t0\tUSER\tPAGE\tgrace\t\tx.2\t");
        var db = table.queryDb(clock);
        db.update(Update.of(meta(task.id())).set("by", "ROBOT\tVOICE\tr2"));
        events.forEach(event -> db.update(Update.of(meta(task.id())).append("events", event)));

        var found = tasks.reads().find(STAFF, task.id()).orElseThrow();
        done(tasks.protocol().claim(WORKER, task.id(), ADA, null));

        var robot = new Actor(Actor.Kind.UNKNOWN, "r2", Actor.Source.UNKNOWN);
        assertThat(found.submittedBy()).isEqualTo(robot);
        assertThat(found.changedAt()).isEqualTo(NOW);
        assertThat(tasks.reads().history(STAFF, task.id(), PAGE).nodes())
                .extracting(TaskEvent::number, TaskEvent::kind, TaskEvent::actor)
                .containsExactly(
                        tuple(1, Kind.SUBMITTED, STAFF.actor()),
                        tuple(2, Kind.UNKNOWN, robot),
                        tuple(4, Kind.CLAIMED, WORKER.actor()));
    }

    @Test
    void historiesGoOnInOrderPastTheTenThousandthEventAndAreReadByThePage() {
        var task = created(tasks.submission().submit(STAFF, print()));
        var db = table.queryDb(clock);
        var text = db.get(meta(task.id())).orElseThrow().strings("events").getFirst();
        for (var number = 9_900; number < 10_100; number++) {
            var sort = number < 10_000 ? "EVENT#" + number : "EVENT#~0000" + number;
            db.save(
                    Item.at(new Key("TASK#" + task.id(), sort))
                            .type("taskEvent")
                            .string("event", text)
                            .build(),
                    SaveMode.ANY);
        }
        db.update(Update.of(meta(task.id())).set("firstEvent", 10_100));
        for (var i = 0; i < 3; i++) {
            var claimed = done(tasks.protocol().claim(WORKER, task.id(), ADA, null));
            done(tasks.protocol().release(WORKER, task.id(), claimed.leaseToken(), null));
        }

        var numbers = new ArrayList<Integer>();
        var page = tasks.reads().history(STAFF, task.id(), PageRequest.backward(64, null));
        var cost = table.meter().during(() -> tasks.reads().history(STAFF, task.id(), PageRequest.backward(64, null)));
        while (numbers.size() < 150) {
            numbers.addAll(0, page.nodes().stream().map(TaskEvent::number).toList());
            assertThat(page.hasPreviousPage()).isTrue();
            page = tasks.reads().history(STAFF, task.id(), PageRequest.backward(64, page.startCursor()));
        }

        assertThat(cost.read()).isLessThanOrEqualTo(5);
        assertThat(numbers.getLast()).isEqualTo(10_106);
        assertThat(page.totalCount()).isEqualTo(Count.exactly(10_106));
        assertThat(numbers).isSorted().doesNotHaveDuplicates();
        assertThat(numbers.getLast() - numbers.getFirst()).isEqualTo(numbers.size() - 1);
    }

    private void change(List<SubmitResult> submitted, String attribute, String value) {
        submitted.forEach(result -> table.queryDb(clock)
                .update(Update.of(meta(created(result).id())).set(attribute, value)));
    }

    private static Key meta(TaskId id) {
        return new Key("TASK#" + id, "META");
    }
}
