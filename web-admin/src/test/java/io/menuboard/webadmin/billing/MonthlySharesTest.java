package io.menuboard.webadmin.billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.billing.reports.Reports;
import io.menuboard.billing.reports.Totals;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.kernel.Money;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.charts.Chart;
import java.math.BigDecimal;
import java.time.YearMonth;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class MonthlySharesTest {
    private static final AgencyId ACME = new AgencyId("acme");
    private static final YearMonth JANUARY = YearMonth.of(2026, 1);

    @Test
    void drawsABarForEachMonthWithAShareAndSaysTheSameInWords() {
        var chart = draw(month(0, eur("100.00")), month(1), month(2, eur("1240.50")))
                .getFirst();

        assertThat(chart.text().title()).isEqualTo("Agency’s share by month, EUR");
        assertThat(chart.text().description())
                .isEqualTo("A bar for each month. Highest: €1,240.50 in March 2026. Last: €1,240.50 in March 2026. "
                        + "The table below has every month.");
        assertThat(chart.text().caption()).isEqualTo("Its share in EUR, by month of UTC: January 2026 to March 2026.");
        assertThat(chart.times()).extracting(Chart.Tick::label).containsExactly("Jan", "Feb", "Mar");
        assertThat(chart.amounts()).extracting(Chart.Tick::label).containsExactly("0", "500", "1,000", "1,500");
        assertThat(chart.bars())
                .extracting(Chart.Bar::label)
                .containsExactly("January 2026: €100.00", "March 2026: €1,240.50");
        assertThat(chart.bars()).extracting(Chart.Bar::x).containsExactly("6.67%", "73.33%");
    }

    @Test
    void drawsBelowZeroWhatWasTakenBack() {
        var chart = draw(month(0, eur("30.00")), month(1, eur("-10.00"))).getFirst();

        assertThat(chart.amounts()).extracting(Chart.Tick::label).containsExactly("-10", "0", "10", "20", "30");
        assertThat(chart.zero()).isEqualTo("67.00%");
        assertThat(chart.bars())
                .containsExactly(
                        new Chart.Bar("10.00%", "10.00%", "30.00%", "57.00%", "January 2026: €30.00"),
                        new Chart.Bar("60.00%", "67.00%", "30.00%", "19.00%", "February 2026: -€10.00"));
    }

    @Test
    void drawsEachCurrencyByItself() {
        var charts = draw(month(0, sum("USD", "20.00"), eur("0.02")), month(1, sum("JPY", "450")));

        assertThat(charts).extracting(Chart::id).containsExactly("shares-EUR", "shares-JPY", "shares-USD");
        assertThat(charts.getFirst().amounts())
                .extracting(Chart.Tick::label)
                .containsExactly("0.000", "0.005", "0.010", "0.015", "0.020");
    }

    @Test
    void drawsNothingWhereThereIsNoShare() {
        assertThat(draw(month(0), month(1, eur("0.00")))).isEmpty();
    }

    private static List<Chart> draw(Reports.Statement... statements) {
        return MonthlyShares.draw(List.of(statements), new Amounts(Locale.ENGLISH));
    }

    private static Reports.Statement month(int number, Totals... totals) {
        return new Reports.Statement(ACME, JANUARY.plusMonths(number), List.of(), List.of(totals));
    }

    private static Totals eur(String share) {
        return sum("EUR", share);
    }

    private static Totals sum(String currency, String share) {
        return new Totals(1, 0, Money.currencyOf(currency), new BigDecimal("9999"), new BigDecimal(share));
    }
}
