package io.menuboard.tasks;

import static io.menuboard.tasks.TasksFixture.ADA;
import static io.menuboard.tasks.TasksFixture.BOB;
import static io.menuboard.tasks.TasksFixture.PRINT;
import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.WORKER;
import static io.menuboard.tasks.TasksFixture.claim;
import static io.menuboard.tasks.TasksFixture.created;
import static io.menuboard.tasks.TasksFixture.done;
import static io.menuboard.tasks.TasksFixture.print;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Grant;
import io.menuboard.access.Permission;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.access.Scope;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.Update;
import io.menuboard.tasks.claims.WorkerStatus;
import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who may do what with tasks, and see which of them. Ada is a worker that acts for itself alone, and Bob is another one. */
class TaskAccessTest {
    private static final PageRequest PAGE = PageRequest.forward(64, null);
    private static final TaskId NOBODYS = new TaskId("0".repeat(26));
    private static final Access AS_ADA = limited(new Grant(Role.WORKER, new Scope.Only(Scope.Kind.WORKER, "ada")));
    private static final Access OF_A_STORE = limited(new Grant(Role.VIEWER, new Scope.Stores(Set.of("DE-0001"))));

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock(TasksFixture.NOW);
    private TasksInstance tasks;
    private TaskId pending;
    private Task own;
    private Task foreign;

    @BeforeEach
    void start() {
        tasks = TasksFixture.tasks(table.queryDb(clock), clock, TaskSettings.USUAL, new SecureRandom());
        own = claimedBy(ADA);
        foreign = claimedBy(BOB);
        pending = created(tasks.submission().submit(STAFF, print())).id();
    }

    private static Access limited(Grant... grants) {
        return new Access(new Principal("p1", Actor.Kind.TOKEN, "printer", Set.of(grants)), Actor.Source.GRAPHQL);
    }

    private Task claimedBy(WorkerId worker) {
        var id = created(tasks.submission().submit(STAFF, print())).id();
        return done(tasks.protocol().claim(WORKER, id, worker, null));
    }

    private static void isDenied(Permission permission, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(Denied.class, denied -> assertThat(denied.permission())
                .isEqualTo(permission));
    }

    @Test
    void whatIsDeliveredToAWebhookIsReadByThoseAloneWhoReadPrices() {
        var price = Json.parse("payload", "{\"amount\":\"4.99\"}");
        var delivery = created(tasks.submission()
                .submit(
                        Access.ofSystem("webhooks", Actor.Source.SCHEDULER),
                        SubmitTask.operation(new TaskType(TaskType.WEBHOOK_PREFIX + "deliver"), price)));
        var worker = limited(new Grant(Role.WORKER, new Scope.All()));
        var viewer = limited(new Grant(Role.VIEWER, new Scope.All()), new Grant(Role.WORKER, new Scope.All()));
        var both = List.of(tasks.reads().find(worker, delivery.id()).orElseThrow(), own);

        assertThat(tasks.reads().payloads(worker, both)).containsExactly(Json.NULL, print().payload());
        assertThat(tasks.reads().payload(viewer, both.getFirst())).isEqualTo(price);
    }

    @Test
    void aLimitedWorkerClaimsAsItselfAlone() {
        isDenied(Permission.TASKS_WORK, () -> tasks.protocol().claim(AS_ADA, pending, BOB, null));
        isDenied(Permission.TASKS_WORK, () -> tasks.protocol().claim(AS_ADA, claim(BOB, 1)));
        isDenied(Permission.TASKS_WORK, () -> tasks.protocol().claim(OF_A_STORE, claim(ADA, 1)));

        assertThat(tasks.protocol().claim(AS_ADA, claim(ADA, 1)))
                .singleElement()
                .satisfies(task -> assertThat(task.events().getLast().actor()).isEqualTo(AS_ADA.actor()));
    }

    @Test
    void anotherWorkersTaskIsToALimitedWorkerAsOneThatThereIsNot() {
        var operation = created(tasks.submission()
                        .submit(STAFF, SubmitTask.operation(new TaskType("menuboard.import"), Json.EMPTY)))
                .id();

        assertThat(tasks.protocol().claim(AS_ADA, foreign.id(), ADA, null))
                .isEqualTo(new TaskResult.NotFound(foreign.id()));
        assertThat(tasks.protocol().claim(AS_ADA, operation, ADA, null)).isEqualTo(new TaskResult.NotFound(operation));
        assertThat(tasks.protocol().claim(AS_ADA, NOBODYS, ADA, null)).isEqualTo(new TaskResult.NotFound(NOBODYS));
        for (var id : List.of(foreign.id(), pending, operation, NOBODYS)) {
            assertThat(tasks.reads().find(AS_ADA, id)).isEmpty();
            assertThat(tasks.reads().findAll(AS_ADA, List.of(id))).isEmpty();
            assertThat(tasks.reads().history(AS_ADA, id, PAGE).edges()).isEmpty();
            everyStep(AS_ADA, id, foreign.leaseToken(), new TaskResult.LeaseLost(id, null));
        }
        assertThat(tasks.reads().find(STAFF, foreign.id())).contains(foreign.withoutToken());
    }

    private void everyStep(Access access, TaskId id, Lease.Token token, TaskResult expected) {
        assertThat(tasks.protocol().extend(access, id, token, null, null)).isEqualTo(expected);
        assertThat(tasks.protocol().complete(access, id, token, null)).isEqualTo(expected);
        assertThat(tasks.protocol().fail(access, id, token, "no paper", true)).isEqualTo(expected);
        assertThat(tasks.protocol().release(access, id, token, null)).isEqualTo(expected);
    }

    @Test
    void aLimitedWorkerWorksOnWhatItHoldsAndSeesIt() {
        assertThat(tasks.reads().find(AS_ADA, own.id())).contains(own.withoutToken());
        assertThat(tasks.reads().findAll(AS_ADA, List.of(own.id(), foreign.id())))
                .containsExactly(own.withoutToken());
        assertThat(tasks.reads().history(AS_ADA, own.id(), PAGE).edges()).hasSize(2);
        done(tasks.protocol().extend(AS_ADA, own.id(), own.leaseToken(), null, new TaskProgress(1, null, null)));
        done(tasks.protocol().complete(AS_ADA, own.id(), own.leaseToken(), Json.of("done")));
        done(tasks.protocol().complete(AS_ADA, own.id(), own.leaseToken(), Json.of("done")));

        assertThat(tasks.reads().find(AS_ADA, own.id()).map(Task::status)).contains(TaskStatus.COMPLETED);
    }

    @Test
    void aTaskThatAnotherWorkerHasClaimedSinceIsOutOfSight() {
        done(tasks.protocol().release(AS_ADA, own.id(), own.leaseToken(), null));
        assertThat(tasks.reads().find(AS_ADA, own.id())).isPresent();

        done(tasks.protocol().claim(WORKER, own.id(), BOB, null));

        assertThat(tasks.reads().find(AS_ADA, own.id())).isEmpty();
        everyStep(AS_ADA, own.id(), own.leaseToken(), new TaskResult.LeaseLost(own.id(), null));
    }

    @Test
    void listsAreForWhoSeesEverythingButForOnesOwn() {
        var running = TaskFilter.of(TaskStatus.RUNNING);
        for (var access : List.of(AS_ADA, OF_A_STORE)) {
            for (var read : List.<Function<Access, Object>>of(
                    as -> tasks.reads().list(as, running, PAGE),
                    as -> tasks.reads().list(as, List.of(running, TaskFilter.of(TaskStatus.SCHEDULED)), PAGE),
                    as -> tasks.reads().list(as, held(BOB), PAGE),
                    as -> tasks.reads().list(as, ofKey("k"), PAGE),
                    as -> tasks.reads().all(as, running),
                    as -> tasks.reads().count(as, running, 10),
                    as -> tasks.reads().types(as),
                    as -> tasks.reads().pending(as, PRINT),
                    as -> tasks.reads().nextInLine(as, PRINT),
                    as -> tasks.workers().list(as, PAGE),
                    as -> tasks.workers().claims(as),
                    as -> tasks.statistics().queues(as),
                    as -> tasks.statistics().counts(as, clock.instant()),
                    as -> tasks.statistics().counts(as, clock.instant(), PAGE),
                    as -> tasks.statistics().backlog(as),
                    as -> tasks.statistics().deadOperations(as))) {
                isDenied(Permission.TASKS_READ, () -> read.apply(access));
            }
        }

        assertThat(tasks.reads().list(AS_ADA, held(ADA), PAGE).nodes()).containsExactly(own.withoutToken());
    }

    private static TaskFilter held(WorkerId worker) {
        return new TaskFilter(TaskStatus.RUNNING, null, null, null, worker, null);
    }

    private static TaskFilter ofKey(String key) {
        return new TaskFilter(TaskStatus.PENDING, null, null, null, null, key);
    }

    @Test
    void aLimitedWorkerSeesNoOtherWorker() {
        assertThat(tasks.workers().find(AS_ADA, ADA)).isPresent();
        assertThat(tasks.workers().find(AS_ADA, BOB)).isEmpty();
        assertThat(tasks.workers().findAll(AS_ADA, List.of(BOB, ADA)))
                .extracting(WorkerStatus::worker)
                .containsExactly(ADA);
        assertThat(tasks.workers().find(OF_A_STORE, ADA)).isEmpty();
    }

    @Test
    void whoSeesSomeStoresOnlySeesNoTask() {
        assertThat(tasks.reads().find(OF_A_STORE, own.id())).isEmpty();
        assertThat(tasks.reads().findAll(OF_A_STORE, List.of(own.id(), pending)))
                .isEmpty();
        assertThat(tasks.reads().history(OF_A_STORE, own.id(), PAGE).edges()).isEmpty();
    }

    @Test
    void everythingElseTakesItsPermission() {
        var nothing = limited();
        isDenied(Permission.TASKS_SUBMIT, () -> tasks.submission().submit(AS_ADA, print()));
        isDenied(Permission.TASKS_SUBMIT, () -> tasks.submission().submit(AS_ADA, List.of(print())));
        isDenied(Permission.TASKS_OPERATE, () -> tasks.administration().cancel(AS_ADA, own.id(), null));
        isDenied(Permission.TASKS_OPERATE, () -> tasks.administration().retry(AS_ADA, own.id(), null));
        isDenied(Permission.TASKS_OPERATE, () -> tasks.administration().reassign(AS_ADA, own.id(), ADA, null));
        isDenied(Permission.TASKS_OPERATE, () -> tasks.administration().cloneTask(AS_ADA, own.id(), null));
        isDenied(Permission.TASKS_READ, () -> tasks.reads().find(nothing, own.id()));
        isDenied(Permission.TASKS_WORK, () -> tasks.protocol().complete(nothing, own.id(), own.leaseToken(), null));
        isDenied(Permission.TASKS_WORK, () -> tasks.protocol()
                .complete(operator("p1"), own.id(), own.leaseToken(), null));
        assertThat(tasks.reads().find(STAFF, own.id())).contains(own.withoutToken());
    }

    @Test
    void aLeaseIsOfNoUseWithoutItsSecret() {
        var right = own.leaseToken();
        for (var access : List.of(WORKER, AS_ADA)) {
            for (var wrong : List.of(
                    new Lease.Token(right.fencingToken(), "A".repeat(22)),
                    Lease.Token.ofEarlierVersion(right.fencingToken()),
                    new Lease.Token(right.fencingToken() + 1, right.secret()),
                    foreign.leaseToken(),
                    Lease.Token.parse(""),
                    Lease.Token.parse(right.text() + "A"),
                    Lease.Token.parse("99999999999." + right.secret()),
                    Lease.Token.parse("2150000000." + right.secret()))) {
                everyStep(access, own.id(), wrong, new TaskResult.LeaseLost(own));
            }
        }

        done(tasks.protocol().complete(WORKER, own.id(), Lease.Token.parse(right.text()), null));
        assertThat(tasks.protocol()
                        .complete(WORKER, own.id(), Lease.Token.ofEarlierVersion(right.fencingToken()), null))
                .isInstanceOf(TaskResult.LeaseLost.class);
        assertThat(Objects.requireNonNull(right.secret())).hasSize(22);
    }

    @Test
    void theTableRefusesASecretThatWasRightWhenTheTaskWasRead() {
        // As if it had been claimed again by an instance that draws the same fencing token.
        table.queryDb(clock)
                .update(
                        Update.of(new Key("TASK#" + own.id(), "META"))
                                .set("leaseToken", own.leaseToken().fencingToken() + "." + "B".repeat(22)),
                        _ -> false);

        assertThat(tasks.protocol().complete(WORKER, own.id(), own.leaseToken(), null))
                .isInstanceOf(TaskResult.LeaseLost.class);
        assertThat(tasks.reads().find(STAFF, own.id()).map(Task::status)).contains(TaskStatus.RUNNING);
    }

    @Test
    void theTableRefusesALeaseThatIsNotTheWorkersAnyMore() {
        table.queryDb(clock)
                .update(Update.of(new Key("TASK#" + own.id(), "META")).set("worker", "bob"), _ -> false);

        everyStep(AS_ADA, own.id(), own.leaseToken(), new TaskResult.LeaseLost(own.id(), null));
    }

    @Test
    void leasesOfAnEarlierVersionGoOnUntilTheyEnd() {
        var earlier = Lease.Token.ofEarlierVersion(own.token());
        for (var id : List.of(own.id(), foreign.id())) {
            table.queryDb(clock).update(Update.of(new Key("TASK#" + id, "META")).remove("leaseToken"), _ -> false);
        }
        tasks = TasksFixture.tasks(table.queryDb(clock), clock, TaskSettings.USUAL, new SecureRandom());

        done(tasks.protocol().extend(AS_ADA, own.id(), earlier, null, null));
        everyStep(
                AS_ADA,
                own.id(),
                own.leaseToken(),
                new TaskResult.LeaseLost(tasks.reads().find(STAFF, own.id()).orElseThrow()));
        everyStep(
                AS_ADA,
                foreign.id(),
                Lease.Token.ofEarlierVersion(foreign.token()),
                new TaskResult.LeaseLost(foreign.id(), null));
        done(tasks.protocol().complete(AS_ADA, own.id(), earlier, null));
        done(tasks.protocol().complete(AS_ADA, own.id(), earlier, null));
    }

    @Test
    void aSecretOfALeaseBeforeSaysNothingOfOneThatAnEarlierVersionGave() {
        done(tasks.protocol().release(WORKER, own.id(), own.leaseToken(), null));
        var claimed = done(tasks.protocol().claim(WORKER, own.id(), ADA, null));
        var next = claimed.token() + 1;
        // It adds one to the fencing token, and leaves the secret as it was.
        table.queryDb(clock)
                .update(Update.of(new Key("TASK#" + own.id(), "META")).set("attempt", next), _ -> false);

        done(tasks.protocol().extend(WORKER, own.id(), Lease.Token.ofEarlierVersion(next), null, null));
        done(tasks.protocol().complete(WORKER, own.id(), Lease.Token.ofEarlierVersion(next), null));
    }

    @Test
    void aKeyIsOfThePrincipalThatChoseIt() {
        var one = operator("p1");
        var other = operator("p2");
        var first = created(tasks.submission().submit(one, print().idempotencyKey("k")));

        var another =
                created(tasks.submission().submit(other, print().maxAttempts(7).idempotencyKey("k")));
        var again = tasks.submission().submit(one, print().idempotencyKey("k"));

        assertThat(another.id()).isNotEqualTo(first.id());
        assertThat(again).isInstanceOfSatisfying(SubmitResult.Replayed.class, replayed -> assertThat(
                        replayed.task().id())
                .isEqualTo(first.id()));
        assertThat(tasks.submission().submit(one, print().maxAttempts(9).idempotencyKey("k")))
                .isEqualTo(new SubmitResult.Conflict(first.id(), "k"));
        assertThat(found(one)).containsExactly(first.id());
        assertThat(found(other)).containsExactly(another.id());
        assertThat(found(operator("p3"))).isEmpty();
    }

    private List<TaskId> found(Access access) {
        return tasks.reads().list(access, ofKey("k"), PAGE).nodes().stream()
                .map(Task::id)
                .toList();
    }

    private static Access operator(String id) {
        return new Access(
                new Principal(id, Actor.Kind.TOKEN, id, Set.of(Grant.of(Role.TASK_OPERATOR))), Actor.Source.GRAPHQL);
    }

    @Test
    void aKeyOfBeforeThereWereOwnersIsFoundByWhoUsedItAndByNobodyElse() {
        var one = operator("p1");
        // As an earlier version kept it: with the actor's id on the task, and none with the key.
        var first = created(tasks.submission().submit(one, print().sharedKey("k")));
        var unnamed = created(tasks.submission().submit(STAFF, print().idempotencyKey("nameless")));

        var again = tasks.submission().submit(one, print().idempotencyKey("k"));
        assertThat(tasks.submission().submit(one, print().maxAttempts(9).idempotencyKey("k")))
                .isEqualTo(new SubmitResult.Conflict(first.id(), "k"));
        var another = created(tasks.submission().submit(operator("p2"), print().idempotencyKey("k")));
        var ofName = tasks.submission().submit(one, print().idempotencyKey("nameless"));

        assertThat(again).isInstanceOfSatisfying(SubmitResult.Replayed.class, replayed -> assertThat(
                        replayed.task().id())
                .isEqualTo(first.id()));
        assertThat(another.id()).isNotEqualTo(first.id());
        assertThat(ofName).isInstanceOfSatisfying(SubmitResult.Replayed.class, replayed -> assertThat(
                        replayed.task().id())
                .isEqualTo(unnamed.id()));
        assertThat(found(one)).containsExactly(first.id());
        assertThat(found(operator("p2"))).containsExactly(another.id());
        assertThat(found(operator("p3"))).containsExactly(first.id());
        var viewer = new Principal("v1", Actor.Kind.USER, "vic", Set.of(Grant.of(Role.VIEWER)));
        assertThat(found(new Access(viewer, Actor.Source.PAGE))).isEmpty();
    }
}
