package io.menuboard.querydb.audit;

import io.menuboard.kernel.InvalidInput;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records that somebody asks for.
 *
 * @param from first day, of UTC; null for the oldest record of a subject or person, else for as many days before the last one as
 *     are read at once
 * @param to last day, of UTC; null for the latest record of a subject or person, else for as many days as are read at once, or
 *     until today
 * @param subject what was changed, or null for anything
 * @param person id of who changed it, or null for anybody
 * @param action what was done, or null for whatever was done
 */
public record AuditFilter(
        @Nullable LocalDate from,
        @Nullable LocalDate to,
        @Nullable String subject,
        @Nullable String person,
        @Nullable String action) {
    /** Most days that are read at once where neither subject nor person is given. */
    public static final int MAX_DAYS = 7;

    /** Longest text to look for; the key of a list takes no more. */
    public static final int MAX_TEXT = 500;

    /**
     * Refuses with {@link InvalidInput} {@code INVALID_RANGE} on {@code to} days that end before they begin, and without a
     * subject or person more than {@value #MAX_DAYS} of them; {@code INVALID_FILTER} a text that is empty or has more than
     * {@value #MAX_TEXT} characters.
     */
    public AuditFilter {
        checkText("subject", subject);
        checkText("person", person);
        checkText("action", action);
        if (from != null && to != null) {
            if (to.isBefore(from)) {
                throw new InvalidInput("INVALID_RANGE", "to", "must not be before the first day, " + from);
            }
            if (subject == null && person == null && ChronoUnit.DAYS.between(from, to) >= MAX_DAYS) {
                throw new InvalidInput(
                        "INVALID_RANGE",
                        "to",
                        "must be at most " + MAX_DAYS
                                + " days, the first and the last one included, unless a subject or a person is given");
            }
        }
    }

    private static void checkText(String field, @Nullable String text) {
        if (text != null && (text.isEmpty() || text.length() > MAX_TEXT)) {
            throw new InvalidInput("INVALID_FILTER", field, "must have 1 to " + MAX_TEXT + " characters");
        }
    }

    /** All that was done to a subject. */
    public static AuditFilter of(String subject) {
        return new AuditFilter(null, null, subject, null, null);
    }

    /** What it asks for today, for who goes on reading tomorrow. */
    AuditFilter on(LocalDate today) {
        return from == null && to == null && subject == null && person == null
                ? new AuditFilter(today.minusDays(MAX_DAYS - 1L), today, null, null, action)
                : this;
    }

    /** The days of a list of neither a subject nor a person, the latest first. */
    Stream<LocalDate> days(LocalDate today) {
        var last = to != null ? to : from == null ? today : from.plusDays(MAX_DAYS - 1L);
        var first = from != null ? from : last.minusDays(MAX_DAYS - 1L);
        return first.datesUntil(last.plusDays(1)).sorted(Comparator.reverseOrder());
    }

    /** Everything that is asked for; an empty text for what is not. */
    Stream<String> parts() {
        return Stream.<@Nullable Object>of(from, to, subject, person, action).map(part -> Objects.toString(part, ""));
    }

    /** Whether the list that is read has other records too. */
    boolean leavesOut() {
        return action != null || (subject != null && person != null);
    }

    boolean wants(AuditRecord read) {
        return (action == null || FormerActions.now(action).equals(read.action()))
                && (person == null || person.equals(read.actor().id()));
    }
}
