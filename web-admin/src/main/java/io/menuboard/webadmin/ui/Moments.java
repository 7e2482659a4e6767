package io.menuboard.webadmin.ui;

import io.menuboard.kernel.InvalidInput;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Moments as pages write them: the ISO order, which nobody can misread, on the store's clock. */
public final class Moments {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("EEE HH:mm", Locale.ENGLISH);
    private static final DateTimeFormatter MONTH = DateTimeFormatter.ofPattern("MMMM uuuu", Locale.ENGLISH);
    private static final DateTimeFormatter MINUTES = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

    private Moments() {}

    /** {@code November 2026}. */
    public static String month(YearMonth month) {
        return MONTH.format(month);
    }

    /** {@code 2026-03-01 06:00 UTC}, for what is not about one store. */
    public static String utc(Instant instant) {
        return MINUTES.format(instant.atOffset(ZoneOffset.UTC)) + " UTC";
    }

    /** {@code 2026-03-01 06:00:07 UTC}, for what happens within seconds. */
    public static String utcSeconds(Instant instant) {
        return SECONDS.format(instant.atOffset(ZoneOffset.UTC)) + " UTC";
    }

    /** Length of time: {@code 42 s}, {@code 5 min}, {@code 3 h} or {@code 4 days}, at least two of a unit above seconds. */
    public static String span(Duration duration) {
        return switch (unit(duration)) {
            case DAYS -> duration.toDays() + " days";
            case HOURS -> duration.toHours() + " h";
            case MINUTES -> duration.toMinutes() + " min";
            default -> Math.max(0, duration.toSeconds()) + " s";
        };
    }

    /** As {@link #span}, rounded up: whoever waits for so long has waited long enough. */
    public static String toWait(Duration duration) {
        return span(duration.plus(unit(duration).getDuration()).minusNanos(1));
    }

    /** That {@link #span} counts. */
    private static ChronoUnit unit(Duration duration) {
        if (duration.toHours() >= 48) {
            return ChronoUnit.DAYS;
        }
        if (duration.toMinutes() >= 120) {
            return ChronoUnit.HOURS;
        }
        return duration.toSeconds() >= 120 ? ChronoUnit.MINUTES : ChronoUnit.SECONDS;
    }

    /** Time from then until now: {@code 5 min ago}. */
    public static String ago(Instant then, Instant now) {
        return span(Duration.between(then, now)) + " ago";
    }

    /** Weekday and time on the clock now: {@code Fri 14:05}. */
    public static String clock(Instant now, ZoneId zone) {
        return CLOCK.format(now.atZone(zone));
    }

    /** Offset of the clock from UTC now: {@code UTC+02:00}. */
    public static String offset(Instant now, ZoneId zone) {
        var offset = zone.getRules().getOffset(now);
        return offset.getTotalSeconds() == 0 ? "UTC" : "UTC" + offset;
    }

    /** {@code 2026-03-01 06:00}, with seconds only where there are any. */
    public static String of(LocalDateTime local) {
        return (local.getSecond() == 0 ? MINUTES : SECONDS).format(local);
    }

    /** Time from now until then: {@code in 12 days}. */
    public static String distance(Instant now, Instant then) {
        var distance = Duration.between(now, then);
        if (distance.toHours() >= 48) {
            return "in " + distance.toDays() + " days";
        }
        if (distance.toMinutes() >= 120) {
            return "in " + distance.toHours() + " hours";
        }
        return distance.toMinutes() >= 2 ? "in " + distance.toMinutes() + " minutes" : "in a moment";
    }

    /**
     * Reads what a date-time field sends.
     *
     * @return whole seconds, years 1 to 9999
     * @throws InvalidInput {@code INVALID_DATE_TIME} on {@code field}
     */
    public static LocalDateTime parse(String field, String text) {
        try {
            var local = text.length() == 10 ? LocalDate.parse(text).atStartOfDay() : LocalDateTime.parse(text);
            if (local.getYear() >= 1
                    && local.getYear() <= 9999
                    && local.equals(local.truncatedTo(ChronoUnit.SECONDS))) {
                return local;
            }
        } catch (DateTimeException _) {
            // Said below.
        }
        throw new InvalidInput(
                "INVALID_DATE_TIME", field, "must be a date and time of the years 1 to 9999, such as 2026-03-01T06:00");
    }

    /** Text that a date-time field shows on the clock of UTC, to the second; empty for null. */
    public static String fieldUtc(@Nullable Instant instant) {
        return instant == null
                ? ""
                : LocalDateTime.ofInstant(instant.truncatedTo(ChronoUnit.SECONDS), ZoneOffset.UTC)
                        .toString();
    }

    /** Reads a date-time field on the clock of UTC; null for an empty one. */
    public static @Nullable Instant parseUtc(String field, String text) {
        return text.isEmpty() ? null : parse(field, text).toInstant(ZoneOffset.UTC);
    }

    /**
     * Reads what a month field sends.
     *
     * @throws InvalidInput {@code INVALID_MONTH} on {@code field}
     */
    public static YearMonth parseMonth(String field, String text) {
        try {
            var month = YearMonth.parse(text);
            if (month.getYear() >= 1970 && month.getYear() < 9999) {
                return month;
            }
        } catch (DateTimeException _) {
            // Said below.
        }
        throw new InvalidInput("INVALID_MONTH", field, "must be a month from 1970 on, such as 2026-03");
    }

    /**
     * Reads what a day field sends; null for an empty one.
     *
     * @throws InvalidInput {@code INVALID_DAY} on {@code field}
     */
    public static @Nullable LocalDate parseDay(String field, String text) {
        if (text.isEmpty()) {
            return null;
        }
        try {
            var day = LocalDate.parse(text);
            if (day.getYear() >= 1970 && day.getYear() < 9999) {
                return day;
            }
        } catch (DateTimeException _) {
            // Said below.
        }
        throw new InvalidInput("INVALID_DAY", field, "must be a day from 1970 on, such as 2026-03-01");
    }
}
