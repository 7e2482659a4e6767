package io.menuboard.webadmin.prices;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.pricing.EffectiveDate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EffectiveDatesTest {

    @ParameterizedTest
    @CsvSource({
        "2026-03-01, 2026-03-01",
        "2026-03-01T00:00, 2026-03-01",
        "2026-03-01T06:00, 2026-03-01 06:00",
        "2026-03-01T06:00:07, 2026-03-01 06:00:07"
    })
    void areAsShortAsTheyCanBe(String date, String written) {
        assertThat(EffectiveDates.text(EffectiveDate.parse(date))).isEqualTo(written);
    }

    @ParameterizedTest
    @CsvSource({"2026-03-01", "2026-03-01T00:00", "2026-03-01T06:00", "2026-03-01T06:00:07"})
    void areReadAsFieldsSendThem(String sent) {
        assertThat(EffectiveDates.parse("at", sent)).isEqualTo(EffectiveDate.parse(sent));
    }
}
