package io.menuboard.webadmin.billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.billing.reports.RunId;
import io.menuboard.billing.transactions.AgencyId;
import java.math.BigDecimal;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BillingWordsTest {

    @ParameterizedTest
    @CsvSource({
        "202611220600-202611220700, 2026-11-22 06:00–07:00 UTC",
        "202611222345-202611230000, 2026-11-22 23:45–24:00 UTC",
        "202611222345-202611230015, 2026-11-22 23:45 – 2026-11-23 00:15 UTC",
        "202611220000-202611230000, 2026-11-22 00:00–24:00 UTC"
    })
    void writesRangesWithTheDaysThatTheyNeed(String run, String range) {
        assertThat(BillingWords.range(RunId.parse(run))).isEqualTo(range);
    }

    @ParameterizedTest
    @CsvSource({"0,0%", "1,100%", "0.15,15%", "0.1,10%", "0.225,22.5%", "0.000001,0.0001%"})
    void writesRatesAsPercents(String rate, String percent) {
        assertThat(BillingWords.percent(new BigDecimal(rate))).isEqualTo(percent);
    }

    @ParameterizedTest
    @CsvSource({"PT15M,15 minutes", "PT1H,1 hour", "PT24H,24 hours", "PT2H30M,2 h 30 min"})
    void writesIntervals(String interval, String words) {
        assertThat(BillingWords.interval(Duration.parse(interval))).isEqualTo(words);
    }

    @Test
    void encodesWhateverIdsHold() {
        assertThat(BillingWords.link(new AgencyId("A/B \"ü\"?")))
                .hasToString("/billing/agencies/A%2FB%20%22%C3%BC%22%3F");
    }
}
