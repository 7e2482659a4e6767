package io.menuboard.pricing.current;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.NOW;
import static io.menuboard.pricing.changes.ChangesFixture.limited;
import static io.menuboard.pricing.changes.ChangesFixture.products;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.menuboard.access.Role;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.batches.MemorySchedules;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.pricing.current.CurrentPrices.Asked;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.RecordingMeter.Units;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MenusTest {
    private static final Channel APP = new Channel("APP");
    private static final Instant JULY = EffectiveDate.parse("2036-07-01").startsAt(BERLIN.timeZone());
    private static final Instant AUGUST = EffectiveDate.parse("2036-08-01").startsAt(BERLIN.timeZone());

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private ChangesFixture fixture;
    private Menus menus;
    private CurrentPrices current;

    @BeforeEach
    void open() {
        var db = table.queryDb(clock);
        fixture = new ChangesFixture(db, clock);
        fixture.stores.save(EVERYTHING, List.of(BERLIN));
        menus = CurrentFixture.menus(fixture);
        current = CurrentFixture.prices(fixture, fixture.revisions, CurrentFixture.MAX_AGE);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Asked asked(StoreId store, Channel channel, Instant at) {
        return new Asked(store, channel, at, ReadConsistency.BOUNDED);
    }

    private Menu menu(Channel channel, Instant at) {
        return menus.menu(EVERYTHING, asked(BERLIN.id(), channel, at)).orElseThrow();
    }

    private static List<String> lines(Menu menu) {
        return menu.items().stream()
                .map(item -> item.subject() + " " + item.channel() + " "
                        + item.price().amount().toPlainString() + " until " + item.endsAt())
                .toList();
    }

    private void change(String date, Channel channel, PriceOperation operation, String... products) {
        var rule = new ChangeRule(
                new StoreSelection.Listed(List.of(BERLIN.id())),
                Stream.of(products).map(ChangesFixture::product).toList(),
                List.of(channel),
                operation,
                null);
        var draft = fixture.drafted(ChangesFixture.draft(date, rule));
        if (Objects.requireNonNull(draft.summary()).written() > 0) {
            fixture.applied(draft);
        }
    }

    private static PriceOperation setTo(String amount) {
        return new PriceOperation.SetTo(new BigDecimal(amount), null);
    }

    @Test
    void hasTheChannelsOwnPriceOrElseThatOfAll() {
        fixture.load(List.of(
                price(BERLIN, "ALL", "BURGER", "2030-01-01", "5.00"),
                price(BERLIN, "ALL", "COLA", "2030-01-01", "2.00"),
                price(BERLIN, "APP", "COLA", "2030-01-01", "1.50"),
                price(BERLIN, "APP", "SHAKE", "2030-01-01", "3.00")));

        assertThat(lines(menu(APP, NOW)))
                .containsExactly(
                        "Base#BURGER ALL 5.00 until null",
                        "Base#COLA APP 1.50 until null",
                        "Base#SHAKE APP 3.00 until null");
        assertThat(lines(menu(Channel.ALL, NOW)))
                .containsExactly("Base#BURGER ALL 5.00 until null", "Base#COLA ALL 2.00 until null");
        assertThat(menu(APP, NOW).endsAt()).isNull();
    }

    @Test
    void saysUntilWhenEachHolds() {
        fixture.load(List.of(
                price(BERLIN, "ALL", "BURGER", "2030-01-01", "5.00"),
                price(BERLIN, "ALL", "COLA", "2030-01-01", "2.00"),
                price(BERLIN, "APP", "COLA", "2030-01-01", "1.50")));
        change("2036-07-01", Channel.ALL, setTo("2.20"), "COLA");
        change("2036-08-01", APP, new PriceOperation.Delete(), "COLA");
        change("2036-08-01", Channel.ALL, setTo("5.50"), "BURGER");

        assertThat(lines(menu(APP, NOW)))
                .as("what takes over for others is nothing to a price of one's own")
                .containsExactly("Base#BURGER ALL 5.00 until " + AUGUST, "Base#COLA APP 1.50 until " + AUGUST);
        assertThat(menu(APP, NOW).endsAt()).isEqualTo(AUGUST);
        assertThat(menu(Channel.ALL, NOW).endsAt()).isEqualTo(JULY);
        assertThat(lines(menu(APP, AUGUST.minusNanos(1)))).isEqualTo(lines(menu(APP, NOW)));
        assertThat(lines(menu(APP, AUGUST)))
                .containsExactly("Base#BURGER ALL 5.50 until null", "Base#COLA ALL 2.20 until null");
    }

    /** Also after it was said twice that the channel has no price of its own. */
    @Test
    void thePriceOfAllCountsSinceTheChannelsOwnHasEnded() {
        fixture.load(List.of(
                price(BERLIN, "ALL", "BURGER", "2030-01-01", "5.00"),
                price(BERLIN, "APP", "BURGER", "2030-01-01", "4.00"),
                price(BERLIN, "APP", "BURGER", "2036-08-01", "4.50")));
        change("2036-08-15", APP, new PriceOperation.Delete(), "BURGER");
        change("2036-08-01", APP, new PriceOperation.Delete(), "BURGER");
        change("2036-07-01", APP, new PriceOperation.Delete(), "BURGER");
        change("2036-09-01", Channel.ALL, setTo("5.50"), "BURGER");
        var september = EffectiveDate.parse("2036-09-01").startsAt(BERLIN.timeZone());

        for (var at : List.of(JULY, AUGUST, september.minusNanos(1))) {
            assertThat(menu(APP, at).items())
                    .extracting(MenuItem::startsAt, MenuItem::endsAt)
                    .as("%s", at)
                    .containsExactly(tuple(JULY, september));
        }
        assertThat(menu(APP, september).items()).extracting(MenuItem::startsAt).containsExactly(september);
        assertThat(menu(Channel.ALL, AUGUST).items())
                .extracting(MenuItem::startsAt)
                .containsExactly(EffectiveDate.parse("2030-01-01").startsAt(BERLIN.timeZone()));
        assertThat(menus.plan(EVERYTHING, asked(BERLIN.id(), APP, AUGUST), september)
                        .orElseThrow()
                        .items())
                .flatExtracting(MenuPlan.Item::steps)
                .extracting(MenuPlan.Step::startsAt, MenuPlan.Step::date)
                .containsExactly(tuple(JULY, EffectiveDate.parse("2036-07-01")));
    }

    @Test
    void endsWhenSomethingBeginsToBeSold() {
        fixture.load(List.of(price(BERLIN, "ALL", "BURGER", "2030-01-01", "5.00")));
        change("2036-07-01", APP, setTo("3.00"), "SHAKE");

        assertThat(lines(menu(APP, NOW))).containsExactly("Base#BURGER ALL 5.00 until null");
        assertThat(menu(APP, NOW).endsAt()).isEqualTo(JULY);
        assertThat(menu(APP, JULY).items()).hasSize(2);
    }

    @Test
    void isOfStoresAndTimesThatCanBeSeen() {
        assertThat(menus.menu(EVERYTHING, asked(new StoreId("NONE"), APP, NOW))).isEmpty();
        assertThat(menus.menu(limited("carl", Role.VIEWER, "JP-0001"), asked(BERLIN.id(), APP, NOW)))
                .isEmpty();
        assertThatThrownBy(() -> menu(APP, NOW.minus(Duration.ofDays(400))))
                .isInstanceOfSatisfying(InvalidInput.class, e -> assertThat(e.code() + " " + e.field())
                        .isEqualTo("INVALID_TIME at"));
    }

    /** As one price after the other, at any time; and what it says of ends is so. */
    @Test
    void agreesWithSinglePricesAtEveryInstant() {
        var random = new Random(20);
        var days = List.of("2036-06-20", "2036-07-01", "2036-07-01T06:00", "2036-07-15", "2036-08-01");
        var channels = List.of(Channel.ALL, APP);
        fixture.load(Stream.of("A", "B", "C")
                .<Price>map(product -> price(BERLIN, "ALL", product, "2030-01-01", "1.00"))
                .toList());
        for (var change = 0; change < 24; change++) {
            var operation = random.nextInt(4) == 0 ? new PriceOperation.Delete() : setTo(2 + change + ".00");
            var product = String.valueOf((char) ('A' + random.nextInt(5)));
            change(days.get(random.nextInt(days.size())), channels.get(random.nextInt(2)), operation, product);
        }
        var instants = new ArrayList<>(List.of(NOW));
        days.forEach(day -> {
            var start = EffectiveDate.parse(day).startsAt(BERLIN.timeZone());
            instants.addAll(List.of(start.minusNanos(1), start, start.plusSeconds(1)));
        });

        var ends = new HashMap<String, @Nullable Instant>();
        for (var at : instants) {
            for (var channel : channels) {
                var menu = menu(channel, at);
                endsAreThoseOf(menu);
                menu.items().forEach(item -> ends.put(at + " " + channel + " " + item.subject(), item.endsAt()));
                for (var product : List.of("A", "B", "C", "D", "E")) {
                    assertThat(amount(menu, product))
                            .as("%s at %s through %s", product, at, channel)
                            .isEqualTo(fixture.pricing
                                    .price(EVERYTHING, BERLIN.id(), new ProductId(product), channel, at)
                                    .map(price -> price.price().amount())
                                    .orElse(null));
                }
                var end = menu.endsAt();
                if (end != null) {
                    assertThat(lines(menu(channel, end.minusNanos(1)))).isEqualTo(lines(menu));
                    assertThat(lines(menu(channel, end))).isNotEqualTo(lines(menu));
                }
            }
        }
        // When all of them have come, and when what they have replaced is kept no more.
        var subjects =
                Stream.of("A", "B", "C", "D", "E").map(ChangesFixture::product).toList();
        for (var day : days) {
            clock.set(EffectiveDate.parse(day).startsAt(BERLIN.timeZone()).plus(Duration.ofMinutes(5)));
            fixture.reconcile(new MemorySchedules());
        }
        for (var later : List.of(Duration.ofDays(1), Duration.ofDays(60))) {
            clock.set(AUGUST.plus(later));
            for (var at : instants) {
                for (var channel : channels) {
                    ends(stored(subjects, asked(BERLIN.id(), channel, at))).forEach((subject, end) -> assertThat(ends)
                            .as("%s later", later)
                            .containsEntry(at + " " + channel + " " + subject, end));
                }
            }
        }
    }

    /** Prices say the same of their ends, one by one or together, from the table or from memory, and in lists. */
    private void endsAreThoseOf(Menu menu) {
        var expected = new HashMap<PriceSubject, @Nullable Instant>();
        var own = new HashMap<PriceSubject, @Nullable Instant>();
        for (var item : menu.items()) {
            expected.put(item.subject(), item.endsAt());
            if (item.channel().equals(menu.channel())) {
                own.put(item.subject(), item.endsAt());
            }
        }
        var asked = asked(BERLIN.id(), menu.channel(), menu.at());
        var context = menu.channel() + " at " + menu.at();
        var page = PageRequest.forward(10, null);

        assertThat(ends(stored(expected.keySet(), asked))).as(context).isEqualTo(expected);
        assertThat(ends(current.prices(EVERYTHING, asked, expected.keySet())))
                .as(context)
                .isEqualTo(expected);
        expected.forEach((subject, end) -> assertThat(ends(stored(List.of(subject), asked)))
                .as("%s of %s", subject, context)
                .containsEntry(subject, end));
        assertThat(ends(current.basePrices(EVERYTHING, asked, null, page)))
                .as(context)
                .isEqualTo(own);
        assertThat(ends(fixture.pricing.basePrices(EVERYTHING, BERLIN.id(), menu.channel(), null, menu.at(), page)))
                .as(context)
                .isEqualTo(own);
        own.forEach((subject, end) -> assertThat(ends(fixture.pricing.basePricesByProduct(
                        EVERYTHING, ((PriceSubject.Product) subject).product(), menu.channel(), menu.at(), page)))
                .as("%s of %s", subject, context)
                .containsEntry(subject, end));
    }

    private Map<PriceSubject, Price> stored(Collection<PriceSubject> subjects, Asked asked) {
        return fixture.pricing.prices(EVERYTHING, asked.store(), subjects, asked.channel(), asked.at());
    }

    private static Map<PriceSubject, @Nullable Instant> ends(Page<BasePrice> prices) {
        var ends = new HashMap<PriceSubject, @Nullable Instant>();
        prices.nodes().forEach(price -> ends.put(new PriceSubject.Product(price.product()), price.endsAt()));
        return ends;
    }

    private static Map<PriceSubject, @Nullable Instant> ends(Map<PriceSubject, Price> prices) {
        var ends = new HashMap<PriceSubject, @Nullable Instant>();
        prices.forEach((subject, price) -> ends.put(subject, price.endsAt()));
        return ends;
    }

    private static @Nullable BigDecimal amount(Menu menu, String product) {
        return menu.items().stream()
                .filter(item -> item.subject().equals(ChangesFixture.product(product)))
                .findFirst()
                .map(item -> item.price().amount())
                .orElse(null);
    }

    /** Without the half unit that DynamoDB charges for each Query that finds nothing. */
    @Test
    void fiveHundredProductsAreReadOnceAndThenCostNothing() {
        fixture.load(Stream.of(products(500))
                .<Price>map(product -> price(BERLIN, "ALL", product, "2030-01-01", "5.00"))
                .toList());
        fixture.stores.require(EVERYTHING, BERLIN.id());

        assertThat(table.meter().during(() -> menu(APP, NOW)))
                .as("two Queries for each channel, and revisions before, after the first and after the second")
                .isEqualTo(new Units(4 + 3, 13 + 1, 0));
        assertThat(table.meter().during(() -> menu(APP, NOW))).isEqualTo(new Units(0, 0, 0));
        assertThat(table.meter().during(() -> menu(APP, AUGUST))).isEqualTo(new Units(0, 0, 0));
    }

    @Test
    void whatIsNotRememberedIsReadStronglyConsistently() {
        fixture.load(Stream.of(products(500))
                .<Price>map(product -> price(BERLIN, "ALL", product, "2030-01-01", "5.00"))
                .toList());
        fixture.stores.require(EVERYTHING, BERLIN.id());
        menus = new Menus(fixture.stores, fixture.prices, CurrentFixture.off(fixture), clock);

        assertThat(table.meter().during(() -> menu(APP, NOW)))
                .as(
                        "two Queries for each channel, at a unit for each 4 KB; half of that would be eventually consistent")
                .isEqualTo(new Units(4, 14, 0));
    }
}
