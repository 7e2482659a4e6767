package io.menuboard.webadmin.ui.charts;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/**
 * Finds the places of what a {@link Chart} draws. Amounts go up by a scale; times go from 0 at the left to 100 at the right.
 */
public final class Plot {
    private static final double TOP = 10;
    private static final double FLOOR = 86;
    private static final double EDGE = 8;
    private static final double BAR = 0.6;

    private final AmountScale scale;

    public Plot(AmountScale scale) {
        this.scale = scale;
    }

    /** An amount at a time, which is from 0 to 100. */
    public record Spot(double x, BigDecimal amount) {}

    /**
     * Labels of the amounts that have a line across the plot.
     *
     * @param label of an amount, given the most decimals that one of them has
     */
    public List<Chart.Tick> amounts(BiFunction<BigDecimal, Integer, String> label) {
        var decimals = scale.ticks().stream().mapToInt(BigDecimal::scale).max().orElse(0);
        return scale.ticks().stream()
                .map(amount -> new Chart.Tick(percent(y(amount)), label.apply(amount, decimals), "end", false))
                .toList();
    }

    /** A label at a time, kept inside the plot. */
    public static Chart.Tick time(double x, String label, boolean minor) {
        return new Chart.Tick(percent(x), label, x < EDGE ? "start" : x > 100 - EDGE ? "end" : "middle", minor);
    }

    /** The label of a bar among so many. */
    public static Chart.Tick time(int bar, int bars, String label, boolean minor) {
        var slot = 100.0 / bars;
        var x = (bar + 0.5) * slot;
        return slot > EDGE ? new Chart.Tick(percent(x), label, "middle", minor) : time(x, label, minor);
    }

    /** One of so many bars side by side, from zero up or down. */
    public Chart.Bar bar(int bar, int bars, BigDecimal amount, String label) {
        var slot = 100.0 / bars;
        var zero = y(BigDecimal.ZERO);
        var end = y(amount);
        return new Chart.Bar(
                percent((bar + (1 - BAR) / 2) * slot),
                percent(Math.min(zero, end)),
                percent(BAR * slot),
                percent(Math.abs(zero - end)),
                label);
    }

    /** Where bars begin. */
    public String zero() {
        return percent(y(BigDecimal.ZERO));
    }

    public Chart.Point point(Spot spot, String label, boolean planned) {
        return new Chart.Point(percent(spot.x()), percent(y(spot.amount())), label, planned);
    }

    /**
     * Path straight from spot to spot.
     *
     * @param spots at least one
     */
    public String straight(List<Spot> spots) {
        var path = new StringBuilder();
        for (var spot : spots) {
            path.append(path.isEmpty() ? "M" : "L").append(place(spot));
        }
        return path.toString();
    }

    /**
     * Path that keeps the amount of each spot up to the next one.
     *
     * @param spots at least one
     * @param until where the last one ends
     */
    public String stepped(List<Spot> spots, double until) {
        var path = new StringBuilder("M").append(place(spots.getFirst()));
        for (var spot : spots.subList(1, spots.size())) {
            path.append("H").append(coordinate(spot.x())).append("V").append(coordinate(y(spot.amount())));
        }
        return path.append("H").append(coordinate(until)).toString();
    }

    private String place(Spot spot) {
        return coordinate(spot.x()) + " " + coordinate(y(spot.amount()));
    }

    private double y(BigDecimal amount) {
        return FLOOR - scale.share(amount) * (FLOOR - TOP);
    }

    private static String percent(double value) {
        return String.format(Locale.ROOT, "%.2f%%", value);
    }

    /** In the box of 1000 by 1000. */
    private static String coordinate(double percent) {
        return String.format(Locale.ROOT, "%.1f", percent * 10);
    }
}
