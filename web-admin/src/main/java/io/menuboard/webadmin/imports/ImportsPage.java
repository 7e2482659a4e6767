package io.menuboard.webadmin.imports;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.imports.ImportFileStatus;
import io.menuboard.pricing.imports.ImportKind;
import io.menuboard.pricing.imports.ImportStatus;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.FormKey;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.lists.Listing;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code imports/list}.
 *
 * @param form null for who may import nothing
 */
record ImportsPage(
        Listing list,
        List<Row> rows,
        List<Expected> expected,
        @Nullable Form form) {
    static final List<Expected> EXPECTED = List.of(Expected.of(ImportKind.STORES), Expected.of(ImportKind.PRICES));

    /**
     * What is asked for.
     *
     * @param key idempotency key
     * @param reason as it was typed
     * @param problem what is wrong with what was sent, or null
     */
    record Form(String key, String reason, @Nullable Problem problem) {

        /** Null for who may import nothing. */
        static @Nullable Form of(Access access, String reason, @Nullable Problem problem) {
            return access.may(Permission.PRICES_APPLY) ? new Form(FormKey.fresh(), reason, problem) : null;
        }

        /** Characters of a reason. Public because templates call nothing else. */
        public int maxReason() {
            return DraftChangeSet.MAX_REASON;
        }
    }

    /** Columns that a file may have. */
    record Expected(String name, String columns, String required) {
        static Expected of(ImportKind kind) {
            return new Expected(kind.label(), String.join(", ", kind.columns()), String.join(", ", kind.required()));
        }
    }

    record Row(String href, String begun, String files, String actor, String rows, String rejected, Badge state) {
        static Row of(ImportStatus status) {
            return new Row(
                    Link.to("imports", status.id().value()).toString(),
                    Moments.utc(status.startedAt()),
                    status.files().stream().map(ImportFileStatus::name).collect(Collectors.joining(", ")),
                    status.actor().name(),
                    Counts.of(status.rows()),
                    Counts.of(status.rejected()),
                    ImportPage.badge(status.state()));
        }
    }
}
