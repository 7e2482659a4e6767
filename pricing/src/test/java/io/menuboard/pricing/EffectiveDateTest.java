package io.menuboard.pricing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.kernel.InvalidInput;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public class EffectiveDateTest {
    private static final Instant FROM = Instant.parse("1971-01-01T00:00:00Z");

    @Test
    void isADateAtMidnightAndADateAndTimeOtherwise() {
        assertThat(EffectiveDate.parse("2026-03-01")).hasToString("2026-03-01");
        assertThat(EffectiveDate.parse("2026-03-01T00:00:00")).hasToString("2026-03-01");
        assertThat(EffectiveDate.parse("2026-03-01T06:30")).hasToString("2026-03-01T06:30:00");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026-02-29",
                "2026-3-1",
                "01.03.2026",
                "2026-03-01T25:00",
                "2026-03-01T06:00:00.5",
                "2026-03-01T06:00Z",
                "0000-12-31",
                "+10000-01-01",
                "2026-03-01 "
            })
    void refusesEverythingElse(String text) {
        assertThatThrownBy(() -> EffectiveDate.parse(text)).isInstanceOfSatisfying(InvalidInput.class, refusal -> {
            assertThat(refusal.code()).isEqualTo("INVALID_EFFECTIVE_DATE");
            assertThat(refusal.field()).isEqualTo("effectiveDate");
        });
    }

    @Test
    void midnightIsTheFirstInstantOfTheDayWhereTheClockJumpsOverIt() {
        var saoPaulo = ZoneId.of("America/Sao_Paulo");

        var start = EffectiveDate.parse("2018-11-04").startsAt(saoPaulo);

        assertThat(start).isEqualTo("2018-11-04T03:00:00Z");
        assertThat(start.atZone(saoPaulo).toLocalTime()).hasToString("01:00");
    }

    @Test
    void midnightIsTheFirstOfTwoWhereTheClockShowsItTwice() {
        // On 2010-11-07 at 00:01 the clocks of St. John's went back to 23:01 of the day before.
        var stJohns = ZoneId.of("America/St_Johns");
        var midnight = EffectiveDate.parse("2010-11-07");

        assertThat(midnight.startsAt(stJohns)).isEqualTo("2010-11-07T02:30:00Z");
        assertThat(EffectiveDate.latestAt(Instant.parse("2010-11-07T02:29:59.999Z"), stJohns))
                .isLessThan(midnight);
        assertThat(EffectiveDate.latestAt(Instant.parse("2010-11-07T02:31:30Z"), stJohns))
                .as("the clock shows 23:01:30 again, and the new day has begun all the same")
                .isGreaterThanOrEqualTo(midnight);
    }

    @Test
    void aDayThatAZoneSkippedStartsWithTheNext() {
        var apia = ZoneId.of("Pacific/Apia");

        assertThat(EffectiveDate.parse("2011-12-30").startsAt(apia))
                .isEqualTo(EffectiveDate.parse("2011-12-31").startsAt(apia));
    }

    @Test
    void nothingThatCanBeStoredHasStartedLongBeforeOrIsLeftLongAfter() {
        var utc = ZoneId.of("UTC");

        assertThat(EffectiveDate.latestAt(Instant.MIN, utc)).hasToString("0001-01-01");
        assertThat(EffectiveDate.latestAt(Instant.MAX, utc)).hasToString("9999-12-31T23:59:59");
    }

    @Test
    void startsWithTheLocalDayInEveryZone() {
        for (var id : ZoneId.getAvailableZoneIds()) {
            var zone = ZoneId.of(id);
            for (var day = LocalDate.of(2020, 1, 1); day.getYear() <= 2040; day = day.plusDays(1)) {
                var start = EffectiveDate.startOf(day);

                var instant = start.startsAt(zone);

                if (!instant.equals(day.atStartOfDay(zone).toInstant())
                        || EffectiveDate.latestAt(instant, zone).compareTo(start) < 0
                        || EffectiveDate.latestAt(instant.minusMillis(1), zone).compareTo(start) >= 0) {
                    throw new AssertionError(zone + " " + day);
                }
            }
        }
    }

    @Property(tries = 20_000)
    void countsAtAnInstantExactlyWhenItHasStarted(
            @ForAll("zones") ZoneId zone, @ForAll("localTimes") LocalDateTime local, @ForAll("seconds") long away) {
        var date = new EffectiveDate(local);

        var instant = date.startsAt(zone).plusSeconds(away);

        assertThat(date.compareTo(EffectiveDate.latestAt(instant, zone)) <= 0)
                .as("%s in %s at %s", date, zone, instant)
                .isEqualTo(away >= 0);
    }

    @Property(tries = 5_000)
    void countsExactlyWhenItHasStartedAlsoAroundTheJumpsOfAClock(
            @ForAll("jumps") Jump jump, @ForAll("seconds") long dateAway, @ForAll("seconds") long instantAway) {
        var date = new EffectiveDate(jump.transition().getDateTimeBefore().plusSeconds(dateAway));
        var instant = jump.transition().getInstant().plusSeconds(instantAway);

        assertThat(date.compareTo(EffectiveDate.latestAt(instant, jump.zone())) <= 0)
                .as("%s in %s at %s", date, jump.zone(), instant)
                .isEqualTo(!date.startsAt(jump.zone()).isAfter(instant));
    }

    @Test
    void isTheFirstOfTheTimesThatAClockJumpsOver() {
        var santiago = ZoneId.of("America/Santiago");

        assertThat(EffectiveDate.parse("2027-09-05T00:15").in(santiago)).isEqualTo(EffectiveDate.parse("2027-09-05"));
        assertThat(EffectiveDate.parse("2027-09-05T00:59:59").in(santiago))
                .isEqualTo(EffectiveDate.parse("2027-09-05"));
        assertThat(EffectiveDate.parse("2027-09-05T01:00").in(santiago))
                .as("the first time that there is, at the same instant")
                .isEqualTo(EffectiveDate.parse("2027-09-05"));
        assertThat(EffectiveDate.parse("2027-09-05T01:00:01").in(santiago)).hasToString("2027-09-05T01:00:01");
        assertThat(EffectiveDate.parse("2011-12-30T18:00").in(ZoneId.of("Pacific/Apia")))
                .as("a day that a zone skipped")
                .isEqualTo(EffectiveDate.parse("2011-12-30"));
        assertThat(EffectiveDate.parse("2026-10-25T02:30").in(ZoneId.of("Europe/Berlin")))
                .as("shown twice")
                .hasToString("2026-10-25T02:30:00");
    }

    @Property(tries = 20_000)
    void startsAtTheSameInstantInItsZone(@ForAll("zones") ZoneId zone, @ForAll("localTimes") LocalDateTime local) {
        sameInstant(new EffectiveDate(local), zone);
    }

    @Property(tries = 5_000)
    void startsAtTheSameInstantInItsZoneAlsoAroundTheJumpsOfAClock(
            @ForAll("jumps") Jump jump,
            @ForAll("seconds") long away,
            @ForAll("seconds") long other,
            @ForAll("seconds") long instantAway) {
        var date = new EffectiveDate(jump.transition().getDateTimeBefore().plusSeconds(away));
        var another = new EffectiveDate(jump.transition().getDateTimeBefore().plusSeconds(other));
        var instant = jump.transition().getInstant().plusSeconds(instantAway);

        sameInstant(date, jump.zone());
        assertThat(date.in(jump.zone()).compareTo(EffectiveDate.latestAt(instant, jump.zone())) <= 0)
                .as("%s in %s at %s", date, jump.zone(), instant)
                .isEqualTo(!date.startsAt(jump.zone()).isAfter(instant));
        assertThat(date.in(jump.zone()).equals(another.in(jump.zone())))
                .as("%s and %s in %s", date, another, jump.zone())
                .isEqualTo(date.startsAt(jump.zone()).equals(another.startsAt(jump.zone())));
    }

    private static void sameInstant(EffectiveDate date, ZoneId zone) {
        var canonical = date.in(zone);

        assertThat(canonical.startsAt(zone)).as("%s in %s", date, zone).isEqualTo(date.startsAt(zone));
        assertThat(canonical.in(zone)).isEqualTo(canonical);
        assertThat(canonical).isLessThanOrEqualTo(date);
    }

    @Property(tries = 5_000)
    void textsSortAsTimesDo(@ForAll("localTimes") LocalDateTime one, @ForAll("localTimes") LocalDateTime other) {
        var first = new EffectiveDate(one);
        var second = new EffectiveDate(other);

        assertThat(Integer.signum(first.toString().compareTo(second.toString())))
                .isEqualTo(Integer.signum(first.compareTo(second)));
        assertThat(EffectiveDate.parse(first.toString())).isEqualTo(first);
        assertThat(EffectiveDate.inKey(first.toString())).isEqualTo(first);
    }

    record Jump(ZoneId zone, ZoneOffsetTransition transition) {}

    @Provide
    Arbitrary<ZoneId> zones() {
        return Arbitraries.of(ZoneId.getAvailableZoneIds().stream().sorted().toList())
                .map(ZoneId::of);
    }

    @Provide
    Arbitrary<LocalDateTime> localTimes() {
        // Computed from a number: jqwik's own dates make, and remember, an arbitrary for each value.
        var times = Arbitraries.longs()
                .between(0, LocalDateTime.of(2099, 12, 31, 0, 0).toEpochSecond(ZoneOffset.UTC))
                .withDistribution(RandomDistribution.uniform())
                .map(second -> LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC));
        return Arbitraries.oneOf(times, times.map(time -> time.toLocalDate().atStartOfDay()));
    }

    @Provide
    Arbitrary<Long> seconds() {
        return Arbitraries.oneOf(
                Arbitraries.longs().between(-3, 3), Arbitraries.longs().between(-90_000, 90_000));
    }

    @Provide
    Arbitrary<Jump> jumps() {
        return zones().filter(zone -> zone.getRules().nextTransition(FROM) != null)
                .flatMap(zone -> Arbitraries.of(transitions(zone)).map(transition -> new Jump(zone, transition)));
    }

    private static List<ZoneOffsetTransition> transitions(ZoneId zone) {
        var rules = zone.getRules();
        return Stream.iterate(
                        rules.nextTransition(FROM),
                        transition -> transition != null
                                && transition.getDateTimeAfter().getYear() < 2040,
                        transition -> rules.nextTransition(transition.getInstant()))
                .toList();
    }
}
