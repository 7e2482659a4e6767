package io.menuboard.webadmin.tasks;

import static io.menuboard.tasks.TasksFixture.MAIL;
import static io.menuboard.tasks.TasksFixture.PRINT;
import static io.menuboard.tasks.TasksFixture.STAFF;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.access.Scope;
import io.menuboard.kernel.Actor;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.TasksFixture;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

class RecentCountsTest {
    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private final AtomicLong nanoTime = new AtomicLong();

    @Test
    void areReadOnceForAllWhoAskAboutTheSameTime() {
        var tasks = TasksFixture.tasks(table.queryDb(clock), clock);
        var recent = new RecentCounts(tasks.reads(), tasks.statistics(), 2, nanoTime::get);
        tasks.submission().submit(STAFF, TasksFixture.print());
        var first = recent.get(STAFF);
        tasks.submission().submit(STAFF, TasksFixture.print());

        nanoTime.addAndGet(RecentCounts.VALIDITY.toNanos());
        var cost = table.meter().during(() -> assertThat(recent.get(STAFF)).isSameAs(first));
        nanoTime.incrementAndGet();

        assertThat(cost.requests()).isZero();
        assertThat(first.byStatus()).containsEntry(TaskStatus.PENDING, 1L).containsEntry(TaskStatus.DEAD, 0L);
        assertThat(recent.get(STAFF).byStatus()).containsEntry(TaskStatus.PENDING, 2L);
        assertThat(recent.get(STAFF).queues()).singleElement().satisfies(queue -> {
            assertThat(queue.type()).isEqualTo(PRINT);
            assertThat(queue.pending()).isEqualTo(2);
        });
    }

    @Test
    void areNotOfVeryManyTypesWithAFilter() {
        var tasks = TasksFixture.tasks(table.queryDb(clock), clock);
        var recent = new RecentCounts(tasks.reads(), tasks.statistics(), 2, nanoTime::get);
        var since = new TaskFilterForm("PENDING", "", "2036-06-15T00:00", "", "", "");
        for (var type : List.of(MAIL, PRINT)) {
            tasks.submission().submit(STAFF, SubmitTask.of(type, Json.EMPTY));
        }

        assertThat(recent.counts(STAFF, since)).isEqualTo(Map.of(TaskStatus.PENDING, 2L, TaskStatus.DEAD, 0L));
        tasks.submission().submit(STAFF, SubmitTask.of(new TaskType("labels"), Json.EMPTY));
        nanoTime.addAndGet(RecentCounts.VALIDITY.toNanos() + 1);

        assertThat(recent.counts(STAFF, since)).isEmpty();
        assertThat(recent.counts(STAFF, new TaskFilterForm("PENDING", PRINT.value(), "2036-06-15T00:00", "", "", "")))
                .containsEntry(TaskStatus.PENDING, 1L);
        assertThat(recent.counts(STAFF, TaskFilterForm.of(TaskStatus.DEAD))).containsEntry(TaskStatus.PENDING, 3L);
    }

    @Test
    void whoAsksWhileTheyAreReadGetsTheReadingBefore() throws InterruptedException {
        var held = new HeldReads();
        var tasks = TasksFixture.tasks(table.queryDb(held.of(table.client()), clock), clock);
        var recent = new RecentCounts(tasks.reads(), tasks.statistics(), 2, nanoTime::get);
        tasks.submission().submit(STAFF, TasksFixture.print());
        var first = recent.get(STAFF);
        nanoTime.addAndGet(RecentCounts.VALIDITY.toNanos() + 1);
        held.hold();

        var reader = Thread.ofVirtual().start(() -> recent.get(STAFF));
        held.awaitOne();
        assertThat(recent.get(STAFF)).isSameAs(first);
        nanoTime.addAndGet(RecentCounts.OLDEST.toNanos());
        var waiting = CompletableFuture.supplyAsync(() -> recent.get(STAFF));
        held.release();
        reader.join();

        assertThat(waiting.join()).isNotSameAs(first).isSameAs(recent.get(STAFF));
    }

    @Test
    void nobodyWaitsForAReadingThatTakesLongWhereThereIsOneBefore() throws InterruptedException {
        var held = new HeldReads();
        var tasks = TasksFixture.tasks(table.queryDb(held.of(table.client()), clock), clock);
        LongSupplier slow = () -> nanoTime.addAndGet(RecentCounts.QUICK.toNanos() + 1);
        var recent = new RecentCounts(tasks.reads(), tasks.statistics(), 2, slow);
        tasks.submission().submit(STAFF, TasksFixture.print());
        var first = recent.get(STAFF);
        nanoTime.addAndGet(RecentCounts.VALIDITY.toNanos());
        held.hold();

        assertThat(recent.get(STAFF)).isSameAs(first);
        held.awaitOne();
        assertThat(recent.get(STAFF)).isSameAs(first);
        held.release();

        await().untilAsserted(() -> assertThat(recent.get(STAFF)).isNotSameAs(first));
    }

    @Test
    void aReadingThatFailsMakesTheOneBeforeNoYounger() {
        var held = new HeldReads();
        var tasks = TasksFixture.tasks(table.queryDb(held.of(table.client()), clock), clock);
        var recent = new RecentCounts(tasks.reads(), tasks.statistics(), 2, nanoTime::get);
        var first = recent.get(STAFF);
        nanoTime.addAndGet(RecentCounts.OLDEST.toNanos() + 1);
        held.fail();

        assertThatThrownBy(() -> recent.get(STAFF)).isInstanceOf(QueryDbException.class);
        assertThatThrownBy(() -> recent.get(STAFF)).isInstanceOf(QueryDbException.class);
        held.release();

        assertThat(recent.get(STAFF)).isNotSameAs(first);
    }

    /** Queries of a client, which wait or fail on demand. */
    private static final class HeldReads {
        private volatile CountDownLatch one = new CountDownLatch(0);
        private volatile CountDownLatch gate = new CountDownLatch(0);
        private volatile boolean fails;

        DynamoDbClient of(DynamoDbClient client) {
            return (DynamoDbClient) Proxy.newProxyInstance(
                    RecentCountsTest.class.getClassLoader(),
                    new Class<?>[] {DynamoDbClient.class},
                    (_, method, arguments) -> {
                        if (method.getName().equals("query")) {
                            if (fails) {
                                throw DynamoDbException.builder()
                                        .message("no")
                                        .statusCode(400)
                                        .build();
                            }
                            one.countDown();
                            gate.await();
                        }
                        try {
                            return method.invoke(client, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        void hold() {
            one = new CountDownLatch(1);
            gate = new CountDownLatch(1);
        }

        void awaitOne() throws InterruptedException {
            one.await();
        }

        void fail() {
            fails = true;
        }

        void release() {
            fails = false;
            gate.countDown();
        }
    }

    @Test
    void areForWhoSeesAllTasks() {
        var tasks = TasksFixture.tasks(table.queryDb(clock), clock);
        var recent = new RecentCounts(tasks.reads(), tasks.statistics(), 2, nanoTime::get);
        recent.get(STAFF);
        var grant = new Grant(Role.WORKER, new Scope.Only(Scope.Kind.WORKER, "ada"));
        var ada = new Access(new Principal("ada", Actor.Kind.TOKEN, "ada", Set.of(grant)), Actor.Source.PAGE);

        assertThatThrownBy(() -> recent.get(ada)).isInstanceOf(Denied.class);
    }
}
