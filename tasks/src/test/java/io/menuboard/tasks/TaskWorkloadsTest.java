package io.menuboard.tasks;

import static io.menuboard.tasks.TasksFixture.NOW;
import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.print;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.requests.Workload;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Requests that are made several at a time work for whoever their caller works for. */
class TaskWorkloadsTest {
    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock(NOW);
    private final Set<Workload> seen = ConcurrentHashMap.newKeySet();

    @SuppressWarnings("NullAway.Init") // by JUnit
    private TasksInstance tasks;

    @BeforeEach
    void connect() {
        tasks = TasksFixture.tasks(table.queryDb(recording(table.client()), clock), clock);
    }

    @Test
    void submissionsOfManyKeepTheWorkload() {
        var page = Workload.interactive(Duration.ofMinutes(1));

        page.run(() -> tasks.submission().submit(STAFF, Collections.nCopies(50, print())));

        assertThat(seen).containsExactly(page);
    }

    @Test
    void sweepsAreBackgroundWorkThroughout() {
        tasks.submission().submit(STAFF, Collections.nCopies(50, print().notBefore(NOW.plusSeconds(1))));
        clock.advance(Duration.ofSeconds(1));
        seen.clear();

        Workload.BACKGROUND.run(() -> assertThat(tasks.sweep()).isEqualTo(50));

        assertThat(seen).containsExactly(Workload.BACKGROUND);
    }

    @Test
    void nothingIsCountedForSomebodyWhoHasGone() {
        var late = Workload.interactive(Duration.ZERO);

        var page = tasks.reads().list(STAFF, TaskFilter.of(TaskStatus.SCHEDULED), PageRequest.forward(1, null));
        seen.clear();

        assertThatExceptionOfType(QueryDbException.class).isThrownBy(() -> late.call(page::totalCount));
        assertThat(seen).isEmpty();
    }

    private DynamoDbClient recording(DynamoDbClient client) {
        return (DynamoDbClient) Proxy.newProxyInstance(
                TaskWorkloadsTest.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (_, method, arguments) -> {
                    seen.add(Workload.current());
                    try {
                        return method.invoke(client, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
