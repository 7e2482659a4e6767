package io.menuboard.pricing.imports;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.changes.DraftChangeSet;
import org.jspecify.annotations.Nullable;

/**
 * Name, reason and date of the change set that an import of prices or of changes drafts.
 *
 * @param name what people call it, 1 to {@value DraftChangeSet#MAX_NAME} characters; null for the file's name
 * @param reason why, for people, 1 to {@value DraftChangeSet#MAX_REASON} characters; null for a sentence that names the
 *     file
 * @param effectiveDate from when on changes count on each store's own clock; null for at once. Prices have dates of their
 *     own
 */
public record ImportAbout(
        @Nullable String name,
        @Nullable String reason,
        @Nullable EffectiveDate effectiveDate) {
    /** Called after the file, at once. */
    public static final ImportAbout FILE = new ImportAbout(null, null, null);

    /** Throws {@link InvalidInput} {@code INVALID_NAME} or {@code INVALID_REASON}. */
    public ImportAbout {
        if (name != null) {
            DraftChangeSet.checkName(name);
        }
        if (reason != null) {
            DraftChangeSet.checkReason(reason);
        }
    }

    /** Called after the file, for that reason. */
    public static ImportAbout because(@Nullable String reason) {
        return new ImportAbout(null, reason, null);
    }
}
