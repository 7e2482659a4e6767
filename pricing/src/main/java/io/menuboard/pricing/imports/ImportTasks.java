package io.menuboard.pricing.imports;

import io.menuboard.access.Access;
import io.menuboard.pricing.changes.ImportId;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.workers.TaskFailed;
import io.menuboard.tasks.workers.TaskRun;
import io.menuboard.tasks.workers.TaskWork;
import io.menuboard.tasks.workers.TaskWorkers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs imports as long operations: each is a task of type {@link #TYPE} that everybody can see with its progress, and
 * cancel. The files are where the import was begun, so that instance does the task itself. Thread-safe.
 */
public final class ImportTasks {
    /** The type of tasks that are imports; their payload has the import's id as {@code import}. */
    public static final TaskType TYPE = new TaskType(TaskType.OPERATION_PREFIX + "import");

    private final Imports imports;
    private final TaskWorkers workers;

    ImportTasks(Imports imports, TaskWorkers workers) {
        this.imports = imports;
        this.workers = workers;
    }

    /**
     * Runs an import that {@link Imports#begin} made known, as {@link Imports#run} does. When somebody cancels the task, the
     * import ends as interrupted.
     */
    public ImportStatus run(
            Access access, ImportStatus begun, List<ImportFile> files, ImportAbout about, ImportListener listener) {
        var payload = Json.of(Map.of(
                "import",
                begun.id().value(),
                "files",
                begun.files().stream().map(ImportFileStatus::name).toList()));
        var run = new Run(access, begun.id(), files, about, listener);
        workers.perform(access, SubmitTask.of(TYPE, payload).maxAttempts(1), run::handle);
        return run.ended();
    }

    /** The import that a task of this type is, or was. */
    public static Optional<ImportId> importOf(Json payload) {
        return payload.tree() instanceof Map<?, ?> members && members.get("import") instanceof String id
                ? Optional.of(new ImportId(id))
                : Optional.empty();
    }

    /** Handles an import that is retried, which fails: its files were gone with its first attempt. */
    static TaskWork work() {
        return new TaskWork(TYPE, 1, run -> {
            throw new TaskFailed("The files are gone. " + ImportRun.AGAIN, false);
        });
    }

    /** The one attempt. */
    private final class Run {
        private final Access access;
        private final ImportId id;
        private final List<ImportFile> files;
        private final ImportAbout about;
        private final ImportListener listener;
        private @Nullable ImportStatus ended;
        private @Nullable RuntimeException failure;

        Run(Access access, ImportId id, List<ImportFile> files, ImportAbout about, ImportListener listener) {
            this.access = access;
            this.id = id;
            this.files = files;
            this.about = about;
            this.listener = listener;
        }

        Json handle(TaskRun task) throws TaskFailed {
            ImportStatus status;
            try {
                status = imports.run(access, id, files, about, new ImportListener() {
                    @Override
                    public void progress(ImportStatus now) {
                        task.progress(progressOf(now));
                        listener.progress(now);
                    }

                    @Override
                    public void rejected(ImportRejection rejection) {
                        listener.rejected(rejection);
                    }
                });
            } catch (RuntimeException e) {
                // Thrown again where the import was asked for, and reported there.
                failure = e;
                throw new TaskFailed("The import stopped unexpectedly; the log says why. " + ImportRun.AGAIN, false);
            }
            ended = status;
            return result(status);
        }

        ImportStatus ended() {
            if (failure != null) {
                throw failure;
            }
            if (ended == null) {
                throw new IllegalStateException("import " + id + " has no end");
            }
            return ended;
        }
    }

    /** Result of the task of an import that has ended; throws the failure of one that is not finished. */
    static Json result(ImportStatus ended) throws TaskFailed {
        if (ended.state() != ImportState.FINISHED) {
            throw new TaskFailed(
                    Optional.ofNullable(ended.message()).orElse(ended.state().name()), false);
        }
        return Json.of(Map.of(
                "rows", ended.rows(),
                "created", ended.created(),
                "changed", ended.changed(),
                "unchanged", ended.unchanged(),
                "rejected", ended.rejected()));
    }

    static TaskProgress progressOf(ImportStatus status) {
        return new TaskProgress(
                Math.min(status.bytesRead(), status.bytes()),
                status.bytes(),
                String.format(
                        Locale.ROOT,
                        "%,d rows, %,d a second, %,d rejected",
                        status.rows(),
                        status.rowsPerSecond(),
                        status.rejected()));
    }
}
