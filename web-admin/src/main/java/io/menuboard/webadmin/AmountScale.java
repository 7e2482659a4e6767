package io.menuboard.webadmin;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Where amounts stand between the floor (0) and the top (1) of a drawing, and which round numbers get a line across it.
 *
 * <p>Logarithmic where the highest amount is more than {@value #LOGARITHMIC_FROM} times the lowest that is not zero, else
 * small ones would lie flat on the floor; amounts of zero then stand on the floor.
 */
record AmountScale(double low, double high, boolean logarithmic, List<BigDecimal> ticks) {
    private static final double LOGARITHMIC_FROM = 20;
    private static final int MAX_TICKS = 6;
    private static final List<BigDecimal> ROUND = List.of(BigDecimal.ONE, BigDecimal.TWO, BigDecimal.valueOf(5));

    /** @param amounts at least one, none negative */
    static AmountScale of(Collection<BigDecimal> amounts) {
        var highest =
                amounts.stream().mapToDouble(BigDecimal::doubleValue).max().orElseThrow();
        var lowest = amounts.stream().mapToDouble(BigDecimal::doubleValue).min().orElseThrow();
        var lowestAboveZero = amounts.stream()
                .mapToDouble(BigDecimal::doubleValue)
                .filter(amount -> amount > 0)
                .min()
                .orElse(highest);
        return highest > lowestAboveZero * LOGARITHMIC_FROM
                ? logarithmic(lowestAboveZero, highest, lowest == 0)
                : linear(lowest, highest);
    }

    /** 0 to 1. */
    double share(BigDecimal amount) {
        var value = amount.doubleValue();
        if (!logarithmic) {
            return (value - low) / (high - low);
        }
        return value <= low ? 0 : Math.log(value / low) / Math.log(high / low);
    }

    /** Lines at multiples of a round step, the outermost ones around all amounts. */
    private static AmountScale linear(double lowest, double highest) {
        var room = highest > lowest ? highest - lowest : Math.max(highest / 5, 1e-3);
        var step = roundFrom(BigDecimal.valueOf(room / (MAX_TICKS - 2)));
        var first = highest > lowest
                ? multiple(lowest, step, RoundingMode.FLOOR)
                : multiple(lowest - room / 2, step, RoundingMode.FLOOR).max(BigDecimal.ZERO);
        var last = highest > lowest
                ? multiple(highest, step, RoundingMode.CEILING)
                : multiple(highest + room / 2, step, RoundingMode.CEILING);
        var ticks = new ArrayList<BigDecimal>();
        for (var tick = first; tick.compareTo(last) <= 0; tick = tick.add(step)) {
            ticks.add(tick);
        }
        return new AmountScale(first.doubleValue(), last.doubleValue(), false, ticks);
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
    private static BigDecimal roundFrom(BigDecimal least) {
        var power = (int) Math.floor(Math.log10(least.doubleValue()));
        return ROUND.stream()
                .map(factor -> factor.scaleByPowerOfTen(power))
                .filter(step -> step.compareTo(least) >= 0)
                .findFirst()
                .map(AmountScale::plain)
                .orElseGet(() -> plain(BigDecimal.ONE.scaleByPowerOfTen(power + 1)));
    }

    private static BigDecimal multiple(double value, BigDecimal step, RoundingMode rounding) {
        return BigDecimal.valueOf(value).divide(step, 0, rounding).multiply(step);
    }

    /** Without a negative scale, which would be taken for an exponent. */
    private static BigDecimal plain(BigDecimal number) {
        return number.scale() < 0 ? number.setScale(0) : number;
    }
}
