package io.menuboard.favorites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.menuboard.kernel.InvalidInput;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpanTest {
    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            ALL_TIME,      2036-06-15T12:34:56.789Z, -,                    -,                    all
            DAY,           2036-06-15T12:34:56.789Z, 2036-06-15T00:00:00Z, 2036-06-16T00:00:00Z, day:2036-06-15
            DAY,           2036-06-15T23:59:59.999Z, 2036-06-15T00:00:00Z, 2036-06-16T00:00:00Z, day:2036-06-15
            WEEK,          2036-06-15T12:34:56.789Z, 2036-06-09T00:00:00Z, 2036-06-16T00:00:00Z, week:2036-W24
            WEEK,          2036-06-16T00:00:00Z,     2036-06-16T00:00:00Z, 2036-06-23T00:00:00Z, week:2036-W25
            WEEK,          2027-01-03T23:00:00Z,     2026-12-28T00:00:00Z, 2027-01-04T00:00:00Z, week:2026-W53
            MONTH,         2036-02-29T12:34:56.789Z, 2036-02-01T00:00:00Z, 2036-03-01T00:00:00Z, month:2036-02
            LAST_24_HOURS, 2036-06-15T12:34:56.789Z, 2036-06-14T13:00:00Z, -,                    24h
            LAST_7_DAYS,   2036-06-15T12:34:56.789Z, 2036-06-09T00:00:00Z, -,                    7d
            LAST_30_DAYS,  2036-06-15T12:34:56.789Z, 2036-05-17T00:00:00Z, -,                    30d
            """)
    void windowsAreOfUtc(FavoriteWindow window, Instant now, Instant from, Instant to, String key) {
        var span = Span.at(window, now);

        assertThat(span).isEqualTo(new Span(window, from, to));
        assertThat(span.key()).isEqualTo(key);
        assertThat(span.contains(now)).isTrue();
    }

    @Property
    void daysWeeksAndMonthsFollowEachOtherWithoutGaps(@ForAll @LongRange(min = 0, max = 100_000) long day) {
        for (var window : FavoriteWindow.values()) {
            if (window.isCalendar()) {
                var span = Span.on(window, LocalDate.ofEpochDay(day));
                var next = span.next().orElseThrow();

                assertThat(next.from()).isEqualTo(span.to());
                assertThat(next.previous()).contains(span);
                assertThat(next.key()).isGreaterThan(span.key());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"DAY, 9998-12-31", "WEEK, 9998-12-28", "MONTH, 9998-12-01"})
    void noneFollowsTheLastOne(FavoriteWindow window, LocalDate last) {
        assertThat(Span.on(window, last).next()).isEmpty();
        assertThat(Span.on(window, last).previous()).isPresent();
        assertThat(Span.on(window, last.minusDays(1)).next()).contains(Span.on(window, last));
    }

    /** What a rollup says a window has is what the window has. */
    @Property
    void aRollupCountsAMarkInTheWindowsThatHaveIt(
            @ForAll @LongRange(min = 0, max = 45L * 86_400) long secondsAgo,
            @ForAll @LongRange(min = 2_000_000_000, max = 2_100_000_000) long second) {
        var now = Instant.ofEpochSecond(second);
        var created = now.minusSeconds(secondsAgo);
        var event = new MarkEvent(new RestaurantId("r"), MarkEvent.Kind.MADE, 1, created, created);
        var rollup = Rollup.NOTHING.plus(List.of(event), now);

        for (var window : FavoriteWindow.values()) {
            var span = Span.at(window, now);
            assertThat(rollup.count(span)).as("%s", span).isEqualTo(span.contains(created) ? 1 : 0);
            rollup.changes(span).ifPresent(changes -> {
                assertThat(changes).isAfter(now);
                assertThat(rollup.count(Span.at(window, changes.minusMillis(1))))
                        .isEqualTo(1);
                assertThat(rollup.count(Span.at(window, changes))).isZero();
            });
        }
        for (var back = 0; back < 3; back++) {
            var earlier = Span.on(FavoriteWindow.WEEK, Rollup.day(now.minus(Duration.ofDays(7L * back))));
            assertThat(Rollup.knows(earlier, now)).isTrue();
            assertThat(rollup.count(earlier)).isEqualTo(earlier.contains(created) ? 1 : 0);
        }
    }

    @ParameterizedTest
    @CsvSource({"ALL_TIME", "LAST_24_HOURS", "LAST_7_DAYS", "LAST_30_DAYS"})
    void whatIsNoPartOfTheCalendarHasNoDay(FavoriteWindow window) {
        assertThatExceptionOfType(InvalidInput.class)
                .isThrownBy(() -> Span.on(window, LocalDate.EPOCH))
                .returns("INVALID_DAY", InvalidInput::code)
                .returns("on", InvalidInput::field);
    }
}
