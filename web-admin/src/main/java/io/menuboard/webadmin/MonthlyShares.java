package io.menuboard.webadmin;

import io.menuboard.billing.Reports;
import io.menuboard.billing.Totals;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.YearMonth;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Draws what an agency's share was in each of some months, in one currency. */
final class MonthlyShares {
    private static final double TOP = 10;
    private static final double FLOOR = 86;
    private static final double BAR = 0.6;
    private static final int STEPS = 4;
    private static final DateTimeFormatter MONTH = DateTimeFormatter.ofPattern("MMM", Locale.ENGLISH);

    private final Currency currency;
    private final Amounts amounts;
    private final List<YearMonth> months;
    private final List<BigDecimal> shares;
    private final BigDecimal step;
    private final BigDecimal low;
    private final BigDecimal high;

    private MonthlyShares(Currency currency, List<Reports.Statement> statements, Amounts amounts) {
        this.currency = currency;
        this.amounts = amounts;
        this.months = statements.stream().map(Reports.Statement::month).toList();
        this.shares =
                statements.stream().map(statement -> share(statement, currency)).toList();
        var lowest = Collections.min(shares).min(BigDecimal.ZERO);
        var highest = Collections.max(shares).max(BigDecimal.ZERO);
        var span = highest.subtract(lowest);
        this.step = span.signum() == 0
                ? BigDecimal.ONE
                : AmountScale.roundFrom(span.divide(BigDecimal.valueOf(STEPS), MathContext.DECIMAL64));
        this.low = lowest.divide(step, 0, RoundingMode.FLOOR).multiply(step);
        this.high = highest.divide(step, 0, RoundingMode.CEILING).multiply(step).max(low.add(step));
    }

    /**
     * One drawing for each currency that it has a share in, by code.
     *
     * @param statements of months in their order, at least one
     */
    static List<BarChart> draw(List<Reports.Statement> statements, Amounts amounts) {
        return statements.stream()
                .flatMap(statement -> statement.totals().stream())
                .filter(totals -> totals.agencyShare().signum() != 0)
                .map(Totals::currency)
                .distinct()
                .sorted(Comparator.comparing(Currency::getCurrencyCode))
                .map(currency -> new MonthlyShares(currency, statements, amounts).draw())
                .toList();
    }

    private static BigDecimal share(Reports.Statement statement, Currency currency) {
        return statement.totals().stream()
                .filter(totals -> totals.currency().equals(currency))
                .map(Totals::agencyShare)
                .findFirst()
                .orElse(BigDecimal.ZERO);
    }

    private BarChart draw() {
        var ticks = ticks();
        return new BarChart(
                "shares-" + currency.getCurrencyCode(),
                "Agency’s share by month, " + currency.getCurrencyCode(),
                description(),
                "Its share in " + currency.getCurrencyCode() + ", by month of UTC: "
                        + BillingWords.month(months.getFirst()) + " to " + BillingWords.month(months.getLast()) + ".",
                14
                        + 7
                                * ticks.stream()
                                        .mapToInt(tick -> tick.label().length())
                                        .max()
                                        .orElse(0),
                ticks,
                monthTicks(),
                percent(y(BigDecimal.ZERO)),
                IntStream.range(0, months.size())
                        .filter(i -> shares.get(i).signum() != 0)
                        .mapToObj(this::bar)
                        .toList());
    }

    private String description() {
        var highest = Collections.max(shares);
        var last = shares.getLast();
        return "A bar for each month. Highest: " + amounts.of(highest, currency) + " in "
                + BillingWords.month(months.get(shares.indexOf(highest))) + ". Last: " + amounts.of(last, currency)
                + " in "
                + BillingWords.month(months.getLast()) + ". The table below has every month.";
    }

    private List<Chart.Tick> ticks() {
        var decimals = Math.max(0, step.stripTrailingZeros().scale());
        var ticks = new ArrayList<Chart.Tick>();
        for (var tick = low; tick.compareTo(high) <= 0; tick = tick.add(step)) {
            ticks.add(new Chart.Tick(percent(y(tick)), amounts.number(tick, decimals), "end", false));
        }
        return ticks;
    }

    private List<Chart.Tick> monthTicks() {
        return IntStream.range(0, months.size())
                .mapToObj(i ->
                        new Chart.Tick(percent((i + 0.5) * slot()), MONTH.format(months.get(i)), "middle", i % 2 == 1))
                .toList();
    }

    private BarChart.Bar bar(int i) {
        var share = shares.get(i);
        var zero = y(BigDecimal.ZERO);
        var end = y(share);
        return new BarChart.Bar(
                percent((i + (1 - BAR) / 2) * slot()),
                percent(Math.min(zero, end)),
                percent(BAR * slot()),
                percent(Math.abs(zero - end)),
                BillingWords.month(months.get(i)) + ": " + amounts.of(share, currency));
    }

    private double slot() {
        return 100.0 / months.size();
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
