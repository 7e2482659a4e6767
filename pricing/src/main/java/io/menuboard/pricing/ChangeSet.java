package io.menuboard.pricing;

import io.menuboard.querydb.Actor;
import io.menuboard.tasks.TaskId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a person submitted as one thing, as it was when it was read.
 *
 * @param effectiveDate from when on each store's own clock; null for at once
 * @param summary null while the preview is not finished
 * @param token shows which preview is applied; null while there is none to apply
 * @param task does what is being done with it, while it takes long; or null
 * @param done lines that it has come to, of what is being done
 * @param failed lines that could not be written, or were overtaken
 * @param appliedAt since when every line that could be is in effect; or null
 * @param undoes the set that this one puts back; or null
 * @param undoneBy the set that has put this one back; or null
 * @param retries the set whose failed lines this one has; or null
 * @param problem why the last thing that was done with it did not come to its end; or null
 */
public record ChangeSet(
        ChangeSetId id,
        String name,
        String reason,
        Actor actor,
        @Nullable EffectiveDate effectiveDate,
        ChangeSetStatus status,
        @Nullable ChangeSetSummary summary,
        @Nullable String token,
        @Nullable TaskId task,
        int done,
        int failed,
        @Nullable Instant appliedAt,
        @Nullable ChangeSetId undoes,
        @Nullable ChangeSetId undoneBy,
        @Nullable ChangeSetId retries,
        @Nullable String problem) {

    /** A new one, of which nothing is known yet. */
    static ChangeSet draft(
            ChangeSetId id,
            String name,
            String reason,
            Actor actor,
            @Nullable EffectiveDate effectiveDate,
            @Nullable ChangeSetId undoes,
            @Nullable ChangeSetId retries) {
        return new ChangeSet(
                id,
                name,
                reason,
                actor,
                effectiveDate,
                ChangeSetStatus.DRAFT,
                null,
                null,
                null,
                0,
                0,
                null,
                undoes,
                null,
                retries,
                null);
    }

    ChangeSet withId(ChangeSetId newId) {
        return with(newId, status);
    }

    ChangeSet withStatus(ChangeSetStatus newStatus) {
        return with(id, newStatus);
    }

    private ChangeSet with(ChangeSetId newId, ChangeSetStatus newStatus) {
        return new ChangeSet(
                newId,
                name,
                reason,
                actor,
                effectiveDate,
                newStatus,
                summary,
                token,
                task,
                done,
                failed,
                appliedAt,
                undoes,
                undoneBy,
                retries,
                problem);
    }

    public Instant createdAt() {
        return id.createdAt();
    }
}
