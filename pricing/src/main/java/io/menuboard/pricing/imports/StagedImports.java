package io.menuboard.pricing.imports;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.changes.ImportId;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.workers.TaskFailed;
import io.menuboard.tasks.workers.TaskRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Imports of uploads: each is a task of type {@link #TYPE} that any instance does, and another one does again where that is
 * gone. Thread-safe.
 */
public final class StagedImports {
    /** The type of tasks that import uploads; their payload has the import's id as {@code import}. */
    public static final TaskType TYPE = new TaskType(TaskType.OPERATION_PREFIX + "import-upload");

    private static final ImportFile.Content NOTHING = () -> {
        throw new NoSuchFileException("upload");
    };

    private final Imports imports;
    private final Uploads uploads;
    private final TaskSubmission submission;
    private final IdempotencyKeys keys;
    private final CurrentAccess current;
    private final Clock clock;

    /**
     * @param keys those of {@link RepeatableImports}
     * @param current what whoever began an import may do when it runs
     */
    StagedImports(
            Imports imports,
            Uploads uploads,
            TaskSubmission submission,
            IdempotencyKeys keys,
            CurrentAccess current,
            Clock clock) {
        this.imports = imports;
        this.uploads = uploads;
        this.submission = submission;
        this.keys = keys;
        this.current = current;
        this.clock = clock;
    }

    /**
     * Has an upload imported, once: the same request again is told how far that is. One write unit, two more for the import,
     * five for its task, and one with an idempotency key; two read units.
     *
     * @throws InvalidInput what {@link Uploads#require} refuses, and {@code INVALID_ID} for what is no key
     */
    RepeatableImports.Result begin(
            Access access, ImportKind kind, UploadId id, ImportAbout about, @Nullable String idempotencyKey) {
        access.require(kind.permission());
        if (idempotencyKey != null) {
            Ids.check("idempotencyKey", idempotencyKey);
        }
        var upload = uploads.require(access, id);
        var purpose = Purpose.hash(kind, about, id);
        if (idempotencyKey != null) {
            var owner = keys.claim(
                    access.principal().id(),
                    idempotencyKey,
                    upload.importId().value(),
                    purpose,
                    clock.instant().plus(RepeatableImports.KEPT_FOR));
            if (!owner.body().equals(purpose)) {
                return new RepeatableImports.Result.KeyReused(new ImportId(owner.target()));
            }
        }
        if (!uploads.take(id, purpose)) {
            return new RepeatableImports.Result.UploadUsed(upload.importId());
        }
        var command = new Command(upload.importId(), kind, fileName(kind, upload), upload.bytes(), id, about);
        submit(access, command);
        return new RepeatableImports.Result.Done(known(access, command));
    }

    private static String fileName(ImportKind kind, StagedUpload upload) {
        return Objects.requireNonNullElse(upload.fileName(), kind.label() + ".csv");
    }

    /** Before the import is known, so that there is none without a task. */
    private void submit(Access access, Command command) {
        var task = SubmitTask.operation(TYPE, command.payload()).sharedKey("import-upload " + command.upload);
        switch (submission.submit(access, task)) {
            case SubmitResult.Created _, SubmitResult.Replayed _ -> {}
            case SubmitResult.Conflict conflict ->
                throw new IllegalStateException(
                        "upload " + command.upload + " is imported by task " + conflict.existing());
            case SubmitResult.Invalid(var reason) -> throw reason;
        }
    }

    private ImportStatus known(Access access, Command command) {
        return imports.begin(access, command.id, command.file(NOTHING), command.upload)
                .or(() -> imports.find(access, command.id))
                .orElseThrow();
    }

    /**
     * Imports an upload, or goes on with that, and deletes it.
     *
     * @throws InterruptedException where the import is not done, and is left to others
     */
    @Nullable
    Json handle(TaskRun task) throws TaskFailed, InterruptedException {
        var command = Command.of(task.payload());
        var status = imports.known(
                command.id, command.file(NOTHING), command.upload, task.task().submittedBy());
        if (status.state().isOpen() || status.state() == ImportState.INTERRUPTED) {
            try (var content = uploads.open(command.upload).orElse(null)) {
                ImportFile.Content source = content == null ? NOTHING : () -> content;
                status = imports.runUpload(
                        current.of(status.actor()),
                        command.id,
                        command.file(source),
                        command.about,
                        ImportListener.progress(now -> task.progress(ImportTasks.progressOf(now))));
            } catch (IOException e) {
                throw new UncheckedIOException("upload cannot be read: " + command.upload, e);
            }
        }
        if (status.state().isOpen()) {
            throw new InterruptedException("import " + command.id + " is left to others");
        }
        uploads.delete(command.upload);
        return ImportTasks.result(status);
    }

    /** What a task says. */
    private record Command(
            ImportId id, ImportKind kind, String fileName, long bytes, UploadId upload, ImportAbout about) {

        ImportFile file(ImportFile.Content content) {
            return new ImportFile(kind, fileName, bytes, content);
        }

        Json payload() {
            var members = new TreeMap<String, Object>(Map.of(
                    "import", id.value(),
                    "kind", kind.name(),
                    "fileName", fileName,
                    "bytes", bytes,
                    "upload", upload.value()));
            put(members, "name", about.name());
            put(members, "reason", about.reason());
            put(members, "effectiveDate", about.effectiveDate());
            return Json.of(members);
        }

        private static void put(Map<String, Object> members, String name, @Nullable Object value) {
            if (value != null) {
                members.put(name, value.toString());
            }
        }

        static Command of(Json payload) throws TaskFailed {
            var kind = text(payload, "kind");
            try {
                return new Command(
                        new ImportId(text(payload, "import")),
                        ImportKind.valueOf(kind),
                        text(payload, "fileName"),
                        payload.findNumber("bytes").orElseThrow(),
                        new UploadId(text(payload, "upload")),
                        new ImportAbout(
                                payload.findText("name").orElse(null),
                                payload.findText("reason").orElse(null),
                                payload.findText("effectiveDate")
                                        .map(EffectiveDate::parse)
                                        .orElse(null)));
            } catch (IllegalArgumentException _) {
                throw TaskFailed.ofAnotherVersion(kind);
            }
        }

        private static String text(Json payload, String member) {
            return payload.findText(member).orElseThrow();
        }
    }
}
