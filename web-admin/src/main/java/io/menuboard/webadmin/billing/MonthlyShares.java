package io.menuboard.webadmin.billing;

import io.menuboard.billing.reports.Reports;
import io.menuboard.billing.reports.Totals;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.charts.AmountScale;
import io.menuboard.webadmin.ui.charts.Chart;
import io.menuboard.webadmin.ui.charts.Plot;
import java.math.BigDecimal;
import java.time.YearMonth;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.Comparator;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Draws what an agency's share was in each of some months, in one currency. */
final class MonthlyShares {
    private static final DateTimeFormatter MONTH = DateTimeFormatter.ofPattern("MMM", Locale.ENGLISH);

    private final Currency currency;
    private final Amounts amounts;
    private final List<YearMonth> months;
    private final List<BigDecimal> shares;
    private final Plot plot;

    private MonthlyShares(Currency currency, List<Reports.Statement> statements, Amounts amounts) {
        this.currency = currency;
        this.amounts = amounts;
        this.months = statements.stream().map(Reports.Statement::month).toList();
        this.shares =
                statements.stream().map(statement -> share(statement, currency)).toList();
        this.plot = new Plot(AmountScale.fromZero(shares, BigDecimal.ZERO));
    }

    /**
     * One drawing for each currency that it has a share in, by code.
     *
     * @param statements of months in their order, at least one
     */
    static List<Chart> draw(List<Reports.Statement> statements, Amounts amounts) {
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

    private Chart draw() {
        return new Chart(
                "shares-" + currency.getCurrencyCode(),
                "chart-bars",
                new Chart.Text(
                        "Agency’s share by month, " + currency.getCurrencyCode(),
                        description(),
                        "Its share in " + currency.getCurrencyCode() + ", by month of UTC: "
                                + Moments.month(months.getFirst()) + " to " + Moments.month(months.getLast()) + "."),
                plot.amounts(amounts::number),
                monthTicks(),
                plot.zero(),
                IntStream.range(0, months.size())
                        .filter(i -> shares.get(i).signum() != 0)
                        .mapToObj(this::bar)
                        .toList(),
                List.of(),
                List.of(),
                List.of(),
                null);
    }

    private String description() {
        var highest = Collections.max(shares);
        var last = shares.getLast();
        return "A bar for each month. Highest: " + amounts.of(highest, currency) + " in "
                + Moments.month(months.get(shares.indexOf(highest))) + ". Last: " + amounts.of(last, currency)
                + " in "
                + Moments.month(months.getLast()) + ". The table below has every month.";
    }

    private List<Chart.Tick> monthTicks() {
        return IntStream.range(0, months.size())
                .mapToObj(i -> Plot.time(i, months.size(), MONTH.format(months.get(i)), i % 2 == 1))
                .toList();
    }

    private Chart.Bar bar(int i) {
        return plot.bar(
                i,
                months.size(),
                shares.get(i),
                Moments.month(months.get(i)) + ": " + amounts.of(shares.get(i), currency));
    }
}
