package io.menuboard.webadmin.changes;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.imports.ImportAbout;
import io.menuboard.pricing.rules.ChangeRule;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Fields that every new change set has besides its rules, for {@code changes/parts :: about}.
 *
 * @param when {@code now} or {@code date}
 * @param moment when it takes effect, where that is not at once
 */
public record ChangeAbout(String name, String reason, String when, ChangeMoment moment) {
    private static final String NOW = "now";
    private static final String DATE = "date";
    public static final ChangeAbout EMPTY = new ChangeAbout("", "", DATE, ChangeMoment.EMPTY);

    public static ChangeAbout of(Map<String, String> fields) {
        return new ChangeAbout(
                Objects.requireNonNullElse(fields.get("name"), "").strip(),
                Objects.requireNonNullElse(fields.get("reason"), "").strip(),
                Objects.requireNonNullElse(fields.get("when"), DATE),
                ChangeMoment.of(fields));
    }

    /** Name and reason of an earlier set. */
    public static ChangeAbout of(ChangeSet set) {
        var date = set.effectiveDate();
        return new ChangeAbout(
                set.name(),
                set.reason(),
                date == null ? NOW : DATE,
                date == null ? ChangeMoment.EMPTY : ChangeMoment.of(date));
    }

    /** @throws InvalidInput on {@code name}, {@code reason}, {@code when}, {@code date} or {@code time} */
    DraftChangeSet draft(List<ChangeRule> rules) {
        return new DraftChangeSet(name, reason, effectiveDate(), rules);
    }

    /** The same for a set that a file drafts. */
    public ImportAbout imported() {
        return new ImportAbout(name, reason, effectiveDate());
    }

    /** Finds out what {@link #draft} would be refused for, field by field. */
    public List<Supplier<? extends @Nullable Object>> checks() {
        var right = List.of(NewChangeForm.RIGHT);
        return List.of(
                () -> new DraftChangeSet(name, "right", null, right),
                () -> new DraftChangeSet("right", reason, null, right),
                this::effectiveDate,
                () -> when.equals(DATE) ? moment.onAnyDay().effectiveDate() : null);
    }

    private @Nullable EffectiveDate effectiveDate() {
        return switch (when) {
            case NOW -> null;
            case DATE -> moment.effectiveDate();
            default -> throw new InvalidInput("INVALID_WHEN", "when", "must be now or date");
        };
    }

    /** Public because templates call nothing else. */
    public int maxName() {
        return DraftChangeSet.MAX_NAME;
    }

    /** Public because templates call nothing else. */
    public int maxReason() {
        return DraftChangeSet.MAX_REASON;
    }
}
