package io.menuboard.webadmin.changes;

import io.menuboard.pricing.Store;
import io.menuboard.pricing.batches.ScheduledBatch;
import io.menuboard.webadmin.prices.ChannelField;
import io.menuboard.webadmin.prices.EffectiveDates;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Reference;
import io.menuboard.webadmin.ui.lists.Listing;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.format.DateTimeFormatter;
import java.time.format.TextStyle;
import java.time.temporal.TemporalAdjusters;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code changes/calendar}: what takes effect on which day of each store's own calendar.
 *
 * @param month as the form shows it
 * @param weekdays names of the columns, Monday first
 * @param day the one whose batches are listed, as its address has it
 */
record CalendarPage(
        String month,
        String title,
        String summary,
        Reference previous,
        Reference next,
        List<Weekday> weekdays,
        List<List<Day>> weeks,
        String day,
        String dayTitle,
        Listing list,
        List<Row> rows) {

    private static final DateTimeFormatter MONTH = DateTimeFormatter.ofPattern("MMMM uuuu", Locale.ENGLISH);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("EEEE d MMMM uuuu", Locale.ENGLISH);

    /** @param scheduled from {@link #begin} to {@link #end} of the month */
    static CalendarPage of(
            YearMonth month,
            LocalDate today,
            LocalDate chosen,
            List<ScheduledBatch> scheduled,
            Listing list,
            List<Row> rows) {
        var byDay = scheduled.stream().collect(Collectors.groupingBy(CalendarPage::day));
        var inMonth = in(month, scheduled);
        var end = end(month);
        var weeks = Stream.iterate(begin(month), monday -> !monday.isAfter(end), monday -> monday.plusWeeks(1))
                .map(monday -> monday.datesUntil(monday.plusWeeks(1))
                        .map(day -> Day.of(day, month, today, chosen, byDay.getOrDefault(day, List.of())))
                        .toList())
                .toList();
        return new CalendarPage(
                month.toString(),
                MONTH.format(month),
                inMonth.isEmpty() ? "Nothing is to come in this month." : words(inMonth) + " in this month.",
                reference(month.minusMonths(1)),
                reference(month.plusMonths(1)),
                Stream.of(DayOfWeek.values()).map(Weekday::of).toList(),
                weeks,
                chosen.toString(),
                DAY.format(chosen),
                list,
                rows);
    }

    private static Reference reference(YearMonth month) {
        return Reference.of(MONTH.format(month), address(month, null));
    }

    /** Address of a month, and of one of its days. */
    static Link address(YearMonth month, @Nullable LocalDate day) {
        return Link.to("changes", "calendar")
                .with("month", month.toString())
                .with("day", day == null ? null : day.toString());
    }

    /** The first day that is shown with the month: the Monday of its first week. */
    static LocalDate begin(YearMonth month) {
        return month.atDay(1).with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
    }

    /** The last day that is shown with the month: the Sunday of its last week. */
    static LocalDate end(YearMonth month) {
        return month.atEndOfMonth().with(TemporalAdjusters.nextOrSame(DayOfWeek.SUNDAY));
    }

    /** The day of the month that is listed where none is asked for: the first that has anything, else today, or the first of all. */
    static LocalDate first(YearMonth month, LocalDate today, List<ScheduledBatch> scheduled) {
        return in(month, scheduled).stream()
                .map(CalendarPage::day)
                .min(Comparator.naturalOrder())
                .orElse(YearMonth.from(today).equals(month) ? today : month.atDay(1));
    }

    private static List<ScheduledBatch> in(YearMonth month, List<ScheduledBatch> scheduled) {
        return scheduled.stream()
                .filter(batch -> YearMonth.from(day(batch)).equals(month))
                .toList();
    }

    static LocalDate day(ScheduledBatch scheduled) {
        return scheduled.batch().effectiveDate().local().toLocalDate();
    }

    private static String words(List<ScheduledBatch> scheduled) {
        var changes = scheduled.stream().mapToInt(ScheduledBatch::size).sum();
        return batches(scheduled) + ", " + Counts.of(changes) + (changes == 1 ? " change" : " changes");
    }

    private static String batches(List<ScheduledBatch> scheduled) {
        return Counts.of(scheduled.size()) + (scheduled.size() == 1 ? " batch" : " batches");
    }

    record Weekday(String name, String shortName) {
        static Weekday of(DayOfWeek day) {
            return new Weekday(
                    day.getDisplayName(TextStyle.FULL, Locale.ENGLISH),
                    day.getDisplayName(TextStyle.SHORT, Locale.ENGLISH));
        }
    }

    /**
     * One cell.
     *
     * @param href address of its list, in its own month; null where it has nothing
     * @param changes how many prices change
     * @param kind CSS classes
     */
    record Day(
            String weekday,
            String number,
            String month,
            @Nullable String href,
            String batches,
            String changes,
            String kind,
            boolean today,
            boolean chosen) {

        static Day of(
                LocalDate day, YearMonth month, LocalDate today, LocalDate chosen, List<ScheduledBatch> scheduled) {
            var own = YearMonth.from(day);
            var inside = own.equals(month);
            return new Day(
                    day.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH),
                    Integer.toString(day.getDayOfMonth()),
                    MONTH.format(day),
                    scheduled.isEmpty() ? null : address(own, day) + "#day",
                    CalendarPage.batches(scheduled),
                    Counts.of(scheduled.stream().mapToInt(ScheduledBatch::size).sum()),
                    (inside ? "" : "calendar-outside ") + (day.equals(today) ? "calendar-today" : ""),
                    day.equals(today),
                    inside && day.equals(chosen));
        }
    }

    /** @param storeName the id again where the store is unknown */
    record Row(
            String at,
            String store,
            String storeName,
            String storeHref,
            String channel,
            String effective,
            String changes,
            List<Reference> changeSets) {

        static Row of(ScheduledBatch scheduled, @Nullable Store store, ChangeSetNames names) {
            var batch = scheduled.batch();
            return new Row(
                    Moments.utc(scheduled.at()),
                    batch.store().value(),
                    store == null ? batch.store().value() : store.name(),
                    Link.to("stores", batch.store().value(), "changes")
                            .with(ChannelField.NAME, ChannelField.text(batch.channel()))
                            .toString(),
                    batch.channel().value(),
                    EffectiveDates.text(batch.effectiveDate()),
                    Counts.of(scheduled.size()),
                    scheduled.changes().keySet().stream()
                            .sorted()
                            .map(names::reference)
                            .toList());
        }
    }
}
