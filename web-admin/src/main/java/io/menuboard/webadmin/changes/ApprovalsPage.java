package io.menuboard.webadmin.changes;

import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.lists.Listing;
import java.util.List;
import java.util.Objects;

/** View model of {@code changes/approvals}. */
record ApprovalsPage(Listing list, List<Row> rows) {

    /** @param note why whoever sees the list cannot decide; empty where they can */
    record Row(
            String href,
            String name,
            String reason,
            String effective,
            String changes,
            String draftedBy,
            String requested,
            String note) {

        static Row of(ChangeSet set, boolean mayDecide) {
            var approval = Objects.requireNonNull(set.approval());
            return new Row(
                    ChangeWords.link(set.id()).toString(),
                    set.name(),
                    set.reason(),
                    ChangeWords.effective(set),
                    Counts.of(Objects.requireNonNull(set.summary()).written()),
                    set.actor().name(),
                    Moments.utc(approval.requestedAt()),
                    mayDecide ? "" : "Needs another person than you");
        }
    }
}
