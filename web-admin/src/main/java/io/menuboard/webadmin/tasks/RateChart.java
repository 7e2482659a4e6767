package io.menuboard.webadmin.tasks;

import io.menuboard.webadmin.ui.charts.Chart;
import java.util.List;

/**
 * View model of {@code components :: rates}, lines of counts per minute. Places are as in {@link Chart}.
 *
 * @param minutes what the lines show, in numbers: only minutes in which something happened
 */
record RateChart(
        String title,
        String description,
        String caption,
        int axisWidth,
        List<Chart.Tick> counts,
        List<Chart.Tick> times,
        List<Line> lines,
        List<Minute> minutes) {

    /**
     * One line.
     *
     * @param kind CSS class, which gives the line its colour and its dashes
     * @param d path in a box of 1000 by 1000
     */
    record Line(String kind, String label, String total, String d) {}

    /** Events of one minute. */
    record Minute(String time, String submitted, String completed, String failed) {}
}
