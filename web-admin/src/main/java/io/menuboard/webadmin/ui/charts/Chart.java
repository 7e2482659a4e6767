package io.menuboard.webadmin.ui.charts;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code components :: chart}, amounts by time. Every {@code at}, {@code x} and {@code y}, {@code width} and
 * {@code height} is a percentage of the plot with a percent sign, from its top left corner, so that the drawing fits every
 * width without a script; {@code d} is a path in a box of 1000 by 1000. {@link Plot} finds these places.
 *
 * @param id tells the ids of its parts apart from those of other charts on the page
 * @param kind CSS class; or empty
 * @param zero where zero is, if a line marks it; or null
 * @param table the same in numbers; null where the page has them elsewhere
 */
public record Chart(
        String id,
        String kind,
        Text text,
        List<Tick> amounts,
        List<Tick> times,
        @Nullable String zero,
        List<Bar> bars,
        List<Line> lines,
        List<Point> points,
        List<Mark> marks,
        @Nullable Table table) {

    private static final int AXIS_PADDING = 14;
    private static final int CHARACTER = 7;

    /** Pixels that the labels of the amounts need. */
    public int axisWidth() {
        var longest = amounts.stream().mapToInt(tick -> tick.label().length()).max();
        return AXIS_PADDING + CHARACTER * longest.orElse(0);
    }

    /** Lines that the legend names. */
    public List<Line> legend() {
        return lines.stream().filter(line -> line.legend() != null).toList();
    }

    /**
     * Words of a chart.
     *
     * @param description for whoever cannot see the chart
     * @param caption below it
     */
    public record Text(String title, String description, String caption) {}

    /**
     * A label on an axis.
     *
     * @param anchor SVG text-anchor of the label
     * @param minor whether a narrow screen leaves it out
     */
    public record Tick(String at, String label, String anchor, boolean minor) {}

    /**
     * One bar.
     *
     * @param label what it stands for, in words
     */
    public record Bar(String x, String y, String width, String height, String label) {}

    /**
     * One line, or a piece of it.
     *
     * @param kind CSS class, which gives the line its colour and its dashes; or empty
     * @param legend null where the chart has no legend
     */
    public record Line(String kind, String d, @Nullable Legend legend) {}

    /** Entry of the legend. */
    public record Legend(String label, String total) {}

    /** A point on a line, with a tooltip. */
    public record Point(String x, String y, String label, boolean planned) {}

    /**
     * A labelled upright line.
     *
     * @param kind CSS class
     */
    public record Mark(String kind, Tick tick) {}

    /**
     * What is drawn, in numbers.
     *
     * @param columns first that of the times
     * @param rows each with a cell for each column
     */
    public record Table(String label, List<String> columns, List<List<String>> rows) {}
}
