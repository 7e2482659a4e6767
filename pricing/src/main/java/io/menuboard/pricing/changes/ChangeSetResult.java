package io.menuboard.pricing.changes;

import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.approvals.Approval;

/** Outcome of what is asked of a change set. */
public sealed interface ChangeSetResult {

    /**
     * Done, or begun: then its task is going on.
     *
     * @param isNew whether the request made the set
     */
    record Done(ChangeSet set, boolean isNew) implements ChangeSetResult {

        /** Of a set that there was. */
        public Done(ChangeSet set) {
            this(set, false);
        }
    }

    /** Prices are not what the preview saw, or it is not the latest preview; nothing was changed. Preview again. */
    record Stale(ChangeSet set) implements ChangeSetResult {}

    /** Lines are suspicious and were not accepted; nothing was changed. */
    record Suspicious(ChangeSet set) implements ChangeSetResult {}

    /**
     * Its status does not allow that; nothing was changed.
     *
     * @param rule for people
     */
    record NotAllowed(ChangeSet set, String rule) implements ChangeSetResult {}

    /**
     * A second person has to approve it before it is applied; nothing was changed.
     *
     * @param status how far that has come: needed, requested or rejected
     */
    record NeedsApproval(ChangeSet set, Approval.Status status) implements ChangeSetResult {}

    /** There is no such set. */
    record NotFound(ChangeSetId id) implements ChangeSetResult {}

    /** The idempotency key belongs to another request. */
    record KeyReused(ChangeSetId existing, String key) implements ChangeSetResult {}
}
