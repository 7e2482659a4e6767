package io.menuboard.webadmin.prices;

import static java.util.Comparator.comparing;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceVersion;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.charts.AmountScale;
import io.menuboard.webadmin.ui.charts.Chart;
import io.menuboard.webadmin.ui.charts.Plot;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Draws a price's timeline as steps. The line has a gap where there is no price, and breaks where the currency changes, for
 * amounts before and after cannot be compared.
 */
final class PriceChart {
    static final String PAST = "";
    static final String PLANNED = "chart-planned";

    private static final int MAX_DATES = 7;
    private static final int MAX_POINTS = 80;
    private static final double DAY = 86_400;
    private static final double ROOM_AFTER_LAST = 25;

    private static final List<DateStep> DATE_STEPS = List.of(
            new DateStep(1, 0, "d MMM"),
            new DateStep(2, 0, "d MMM"),
            new DateStep(7, 0, "d MMM"),
            new DateStep(0, 1, "MMM uuuu"),
            new DateStep(0, 3, "MMM uuuu"),
            new DateStep(0, 6, "MMM uuuu"),
            new DateStep(0, 12, "uuuu"),
            new DateStep(0, 24, "uuuu"),
            new DateStep(0, 60, "uuuu"),
            new DateStep(0, 120, "uuuu"),
            new DateStep(0, 600, "uuuu"),
            new DateStep(0, 2400, "uuuu"),
            new DateStep(0, 12000, "uuuu"));

    private final List<Stretch> stretches;
    private final Instant now;
    private final ZoneId zone;
    private final Amounts amounts;
    private final boolean planned;
    private final double begin;
    private final double end;
    private final AmountScale scale;
    private final Plot plot;

    /**
     * @param versions oldest first, at least one of them a price
     * @param zone whose dates the labels are
     */
    PriceChart(List<PriceVersion> versions, ZoneId zone, Instant now, Amounts amounts) {
        this.stretches = stretches(versions);
        this.now = now;
        this.zone = zone;
        this.amounts = amounts;
        double first = versions.getFirst().startsAt().getEpochSecond();
        double last = versions.getLast().startsAt().getEpochSecond();
        double today = now.getEpochSecond();
        this.begin = Math.min(Math.min(first, today), Math.max(last, today) - DAY);
        this.planned = last > today;
        this.end = Math.max(today, last + (Math.max(last, today) - begin) / ROOM_AFTER_LAST);
        this.scale = AmountScale.of(steps().map(step -> step.price().amount()).toList());
        this.plot = new Plot(scale);
    }

    /** From when something costs that much. */
    private record Step(EffectiveDate effectiveDate, Instant startsAt, Money price) {
        Currency currency() {
            return price.currency();
        }
    }

    /**
     * Steps that are one line, because their amounts can be compared.
     *
     * @param end where the price is deleted, or costs another currency; null where nothing ends it
     */
    private record Stretch(List<Step> steps, @Nullable PriceVersion end) {
        Currency currency() {
            return steps.getFirst().currency();
        }

        boolean endsWithoutPrice() {
            return end != null && end.price() == null;
        }
    }

    private static List<Stretch> stretches(List<PriceVersion> versions) {
        var stretches = new ArrayList<Stretch>();
        var steps = new ArrayList<Step>();
        for (var version : versions) {
            var price = version.price();
            if (!steps.isEmpty()
                    && (price == null || !steps.getLast().currency().equals(price.currency()))) {
                stretches.add(new Stretch(List.copyOf(steps), version));
                steps.clear();
            }
            if (price != null) {
                steps.add(new Step(version.effectiveDate(), version.startsAt(), price));
            }
        }
        if (!steps.isEmpty()) {
            stretches.add(new Stretch(steps, null));
        }
        return stretches;
    }

    private Stream<Step> steps() {
        return stretches.stream().flatMap(stretch -> stretch.steps().stream());
    }

    /**
     * The drawing.
     *
     * @param subject what costs that, where
     * @param more whether there are older prices that are not among them
     */
    Chart draw(String subject, boolean more) {
        var decimals = stretches.getLast().currency().getDefaultFractionDigits();
        return new Chart(
                "price",
                "",
                new Chart.Text("Price of " + subject, description(), caption(more)),
                plot.amounts((amount, most) -> amounts.number(amount, most == 0 ? 0 : Math.max(most, decimals))),
                dateTicks(),
                null,
                List.of(),
                lines(),
                steps().count() <= MAX_POINTS ? points() : List.of(),
                marks(),
                null);
    }

    private String description() {
        var text = new StringBuilder("Steps, one for each price. ");
        for (var stretch : stretches) {
            var steps = stretch.steps();
            var lowest = Collections.min(steps, comparing(step -> step.price().amount()));
            var highest = Collections.max(steps, comparing(step -> step.price().amount()));
            text.append(EffectiveDates.text(steps.getFirst().effectiveDate()))
                    .append(" to ")
                    .append(EffectiveDates.text(steps.getLast().effectiveDate()))
                    .append(": lowest ")
                    .append(amounts.of(lowest.price()))
                    .append(", highest ")
                    .append(amounts.of(highest.price()))
                    .append(". ");
            if (stretch.end() != null && stretch.endsWithoutPrice()) {
                text.append("No price from ")
                        .append(EffectiveDates.text(stretch.end().effectiveDate()))
                        .append(" on. ");
            }
        }
        return text.append("The table below has every price.").toString();
    }

    private String caption(boolean more) {
        var text = new StringBuilder("Dates on the store's clock");
        if (currencies().size() == 1) {
            text.append(", amounts in ").append(currencies().getFirst().getCurrencyCode());
        }
        text.append(".");
        if (scale.logarithmic()) {
            text.append(" Logarithmic scale: the same distance is the same ratio.");
        }
        if (planned) {
            text.append(" Dashed: planned.");
        }
        if (stretches.stream().anyMatch(Stretch::endsWithoutPrice)) {
            text.append(" Where there is no price, there is no line.");
        }
        if (currencies().size() > 1) {
            text.append(" Where the currency changed, the line breaks: amounts before and after cannot be compared.");
        }
        if (more) {
            text.append(" Only the latest ").append(steps().count()).append(" prices are drawn.");
        }
        return text.toString();
    }

    /** Those of the past first. */
    private List<Chart.Line> lines() {
        var today = planned ? x(now) : 100;
        return Stream.concat(
                        stretches.stream().flatMap(stretch -> line(PAST, stretch, 0, Math.min(end(stretch), today))),
                        stretches.stream().flatMap(stretch -> line(PLANNED, stretch, today, end(stretch))))
                .toList();
    }

    /** The part of a stretch between two places, if it has one. */
    private Stream<Chart.Line> line(String kind, Stretch stretch, double from, double until) {
        var spots = new ArrayList<Plot.Spot>();
        var steps = stretch.steps();
        for (var i = 0; i < steps.size(); i++) {
            var start = Math.max(x(steps.get(i)), from);
            if (start < Math.min(i + 1 < steps.size() ? x(steps.get(i + 1)) : until, until)) {
                spots.add(new Plot.Spot(start, steps.get(i).price().amount()));
            }
        }
        return spots.isEmpty() ? Stream.of() : Stream.of(new Chart.Line(kind, plot.stepped(spots, until), null));
    }

    private double end(Stretch stretch) {
        return stretch.end() == null ? 100 : x(stretch.end().startsAt());
    }

    private List<Currency> currencies() {
        return steps().map(Step::currency).distinct().toList();
    }

    private List<Chart.Point> points() {
        return steps().map(step -> plot.point(
                        new Plot.Spot(x(step), step.price().amount()),
                        EffectiveDates.text(step.effectiveDate()) + ": " + amounts.of(step.price()),
                        step.startsAt().isAfter(now)))
                .toList();
    }

    /** Now, where something is planned, and where the currency changed. */
    private List<Chart.Mark> marks() {
        var marks = new ArrayList<Chart.Mark>();
        if (planned) {
            marks.add(new Chart.Mark("chart-now", Plot.time(x(now), "Now", false)));
        }
        for (var i = 1; i < stretches.size(); i++) {
            var stretch = stretches.get(i);
            if (!stretches.get(i - 1).currency().equals(stretch.currency())) {
                var label = stretches.get(i - 1).currency() + " → " + stretch.currency();
                marks.add(new Chart.Mark(
                        "chart-break", Plot.time(x(stretch.steps().getFirst()), label, false)));
            }
        }
        return marks;
    }

    private List<Chart.Tick> dateTicks() {
        var step = DATE_STEPS.stream()
                .filter(candidate -> (end - begin) / candidate.seconds() <= MAX_DATES)
                .findFirst()
                .orElse(DATE_STEPS.getLast());
        var format = DateTimeFormatter.ofPattern(step.format(), Locale.ENGLISH);
        var ticks = new ArrayList<Chart.Tick>();
        var last = date(end);
        for (var date = step.firstFrom(date(begin)); !date.isAfter(last); date = step.after(date)) {
            var x = x(date.atStartOfDay(zone).toInstant());
            if (x >= 0 && x <= 100) {
                ticks.add(Plot.time(x, format.format(date), ticks.size() % 2 == 1));
            }
        }
        return ticks;
    }

    private LocalDate date(double second) {
        return Instant.ofEpochSecond((long) second).atZone(zone).toLocalDate();
    }

    private double x(Step step) {
        return x(step.startsAt());
    }

    private double x(Instant instant) {
        return (instant.getEpochSecond() - begin) / (end - begin) * 100;
    }

    /** Between two labelled dates: so many days, or so many months. */
    private record DateStep(int days, int months, String format) {
        private static final double DAYS_OF_A_MONTH = 30.44;

        double seconds() {
            return (days + months * DAYS_OF_A_MONTH) * DAY;
        }

        /** The first multiple of the step that is not before {@code date}. */
        LocalDate firstFrom(LocalDate date) {
            if (days > 0) {
                return LocalDate.ofEpochDay(Math.ceilDiv(date.toEpochDay(), days) * days);
            }
            var month = Math.floorDiv(date.getYear() * 12 + date.getMonthValue() - 1, months) * months;
            var first = LocalDate.of(Math.floorDiv(month, 12), Math.floorMod(month, 12) + 1, 1);
            return first.isBefore(date) ? after(first) : first;
        }

        LocalDate after(LocalDate date) {
            return date.plusDays(days).plusMonths(months);
        }
    }
}
