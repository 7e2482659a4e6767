package io.menuboard.webadmin.ui.charts;

import static java.util.Comparator.naturalOrder;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * Scale of amounts between the floor (0) and the top (1) of a drawing, with the round numbers that get a line across it.
 *
 * <p>Logarithmic where the highest amount is more than twenty times the lowest that is not zero, else
 * small ones would lie flat on the floor; amounts of zero then stand on the floor.
 */
public record AmountScale(double low, double high, boolean logarithmic, List<BigDecimal> ticks) {
    private static final BigDecimal LOGARITHMIC_FROM = BigDecimal.valueOf(20);
    private static final int MAX_TICKS = 6;
    private static final BigDecimal STEPS_FROM_ZERO = BigDecimal.valueOf(4);
    private static final List<BigDecimal> ROUND = List.of(BigDecimal.ONE, BigDecimal.TWO, BigDecimal.valueOf(5));

    /**
     * A scale that has room for all of them.
     *
     * @param amounts at least one, none negative
     */
    public static AmountScale of(Collection<BigDecimal> amounts) {
        var highest = Collections.max(amounts);
        var lowest = Collections.min(amounts);
        var lowestAboveZero = amounts.stream()
                .filter(amount -> amount.signum() > 0)
                .min(naturalOrder())
                .orElse(highest);
        return highest.compareTo(lowestAboveZero.multiply(LOGARITHMIC_FROM)) > 0
                ? logarithmic(lowestAboveZero.doubleValue(), highest.doubleValue(), lowest.signum() == 0)
                : linear(lowest, highest);
    }

    /**
     * A linear scale that has room for zero and all of them.
     *
     * @param amounts at least one
     * @param leastStep between two lines
     */
    public static AmountScale fromZero(Collection<BigDecimal> amounts, BigDecimal leastStep) {
        var lowest = Collections.min(amounts).min(BigDecimal.ZERO);
        var highest = Collections.max(amounts).max(BigDecimal.ZERO);
        var span = highest.subtract(lowest);
        return span.signum() == 0
                ? stepped(lowest, BigDecimal.ONE, BigDecimal.ONE)
                : stepped(
                        lowest,
                        highest,
                        roundFrom(span.divide(STEPS_FROM_ZERO, MathContext.DECIMAL64))
                                .max(leastStep));
    }

    /** 0 to 1. */
    public double share(BigDecimal amount) {
        var value = amount.doubleValue();
        if (!logarithmic) {
            return (value - low) / (high - low);
        }
        return value <= low ? 0 : Math.log(value / low) / Math.log(high / low);
    }

    /** Lines at multiples of a round step, the outermost ones around all amounts. */
    private static AmountScale linear(BigDecimal lowest, BigDecimal highest) {
        var even = highest.compareTo(lowest) == 0;
        var around = even ? highest.divide(BigDecimal.TEN, MathContext.DECIMAL64) : BigDecimal.ZERO;
        var low = lowest.subtract(around);
        var high = highest.signum() == 0 ? BigDecimal.ONE : highest.add(around);
        var step = roundFrom(high.subtract(low).divide(BigDecimal.valueOf(MAX_TICKS - 2), MathContext.DECIMAL64));
        return stepped(low, high, step);
    }

    private static AmountScale stepped(BigDecimal low, BigDecimal high, BigDecimal step) {
        var last = high.divide(step, 0, RoundingMode.CEILING).multiply(step);
        var ticks = new ArrayList<BigDecimal>();
        for (var tick = low.divide(step, 0, RoundingMode.FLOOR).multiply(step);
                tick.compareTo(last) <= 0;
                tick = tick.add(step)) {
            ticks.add(tick);
        }
        return new AmountScale(ticks.getFirst().doubleValue(), last.doubleValue(), false, ticks);
    }

    /** Lines at powers of ten, and at twice and five times them where those are few. */
    private static AmountScale logarithmic(double lowest, double highest, boolean withZero) {
        var low = lowest / (withZero ? 4 : 1.3);
        var high = highest * 1.3;
        var ticks = new ArrayList<BigDecimal>();
        var decades = (int) Math.floor(Math.log10(high)) - (int) Math.ceil(Math.log10(low)) + 1;
        var every = Math.ceilDiv(decades, MAX_TICKS);
        var round = decades <= 2 ? ROUND : ROUND.subList(0, 1);
        for (var power = (int) Math.floor(Math.log10(low)); power <= Math.log10(high); power += every) {
            for (var factor : round) {
                var tick = plain(factor.scaleByPowerOfTen(power));
                if (tick.doubleValue() >= low && tick.doubleValue() <= high) {
                    ticks.add(tick);
                }
            }
        }
        if (withZero) {
            ticks.addFirst(BigDecimal.ZERO);
        }
        return new AmountScale(low, high, true, ticks);
    }

    /** The smallest of 1, 2 and 5 times a power of ten that is not below {@code least}. */
    static BigDecimal roundFrom(BigDecimal least) {
        var power = (int) Math.floor(Math.log10(least.doubleValue()));
        return ROUND.stream()
                .map(factor -> factor.scaleByPowerOfTen(power))
                .filter(step -> step.compareTo(least) >= 0)
                .findFirst()
                .map(AmountScale::plain)
                .orElseGet(() -> plain(BigDecimal.ONE.scaleByPowerOfTen(power + 1)));
    }

    /** Without a negative scale, which would be taken for an exponent. */
    private static BigDecimal plain(BigDecimal number) {
        return number.scale() < 0 ? number.setScale(0) : number;
    }
}
