package io.menuboard.pricing.packs;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.SANTIAGO;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.limited;
import static io.menuboard.pricing.changes.ChangesFixture.products;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.menuboard.access.Role;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.ComboId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.OptionId;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.SwapPrice;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.pricing.current.CurrentFixture;
import io.menuboard.pricing.current.CurrentPrices.Asked;
import io.menuboard.pricing.current.Menu;
import io.menuboard.pricing.current.Menus;
import io.menuboard.pricing.current.ReadConsistency;
import io.menuboard.pricing.revisions.RevisionsFixture;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.RecordingMeter.Units;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PricePacksTest {
    private static final Channel APP = new Channel("APP");
    private static final Duration LENGTH = Duration.ofDays(14);
    private static final ObjectMapper JSON = new ObjectMapper();

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private ChangesFixture fixture;
    private Menus menus;
    private PricePacks packs;

    @BeforeEach
    void open() {
        fixture = new ChangesFixture(table.queryDb(clock), clock);
        fixture.stores.save(EVERYTHING, List.of(BERLIN, SANTIAGO));
        menus = CurrentFixture.menus(fixture);
        packs = packs(menus);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static PricePacks packs(Menus menus) {
        return new PricePacks(menus, LENGTH, new PackSigner(PackSignerTest.KEY));
    }

    /** Another instance, which hears of no change. */
    private PricePacks anotherInstance() {
        return packs(CurrentFixture.menus(fixture, RevisionsFixture.revisions(fixture.db), clock));
    }

    private PricePack pack(Store store, Channel channel, PackFormat format) {
        return packs.current(EVERYTHING, store.id(), channel, format).orElseThrow();
    }

    private void change(Store store, String date, Channel channel, PriceOperation operation, String product) {
        var rule = new ChangeRule(
                new StoreSelection.Listed(List.of(store.id())),
                List.of(ChangesFixture.product(product)),
                List.of(channel),
                operation,
                null);
        var draft = fixture.drafted(ChangesFixture.draft(date, rule));
        if (Objects.requireNonNull(draft.summary()).written() > 0) {
            fixture.applied(draft);
        }
    }

    private static List<Price> firstPrices(Store store) {
        var prices = new ArrayList<Price>();
        for (var product : List.of("A", "B", "C")) {
            prices.add(price(store, "ALL", product, "2030-01-01", "1"));
        }
        prices.add(new SwapPrice(
                store,
                APP,
                new ComboId("MENU"),
                new OptionId("COLA"),
                EffectiveDate.parse("2030-01-01"),
                new Money(new BigDecimal("0"), store.currency())));
        return prices;
    }

    /** What a till sells at that instant that has nothing but the pack. */
    private static List<String> sold(JsonNode pack, Instant at) {
        return StreamSupport.stream(pack.path("items").spliterator(), false)
                .flatMap(item -> {
                    JsonNode counts = null;
                    for (var step : item.path("prices")) {
                        counts = Instant.parse(step.path("startsAt").asText()).isAfter(at) ? counts : step;
                    }
                    return counts == null || counts.path("amount").isNull()
                            ? Stream.of()
                            : Stream.of(String.join(
                                    " ",
                                    item.has("product")
                                            ? "Base#" + item.path("product").asText()
                                            : "Swap#" + item.path("combo").asText() + "#"
                                                    + item.path("option").asText(),
                                    counts.path("channel").asText(),
                                    counts.path("amount").asText(),
                                    counts.path("currency").asText()));
                })
                .toList();
    }

    private static List<String> sold(Menu menu) {
        return menu.items().stream()
                .map(item -> String.join(
                        " ",
                        item.subject().toString(),
                        item.channel().value(),
                        item.price().amount().toPlainString(),
                        item.price().currency().getCurrencyCode()))
                .toList();
    }

    /** Clocks that go back, that skip times of day, and that skip midnight. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            DE-0001 | 1 | 2036-10-20T07:35:12Z | 2036-10-20T08:00 2036-10-25 2036-10-26 2036-10-26T02:30 2036-10-26T03:00 2036-11-03
            DE-0001 | 2 | 2037-03-24T23:59:59Z | 2037-03-25 2037-03-29 2037-03-29T02:15 2037-03-29T02:45 2037-03-29T03:00 2037-04-08
            CL-0001 | 3 | 2036-09-01T00:00:00Z | 2036-09-06 2036-09-07 2036-09-07T00:30 2036-09-07T01:00 2036-09-14T20:00 2036-09-15
            """)
    void changesInOrderGiveTheMenuOfEveryInstant(String id, long seed, Instant now, String dates) throws IOException {
        var store = id.startsWith("DE") ? BERLIN : SANTIAGO;
        var days = List.of(dates.split(" ", -1));
        var random = new Random(seed);
        fixture.load(firstPrices(store));
        for (var change = 0; change < 30; change++) {
            var operation = random.nextInt(4) == 0 ? new PriceOperation.Delete() : setTo(String.valueOf(2 + change));
            var product = String.valueOf((char) ('A' + random.nextInt(5)));
            change(
                    store,
                    days.get(random.nextInt(days.size())),
                    random.nextBoolean() ? APP : Channel.ALL,
                    operation,
                    product);
        }
        clock.set(now);

        for (var channel : List.of(Channel.ALL, APP)) {
            var pack = JSON.readTree(pack(store, channel, PackFormat.JSON).toString());
            var from = Instant.parse(pack.path("validFrom").asText());
            var until = Instant.parse(pack.path("validUntil").asText());
            assertThat(now).isBetween(from, from.plus(Duration.ofHours(1)));
            assertThat(until).isEqualTo(from.plus(LENGTH));
            for (var at : instants(random, pack, from, until)) {
                var menu = menus.menu(EVERYTHING, new Asked(store.id(), channel, at, ReadConsistency.BOUNDED))
                        .orElseThrow();
                assertThat(sold(pack, at)).as("%s at %s", channel, at).isEqualTo(sold(menu));
            }
            assertStepsAreInOrder(pack, store, until);
        }
    }

    /** A till that has sold at the channel's own price must not think that it has sold at the wrong one. */
    @Test
    void thePriceOfAllCountsSinceTheChannelsOwnHasEnded() throws IOException {
        fixture.load(List.of(
                price(BERLIN, "ALL", "A", "2030-01-01", "5.00"), price(BERLIN, "APP", "A", "2036-02-01", "4.00")));
        change(BERLIN, "2036-07-01", APP, new PriceOperation.Delete(), "A");
        clock.set(Instant.parse("2036-07-02T12:00:00Z"));

        var items = JSON.readTree(pack(BERLIN, APP, PackFormat.JSON).toString()).path("items");

        assertThat(items.findValuesAsText("amount")).containsExactly("5.00");
        assertThat(items.findValuesAsText("startsAt")).containsExactly("2036-06-30T22:00:00Z");
        assertThat(items.findValuesAsText("effectiveDate")).containsExactly("2036-07-01");
    }

    /** At 02:00 Berlin's clock shows 03:00; versions from before the store was on that clock have such times. */
    @Test
    void timesThatAClockSkipsAreOneChange() throws IOException {
        fixture.load(List.of(
                price(BERLIN, "ALL", "A", "2030-01-01", "1.00"),
                price(BERLIN, "ALL", "A", "2037-03-29T02:15", "2.00"),
                price(BERLIN, "ALL", "A", "2037-03-29T02:45", "3.00")));
        clock.set(Instant.parse("2037-03-24T12:00:00Z"));

        var items = JSON.readTree(pack(BERLIN, APP, PackFormat.JSON).toString()).path("items");

        assertThat(items.findValuesAsText("startsAt")).containsExactly("2029-12-31T23:00:00Z", "2037-03-29T01:00:00Z");
        assertThat(items.findValuesAsText("amount")).containsExactly("1.00", "3.00");
    }

    private static List<Instant> instants(Random random, JsonNode pack, Instant from, Instant until) {
        var instants = new ArrayList<>(List.of(from, until.minusNanos(1)));
        for (var i = 0; i < 200; i++) {
            instants.add(from.plusSeconds(
                    random.nextLong(Duration.between(from, until).toSeconds())));
        }
        pack.findValues("startsAt").stream()
                .map(start -> Instant.parse(start.asText()))
                .filter(start -> start.isAfter(from))
                .forEach(start -> instants.addAll(List.of(start.minusNanos(1), start)));
        return instants;
    }

    private static void assertStepsAreInOrder(JsonNode pack, Store store, Instant until) {
        for (var item : pack.path("items")) {
            var starts = new ArrayList<Instant>();
            for (var step : item.path("prices")) {
                var start = Instant.parse(step.path("startsAt").asText());
                assertThat(EffectiveDate.parse(step.path("effectiveDate").asText())
                                .startsAt(store.timeZone()))
                        .isEqualTo(start);
                starts.add(start);
            }
            assertThat(starts).isNotEmpty().isSorted().doesNotHaveDuplicates();
            assertThat(starts.getLast()).isBefore(until);
        }
    }

    @Test
    void saysWhatItIsAndHasOneNameForItsBytes() {
        fixture.load(List.of(price(BERLIN, "ALL", "BURGER", "2030-01-01", "5.00")));
        change(BERLIN, "2036-06-20", Channel.ALL, new PriceOperation.Delete(), "BURGER");

        var pack = pack(BERLIN, APP, PackFormat.JSON);

        assertThat(pack.toString().replaceAll("\"ALL\":[0-9]+", "\"ALL\":7"))
                .isEqualTo("{\"format\":1,\"store\":\"DE-0001\",\"timeZone\":\"Europe/Berlin\",\"channel\":\"APP\","
                        + "\"revisions\":{\"ALL\":7,\"APP\":0},"
                        + "\"validFrom\":\"2036-06-15T12:00:00Z\",\"validUntil\":\"2036-06-29T12:00:00Z\","
                        + "\"items\":[{\"product\":\"BURGER\",\"prices\":["
                        + "{\"startsAt\":\"2029-12-31T23:00:00Z\",\"effectiveDate\":\"2030-01-01\","
                        + "\"amount\":\"5.00\",\"currency\":\"EUR\",\"channel\":\"ALL\"},"
                        + "{\"startsAt\":\"2036-06-19T22:00:00Z\",\"effectiveDate\":\"2036-06-20\","
                        + "\"amount\":null,\"currency\":null,\"channel\":null}]}]}");
        assertThat(pack.name()).matches("DE-0001-APP-[0-9a-f]{16}[.]json").contains(pack.hash());
    }

    @Test
    void csvHasTheSamePricesOfTheSameIds() {
        fixture.load(List.of(
                price(BERLIN, "ALL", "=1+1", "2030-01-01", "5.00"),
                price(BERLIN, "APP", "BURGER", "2030-01-01", "4.00")));
        change(BERLIN, "2036-06-20", APP, new PriceOperation.Delete(), "BURGER");

        var rows = pack(BERLIN, APP, PackFormat.CSV)
                .toString()
                .replaceAll("ALL=[0-9]+ APP=[0-9]+", "R")
                .split("\r\n", -1);

        var head = "1,DE-0001,Europe/Berlin,APP,R,2036-06-15T12:00:00Z,2036-06-29T12:00:00Z,";
        assertThat(rows)
                .containsExactly(
                        "\uFEFFformat,store,timeZone,channel,revisions,validFrom,validUntil,product,combo,option,"
                                + "startsAt,effectiveDate,amount,currency,priceChannel",
                        head + "=1+1,,,2029-12-31T23:00:00Z,2030-01-01,5.00,EUR,ALL",
                        head + "BURGER,,,2029-12-31T23:00:00Z,2030-01-01,4.00,EUR,APP",
                        head + "BURGER,,,2036-06-19T22:00:00Z,2036-06-20,,,",
                        "");
    }

    /** A till takes what is signed for its own store, channel and hour, also where nothing is sold. */
    @Test
    void packsOfNothingSayWhoseTheyAre() {
        var packs = new ArrayList<PricePack>();
        for (var format : PackFormat.values()) {
            packs.add(pack(BERLIN, APP, format));
            packs.add(pack(BERLIN, Channel.ALL, format));
            packs.add(pack(SANTIAGO, APP, format));
            clock.set(clock.instant().plus(Duration.ofHours(1)));
            packs.add(pack(BERLIN, APP, format));
        }

        assertThat(packs).extracting(PricePack::hash).doesNotHaveDuplicates();
        assertThat(packs.getLast().toString().split("\r\n", -1))
                .hasSize(3)
                .contains("1,DE-0001,Europe/Berlin,APP,ALL=0 APP=0,"
                        + "2036-06-15T14:00:00Z,2036-06-29T14:00:00Z,,,,,,,,");
    }

    @Test
    void instancesGiveTheSameBytesForAnHour() {
        fixture.load(firstPrices(BERLIN));
        change(BERLIN, "2036-06-20", APP, setTo("4.00"), "A");
        var late = packs(CurrentFixture.menus(
                fixture,
                RevisionsFixture.revisions(fixture.db),
                Clock.offset(clock, Duration.ofMinutes(59).plusSeconds(59))));
        var later = packs(CurrentFixture.menus(
                fixture, RevisionsFixture.revisions(fixture.db), Clock.offset(clock, Duration.ofHours(1))));

        for (var format : PackFormat.values()) {
            var here = pack(BERLIN, APP, format);
            var there = late.current(EVERYTHING, BERLIN.id(), APP, format).orElseThrow();
            assertThat(there.content()).isEqualTo(here.content());
            assertThat(there.name()).isEqualTo(here.name());
            assertThat(late.signature(EVERYTHING, there)).isEqualTo(packs.signature(EVERYTHING, here));
            assertThat(later.named(EVERYTHING, BERLIN.id(), APP, format, here.name()))
                    .isEmpty();
            assertThat(packs.left(EVERYTHING, here)).isEqualTo(Duration.ofHours(1));
            assertThat(late.left(EVERYTHING, here)).isEqualTo(Duration.ofSeconds(1));
            assertThat(later.left(EVERYTHING, here)).isEqualTo(Duration.ZERO);
        }
    }

    @Test
    void anotherPriceIsAnotherNameWhichEveryInstanceKnowsAtOnce() {
        fixture.load(firstPrices(BERLIN));
        var other = anotherInstance();
        var before =
                other.current(EVERYTHING, BERLIN.id(), APP, PackFormat.JSON).orElseThrow();
        change(BERLIN, "2036-06-20", Channel.ALL, setTo("4.00"), "A");

        var after = pack(BERLIN, APP, PackFormat.JSON);

        assertThat(after.name()).isNotEqualTo(before.name());
        assertThat(packs.named(EVERYTHING, BERLIN.id(), APP, PackFormat.JSON, before.name()))
                .isEmpty();
        assertThat(other.named(EVERYTHING, BERLIN.id(), APP, PackFormat.JSON, after.name()))
                .as("whose bounded prices are older")
                .hasValueSatisfying(found -> assertThat(found.content()).isEqualTo(after.content()));
    }

    @Test
    void areOfStoresThatCanBeSeen() {
        fixture.load(firstPrices(BERLIN));
        var carl = limited("carl", Role.VIEWER, SANTIAGO.id().value());
        var name = pack(BERLIN, APP, PackFormat.JSON).name();

        assertThat(packs.current(EVERYTHING, new StoreId("NONE"), APP, PackFormat.JSON))
                .isEmpty();
        assertThat(packs.current(carl, BERLIN.id(), APP, PackFormat.JSON)).isEmpty();
        assertThat(packs.named(carl, BERLIN.id(), APP, PackFormat.JSON, name)).isEmpty();
        assertThat(packs.current(carl, SANTIAGO.id(), APP, PackFormat.JSON)).isPresent();
    }

    @Test
    void withoutAKeyThereAreNone() {
        var off = new PricePacks(menus, LENGTH, null);

        assertThat(off.enabled()).isFalse();
        assertThat(packs.enabled()).isTrue();
        assertThatThrownBy(() -> off.current(EVERYTHING, BERLIN.id(), APP, PackFormat.JSON))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("menuboard.pricing.packs.signing-key");
        assertThatThrownBy(() -> off.named(EVERYTHING, BERLIN.id(), APP, PackFormat.JSON, "x"))
                .isInstanceOf(InvalidInput.class);
    }

    @Test
    void costNothingWherePricesAreRemembered() {
        fixture.load(Stream.of(products(500))
                .<Price>map(product -> price(BERLIN, "ALL", product, "2030-01-01", "5.00"))
                .toList());
        change(BERLIN, "2036-06-20", Channel.ALL, setTo("5.50"), "P001");
        var name = pack(BERLIN, APP, PackFormat.JSON).name();

        assertThat(table.meter().during(() -> pack(BERLIN, APP, PackFormat.CSV)))
                .isEqualTo(new Units(0, 0, 0));
        assertThat(table.meter().during(() -> packs.named(EVERYTHING, BERLIN.id(), APP, PackFormat.JSON, name)))
                .isEqualTo(new Units(0, 0, 0));
        assertThat(table.meter().during(() -> packs.named(EVERYTHING, BERLIN.id(), APP, PackFormat.JSON, "other.json")))
                .as("the revisions, for the channel and for ALL")
                .isEqualTo(new Units(2, 2, 0));
    }

    @Test
    void namesSubjectsOfBothKinds() throws IOException {
        fixture.load(firstPrices(BERLIN));

        var items = JSON.readTree(pack(BERLIN, APP, PackFormat.JSON).toString()).path("items");

        assertThat(items).hasSize(4);
        assertThat(items.path(3).path("combo").asText() + " "
                        + items.path(3).path("option").asText())
                .isEqualTo("MENU COLA");
    }
}
