package io.menuboard.webadmin.ui.charts;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code components :: chart}. Every {@code x} and {@code y} is a percentage of the plot with a percent
 * sign, from its top left corner, so that the drawing fits every width without a script; {@code d} is a path in a box of
 * 1000 by 1000.
 *
 * @param axisWidth pixels that the labels of the amounts need
 * @param past paths of the prices until now, one for each stretch without a gap or another currency
 * @param future paths of the prices from now on
 * @param now where now is, null where nothing is planned
 */
public record Chart(
        String title,
        String description,
        String caption,
        int axisWidth,
        List<Tick> amounts,
        List<Tick> dates,
        List<String> past,
        List<String> future,
        List<Point> points,
        List<Break> breaks,
        @Nullable Tick now) {

    /**
     * A labelled line across the plot.
     *
     * @param at percentage on its axis
     * @param anchor SVG text-anchor of the label
     * @param minor whether a narrow screen leaves it out
     */
    public record Tick(String at, String label, String anchor, boolean minor) {}

    /** A price's beginning. */
    public record Point(String x, String y, String label, boolean planned) {}

    /** Point at which the currency changed. */
    public record Break(String x, String label, String anchor) {}
}
