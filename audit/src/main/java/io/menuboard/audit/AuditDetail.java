package io.menuboard.audit;

import io.menuboard.querydb.audit.AuditRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A fact that was recorded with what was done: what something was and is from then on, or else a value.
 *
 * @param name null where the action says what has changed
 * @param before null where there was nothing before
 * @param after null where there is nothing after
 * @param value null for a change
 */
public record AuditDetail(
        @Nullable String name,
        @Nullable String before,
        @Nullable String after,
        @Nullable String value) {
    private static final String BEFORE = "before";
    private static final String AFTER = "after";

    /** Changes first, then values, each by name. */
    public static List<AuditDetail> of(AuditRecord record) {
        var changes = new LinkedHashMap<String, AuditDetail>();
        var values = new ArrayList<AuditDetail>();
        record.details().forEach((key, text) -> {
            if (ends(key, BEFORE)) {
                changes.merge(name(key, BEFORE), change(key, BEFORE, text, null), AuditDetail::with);
            } else if (ends(key, AFTER)) {
                changes.merge(name(key, AFTER), change(key, AFTER, null, text), AuditDetail::with);
            } else {
                values.add(new AuditDetail(key, null, null, text));
            }
        });
        var all = new ArrayList<>(changes.values());
        all.addAll(values);
        return all;
    }

    private AuditDetail with(AuditDetail other) {
        return new AuditDetail(name, before == null ? other.before : before, after == null ? other.after : after, null);
    }

    private static AuditDetail change(String key, String end, @Nullable String before, @Nullable String after) {
        var name = name(key, end);
        return new AuditDetail(name.isEmpty() ? null : name, before, after, null);
    }

    private static boolean ends(String key, String end) {
        return key.equals(end) || key.endsWith(" " + end);
    }

    private static String name(String key, String end) {
        return key.substring(0, key.length() - end.length()).strip();
    }
}
