package io.menuboard.pricing.imports;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.menuboard.access.Access;
import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.UserError;
import io.menuboard.pricing.changes.ImportId;
import io.menuboard.querydb.requests.Concurrently;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code imports.graphqls} to use cases. Fields of records need no fetcher of their own. */
final class ImportsGraphQl implements GraphQlModule {
    private static final String KEY = "idempotencyKey";
    private static final String CSV = "csv";
    private static final String UPLOAD = "upload";
    private static final int LISTS_AT_ONCE = 32;

    private final Imports imports;
    private final ImportTasks tasks;
    private final RepeatableImports repeatable;
    private final StagedImports staged;

    ImportsGraphQl(Imports imports, ImportTasks tasks, RepeatableImports repeatable, StagedImports staged) {
        this.imports = imports;
        this.tasks = tasks;
        this.repeatable = repeatable;
        this.staged = staged;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.definitions("imports");
        parts.query("import", args -> imports.find(args.access(), id(args)).orElse(null));
        parts.query("imports", args -> imports.list(args.access(), args.page()));
        run(parts, "importStores", ImportKind.STORES);
        for (var fields : List.of(
                run(parts, "importPrices", ImportKind.PRICES), run(parts, "importChanges", ImportKind.CHANGES))) {
            fields.reference("changeSet", "ChangeSet", answer -> changeSet(answer.status()));
        }
        parts.object("ImportRejection", ImportRejection.class).field("code", ImportRejectionCode::of);
        Function<ImportStatus, String> key = status -> status.id().value();
        BiFunction<Access, List<ImportId>, List<ImportStatus>> read = imports::findAll;
        parts.node("Import", ImportStatus.class, key, SchemaParts.NodeReader.of(ImportId::new, read, key))
                .field("key", ImportStatus::id)
                .field("status", status -> status.state())
                .field("requestedAt", ImportStatus::startedAt)
                .field("requestedBy", ImportStatus::actor)
                .field("startedBy", ImportStatus::actor)
                .reference("changeSet", "ChangeSet", ImportsGraphQl::changeSet)
                .field("changeSetKey", ImportStatus::changeSet)
                .batch(
                        "rejections",
                        (all, args) -> Concurrently.map(
                                LISTS_AT_ONCE, all, status -> imports.rejections(args.access(), status, args.page())));
    }

    private SchemaParts.ObjectFields<Payload> run(SchemaParts parts, String mutation, ImportKind kind) {
        parts.mutation(mutation, args -> run(kind, args));
        var payload = Character.toUpperCase(mutation.charAt(0)) + mutation.substring(1) + "Payload";
        return parts.object(payload, Payload.class)
                .field("import", Payload::status) // a name that Java keeps for itself
                .reference("existingImport", "Import", answer -> Optional.ofNullable(answer.existing())
                        .map(ImportId::value)
                        .orElse(null));
    }

    /**
     * Answer of a mutation that imports a file.
     *
     * @param existing import that the idempotency key belongs to, where it belongs to another request
     * @param isNew whether this request began the import; null where there is none
     */
    record Payload(
            @Nullable ImportStatus status,
            @Nullable ImportId existing,
            @Nullable Boolean isNew,
            List<UserError> errors) {

        static Payload refused(String code, String message, String... path) {
            return new Payload(null, null, null, UserError.list(code, message, path));
        }

        static Payload existing(ImportId existing, String code, String message, String field) {
            return new Payload(null, existing, null, UserError.list(code, message, "input", field));
        }

        /** @param file argument that has the file */
        static Payload of(ImportStatus ended, boolean isNew, String file) {
            var errors =
                    switch (ended.state()) {
                        case REFUSED -> UserError.list("IMPORT_REFUSED", message(ended), "input", file);
                        case FAILED, INTERRUPTED ->
                            hasSavedStores(ended)
                                    ? List.<UserError>of()
                                    : UserError.list("IMPORT_FAILED", message(ended), "input");
                        case WAITING, RUNNING, FINISHED -> List.<UserError>of();
                    };
            return new Payload(ended, null, isNew, errors);
        }

        private static boolean hasSavedStores(ImportStatus ended) {
            return ended.files().stream()
                    .anyMatch(file -> file.kind() == ImportKind.STORES && file.created() + file.changed() > 0);
        }

        private static String message(ImportStatus ended) {
            return Optional.ofNullable(ended.message()).orElse(ended.state().name());
        }
    }

    private Payload run(ImportKind kind, Arguments args) {
        var about = new ImportAbout(args.find("name"), args.find("reason"), args.find("effectiveDate"));
        var csv = args.<String>find(CSV);
        var upload = args.findKey(UPLOAD, "StagedUpload");
        if (csv == null && upload == null) {
            return Payload.refused("NO_FILE", "csv or upload must be given", "input");
        }
        if (csv != null && upload != null) {
            return Payload.refused("FILE_TWICE", "upload must be absent where csv is given", "input", UPLOAD);
        }
        String key = args.find(KEY);
        return upload == null
                ? run(args.access(), kind, Objects.requireNonNull(csv).getBytes(UTF_8), about, key)
                : answer(staged.begin(args.access(), kind, new UploadId(upload), about, key), UPLOAD, key);
    }

    private Payload run(Access access, ImportKind kind, byte[] csv, ImportAbout about, @Nullable String key) {
        if (key != null) {
            return answer(repeatable.run(access, kind, csv, about, key), CSV, key);
        }
        var files = List.of(ImportFile.of(kind, csv));
        var ended = tasks.run(access, imports.begin(access, files), files, about, ImportListener.NONE);
        return Payload.of(ended, true, CSV);
    }

    private static Payload answer(RepeatableImports.Result result, String file, @Nullable String key) {
        return switch (result) {
            case RepeatableImports.Result.Done(var status, var isNew) -> Payload.of(status, isNew, file);
            case RepeatableImports.Result.KeyReused(var existing) -> {
                var rule = KEY + " must be another one for another request: with " + key + ", import " + existing
                        + " was begun";
                yield Payload.existing(existing, "IDEMPOTENCY_KEY_REUSED", rule, KEY);
            }
            case RepeatableImports.Result.UploadUsed(var existing) -> {
                var rule = "upload must be another one for another request: with this one, import " + existing
                        + " was begun";
                yield Payload.existing(existing, "UPLOAD_ALREADY_USED", rule, UPLOAD);
            }
        };
    }

    private static @Nullable String changeSet(@Nullable ImportStatus status) {
        var set = status == null ? null : status.changeSet();
        return set == null ? null : set.value();
    }

    private static ImportId id(Arguments args) {
        return Arguments.named("id", () -> new ImportId(args.key("id", "Import")));
    }
}
