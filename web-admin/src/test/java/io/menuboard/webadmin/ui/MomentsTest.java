package io.menuboard.webadmin.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.kernel.InvalidInput;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MomentsTest {
    private static final Instant NOW = Instant.parse("2026-03-06T13:05:00Z");

    @ParameterizedTest
    @CsvSource({
        "Europe/Berlin, Fri 14:05, UTC+01:00",
        "America/St_Johns, Fri 09:35, UTC-03:30",
        "Pacific/Kiritimati, Sat 03:05, UTC+14:00",
        "Africa/Abidjan, Fri 13:05, UTC"
    })
    void showWhatAStoresClockShows(String zone, String clock, String offset) {
        assertThat(Moments.clock(NOW, ZoneId.of(zone))).isEqualTo(clock);
        assertThat(Moments.offset(NOW, ZoneId.of(zone))).isEqualTo(offset);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-06T13:05:30Z, in a moment",
        "2026-03-06T13:50:00Z, in 45 minutes",
        "2026-03-06T15:05:00Z, in 2 hours",
        "2026-03-08T13:04:59Z, in 47 hours",
        "2026-03-18T13:05:00Z, in 12 days"
    })
    void areAsFarAwayAsPeopleCount(Instant then, String distance) {
        assertThat(Moments.distance(NOW, then)).isEqualTo(distance);
    }

    @ParameterizedTest
    @CsvSource({
        "PT-5S, 0 s",
        "PT119.9S, 119 s",
        "PT2M, 2 min",
        "PT1H59M, 119 min",
        "PT2H, 2 h",
        "PT47H59M, 47 h",
        "PT48H, 2 days"
    })
    void lastAsLongAsPeopleSay(Duration duration, String span) {
        assertThat(Moments.span(duration)).isEqualTo(span);
    }

    @ParameterizedTest
    @CsvSource({
        "PT1S, 1 s",
        "PT1.001S, 2 s",
        "PT119.5S, 2 min",
        "PT2M, 2 min",
        "PT150S, 3 min",
        "PT1H59M30S, 2 h",
        "PT2H1S, 3 h",
        "PT47H59M, 2 days",
        "PT48H1S, 3 days"
    })
    void areWaitedForUntilTheyAreOver(Duration duration, String span) {
        assertThat(Moments.toWait(duration)).isEqualTo(span);
    }

    @Test
    void areRefusedByTheNameOfTheirField() {
        assertThatThrownBy(() -> Moments.parse("at", "tomorrow"))
                .isInstanceOf(InvalidInput.class)
                .hasMessage("at must be a date and time of the years 1 to 9999, such as 2026-03-01T06:00");
    }
}
