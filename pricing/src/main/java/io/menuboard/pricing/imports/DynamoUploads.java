package io.menuboard.pricing.imports;

import io.menuboard.kernel.Actor;
import io.menuboard.pricing.changes.ImportId;
import io.menuboard.querydb.AlreadyExists;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Update;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Staged uploads in the table: {@code UPLOAD#{id}}/{@code META}, which expire a day after the upload itself. */
final class DynamoUploads {
    private static final String PURPOSE = "purpose";

    /** For who comes too late, or asks again. */
    private static final Duration KEPT_LONGER = Duration.ofDays(1);

    private final QueryDb db;

    DynamoUploads(QueryDb db) {
        this.db = db;
    }

    /** Writes an upload, unless there is one of that id, and returns what is there. One write unit. */
    StagedUpload create(StagedUpload upload) {
        var item = Item.at(key(upload.id()))
                .type("upload")
                .string("upload", upload.id().value())
                .number("bytes", upload.bytes())
                .string("actorKind", upload.stagedBy().kind().name())
                .string("actorName", upload.stagedBy().storedName())
                .string("actorSource", upload.stagedBy().source().name())
                .string("expiresAt", upload.expiresAt().toString())
                .string("import", upload.importId().value())
                .ttl(upload.expiresAt().plus(KEPT_LONGER));
        if (upload.fileName() != null) {
            item = item.string("fileName", upload.fileName());
        }
        try {
            db.save(item.build(), SaveMode.INIT);
            return upload;
        } catch (AlreadyExists e) {
            return db.read(e.current().orElseThrow(), DynamoUploads::upload);
        }
    }

    /** Strongly consistent: one read unit. */
    Optional<StagedUpload> find(UploadId id) {
        return db.get(key(id), Consistency.STRONG).map(item -> db.read(item, DynamoUploads::upload));
    }

    /** Those of many that there are, strongly consistent: one read unit each. */
    List<StagedUpload> findAll(List<UploadId> ids) {
        return db.getBatch(ids.stream().map(DynamoUploads::key).toList(), Consistency.STRONG).stream()
                .flatMap(Optional::stream)
                .map(item -> db.read(item, DynamoUploads::upload))
                .toList();
    }

    /** Notes what an upload is imported as; false where that is something else already, or it is gone. One write unit. */
    boolean take(UploadId id, String purpose) {
        try {
            db.update(Update.of(key(id))
                    .set(PURPOSE, purpose)
                    .when(Condition.exists().and(Condition.absent(PURPOSE).or(Condition.equal(PURPOSE, purpose)))));
            return true;
        } catch (ConditionFailed _) {
            return false;
        }
    }

    private static StagedUpload upload(Item item) {
        return new StagedUpload(
                new UploadId(item.string("upload")),
                item.findString("fileName").orElse(null),
                item.integer("bytes"),
                Actor.read(item.string("actorKind"), item.string("actorName"), item.string("actorSource")),
                Instant.parse(item.string("expiresAt")),
                new ImportId(item.string("import")),
                item.findString(PURPOSE).orElse(null));
    }

    private static Key key(UploadId id) {
        return new Key("UPLOAD#" + id, "META");
    }
}
