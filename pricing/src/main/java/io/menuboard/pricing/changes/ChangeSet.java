package io.menuboard.pricing.changes;

import io.menuboard.kernel.Actor;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.EffectiveDate;
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
 * @param failed lines that could not be written, or that a later set has taken the place of
 * @param appliedAt since when every line that could be is in effect; or null
 * @param undoes the set that this one puts back; or null
 * @param undoneBy the set that has put this one back; or null
 * @param retries the set whose failed lines this one has; or null
 * @param imported the import that drafted it; or null
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
        int failed,
        @Nullable Instant appliedAt,
        @Nullable ChangeSetId undoes,
        @Nullable ChangeSetId undoneBy,
        @Nullable ChangeSetId retries,
        @Nullable ImportId imported,
        @Nullable String problem) {

    /** What a set comes from, other than rules: at most one of them. */
    record Origin(
            @Nullable ChangeSetId undoes,
            @Nullable ChangeSetId retries,
            @Nullable ImportId imported) {
        static final Origin RULES = new Origin(null, null, null);
    }

    /** A new one, of which nothing is known yet. */
    static ChangeSet draft(
            ChangeSetId id,
            String name,
            String reason,
            Actor actor,
            @Nullable EffectiveDate effectiveDate,
            Origin origin) {
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
                null,
                origin.undoes(),
                null,
                origin.retries(),
                origin.imported(),
                null);
    }

    ChangeSet withId(ChangeSetId newId) {
        return with(newId, status, summary, token, failed, appliedAt);
    }

    /** With the preview that has that token. */
    ChangeSet previewed(ChangeSetSummary newSummary, String newToken) {
        return with(id, status, newSummary, newToken, failed, appliedAt);
    }

    /** As people see it at an instant. */
    ChangeSet at(ChangeSetStatus newStatus, @Nullable Instant newAppliedAt) {
        return with(id, newStatus, summary, token, failed, newAppliedAt);
    }

    ChangeSet ended(ChangeSetStatus newStatus, int newFailed, @Nullable Instant newAppliedAt) {
        return with(id, newStatus, summary, token, newFailed, newAppliedAt);
    }

    private ChangeSet with(
            ChangeSetId newId,
            ChangeSetStatus newStatus,
            @Nullable ChangeSetSummary newSummary,
            @Nullable String newToken,
            int newFailed,
            @Nullable Instant newAppliedAt) {
        return new ChangeSet(
                newId,
                name,
                reason,
                actor,
                effectiveDate,
                newStatus,
                newSummary,
                newToken,
                task,
                newFailed,
                newAppliedAt,
                undoes,
                undoneBy,
                retries,
                imported,
                problem);
    }

    public Instant createdAt() {
        return id.createdAt();
    }
}
