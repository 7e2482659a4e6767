package io.menuboard.pricing.imports;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.changes.DynamoImportedDraft;
import io.menuboard.pricing.changes.ImportId;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.Write;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.tasks.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Imports in the table: {@code IMPORT#{id}}/{@code META}, listed in {@code gsi1} under {@code IMPORTS} by their start. They
 * expire.
 */
final class DynamoImports {
    private static final String INDEX = "gsi1";
    private static final String ALL_IMPORTS = "IMPORTS";
    private static final String STATE = "state";
    private static final String UPDATED_AT = "updatedAt";
    private static final String UPLOAD = "upload";
    private static final String TASK = "task";
    static final String ATTEMPT = "attempt";
    private static final String READ_BY = "readBy";

    private static final String AUDITED = "IMPORT#";

    private final QueryDb db;
    private final AuditTrail audit;
    private final Duration keptFor;
    private final DynamoImportRejections rejections;

    DynamoImports(QueryDb db, AuditTrail audit, Duration keptFor) {
        this.db = db;
        this.audit = audit;
        this.keptFor = keptFor;
        rejections = new DynamoImportRejections(db, keptFor);
    }

    /** Rows of them that were rejected. */
    DynamoImportRejections rejections() {
        return rejections;
    }

    /**
     * Writes an import that is new, together with its audit record. Six write units or so.
     *
     * @throws ConditionFailed where there is one with its id
     */
    void create(ImportStatus status) {
        var item = Item.at(meta(status.id()))
                .type("import")
                .index(ALL_IMPORTS, Key.sortable(status.startedAt()) + "#" + status.id())
                .string("import", status.id().value())
                .string("actorKind", status.actor().kind().name())
                .string("actorName", status.actor().storedName())
                .string("actorSource", status.actor().source().name())
                .string("startedAt", status.startedAt().toString())
                .string(UPDATED_AT, status.updatedAt().toString())
                .string(STATE, status.state().name())
                .value("files", files(status.files()))
                .number("keptRejections", status.keptRejections())
                .ttl(status.startedAt().plus(keptFor));
        var upload = status.upload();
        if (upload != null) {
            item = item.string(UPLOAD, upload.id().value());
            if (upload.task() != null) {
                item = item.string(TASK, upload.task().value());
            }
        }
        db.transact(List.of(
                Write.put(item.build(), SaveMode.INIT),
                audit.write(status.actor(), AUDITED + status.id(), "import begun", begun(status.files()))));
    }

    private static Map<String, String> begun(List<ImportFileStatus> files) {
        return files.stream().collect(Collectors.toMap(file -> file.kind().label(), ImportFileStatus::name));
    }

    /**
     * Takes a waiting import on. Of several callers one succeeds.
     *
     * @throws ConditionFailed where it is not waiting
     */
    ImportStatus claim(ImportId id, Instant now) {
        return claim(id, now, is(ImportState.WAITING));
    }

    /**
     * Takes an import of an upload on that has not ended, also from whoever runs it, which can write nothing of it any more.
     *
     * @throws ConditionFailed where it has ended, or is of no upload
     */
    ImportStatus takeOver(ImportId id, Instant now) {
        return claim(
                id, now, is(ImportState.WAITING).or(is(ImportState.RUNNING)).and(Condition.exists(UPLOAD)));
    }

    private ImportStatus claim(ImportId id, Instant now, Condition condition) {
        return db.read(
                db.update(Update.of(meta(id))
                        .set(STATE, ImportState.RUNNING.name())
                        .set(UPDATED_AT, now.toString())
                        .add(ATTEMPT, 1)
                        .when(condition)),
                DynamoImports::status);
    }

    /**
     * Writes the progress of a running import. Two write units.
     *
     * @throws ConditionFailed where it is not running, or was taken over
     */
    void progress(ImportStatus status) {
        db.update(change(status));
    }

    /**
     * Makes the draft known of which the status has a note, together with the status: who takes over finds both or neither. Nine
     * write units or so.
     *
     * @throws ConditionFailed where the import is not running, or was taken over; then nothing is drafted
     */
    void draft(ImportStatus status, DynamoImportedDraft draft) {
        draft.finish(change(status));
    }

    /**
     * Writes the end of an import, together with its audit record. Six write units or so.
     *
     * @param details of the audit record
     * @throws ConditionFailed where it is not running
     */
    void finish(ImportStatus status, Map<String, String> details) {
        db.transact(
                List.of(change(status), audit.write(status.actor(), AUDITED + status.id(), "import ended", details)));
    }

    Optional<ImportStatus> find(ImportId id) {
        return db.get(meta(id), Consistency.STRONG).map(item -> db.read(item, DynamoImports::status));
    }

    /** Those of many that there are, strongly consistent. */
    List<ImportStatus> findAll(List<ImportId> ids) {
        return db.getBatch(ids.stream().map(DynamoImports::meta).toList(), Consistency.STRONG).stream()
                .flatMap(Optional::stream)
                .map(item -> db.read(item, DynamoImports::status))
                .toList();
    }

    /** Newest first. */
    Page<ImportStatus> list(PageRequest page) {
        return db.query(Query.index("imports", INDEX, ALL_IMPORTS).reversed(), DynamoImports::status, page);
    }

    /** The same, without those that the filter leaves out. */
    Page<ImportStatus> list(Predicate<ImportStatus> filter, PageRequest page) {
        return db.query(List.of(Query.index("imports", INDEX, ALL_IMPORTS).reversed()), page, item -> db.readable(
                        item, DynamoImports::status)
                .filter(filter));
    }

    private static Update change(ImportStatus status) {
        var changeSet = status.changeSet();
        var update = Update.of(meta(status.id()))
                .set(STATE, status.state().name())
                .set(UPDATED_AT, status.updatedAt().toString())
                .set("files", files(status.files()))
                .set("keptRejections", status.keptRejections())
                .set(READ_BY, status.readBy())
                .setOrRemove("message", status.message())
                .setOrRemove("changeSet", changeSet == null ? null : changeSet.value());
        return update.when(is(ImportState.RUNNING).and(Condition.equal(ATTEMPT, status.attempt())));
    }

    private static Condition is(ImportState state) {
        return Condition.equal(STATE, state.name());
    }

    private static ImportStatus status(Item item) {
        return new ImportStatus(
                new ImportId(item.string("import")),
                Actor.read(item.string("actorKind"), item.string("actorName"), item.string("actorSource")),
                Instant.parse(item.string("startedAt")),
                Instant.parse(item.string(UPDATED_AT)),
                ImportState.valueOf(item.string(STATE)),
                item.findString("message").orElse(null),
                files(item.attributes().get("files")),
                (int) item.integer("keptRejections"),
                item.findString("changeSet").map(ChangeSetId::new).orElse(null),
                item.findString(UPLOAD).map(upload -> upload(item, upload)).orElse(null),
                item.findNumber(ATTEMPT).map(Number::intValue).orElse(0),
                item.findNumber(READ_BY).map(Number::intValue).orElse(0));
    }

    private static ImportStatus.Upload upload(Item item, String id) {
        return new ImportStatus.Upload(
                new UploadId(id), item.findString(TASK).map(TaskId::new).orElse(null));
    }

    private static AttributeValue files(List<ImportFileStatus> files) {
        return AttributeValue.fromL(files.stream().map(DynamoImports::file).toList());
    }

    private static List<ImportFileStatus> files(@Nullable AttributeValue files) {
        if (files == null) {
            throw new IllegalStateException("an import has no files");
        }
        return files.l().stream().map(DynamoImports::file).toList();
    }

    private static AttributeValue file(ImportFileStatus file) {
        return AttributeValue.fromM(Map.of(
                "kind", AttributeValue.fromS(file.kind().name()),
                "name", AttributeValue.fromS(file.name()),
                "bytes", number(file.bytes()),
                "bytesRead", number(file.bytesRead()),
                "rows", number(file.rows()),
                "created", number(file.created()),
                "changed", number(file.changed()),
                "unchanged", number(file.unchanged()),
                "rejected", number(file.rejected())));
    }

    private static ImportFileStatus file(AttributeValue file) {
        var item = new Item(file.m());
        return new ImportFileStatus(
                ImportKind.valueOf(item.string("kind")),
                item.string("name"),
                item.integer("bytes"),
                item.integer("bytesRead"),
                (int) item.integer("rows"),
                (int) item.integer("created"),
                (int) item.integer("changed"),
                (int) item.integer("unchanged"),
                (int) item.integer("rejected"));
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }

    static String partition(ImportId id) {
        return "IMPORT#" + id;
    }

    private static Key meta(ImportId id) {
        return new Key(partition(id), "META");
    }
}
