package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.PricingFixture.FULL_SOAK;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDateTest;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.TableDefinition;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A price is the new one from the first instant of the local day on, and the old one a millisecond before, though nothing
 * is ever applied: there are no schedules, consumers or tasks here, and no history is written. One store for each clock that
 * an IANA time zone shows, each with changes from every midnight of 2020 to 2040 on that it jumps at or over, and from some
 * others on. {@code -Dsoak=full} has a store for every name of a zone, and adds the midnights before and after every other
 * jump of a clock. {@link EffectiveDateTest} has the calculation for every midnight there is.
 */
class MidnightsTest {
    private static final LocalDate FIRST = LocalDate.of(2020, 1, 1);
    private static final LocalDate LAST = LocalDate.of(2040, 12, 31);
    private static final String PRODUCT = "BURGER";
    private static final String BEFORE_ALL = "1.00";
    private static final int OTHER_DAYS = 40;
    private static final int OTHERS_OF_EACH = 2;
    private static final int ACROSS_STORES = 40;

    private final LocalDynamoDb dynamoDb = LocalDynamoDb.inMemory();
    private final MovingClock clock = new MovingClock();
    private final Random random = new Random(2_020);
    private ChangesFixture fixture;

    @BeforeEach
    void open() {
        var table = TableDefinition.menuboard("midnights");
        LocalTables.create(dynamoDb, table);
        clock.set(Instant.parse("2019-12-01T12:00:00Z"));
        fixture = new ChangesFixture(
                LocalTables.queryDb(dynamoDb.directClient(), table, clock),
                clock,
                1_000,
                // Longer than usual: DynamoDB Local deletes what has expired by the wall clock.
                Duration.ofDays(36_500));
    }

    @AfterEach
    void close() {
        fixture.close();
        dynamoDb.close();
    }

    @Test
    void changeThePriceAtTheirFirstInstantInEveryZoneWithoutBeingApplied() {
        var places = openStores();

        schedule(places);

        var wrong = new ArrayList<String>();
        for (var place : places) {
            for (var day : place.days()) {
                var begin = day.atStartOfDay(place.zone());
                var end = begin.minusNanos(1_000_000);
                assertThat(begin.toLocalDate()).isEqualTo(day);
                assertThat(end.toLocalDate()).isBefore(day);
                check(place, begin.toInstant(), amount(day), wrong);
                check(place, end.toInstant(), place.amountBefore(day), wrong);
            }
        }
        assertThat(wrong).isEmpty();
        checkAcrossStores(places);
        assertThat(places).allSatisfy(place -> assertThat(fixture.history(place.id(), PRODUCT))
                .isEmpty());
    }

    @Test
    void areFoundWhereClocksJumpAtThem() {
        // At 24:00 of 4 April 2020 the clocks of Santiago went back to 23:00; at 24:00 of 5 September on to 01:00.
        assertThat(jumpsAtMidnight(ZoneId.of("America/Santiago")))
                .contains(LocalDate.of(2020, 4, 5), LocalDate.of(2020, 9, 6));
        assertThat(jumpsAtMidnight(ZoneId.of("Europe/Berlin"))).isEmpty();
    }

    /** A store, and from which days on its price changes. */
    private record Place(Store store, NavigableSet<LocalDate> days) {
        String id() {
            return store.id().value();
        }

        ZoneId zone() {
            return store.timeZone();
        }

        String amountBefore(LocalDate day) {
            var before = days.lower(day);
            return before == null ? BEFORE_ALL : amount(before);
        }

        String amountAt(Instant instant) {
            return days.descendingSet().stream()
                    .filter(day -> !day.atStartOfDay(zone()).toInstant().isAfter(instant))
                    .findFirst()
                    .map(MidnightsTest::amount)
                    .orElse(BEFORE_ALL);
        }
    }

    private List<Place> openStores() {
        var others = random.ints(OTHER_DAYS, 0, (int) (LAST.toEpochDay() - FIRST.toEpochDay()))
                .mapToObj(FIRST::plusDays)
                .toList();
        var places = new ArrayList<Place>();
        zones().forEach(zone -> {
            var days = new TreeSet<>(FULL_SOAK ? aroundJumps(zone) : jumpsAtMidnight(zone));
            for (var i = 0; i < OTHERS_OF_EACH; i++) {
                days.add(others.get(random.nextInt(others.size())));
            }
            var id = "S%04d".formatted(places.size());
            places.add(new Place(
                    aStore(id).named(id).in("", "").onTheClockOf(zone.getId()).build(), days));
        });
        fixture.stores.save(EVERYTHING, places.stream().map(Place::store).toList());
        fixture.load(places.stream()
                .<Price>map(place -> price(place.store(), "ALL", PRODUCT, "2000-01-01", BEFORE_ALL))
                .toList());
        return places;
    }

    /** Those that show the same from {@link #FIRST} to {@link #LAST} only once, except in a soak. */
    private static List<ZoneId> zones() {
        var clocks = new HashSet<List<Object>>();
        return ZoneId.getAvailableZoneIds().stream()
                .sorted()
                .map(ZoneId::of)
                .filter(zone -> FULL_SOAK
                        || clocks.add(List.of(offsetAtFirst(zone), jumps(zone).toList())))
                .toList();
    }

    private static ZoneOffset offsetAtFirst(ZoneId zone) {
        return zone.getRules().getOffset(FIRST.atStartOfDay());
    }

    /** One set for each day, in any order. */
    private void schedule(List<Place> places) {
        var days = new ArrayList<>(new TreeSet<>(
                places.stream().flatMap(place -> place.days().stream()).toList()));
        Collections.shuffle(days, random);
        for (var day : days) {
            var stores = places.stream()
                    .filter(place -> place.days().contains(day))
                    .map(Place::id)
                    .toList();

            var set = fixture.applied(draft(day.toString(), rule(setTo(amount(day)), stores, PRODUCT)));

            assertThat(set.status()).isEqualTo(ChangeSetStatus.SCHEDULED);
            assertThat(set.failed()).isZero();
        }
    }

    private void check(Place place, Instant at, String amount, List<String> wrong) {
        var one = fixture.price(place.id(), PRODUCT, at.toString());
        var page = fixture
                .pricing
                .basePrices(EVERYTHING, place.store().id(), Channel.ALL, null, at, PageRequest.forward(64, null))
                .nodes()
                .stream()
                .map(price -> price.price().amount().toPlainString())
                .toList();
        if (!one.equals(amount) || !page.equals(List.of(amount))) {
            wrong.add("%s at %s costs %s and %s, not %s".formatted(place.zone(), at, one, page, amount));
        }
    }

    /** What it costs in all stores at one instant, at which some are in the next day already. */
    private void checkAcrossStores(List<Place> places) {
        for (var i = 0; i < ACROSS_STORES; i++) {
            var place = places.get(random.nextInt(places.size()));
            var days = List.copyOf(place.days());
            var at = days.get(random.nextInt(days.size()))
                    .atStartOfDay(place.zone())
                    .toInstant();

            var amounts = fixture
                    .pricing
                    .basePricesByProduct(EVERYTHING, new ProductId(PRODUCT), Channel.ALL, at, ChangesFixture.PAGE)
                    .nodes()
                    .stream()
                    .collect(toMap(
                            price -> price.store().id().value(),
                            price -> price.price().amount().toPlainString()));

            assertThat(amounts)
                    .as("at %s", at)
                    .isEqualTo(places.stream().collect(toMap(Place::id, each -> each.amountAt(at))));
        }
    }

    private static String amount(LocalDate day) {
        return BigDecimal.valueOf(day.toEpochDay(), 2).toPlainString();
    }

    /** Days whose midnight a clock does not show, shows twice, or leaves as soon as it comes to it. */
    private static List<LocalDate> jumpsAtMidnight(ZoneId zone) {
        return jumps(zone)
                .filter(jump -> !later(jump)
                        .atStartOfDay()
                        .isBefore(jump.isGap() ? jump.getDateTimeBefore() : jump.getDateTimeAfter()))
                .map(MidnightsTest::later)
                .toList();
    }

    private static List<LocalDate> aroundJumps(ZoneId zone) {
        return jumps(zone)
                .flatMap(jump -> Stream.of(later(jump), later(jump).plusDays(1)))
                .filter(day -> !day.isAfter(LAST))
                .toList();
    }

    /** The later of the days that a clock shows before and after its jump. */
    private static LocalDate later(ZoneOffsetTransition jump) {
        return (jump.isGap() ? jump.getDateTimeAfter() : jump.getDateTimeBefore()).toLocalDate();
    }

    private static Stream<ZoneOffsetTransition> jumps(ZoneId zone) {
        var rules = zone.getRules();
        return Stream.iterate(
                        rules.nextTransition(
                                FIRST.minusDays(2).atStartOfDay(zone).toInstant()),
                        jump -> jump != null && !later(jump).isAfter(LAST),
                        jump -> rules.nextTransition(jump.getInstant()))
                .filter(jump -> !later(jump).isBefore(FIRST));
    }
}
