package io.menuboard.webadmin.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.EffectiveDate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChangeMomentTest {
    @ParameterizedTest
    @CsvSource({
        "2026-12-01, '', 2026-12-01",
        "01.12.2026, '', 2026-12-01",
        "1.2.2026, 06:30, 2026-02-01T06:30",
    })
    void areReadAsPeopleWriteThem(String date, String time, String meant) {
        assertThat(new ChangeMoment(date, time).effectiveDate()).isEqualTo(EffectiveDate.parse(meant));
    }

    @ParameterizedTest
    @ValueSource(strings = {"12/01/2026", "01.13.2026", "01.12.26", ""})
    void areRefusedWhereTheyMayMeanSomethingElse(String date) {
        assertThatThrownBy(() -> new ChangeMoment(date, "").effectiveDate())
                .isInstanceOf(InvalidInput.class)
                .hasMessage("date must be a date such as 2026-03-01 or 01.03.2026");
    }
}
