package io.menuboard.webadmin.tasks;

import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.created;
import static io.menuboard.tasks.TasksFixture.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.bulk.BulkChange;
import io.menuboard.tasks.bulk.BulkStatus;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BulkPageTest {
    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1200 | 0 | At least 1,200 retried; the list has each.
            1200 | 3 | At least 1,200 retried, 3 not changed; the list has each.
            0    | 0 | It ended early. The list has each task that it came to.
            """)
    void saysOfAChangeThatWasCancelledNoNumberThatMayBeTooSmall(long changed, long unchanged, String summary) {
        var tasks = TasksFixture.tasks(table.queryDb(clock), clock);
        var task = created(tasks.submission().submit(STAFF, TasksFixture.print()));
        var cancelled = done(tasks.administration().cancel(STAFF, task.id(), null));
        var change = new BulkChange(BulkChange.Action.RETRY, TaskFilter.of(TaskStatus.DEAD), "paper is back");

        assertThat(BulkPage.summary(new BulkStatus(cancelled, change, changed, unchanged)))
                .isEqualTo(summary);
    }
}
