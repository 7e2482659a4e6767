package io.menuboard.pricing.imports;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Texts;
import io.menuboard.pricing.changes.ImportId;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Use cases of files that are uploaded before they are imported, because no request has room for them. Thread-safe. */
public final class Uploads {
    /** Longest name of a file, in characters. */
    public static final int MAX_FILE_NAME = 200;

    private static final String FILE_TOO_LARGE = "FILE_TOO_LARGE";

    private final DynamoUploads uploads;
    private final @Nullable StagedFiles files;
    private final IdempotencyKeys keys;
    private final Clock clock;
    private final RandomGenerator random;
    private final UploadConfig config;

    /**
     * @param files null where no place for them is configured
     * @param random makes ids, which must not be predictable
     */
    Uploads(
            DynamoUploads uploads,
            @Nullable StagedFiles files,
            IdempotencyKeys keys,
            Clock clock,
            RandomGenerator random,
            UploadConfig config) {
        this.uploads = uploads;
        this.files = files;
        this.keys = keys;
        this.clock = clock;
        this.random = random;
        this.config = config;
    }

    /** Outcome of {@link #stage}. */
    sealed interface Staged {

        /**
         * The upload, and how it is sent.
         *
         * @param isNew whether this request staged it
         */
        record Ready(StagedUpload upload, StagedFiles.Target target, boolean isNew) implements Staged {}

        /** The idempotency key belongs to another request; nothing was staged. */
        record KeyReused(UploadId existing) implements Staged {}

        /** No place for uploads is configured. */
        record NotAvailable() implements Staged {}
    }

    /**
     * Prepares an upload. One write unit, and one more with an idempotency key; the same request with the same key is given
     * the same upload, for as long as that lives, also where whoever asks has been renamed meanwhile.
     *
     * @param fileName 1 to {@value #MAX_FILE_NAME} characters; null for none
     * @param bytes exact size of the file
     * @throws InvalidInput {@code INVALID_FILE_NAME}, {@code INVALID_SIZE}, {@code FILE_TOO_LARGE} or {@code INVALID_ID}
     */
    Staged stage(Access access, @Nullable String fileName, long bytes, @Nullable String idempotencyKey) {
        access.require(Permission.PRICES_DRAFT);
        if (files == null) {
            return new Staged.NotAvailable();
        }
        check(fileName, bytes);
        var now = clock.instant();
        var expiresAt = now.plus(config.lifetime());
        var id = UploadId.random(now, random);
        var isNew = true;
        if (idempotencyKey != null) {
            Ids.check("idempotencyKey", idempotencyKey);
            var body =
                    Purpose.hash(access.principal().kind(), access.principal().name(), fileName, bytes);
            var owner = keys.claim(access.principal().id(), idempotencyKey, id.value(), body, expiresAt);
            id = new UploadId(owner.target());
            // Who asks may have had another name then.
            if (!owner.body().equals(body) && !isStaged(id, access.principal(), fileName, bytes)) {
                return new Staged.KeyReused(id);
            }
            expiresAt = owner.expiresAt();
            isNew = owner.claimed();
        }
        var upload = uploads.create(
                new StagedUpload(id, fileName, bytes, access.actor(), expiresAt, ImportId.random(random), null));
        return new Staged.Ready(upload, files.target(id, bytes, Duration.between(now, expiresAt)), isNew);
    }

    private boolean isStaged(UploadId id, Principal principal, @Nullable String fileName, long bytes) {
        return uploads.find(id)
                .filter(upload -> upload.isOf(principal)
                        && Objects.equals(upload.fileName(), fileName)
                        && upload.bytes() == bytes)
                .isPresent();
    }

    private void check(@Nullable String fileName, long bytes) {
        if (fileName != null) {
            Texts.check("INVALID_FILE_NAME", "fileName", fileName, MAX_FILE_NAME);
        }
        if (bytes < 1) {
            throw new InvalidInput("INVALID_SIZE", "bytes", "must be at least 1, not " + bytes);
        }
        if (bytes > config.maxBytes()) {
            throw new InvalidInput(FILE_TOO_LARGE, "bytes", "must be at most " + config.maxBytes() + ", not " + bytes);
        }
    }

    /** Those of many that there are and that whoever asks has staged, strongly consistent: one read unit each. */
    List<StagedUpload> findAll(Access access, List<UploadId> ids) {
        access.require(Permission.PRICES_DRAFT);
        return uploads.findAll(ids).stream()
                .filter(upload -> upload.isOf(access.principal()))
                .toList();
    }

    /**
     * The upload that can be sent now: it is there, has not expired and nobody imports it. One read unit. Its id alone is the
     * right to send it, as it is part of the address that {@link #stage} gives, and nobody can guess it.
     */
    public Optional<StagedUpload> findOpen(UploadId id) {
        return uploads.find(id).filter(upload -> upload.isOpen(clock.instant()));
    }

    /**
     * The upload, if whoever asks has staged it and it can be imported, or is so already. One read unit.
     *
     * @throws InvalidInput {@code UPLOAD_NOT_FOUND}, {@code UPLOAD_EXPIRED} or {@code UPLOAD_NOT_RECEIVED} on {@code upload}
     */
    StagedUpload require(Access access, UploadId id) {
        var upload = uploads.find(id)
                .filter(found -> found.isOf(access.principal()))
                .orElseThrow(() -> refused("UPLOAD_NOT_FOUND", "must be one that you staged yourself: stage one"));
        if (upload.purpose() == null) {
            if (!clock.instant().isBefore(upload.expiresAt())) {
                throw refused(
                        "UPLOAD_EXPIRED", "must be imported before it expires, which was at " + upload.expiresAt());
            }
            if (files == null || files.length(id).orElse(-1) != upload.bytes()) {
                throw refused("UPLOAD_NOT_RECEIVED", "must have been sent, all " + upload.bytes() + " bytes of it");
            }
        }
        return upload;
    }

    private static InvalidInput refused(String code, String rule) {
        return new InvalidInput(code, "upload", rule);
    }

    /** True where files can be staged and {@linkplain #store stored}. */
    boolean isAvailable() {
        return files != null;
    }

    /** Refuses a file that is too large to be stored: {@link InvalidInput} {@code FILE_TOO_LARGE}, on its kind. */
    void check(ImportFile file) {
        if (file.bytes() > config.maxBytes()) {
            throw new InvalidInput(
                    FILE_TOO_LARGE,
                    file.kind().label(),
                    "must have at most " + config.maxBytes() + " bytes, not " + file.bytes());
        }
    }

    /**
     * Stores a file that is at hand, and was {@linkplain #check checked}, where every instance can {@linkplain #open open} it. No
     * item says so: whoever has the id imports it. What nobody imports is deleted like what was staged.
     *
     * @param id of this file alone: what was stored under it before was the same
     */
    void store(UploadId id, ImportFile file) throws IOException {
        Objects.requireNonNull(files).store(id, file);
    }

    /** What was sent, as {@link StagedFiles#open}. */
    Optional<InputStream> open(UploadId id) throws IOException {
        return files == null ? Optional.empty() : files.open(id);
    }

    /** Deletes what was sent, if anything. */
    void delete(UploadId id) {
        if (files != null) {
            files.delete(id);
        }
    }

    /** Notes what an upload is imported as; false where that is something else already. One write unit. */
    boolean take(UploadId id, String purpose) {
        return uploads.take(id, purpose);
    }
}
