package io.menuboard.webadmin.changes;

import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.webadmin.ui.Actors;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Choice;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.lists.Listing;
import java.util.List;

/**
 * View model of {@code changes/list}.
 *
 * @param approves whether whoever sees it may approve sets
 */
record ChangesPage(ChangesForm form, List<Choice> statuses, Listing list, List<Row> rows, boolean approves) {

    /** @param changes how many prices, empty while that is not known */
    record Row(
            String href,
            String name,
            String reason,
            String effective,
            String changes,
            String drafted,
            String by,
            String through,
            Badge status) {

        static Row of(ChangeSet set) {
            var summary = set.summary();
            return new Row(
                    ChangeWords.link(set.id()).toString(),
                    set.name(),
                    set.reason(),
                    ChangeWords.effective(set),
                    summary == null ? "" : Counts.of(summary.written()),
                    Moments.utc(set.createdAt()),
                    set.actor().name(),
                    Actors.through(set.actor()),
                    ChangeWords.badge(set.status()));
        }
    }
}
