package io.menuboard.tasks.claims;

import static io.menuboard.tasks.TasksFixture.ADA;
import static io.menuboard.tasks.TasksFixture.BOB;
import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.WORKER;
import static io.menuboard.tasks.TasksFixture.created;
import static io.menuboard.tasks.TasksFixture.done;
import static io.menuboard.tasks.TasksFixture.print;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.coordination.TableClock;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskResult;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.TasksInstance;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Two instances on machines whose clocks are ten minutes apart. */
class TaskClocksTest {
    private static final Duration OFF = Duration.ofMinutes(5);

    /** A Date tells whole seconds, so each may be one off, and takes some time to arrive. */
    private static final Duration AGREED = Duration.ofSeconds(4);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final SdkHttpClient http = ApacheHttpClient.create();

    @AfterEach
    void disconnect() {
        http.close();
    }

    @Test
    void judgeALeaseAlike() {
        var fast = instance(OFF);
        var slow = instance(OFF.negated());
        var first = created(fast.submission().submit(STAFF, print()));
        var second = created(slow.submission().submit(STAFF, print()));

        // Whichever of them reads it, the lease of the other has neither ended already nor will it last for minutes.
        var byFast = done(fast.protocol().claim(WORKER, first.id(), ADA, Duration.ofSeconds(60)));
        var bySlow = done(slow.protocol().claim(WORKER, second.id(), BOB, Duration.ofSeconds(60)));
        assertThat(fast.sweep()).isZero();
        assertThat(slow.sweep()).isZero();
        assertThat(remaining(slow, byFast))
                .isBetween(
                        Duration.ofSeconds(60).minus(AGREED),
                        Duration.ofSeconds(60).plus(AGREED));
        assertThat(remaining(fast, bySlow))
                .isBetween(
                        Duration.ofSeconds(60).minus(AGREED),
                        Duration.ofSeconds(60).plus(AGREED));
        done(slow.protocol().complete(WORKER, first.id(), TasksFixture.token(1), null));

        done(slow.protocol().extend(WORKER, second.id(), TasksFixture.token(1), Duration.ofMillis(1), null));
        await().atMost(AGREED).until(() -> fast.sweep() == 1);
        assertThat(slow.protocol().complete(WORKER, second.id(), TasksFixture.token(1), null))
                .isInstanceOf(TaskResult.LeaseLost.class);
    }

    @Test
    void anInstanceThatHasHeardNothingOfTheTimeYetEndsNoLease() {
        var right = instance(Duration.ZERO);
        var task = created(right.submission().submit(STAFF, print()));
        done(right.protocol().claim(WORKER, task.id(), ADA, Duration.ofSeconds(60)));

        assertThat(newInstance(OFF).sweep()).isZero();

        done(right.protocol().complete(WORKER, task.id(), TasksFixture.token(1), null));
    }

    @Test
    void anInstanceWhoseClockIsSetWhileItRunsMovesNothingBeforeItsTime() {
        var own = new SettableClock();
        var instance = newInstance(own);
        var running = created(instance.submission().submit(STAFF, print()));
        done(instance.protocol().claim(WORKER, running.id(), ADA, Duration.ofSeconds(60)));
        var scheduled = created(instance.submission()
                .submit(STAFF, print().notBefore(instance.reads().now().plusSeconds(60))));
        assertThat(instance.sweep()).isZero();

        own.off = OFF;

        assertThat(instance.sweep()).isZero();
        assertThat(instance.reads().find(STAFF, scheduled.id())).contains(scheduled);
        done(instance.protocol().complete(WORKER, running.id(), TasksFixture.token(1), null));
    }

    /** The clock of a machine that somebody sets. */
    private static final class SettableClock extends Clock {
        private volatile Duration off = Duration.ZERO;

        @Override
        public Instant instant() {
            return Clock.systemUTC().instant().plus(off);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException("this clock is in UTC");
        }
    }

    private static Duration remaining(TasksInstance instance, Task task) {
        return Duration.between(
                instance.reads().now(), Objects.requireNonNull(task.lease()).endsAt());
    }

    /** One that has talked to the table before. */
    private TasksInstance instance(Duration off) {
        var instance = newInstance(off);
        instance.reads().types(STAFF);
        return instance;
    }

    private TasksInstance newInstance(Duration off) {
        return newInstance(Clock.offset(Clock.systemUTC(), off));
    }

    private TasksInstance newInstance(Clock own) {
        var clock = new TableClock(own);
        var client = DynamoDbClient.builder()
                .endpointOverride(LocalDynamoDb.shared().endpoint())
                .region(LocalDynamoDb.REGION)
                .credentialsProvider(LocalDynamoDb.CREDENTIALS)
                .httpClient(http)
                .overrideConfiguration(
                        QueryDb.clientOverrides().addExecutionInterceptor(clock).build())
                .build();
        var db = LocalTables.queryDb(client, table.definition(), clock);
        return TasksFixture.tasks(db, clock);
    }
}
