package io.menuboard.webadmin.ui.charts;

import java.util.List;

/**
 * View model of {@code components :: bars}, amounts by time. Places are as in {@link Chart}.
 *
 * @param id tells the ids of its parts apart from those of other drawings on the page
 * @param zero where zero is, from the top
 */
public record BarChart(
        String id,
        String title,
        String description,
        String caption,
        int axisWidth,
        List<Chart.Tick> amounts,
        List<Chart.Tick> times,
        String zero,
        List<Bar> bars) {

    /**
     * One bar.
     *
     * @param label what it stands for, in words
     */
    public record Bar(String x, String y, String width, String height, String label) {}
}
