package io.menuboard.webadmin.audit;

import io.menuboard.access.Access;
import io.menuboard.audit.AuditDetail;
import io.menuboard.kernel.Actor;
import io.menuboard.querydb.audit.AuditFilter;
import io.menuboard.querydb.audit.AuditRecord;
import io.menuboard.webadmin.ui.Actors;
import io.menuboard.webadmin.ui.Choice;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Reference;
import io.menuboard.webadmin.ui.Views.AuditLinks;
import io.menuboard.webadmin.ui.lists.Listing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** View model of {@code audit/list}. */
record AuditPage(AuditForm form, List<Choice> actions, Listing list, List<Row> rows) {

    /** Most days that are listed at once without a subject or a person. */
    public int maxDays() {
        return AuditFilter.MAX_DAYS;
    }

    /**
     * One record.
     *
     * @param trail address of all that this person did; null where it is not known who that is
     * @param subjectTrail address of all that was done to the subject
     */
    record Row(
            String at,
            Reference by,
            String through,
            @Nullable String trail,
            String action,
            Reference subject,
            String subjectTrail,
            List<String> details) {

        static Row of(Access reader, AuditRecord record) {
            var actor = record.actor();
            return new Row(
                    Moments.utcSeconds(record.at()),
                    AuditWords.by(reader, actor),
                    kind(actor) + Actors.through(actor),
                    AuditWords.trail(actor),
                    record.action(),
                    AuditWords.subject(reader, record.subject()),
                    Link.to(AuditLinks.PATH).with("subject", record.subject()).toString(),
                    AuditDetail.of(record).stream().map(AuditWords::text).toList());
        }

        private static String kind(Actor actor) {
            return switch (actor.kind()) {
                case USER, UNKNOWN -> "";
                case TOKEN -> "a token, ";
                case SYSTEM -> "a part of Menuboard, ";
            };
        }
    }
}
