package io.menuboard.pricing.imports;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.kernel.Actor;
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
import java.util.ArrayList;
import java.util.List;
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

    private static final String KIND = "kind";
    private static final String UPLOAD = "upload";

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
        var part = new Part(kind, fileName(kind, upload), upload.bytes(), id);
        return begin(access, new Command(upload.importId(), List.of(part), about));
    }

    private static String fileName(ImportKind kind, StagedUpload upload) {
        return Objects.requireNonNullElse(upload.fileName(), kind.label() + ".csv");
    }

    /** True where there is a place for uploads, so that {@link #begin(Access, ImportIds, List, ImportAbout)} has one. */
    public boolean isAvailable() {
        return uploads.isAvailable();
    }

    /**
     * Has files imported that are at hand, stores before prices, which no one needs to keep after that. Two write units for the
     * import, and five for its task.
     *
     * @param ids of these files: where there is an import of them already, that is the one that is returned
     * @param files what {@link Imports#begin} takes, with their exact sizes; their content may be opened more than once
     * @throws InvalidInput what {@link Imports#begin} refuses, and {@code FILE_TOO_LARGE} for one of more bytes than
     *     {@code menuboard.uploads.max-bytes}; nothing is stored then
     */
    public ImportStatus begin(Access access, ImportIds ids, List<ImportFile> files, ImportAbout about)
            throws IOException {
        Imports.check(access, files);
        files.forEach(uploads::check);
        var parts = new ArrayList<Part>();
        for (var file : files) {
            var upload = ids.uploadId(file.kind());
            uploads.store(upload, file);
            parts.add(new Part(file.kind(), file.name(), file.bytes(), upload));
        }
        return begin(access, new Command(ids.importId(), parts, about)).status();
    }

    /** The task first, so that no import is known without one. */
    private RepeatableImports.Result.Done begin(Access access, Command command) {
        var upload = command.upload();
        var task = SubmitTask.operation(TYPE, command.payload()).sharedKey("import-upload " + upload);
        var result = submission.submit(access, task);
        var submitted =
                switch (result) {
                    case SubmitResult.Created(var created, var _) -> created.id();
                    case SubmitResult.Replayed(var before, var _) -> before.id();
                    case SubmitResult.Conflict conflict ->
                        throw new IllegalStateException(
                                "upload " + upload + " is imported by task " + conflict.existing());
                    case SubmitResult.Invalid(var reason) -> throw reason;
                };
        var status = imports.begin(access, command.id, command.files(), new ImportStatus.Upload(upload, submitted))
                .or(() -> imports.find(access, command.id))
                .orElseThrow();
        return new RepeatableImports.Result.Done(status, result instanceof SubmitResult.Created);
    }

    /**
     * Imports uploads, or goes on with that, and deletes them once the end of the import is written. Where that fails, or another
     * attempt has taken the import over, they stay, and what {@link Imports#runUploads} throws is thrown.
     *
     * @throws TaskFailed retryable where rows could not be saved because the table failed, or looked at because another version
     *     wrote their store, so that the import is left to another attempt, and else where it has not come to a good end
     * @throws InterruptedException where the import is not done, and is left to others
     */
    @Nullable
    Json handle(TaskRun task) throws TaskFailed, InterruptedException {
        var command = Command.of(task.payload());
        var status = imports.known(
                command.id,
                command.files(),
                new ImportStatus.Upload(command.upload(), task.task().id()),
                task.task().submittedBy());
        if (status.state().isOpen() || status.state() == ImportState.INTERRUPTED) {
            try {
                status = run(status.actor(), command, List.of(), task);
            } catch (IOException e) {
                throw new UncheckedIOException("upload cannot be read: " + command.upload(), e);
            }
        }
        if (status.state().isOpen()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException("import " + command.id + " is left to others");
            }
            throw new TaskFailed(
                    "The table could not be read or written, or another version wrote what this one cannot read, so that"
                            + " not all rows are in.",
                    true);
        }
        command.parts.forEach(part -> uploads.delete(part.upload));
        return ImportTasks.result(status);
    }

    /** Opens the uploads that are not open yet, and imports them all. */
    private ImportStatus run(Actor actor, Command command, List<ImportFile> open, TaskRun task) throws IOException {
        if (open.size() == command.parts.size()) {
            return imports.runUploads(
                    current.of(actor),
                    command.id,
                    open,
                    command.about,
                    ImportListener.progress(now -> task.progress(ImportTasks.progressOf(now))));
        }
        var part = command.parts.get(open.size());
        try (var content = uploads.open(part.upload).orElse(null)) {
            var opened = new ArrayList<>(open);
            opened.add(part.file(content == null ? NOTHING : () -> content));
            return run(actor, command, opened, task);
        }
    }

    /** A file of an import. */
    private record Part(ImportKind kind, String fileName, long bytes, UploadId upload) {

        ImportFile file(ImportFile.Content content) {
            return new ImportFile(kind, fileName, bytes, content);
        }

        Map<String, Object> members() {
            return Map.of(KIND, kind.name(), "fileName", fileName, "bytes", bytes, UPLOAD, upload.value());
        }

        static Part of(Json members) {
            return new Part(
                    ImportKind.valueOf(text(members, KIND)),
                    text(members, "fileName"),
                    members.findNumber("bytes").orElseThrow(),
                    new UploadId(text(members, UPLOAD)));
        }
    }

    /**
     * What a task says. Its payload has the members of the one file; of several, the kind {@value #SEVERAL}, at which a version that
     * knows of one alone leaves the task to others.
     *
     * @param parts one or more
     */
    private record Command(ImportId id, List<Part> parts, ImportAbout about) {
        private static final String SEVERAL = "SEVERAL";
        private static final String FILES = "files";

        Command {
            parts = List.copyOf(parts);
        }

        UploadId upload() {
            return parts.getFirst().upload;
        }

        /** The files, which cannot be opened. */
        List<ImportFile> files() {
            return parts.stream().map(part -> part.file(NOTHING)).toList();
        }

        Json payload() {
            var members = new TreeMap<String, Object>(
                    parts.size() == 1
                            ? parts.getFirst().members()
                            : Map.of(
                                    KIND,
                                    SEVERAL,
                                    FILES,
                                    parts.stream().map(Part::members).toList()));
            members.put("import", id.value());
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
            var kind = text(payload, KIND);
            try {
                return new Command(
                        new ImportId(text(payload, "import")),
                        kind.equals(SEVERAL) ? several(payload) : List.of(Part.of(payload)),
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

        private static List<Part> several(Json payload) {
            var files = Objects.requireNonNull((List<?>) payload.members().get(FILES));
            return files.stream().map(file -> Part.of(Json.of(file))).toList();
        }
    }

    private static String text(Json payload, String member) {
        return payload.findText(member).orElseThrow();
    }
}
