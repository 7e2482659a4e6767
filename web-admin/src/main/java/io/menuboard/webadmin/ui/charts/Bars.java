package io.menuboard.webadmin.ui.charts;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/** Places of the bars of a {@link BarChart}, one for each of some amounts, from zero up or down. */
public final class Bars {
    private static final double TOP = 10;
    private static final double FLOOR = 86;
    private static final double BAR = 0.6;
    private static final double EDGE = 5;
    private static final int STEPS = 4;

    private final List<BigDecimal> amounts;
    private final BigDecimal step;
    private final BigDecimal low;
    private final BigDecimal high;

    /**
     * Bars as high as these amounts.
     *
     * @param amounts at least one
     * @param leastStep of the lines across the drawing
     */
    public Bars(List<BigDecimal> amounts, BigDecimal leastStep) {
        this.amounts = amounts;
        var lowest = Collections.min(amounts).min(BigDecimal.ZERO);
        var highest = Collections.max(amounts).max(BigDecimal.ZERO);
        var span = highest.subtract(lowest);
        this.step = span.signum() == 0
                ? BigDecimal.ONE
                : AmountScale.roundFrom(span.divide(BigDecimal.valueOf(STEPS), MathContext.DECIMAL64))
                        .max(leastStep);
        this.low = lowest.divide(step, 0, RoundingMode.FLOOR).multiply(step);
        this.high = highest.divide(step, 0, RoundingMode.CEILING).multiply(step).max(low.add(step));
    }

    /**
     * Labels of the axis.
     *
     * @param label of an amount with so many decimals
     */
    public List<Chart.Tick> ticks(BiFunction<BigDecimal, Integer, String> label) {
        var decimals = Math.max(0, step.stripTrailingZeros().scale());
        var ticks = new ArrayList<Chart.Tick>();
        for (var tick = low; tick.compareTo(high) <= 0; tick = tick.add(step)) {
            ticks.add(new Chart.Tick(percent(y(tick)), label.apply(tick, decimals), "end", false));
        }
        return ticks;
    }

    /** Pixels that labels need. */
    public static int axisWidth(List<Chart.Tick> ticks) {
        return 14
                + 7
                        * ticks.stream()
                                .mapToInt(tick -> tick.label().length())
                                .max()
                                .orElse(0);
    }

    /** The label below a bar. */
    public Chart.Tick below(int i, String label, boolean minor) {
        var x = (i + 0.5) * slot();
        var anchor = x < EDGE ? "start" : x > 100 - EDGE ? "end" : "middle";
        return new Chart.Tick(percent(x), label, slot() > EDGE ? "middle" : anchor, minor);
    }

    public BarChart.Bar bar(int i, String label) {
        var zero = y(BigDecimal.ZERO);
        var end = y(amounts.get(i));
        return new BarChart.Bar(
                percent((i + (1 - BAR) / 2) * slot()),
                percent(Math.min(zero, end)),
                percent(BAR * slot()),
                percent(Math.abs(zero - end)),
                label);
    }

    public String zero() {
        return percent(y(BigDecimal.ZERO));
    }

    private double slot() {
        return 100.0 / amounts.size();
    }

    private double y(BigDecimal amount) {
        return FLOOR
                - (FLOOR - TOP)
                        * amount.subtract(low).doubleValue()
                        / high.subtract(low).doubleValue();
    }

    private static String percent(double value) {
        return String.format(Locale.ROOT, "%.2f%%", value);
    }
}
