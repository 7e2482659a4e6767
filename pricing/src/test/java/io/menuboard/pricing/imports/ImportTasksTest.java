package io.menuboard.pricing.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.FreshTable;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.TasksInstance;
import io.menuboard.tasks.workers.WorkersFixture;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Imports as tasks that everybody can see. */
class ImportTasksTest {
    private static final String STORES = "id,name,city,country,timeZone,currency";
    private static final String BERLIN = "DE-0001,Berlin,Berlin,DE,Europe/Berlin,EUR";

    @RegisterExtension
    final FreshTable table = new FreshTable();

    @SuppressWarnings("NullAway.Init") // by JUnit
    private ImportFixture fixture;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private TasksInstance tasks;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private ImportTasks importTasks;

    @BeforeEach
    void connect() {
        fixture = new ImportFixture(table);
        tasks = TasksFixture.tasks(table.queryDb(Clock.systemUTC()), Clock.systemUTC());
        importTasks = new ImportTasks(fixture.imports(), WorkersFixture.workers(tasks, ImportTasks.work()));
    }

    @Test
    void anImportIsATaskWithProgressAndResult() {
        var files = List.of(ImportFixture.stores(STORES, BERLIN, "x"));
        var begun = fixture.imports().begin(ImportFixture.ACTOR, files);

        var ended = importTasks.run(ImportFixture.ACTOR, begun, files, ImportAbout.FILE, fixture);

        var task = only(TaskStatus.COMPLETED);
        assertThat(ended.state()).isEqualTo(ImportState.FINISHED);
        assertThat(fixture.rejections).hasSize(1);
        assertThat(ImportTasks.importOf(tasks.reads().payload(TasksFixture.STAFF, task)))
                .contains(begun.id());
        assertThat(task.submittedBy()).isEqualTo(ImportFixture.ACTOR.actor());
        assertThat(tasks.reads().result(TasksFixture.STAFF, task))
                .contains(Json.parse(
                        "result", "{\"rows\":2,\"created\":1,\"changed\":0,\"unchanged\":0,\"rejected\":1}"));
        assertThat(task.progress()).satisfies(progress -> {
            assertThat(progress).isNotNull();
            assertThat(progress.done()).isEqualTo(begun.bytes());
            assertThat(progress.total()).isEqualTo(begun.bytes());
            assertThat(progress.message()).startsWith("2 rows, ").endsWith(", 1 rejected");
        });
    }

    @Test
    void anImportThatIsRefusedIsADeadTaskThatSaysWhy() {
        var files = List.of(ImportFixture.stores("no,such,columns", BERLIN));
        var begun = fixture.imports().begin(ImportFixture.ACTOR, files);

        var ended = importTasks.run(ImportFixture.ACTOR, begun, files, ImportAbout.FILE, fixture);

        assertThat(ended.state()).isEqualTo(ImportState.REFUSED);
        assertThat(only(TaskStatus.DEAD).reason()).isEqualTo(ended.message());
    }

    @Test
    void anImportThatCannotBeRunIsRefusedWhereItWasAskedFor() {
        var files = List.of(ImportFixture.stores(STORES, BERLIN));
        var begun = fixture.imports().begin(ImportFixture.ACTOR, files);
        importTasks.run(ImportFixture.ACTOR, begun, files, ImportAbout.FILE, fixture);

        assertThatThrownBy(() -> importTasks.run(ImportFixture.ACTOR, begun, files, ImportAbout.FILE, fixture))
                .isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                        .isEqualTo("ALREADY_RUN"));
        assertThat(only(TaskStatus.DEAD).reason()).startsWith("The import stopped unexpectedly");
    }

    @Test
    void anImportWhoseTaskIsCancelledEndsAsInterrupted() {
        // More chunks than are in flight.
        var files = List.of(ImportFixture.stores(STORES, String.join("\n", Collections.nCopies(20, "x"))));
        var begun = fixture.imports().begin(ImportFixture.ACTOR, files);

        var ended = importTasks.run(ImportFixture.ACTOR, begun, files, ImportAbout.FILE, new ImportListener() {
            private boolean cancelled;

            @Override
            public void progress(ImportStatus status) {}

            @Override
            public void rejected(ImportRejection rejection) {
                if (cancelled) {
                    return;
                }
                cancelled = true;
                tasks.administration()
                        .cancel(TasksFixture.STAFF, only(TaskStatus.RUNNING).id(), "not needed");
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
            }
        });

        assertThat(Thread.interrupted()).isFalse();
        assertThat(ended.state()).isEqualTo(ImportState.INTERRUPTED);
        assertThat(fixture.imports().find(ImportFixture.ACTOR, begun.id()))
                .map(ImportStatus::state)
                .contains(ImportState.INTERRUPTED);
        assertThat(ImportsGraphQl.Payload.of(ended, true, "csv").errors())
                .singleElement()
                .satisfies(error -> assertThat(error.code()).isEqualTo("IMPORT_FAILED"));
        only(TaskStatus.CANCELLED);
    }

    private Task only(TaskStatus status) {
        return tasks.reads()
                .list(TasksFixture.STAFF, TaskFilter.of(status), PageRequest.forward(64, null))
                .nodes()
                .getFirst();
    }
}
