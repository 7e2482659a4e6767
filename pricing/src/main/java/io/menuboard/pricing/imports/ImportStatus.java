package io.menuboard.pricing.imports;

import io.menuboard.kernel.Actor;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.changes.ImportId;
import io.menuboard.tasks.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * An import as it is, or was when it last showed life.
 *
 * @param actor who asked for it
 * @param updatedAt when it last showed life; its end, once there is one
 * @param message what a person should know about how it ended, null where there is nothing to say
 * @param files in the order in which they go in
 * @param keptRejections how many rejections can be had from {@link Imports#rejections}; there may have been more
 * @param changeSet the draft of what its prices change; null for none
 * @param upload that has its files; null where whoever began it has them
 * @param attempt how often it was begun: 0 while it waits, and more than 1 only where its file was uploaded
 * @param readBy the attempt that has read what this says; 0 where there was one alone, or an earlier version read it
 */
public record ImportStatus(
        ImportId id,
        Actor actor,
        Instant startedAt,
        Instant updatedAt,
        ImportState state,
        @Nullable String message,
        List<ImportFileStatus> files,
        int keptRejections,
        @Nullable ChangeSetId changeSet,
        @Nullable Upload upload,
        int attempt,
        int readBy) {

    /**
     * An upload that is imported.
     *
     * @param id of the first of its files
     * @param task that imports it; null where an earlier version made it known
     */
    public record Upload(UploadId id, @Nullable TaskId task) {}

    public ImportStatus {
        files = List.copyOf(files);
    }

    public int rows() {
        return sum(ImportFileStatus::rows);
    }

    public int created() {
        return sum(ImportFileStatus::created);
    }

    public int changed() {
        return sum(ImportFileStatus::changed);
    }

    public int unchanged() {
        return sum(ImportFileStatus::unchanged);
    }

    public int rejected() {
        return sum(ImportFileStatus::rejected);
    }

    public long bytes() {
        return files.stream().mapToLong(ImportFileStatus::bytes).sum();
    }

    public long bytesRead() {
        return files.stream().mapToLong(ImportFileStatus::bytesRead).sum();
    }

    public Duration elapsed() {
        return Duration.between(startedAt, updatedAt);
    }

    /** Rows read for each second since the start; 0 in the first millisecond. */
    public long rowsPerSecond() {
        var millis = elapsed().toMillis();
        return millis == 0 ? 0 : 1000L * rows() / millis;
    }

    boolean hasStores() {
        return files.stream().anyMatch(file -> file.kind() == ImportKind.STORES);
    }

    ImportStatus state(ImportState newState, @Nullable String newMessage) {
        return new ImportStatus(
                id,
                actor,
                startedAt,
                updatedAt,
                newState,
                newMessage,
                files,
                keptRejections,
                changeSet,
                upload,
                attempt,
                readBy);
    }

    ImportStatus file(int index, ImportFileStatus file) {
        var changed = new ArrayList<>(files);
        changed.set(index, file);
        return new ImportStatus(
                id,
                actor,
                startedAt,
                updatedAt,
                state,
                message,
                changed,
                keptRejections,
                changeSet,
                upload,
                attempt,
                readBy);
    }

    ImportStatus at(Instant now, int newKeptRejections) {
        return new ImportStatus(
                id,
                actor,
                startedAt,
                now,
                state,
                message,
                files,
                newKeptRejections,
                changeSet,
                upload,
                attempt,
                readBy);
    }

    ImportStatus drafted(@Nullable ChangeSetId set) {
        return new ImportStatus(
                id, actor, startedAt, updatedAt, state, message, files, keptRejections, set, upload, attempt, readBy);
    }

    /** With everything that was read before forgotten. */
    ImportStatus fromTheBeginning() {
        var unread = files.stream().map(ImportFileStatus::unread).toList();
        return new ImportStatus(
                id, actor, startedAt, updatedAt, state, null, unread, 0, null, upload, attempt, attempt);
    }

    private int sum(ToIntFunction<ImportFileStatus> count) {
        return files.stream().mapToInt(count).sum();
    }
}
