package io.menuboard.webadmin;

import io.menuboard.pricing.ChangeRule;
import io.menuboard.pricing.DraftChangeSet;
import io.menuboard.querydb.InvalidInput;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What every new change set needs besides its rules, as forms have it, for {@code changes/parts :: about}.
 *
 * @param when {@code now} or {@code date}
 * @param moment when it takes effect, where that is not at once
 */
record ChangeAbout(String name, String reason, String when, ChangeMoment moment) {
    private static final String NOW = "now";
    private static final String DATE = "date";
    static final ChangeAbout EMPTY = new ChangeAbout("", "", DATE, ChangeMoment.EMPTY);

    static ChangeAbout of(Map<String, String> fields) {
        return new ChangeAbout(
                Objects.requireNonNullElse(fields.get("name"), "").strip(),
                Objects.requireNonNullElse(fields.get("reason"), "").strip(),
                Objects.requireNonNullElse(fields.get("when"), DATE),
                ChangeMoment.of(fields));
    }

    /** @throws InvalidInput on {@code name}, {@code reason}, {@code when}, {@code date} or {@code time} */
    DraftChangeSet draft(List<ChangeRule> rules) {
        var date =
                switch (when) {
                    case NOW -> null;
                    case DATE -> moment.effectiveDate();
                    default -> throw new InvalidInput("INVALID_WHEN", "when", "when must be now or date");
                };
        return new DraftChangeSet(name, reason, date, rules);
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
