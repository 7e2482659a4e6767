package io.menuboard.audit;

import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.Texts;
import io.menuboard.querydb.NotSaved;
import io.menuboard.querydb.audit.AuditFilter;
import io.menuboard.querydb.audit.AuditRecord;
import io.menuboard.querydb.audit.AuditTrail;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The audit trail, for those who may read it. Thread-safe. */
public final class Audit {
    /** Longest text of a request that a record keeps, in characters. */
    private static final int MAX_TEXT = 200;

    private static final int MAX_PARAMETERS = 16;
    private static final String STORE = "STORE#";

    private final AuditTrail trail;

    Audit(AuditTrail trail) {
        this.trail = trail;
    }

    /**
     * Records of all contexts, newest first; costs as {@link AuditTrail#list} does. Those of a store are of its prices and of what is
     * known of it.
     *
     * @throws Denied without {@link Permission#AUDIT_READ} for everything
     */
    public Page<AuditRecord> records(Access access, AuditFilter filter, PageRequest page) {
        access.requireForAll(Permission.AUDIT_READ);
        return trail.list(filter, related(filter.subject()), page);
    }

    /**
     * A filter of the same records however long reading them takes; see {@link AuditTrail#lasting}.
     *
     * @throws Denied as {@link #records} does
     */
    public AuditFilter lasting(Access access, AuditFilter filter) {
        access.requireForAll(Permission.AUDIT_READ);
        return trail.lasting(filter);
    }

    /** What is known of a store is recorded apart from its prices. */
    private static List<String> related(@Nullable String subject) {
        return subject != null && subject.startsWith(STORE) && subject.length() > STORE.length()
                ? List.of("STORE-DATA#" + subject.substring(STORE.length()))
                : List.of();
    }

    /**
     * Records that a file is about to be given to whoever asks, who needs no permission for that record. Three write units. Whoever
     * calls gives no file where this fails.
     *
     * @param path of the file; shortened
     * @param asked what the file was narrowed to, by name and in the order of the request; shortened, and of more than
     *     {@value #MAX_PARAMETERS} the first, with {@code more} for how many others there were
     * @throws NotSaved if it was not recorded
     */
    public void downloaded(Access access, String path, Map<String, String> asked) {
        var details = new HashMap<String, String>();
        asked.entrySet().stream()
                .limit(MAX_PARAMETERS)
                .forEach(parameter -> details.put(shortened(parameter.getKey()), shortened(parameter.getValue())));
        if (asked.size() > MAX_PARAMETERS) {
            details.put("more", String.valueOf(asked.size() - MAX_PARAMETERS));
        }
        trail.record(access.actor(), "DOWNLOAD#" + shortened(path), "downloaded", details);
    }

    private static String shortened(String text) {
        return text.length() <= MAX_TEXT ? text : Texts.cut(text, MAX_TEXT) + "…";
    }
}
