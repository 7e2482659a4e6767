package io.menuboard.webadmin.changes;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.webadmin.ui.Problem;
import java.util.Map;
import java.util.Objects;

/**
 * A moment on each store's own clock, as the fields {@code date} and {@code time} have it.
 *
 * @param time empty for midnight
 */
public record ChangeMoment(String date, String time) {
    static final ChangeMoment EMPTY = new ChangeMoment("", "");

    static ChangeMoment of(Map<String, String> fields) {
        return new ChangeMoment(
                Objects.requireNonNullElse(fields.get("date"), "").strip(),
                Objects.requireNonNullElse(fields.get("time"), "").strip());
    }

    static ChangeMoment of(EffectiveDate date) {
        return new ChangeMoment(
                date.local().toLocalDate().toString(),
                date.isStartOfDay() ? "" : date.local().toLocalTime().toString());
    }

    /** The same time on a day that there is, to see whether it is one. */
    ChangeMoment onAnyDay() {
        return new ChangeMoment("2000-01-01", time);
    }

    /** @throws InvalidInput {@code INVALID_EFFECTIVE_DATE} on {@code date} or {@code time} */
    EffectiveDate effectiveDate() {
        var day = parse("date", date, date, "must be a date such as 2026-03-01 or 01.03.2026");
        return time.isEmpty()
                ? day
                : parse(
                        "time",
                        time,
                        day.local().toLocalDate() + "T" + time,
                        "must be a time such as 06:00, or empty for midnight");
    }

    /** Problem with a form: what a moment as a whole is refused for is said beside its date. */
    public static Problem problem(InvalidInput refused) {
        return Problem.of(refused.field().equals("effectiveDate") ? refused.renamed("date") : refused);
    }

    private static EffectiveDate parse(String field, String given, String text, String rule) {
        try {
            if (given.indexOf('T') < 0) {
                return EffectiveDate.parseWritten(text);
            }
        } catch (InvalidInput e) {
            throw new InvalidInput(e.code(), field, rule);
        }
        throw new InvalidInput("INVALID_EFFECTIVE_DATE", field, rule);
    }
}
