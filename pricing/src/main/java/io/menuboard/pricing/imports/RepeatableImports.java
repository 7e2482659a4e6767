package io.menuboard.pricing.imports;

import io.menuboard.access.Access;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.changes.ImportId;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Imports of one small file that a client may repeat where it did not hear the answer. Thread-safe. */
final class RepeatableImports {
    static final Duration KEPT_FOR = Duration.ofDays(1);

    private final Imports imports;
    private final ImportTasks tasks;
    private final IdempotencyKeys keys;
    private final Clock clock;
    private final RandomGenerator random;

    RepeatableImports(Imports imports, ImportTasks tasks, IdempotencyKeys keys, Clock clock, RandomGenerator random) {
        this.imports = imports;
        this.tasks = tasks;
        this.keys = keys;
        this.clock = clock;
        this.random = random;
    }

    /** Outcome of a request to import. */
    sealed interface Result {

        /**
         * The import as it ended; where it had been asked for before, or is of an upload, as it is now.
         *
         * @param isNew whether this request began it
         */
        record Done(ImportStatus status, boolean isNew) implements Result {}

        /** The idempotency key belongs to another request; nothing was begun. */
        record KeyReused(ImportId existing) implements Result {}

        /** The upload is imported already, as something else; nothing was begun. */
        record UploadUsed(ImportId existing) implements Result {}
    }

    /**
     * Imports a file, as {@link ImportTasks#run}, once for each key: the same request with the same key reads nothing, and is
     * told how the first one ended, or is. One that failed or was interrupted before anything was drafted is made again: whoever asks
     * may not have been told. One write unit more, one read unit for a repetition, and two write units for one that begins again.
     *
     * @throws InvalidInput {@code INVALID_ID} for what is no key
     */
    Result run(Access access, ImportKind kind, byte[] csv, ImportAbout about, String idempotencyKey) {
        access.require(kind.permission());
        Ids.check("idempotencyKey", idempotencyKey);
        var body = Purpose.hash(csv, kind, about);
        var owner = claim(access, idempotencyKey, body);
        var before = before(access, owner, body);
        if (before.filter(RepeatableImports::isToBeRepeated).isPresent()) {
            keys.release(access.principal().id(), idempotencyKey, owner.target());
            owner = claim(access, idempotencyKey, body);
            before = before(access, owner, body);
        }
        var id = new ImportId(owner.target());
        if (!owner.body().equals(body)) {
            return new Result.KeyReused(id);
        }
        if (before.isPresent()) {
            return new Result.Done(before.get(), false);
        }
        var files = List.of(ImportFile.of(kind, csv));
        // Whoever claimed the key may have died before the import was known, or be about to make it so.
        return imports.begin(access, id, files)
                .map(begun -> new Result.Done(tasks.run(access, begun, files, about, ImportListener.NONE), true))
                .orElseGet(() -> new Result.Done(imports.find(access, id).orElseThrow(), false));
    }

    private IdempotencyKeys.Owner claim(Access access, String idempotencyKey, String body) {
        return keys.claim(
                access.principal().id(),
                idempotencyKey,
                ImportId.random(random).value(),
                body,
                clock.instant().plus(KEPT_FOR));
    }

    /** The import that the same request began before. */
    private Optional<ImportStatus> before(Access access, IdempotencyKeys.Owner owner, String body) {
        return owner.claimed() || !owner.body().equals(body)
                ? Optional.empty()
                : imports.find(access, new ImportId(owner.target()));
    }

    private static boolean isToBeRepeated(ImportStatus before) {
        return switch (before.state()) {
            case FAILED, INTERRUPTED -> before.changeSet() == null;
            case WAITING, RUNNING, FINISHED, REFUSED -> false;
        };
    }
}
