package io.menuboard.webadmin.prices;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceVersion;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.charts.Chart;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PriceChartTest {
    /** The first of January 2026 in Berlin. */
    private static final Instant NOW = Instant.parse("2025-12-31T23:00:00Z");

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @Test
    void drawsAStepForEachPriceUntilNow() {
        var chart = draw(price("2024-01-01", "1", "EUR"), price("2025-01-01", "2", "EUR"));

        assertThat(paths(chart, PriceChart.PAST)).containsExactly("M0.0 860.0H500.7V100.0H1000.0");
        assertThat(paths(chart, PriceChart.PLANNED)).isEmpty();
        assertThat(chart.points())
                .extracting(Chart.Point::label)
                .containsExactly("2024-01-01: €1.00", "2025-01-01: €2.00");
        assertThat(chart.marks()).isEmpty();
    }

    @Test
    void drawsFromNowOnWhatIsPlanned() {
        var chart = draw(price("2025-01-01", "1", "EUR"), price("2027-01-01", "2", "EUR"));

        assertThat(paths(chart, PriceChart.PAST)).containsExactly("M0.0 860.0H480.8");
        assertThat(paths(chart, PriceChart.PLANNED)).containsExactly("M480.8 860.0H961.5V100.0H1000.0");
        assertThat(chart.marks())
                .containsExactly(new Chart.Mark("chart-now", new Chart.Tick("48.08%", "Now", "middle", false)));
        assertThat(chart.points()).extracting(Chart.Point::planned).containsExactly(false, true);
        assertThat(chart.text().caption()).contains("Dashed: planned.");
    }

    @Test
    void breaksTheLineWhereTheCurrencyChanges() {
        var chart = draw(
                price("2023-01-01", "1", "EUR"), price("2024-01-01", "1.5", "USD"), price("2025-01-01", "2", "USD"));

        assertThat(paths(chart, PriceChart.PAST)).hasSize(2).allMatch(path -> path.startsWith("M"));
        assertThat(chart.marks()).extracting(mark -> mark.tick().label()).containsExactly("EUR → USD");
        assertThat(chart.text().caption()).contains("the line breaks").doesNotContain("amounts in");
    }

    @Test
    void leavesAGapWhereThereIsNoPrice() {
        var chart = draw(price("2024-01-01", "1", "EUR"), noPrice("2025-01-01"), price("2025-07-02", "2", "EUR"));

        assertThat(paths(chart, PriceChart.PAST)).containsExactly("M0.0 860.0H500.7", "M749.6 100.0H1000.0");
        assertThat(chart.points())
                .extracting(Chart.Point::label)
                .containsExactly("2024-01-01: €1.00", "2025-07-02: €2.00");
        assertThat(chart.marks()).isEmpty();
        assertThat(chart.text().caption()).contains("Where there is no price, there is no line.", "amounts in EUR");
        assertThat(chart.text().description())
                .contains("lowest €1.00, highest €1.00. No price from 2025-01-01 on. 2025-07-02");
    }

    @Test
    void endsTheLineWhereThePriceIsDeleted() {
        var chart = draw(price("2025-01-01", "1", "EUR"), noPrice("2027-01-01"));

        assertThat(paths(chart, PriceChart.PAST)).containsExactly("M0.0 480.0H480.8");
        assertThat(paths(chart, PriceChart.PLANNED)).containsExactly("M480.8 480.0H961.5");
        assertThat(chart.points()).hasSize(1);
    }

    @Test
    void tellsOfTheCurrencyThatCameAfterAGap() {
        var chart = draw(price("2023-01-01", "1", "EUR"), noPrice("2024-01-01"), price("2025-01-01", "2", "USD"));

        assertThat(chart.marks()).extracting(mark -> mark.tick().label()).containsExactly("EUR → USD");
    }

    @Test
    void drawsASinglePriceWheneverItBegins() {
        for (var date : List.of("2020-05-01", "2026-01-01", "2027-05-01")) {
            var chart = draw(price(date, "2.90", "EUR"));

            assertThat(chart.lines()).as(date).hasSize(1);
            assertThat(chart.points()).hasSize(1);
            assertThat(chart.amounts()).hasSizeGreaterThan(1);
        }
    }

    @Test
    void labelsAtMostAHandfulOfDatesHoweverLongTheTimeIs() {
        for (var days : List.of(1, 3, 10, 45, 200, 500, 2000, 10_000, 15_000)) {
            var first = LocalDate.of(2026, 1, 1).minusDays(days);
            var chart = draw(price(first.toString(), "1", "EUR"));

            assertThat(chart.times()).as(days + " days").hasSizeBetween(1, 8).doesNotHaveDuplicates();
        }
    }

    @Test
    void drawsHundredsOfPricesWithoutAPointForEach() {
        var prices = IntStream.range(0, 400)
                .mapToObj(i -> price(LocalDate.of(2024, 1, 1).plusDays(i).toString(), i % 7 + 1 + "", "EUR"))
                .toArray(PriceVersion[]::new);

        var chart = draw(prices);

        assertThat(chart.points()).isEmpty();
        assertThat(paths(chart, PriceChart.PAST)).hasSize(1);
    }

    @Test
    void saysWhatItShowsToWhoeverCannotSeeIt() {
        var chart = draw(
                price("2023-01-01", "3.10", "EUR"),
                price("2024-01-01", "2.90", "EUR"),
                price("2025-01-01", "3", "EUR"));

        assertThat(chart.text().title()).isEqualTo("Price of COFFEE at Berlin");
        assertThat(chart.text().description())
                .isEqualTo("Steps, one for each price. 2023-01-01 to 2025-01-01: lowest €2.90, highest €3.10."
                        + " The table below has every price.");
    }

    private static Chart draw(PriceVersion... versions) {
        return new PriceChart(Arrays.asList(versions), BERLIN, NOW, new Amounts(Locale.US))
                .draw("COFFEE at Berlin", false);
    }

    private static List<String> paths(Chart chart, String kind) {
        return chart.lines().stream()
                .filter(line -> line.kind().equals(kind))
                .map(Chart.Line::d)
                .toList();
    }

    private static PriceVersion price(String date, String amount, String currency) {
        return version(date, new Money(new BigDecimal(amount), Money.currencyOf(currency)));
    }

    private static PriceVersion noPrice(String date) {
        return version(date, null);
    }

    private static PriceVersion version(String date, @Nullable Money price) {
        var from = EffectiveDate.parse(date);
        return new PriceVersion(from, from.startsAt(BERLIN), null, price, null);
    }
}
