package io.menuboard.pricing;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static io.menuboard.pricing.StoreBuilder.price;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.RecordingMeter.Units;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PricingTest {
    private static final Instant NOW = PricingFixture.NOW;
    private static final PageRequest PAGE = PageRequest.forward(64, null);
    private static final Channel KIOSK = new Channel("KIOSK");
    private static final ProductId BURGER = new ProductId("BURGER");
    private static final PriceSubject PRODUCT = new PriceSubject.Product(BURGER);
    private static final Store TOKYO = aStore("JP-0001")
            .named("Shibuya")
            .in("Tokyo", "JP")
            .onTheClockOf("Asia/Tokyo")
            .sellingIn("JPY")
            .build();

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private Stores stores;
    private Pricing pricing;
    private QueryDb db;

    @BeforeEach
    void open() {
        var fixture = PricingFixture.on(table);
        stores = fixture.stores();
        pricing = fixture.pricing();
        db = fixture.db();
        stores.save(EVERYTHING, List.of(BERLIN, TOKYO));
    }

    /** The same, as it is read while another version begins on that date. */
    private static BasePrice until(String date, BasePrice price) {
        return (BasePrice) price.endingBy(EffectiveDate.parse(date));
    }

    @Test
    void thePriceInEffectIsTheLastThatHasStarted() {
        var old = price(BERLIN, "ALL", "BURGER", "2025-01-01", "4.99");
        var current = price(BERLIN, "ALL", "BURGER", "2026-06-01", "5.49");
        var next = price(BERLIN, "ALL", "BURGER", "2026-07-01", "5.99");
        load(List.of(old, current, next));

        assertThat(priceAt("2026-06-15T12:00:00Z")).isEqualTo("5.49");
        assertThat(pricing.basePrices(EVERYTHING, BERLIN.id(), Channel.ALL, null, NOW, PAGE)
                        .nodes())
                .containsExactly(until("2026-07-01", current));
        assertThat(pricing.timeline(EVERYTHING, BERLIN.id(), PRODUCT, Channel.ALL, PAGE)
                        .nodes())
                .containsExactly(version(old, current), version(current, next), version(next, null));
    }

    private static PriceVersion version(BasePrice price, @Nullable BasePrice next) {
        return new PriceVersion(
                price.effectiveDate(), price.startsAt(), next == null ? null : next.startsAt(), price.price(), null);
    }

    /** With pages of one version, also the end of the last one of a page is that of the page after it. */
    @Test
    void aVersionEndsWhereTheNextOneStartsOnWhateverPageThatIs() {
        var first = price(BERLIN, "ALL", "BURGER", "2026-06-01", "4.99");
        var sameDay = price(BERLIN, "ALL", "BURGER", "2026-06-01T06:30:00", "5.49");
        var last = price(BERLIN, "ALL", "BURGER", "2026-07-01", "5.99");
        load(List.of(first, sameDay, last, price(BERLIN, "ALL", "BURGER-XL", "2026-08-01", "6.99")));

        var forward = timeline(PageRequest.forward(1, null));
        var second = timeline(PageRequest.forward(1, forward.endCursor()));
        var third = timeline(PageRequest.forward(1, second.endCursor()));
        var back = timeline(PageRequest.backward(1, third.startCursor()));

        assertThat(forward.nodes()).containsExactly(version(first, sameDay));
        assertThat(second.nodes()).containsExactly(version(sameDay, last));
        assertThat(third.nodes()).containsExactly(version(last, null));
        assertThat(back.nodes()).isEqualTo(second.nodes());
        assertThat(timeline(PageRequest.backward(2, null)).nodes())
                .containsExactly(version(sameDay, last), version(last, null));
    }

    private Page<PriceVersion> timeline(PageRequest page) {
        return pricing.timeline(EVERYTHING, BERLIN.id(), PRODUCT, Channel.ALL, page);
    }

    /** What stands between two of those asked for, what has not begun and what was never set is not there. */
    @Test
    void manyPricesAreTheOnesThatEachHasByItself() {
        var subjects = new ArrayList<PriceSubject>();
        var prices = new ArrayList<Price>();
        for (var i = 0; i < 40; i++) {
            var product = "P-%02d".formatted(i);
            prices.add(price(BERLIN, i % 3 == 0 ? "KIOSK" : "ALL", product, "2026-05-01", "1.%02d".formatted(i)));
            prices.add(price(BERLIN, "ALL", product, i % 2 == 0 ? "2026-06-01" : "2026-07-01", "2.%02d".formatted(i)));
            if (i % 5 != 0) {
                subjects.add(new PriceSubject.Product(new ProductId(product)));
            }
            prices.add(swap("MENU", product, "0.%02d".formatted(i)));
            subjects.add(new PriceSubject.Swap(new ComboId("MENU"), new OptionId(product)));
        }
        subjects.add(new PriceSubject.Product(new ProductId("P-005-NONE")));
        load(prices);

        var together = pricing.prices(EVERYTHING, BERLIN.id(), subjects, KIOSK, NOW);

        assertThat(together).hasSize(subjects.size() - 1);
        for (var subject : subjects) {
            assertThat(together.get(subject))
                    .isEqualTo(pricing.prices(EVERYTHING, BERLIN.id(), List.of(subject), KIOSK, NOW)
                            .get(subject));
        }
    }

    @Test
    void anOptionAcrossStoresIsListedByStore() {
        var berlin = swap("MENU", "SALAD", "1.00");
        var tokyo = new SwapPrice(
                TOKYO,
                Channel.ALL,
                berlin.combo(),
                berlin.option(),
                berlin.effectiveDate(),
                new Money(new BigDecimal("100"), TOKYO.currency()));
        stores.save(EVERYTHING, List.of(aStore("FR-0001").build()));
        load(List.of(
                berlin,
                tokyo,
                swap("MENU", "COLA", "0.50"),
                swap("MENU-XL", "SALAD", "9.00"),
                new SwapPrice(
                        aStore("FR-0001").build(),
                        Channel.ALL,
                        berlin.combo(),
                        new OptionId("COLA"),
                        berlin.effectiveDate(),
                        berlin.price())));
        var salad = new PriceSubject.Swap(berlin.combo(), berlin.option());

        var first = pricing.swapPricesByOption(EVERYTHING, salad, Channel.ALL, NOW, PageRequest.forward(1, null));
        var second = pricing.swapPricesByOption(
                EVERYTHING, salad, Channel.ALL, NOW, PageRequest.forward(1, first.endCursor()));

        assertThat(first.nodes()).containsExactly(berlin);
        assertThat(second.nodes()).containsExactly(tokyo);
        assertThat(second.hasNextPage()).isFalse();
    }

    @Test
    void aPriceStartsAtTheMidnightOfItsStore() {
        load(List.of(
                price(BERLIN, "ALL", "BURGER", "2026-06-01", "4.99"),
                price(BERLIN, "ALL", "BURGER", "2026-07-01", "5.99"),
                price(BERLIN, "ALL", "BURGER", "2026-07-01T06:30", "6.49")));

        assertThat(priceAt("2026-06-30T21:59:59.999Z")).isEqualTo("4.99");
        assertThat(priceAt("2026-06-30T22:00:00Z")).isEqualTo("5.99");
        assertThat(priceAt("2026-07-01T04:29:59.999Z")).isEqualTo("5.99");
        assertThat(priceAt("2026-07-01T04:30:00Z")).isEqualTo("6.49");
        assertThat(pricing.price(EVERYTHING, BERLIN.id(), BURGER, Channel.ALL, Instant.parse("2026-05-31T21:59:59Z")))
                .as("before the first")
                .isEmpty();
    }

    @Test
    void aChannelWithoutAPriceOfItsOwnHasThePriceOfAll() {
        var everywhere = price(BERLIN, "ALL", "BURGER", "2026-01-01", "4.99");
        var kiosk = price(BERLIN, "KIOSK", "BURGER", "2026-06-16", "5.49");
        load(List.of(everywhere, kiosk));

        assertThat(pricing.price(EVERYTHING, BERLIN.id(), BURGER, KIOSK, NOW))
                .contains(until("2026-06-16", everywhere));
        assertThat(pricing.price(EVERYTHING, BERLIN.id(), BURGER, KIOSK, Instant.parse("2026-06-16T12:00:00Z")))
                .contains(kiosk);
        assertThat(pricing.basePrices(EVERYTHING, BERLIN.id(), KIOSK, null, Instant.parse("2026-06-16T12:00:00Z"), PAGE)
                        .nodes())
                .as("a list is of one channel")
                .containsExactly(kiosk);
    }

    @Test
    void aProductAcrossStoresIsReadOnEachStoresClock() {
        load(List.of(
                price(BERLIN, "ALL", "BURGER", "2026-06-01", "4.99"),
                price(BERLIN, "ALL", "BURGER", "2026-07-01", "5.99"),
                price(TOKYO, "ALL", "BURGER", "2026-06-01", "450"),
                price(TOKYO, "ALL", "BURGER", "2026-07-01", "480")));

        var prices = pricing.basePricesByProduct(
                EVERYTHING, BURGER, Channel.ALL, Instant.parse("2026-06-30T15:00:00Z"), PAGE);

        assertThat(prices.nodes())
                .containsExactly(
                        until("2026-07-01", price(BERLIN, "ALL", "BURGER", "2026-06-01", "4.99")),
                        price(TOKYO, "ALL", "BURGER", "2026-07-01", "480"));
    }

    @Test
    void theLowestPriceIsOfThoseInTheCurrencyOfTheLatest() {
        var yen = new Money(new BigDecimal("900"), Money.currencyOf("JPY"));
        var euros = new Money(new BigDecimal("6.00"), Money.currencyOf("EUR"));
        var more = new Money(new BigDecimal("6.50"), Money.currencyOf("EUR"));

        load(List.of(burger("2026-06-01", euros), burger("2026-06-05", yen)));
        assertThat(pricing.lowest(EVERYTHING, BERLIN.id(), PRODUCT, Channel.ALL))
                .contains(yen);
        load(List.of(burger("2026-06-10", more)));
        assertThat(pricing.lowest(EVERYTHING, BERLIN.id(), PRODUCT, Channel.ALL))
                .contains(euros);
        load(List.of(burger("2026-07-10", yen)));
        assertThat(pricing.lowest(EVERYTHING, BERLIN.id(), PRODUCT, Channel.ALL))
                .as("a price that is to come does not count")
                .contains(euros);
    }

    private static BasePrice burger(String date, Money price) {
        return new BasePrice(BERLIN, Channel.ALL, BURGER, EffectiveDate.parse(date), price);
    }

    @Test
    void swapPricesAreListedByComboAndOption() {
        var cola = swap("MENU", "COLA-LARGE", "0.50");
        var salad = swap("MENU", "SALAD", "1.00");
        var other = swap("MENU-XL", "SALAD", "1.20");
        load(List.of(other, salad, cola));

        assertThat(pricing.swapPrices(EVERYTHING, BERLIN.id(), Channel.ALL, null, NOW, PAGE)
                        .nodes())
                .containsExactly(cola, salad, other);
        assertThat(pricing.swapPrices(EVERYTHING, BERLIN.id(), Channel.ALL, new ComboId("MENU"), NOW, PAGE)
                        .nodes())
                .containsExactly(cola, salad);
    }

    @Test
    void aPrefixNarrowsAListToItsProducts() {
        load(List.of(
                price(BERLIN, "ALL", "BURGER", "2026-01-01", "4.99"),
                price(BERLIN, "ALL", "BUN", "2026-01-01", "0.99"),
                price(BERLIN, "ALL", "COLA", "2026-01-01", "1.99")));

        assertThat(pricing.basePrices(EVERYTHING, BERLIN.id(), Channel.ALL, "BU", NOW, PAGE)
                        .nodes())
                .extracting(BasePrice::product)
                .containsExactly(new ProductId("BUN"), BURGER);
        assertThatThrownBy(() -> pricing.basePrices(EVERYTHING, BERLIN.id(), Channel.ALL, "BU#", NOW, PAGE))
                .isInstanceOfSatisfying(InvalidInput.class, refusal -> assertThat(refusal.field())
                        .isEqualTo("productPrefix"));
    }

    @Test
    void anUnknownStoreIsRefusedAndNotAnEmptyList() {
        assertThatThrownBy(() -> pricing.basePrices(EVERYTHING, new StoreId("NOWHERE"), Channel.ALL, null, NOW, PAGE))
                .isInstanceOfSatisfying(InvalidInput.class, refusal -> {
                    assertThat(refusal.code()).isEqualTo("NOT_FOUND");
                    assertThat(refusal.field()).isEqualTo("store");
                });
    }

    @Test
    void theChannelsOfAStoreAreThoseItHasPricesFor() {
        load(List.of(
                price(BERLIN, "KIOSK", "BURGER", "2026-01-01", "4.99"),
                price(BERLIN, "ALL", "BURGER", "2026-01-01", "4.99"),
                price(BERLIN, "ALL", "COLA", "2026-01-01", "1.99"),
                price(BERLIN, "META", "COLA", "2026-01-01", "1.99"),
                price(BERLIN, "META SHOP", "COLA", "2026-01-01", "1.99"),
                price(BERLIN, "META!", "COLA", "2026-01-01", "1.99"),
                price(BERLIN, "all-night", "COLA", "2026-01-01", "1.99")));

        assertThat(pricing.channels(EVERYTHING, BERLIN.id()))
                .extracting(Channel::value)
                .containsExactly("ALL", "KIOSK", "META SHOP", "META!", "META", "all-night");
        assertThat(pricing.channels(EVERYTHING, TOKYO.id())).isEmpty();
    }

    /** Past, present and future versions at random, against a map: every page size, both ways, at any instant. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void pagesShowExactlyThePricesInEffect(long seed) {
        var random = new Random(seed);
        var prices = new TreeMap<String, BasePrice>();
        for (var i = 0; i < 150; i++) {
            var date = "2026-0%d-%02d".formatted(1 + random.nextInt(9), 1 + random.nextInt(28));
            var price =
                    price(BERLIN, "ALL", "P-" + random.nextInt(40), date, "%d.%02d".formatted(i, random.nextInt(100)));
            prices.put(price.product() + "#" + date, price);
        }
        load(List.copyOf(prices.values()));

        for (var at : List.of(NOW, Instant.parse("2026-02-01T00:00:00Z"), Instant.parse("2026-09-30T00:00:00Z"))) {
            var inEffect = new TreeMap<String, BasePrice>();
            prices.values().stream()
                    .filter(price -> !price.startsAt().isAfter(at))
                    .forEach(price -> inEffect.merge(
                            price.product() + "#",
                            price,
                            (one, other) -> one.startsAt().isAfter(other.startsAt()) ? one : other));
            inEffect.replaceAll((_, price) -> prices.values().stream()
                    .filter(other -> other.product().equals(price.product())
                            && other.startsAt().isAfter(at))
                    .map(BasePrice::effectiveDate)
                    .min(Comparator.naturalOrder())
                    .map(end -> until(end.toString(), price))
                    .orElse(price));

            for (var size : List.of(1, 7, 64, 2_048)) {
                assertThat(forwards(at, size)).containsExactlyElementsOf(inEffect.values());
                assertThat(backwards(at, size)).containsExactlyElementsOf(inEffect.values());
            }
        }
    }

    @Test
    void readingCostsWhatTheCapacityModelSays() {
        var prices = IntStream.range(0, 70)
                .mapToObj(i -> price(BERLIN, "ALL", "PRODUCT-%03d".formatted(i), "2026-01-01", "4.99"))
                .map(Price.class::cast)
                .toList();

        load(prices);
        var cold = table.meter().during(() -> stores.find(EVERYTHING, BERLIN.id()));
        var page = table.meter().during(() -> pricing.basePrices(EVERYTHING, BERLIN.id(), Channel.ALL, null, NOW, PAGE)
                .hasNextPage());
        var one = table.meter()
                .during(() -> pricing.price(EVERYTHING, BERLIN.id(), new ProductId("PRODUCT-007"), Channel.ALL, NOW));
        var basket = IntStream.range(0, 30)
                .mapToObj(i -> new PriceSubject.Product(new ProductId("PRODUCT-%03d".formatted(2 * i))))
                .toList();
        var many = table.meter()
                .during(() -> assertThat(pricing.prices(EVERYTHING, BERLIN.id(), basket, Channel.ALL, NOW))
                        .hasSize(30));
        var ofChannel = table.meter()
                .during(() -> assertThat(pricing.prices(EVERYTHING, BERLIN.id(), basket, KIOSK, NOW))
                        .hasSize(30));
        var acrossStores = table.meter()
                .during(() ->
                        pricing.basePricesByProduct(EVERYTHING, new ProductId("PRODUCT-007"), Channel.ALL, NOW, PAGE));
        var timeline = table.meter()
                .during(() -> pricing.timeline(
                        EVERYTHING,
                        BERLIN.id(),
                        new PriceSubject.Product(new ProductId("PRODUCT-007")),
                        Channel.ALL,
                        PAGE));
        var channels = table.meter().during(() -> assertThat(pricing.channels(EVERYTHING, BERLIN.id()))
                .containsExactly(Channel.ALL));

        assertThat(cold).as("the store, read once in a while").isEqualTo(new Units(1, 0.5, 0));
        assertThat(page).isEqualTo(new Units(1, 1.5, 0));
        assertThat(one).isEqualTo(new Units(1, 0.5, 0));
        assertThat(many).as("a basket").isEqualTo(new Units(1, 1, 0));
        assertThat(ofChannel.requests())
                .as("a basket of a channel without prices")
                .isEqualTo(2);
        assertThat(acrossStores).isEqualTo(new Units(1, 0.5, 0));
        assertThat(timeline).isEqualTo(new Units(1, 0.5, 0));
        assertThat(channels)
                .as("the channel, what is past it, and nothing, for which DynamoDB Local charges nothing")
                .isEqualTo(new Units(3, 1, 0));
    }

    @Test
    void aPageOfAnOptionReadsAllOptionsOfItsCombo() {
        var prices = IntStream.range(0, 40)
                .mapToObj(i -> swap("MENU", "OPTION-%03d".formatted(i), "1.00"))
                .map(Price.class::cast)
                .toList();

        load(prices);
        stores.find(EVERYTHING, BERLIN.id());
        var option = new PriceSubject.Swap(new ComboId("MENU"), new OptionId("OPTION-007"));
        var cost = table.meter()
                .during(() -> assertThat(pricing.swapPricesByOption(EVERYTHING, option, Channel.ALL, NOW, PAGE)
                                .nodes())
                        .hasSize(1));

        assertThat(cost).isEqualTo(new Units(1, 1, 0));
    }

    private String priceAt(String instant) {
        return pricing.price(EVERYTHING, BERLIN.id(), BURGER, Channel.ALL, Instant.parse(instant))
                .orElseThrow()
                .price()
                .amount()
                .toPlainString();
    }

    private List<BasePrice> forwards(Instant at, int size) {
        var walked = new ArrayList<BasePrice>();
        var page = pricing.basePrices(EVERYTHING, BERLIN.id(), Channel.ALL, null, at, PageRequest.forward(size, null));
        walked.addAll(page.nodes());
        while (page.hasNextPage()) {
            page = pricing.basePrices(
                    EVERYTHING, BERLIN.id(), Channel.ALL, null, at, PageRequest.forward(size, page.endCursor()));
            assertThat(page.hasPreviousPage()).isTrue();
            walked.addAll(page.nodes());
        }
        return walked;
    }

    private List<BasePrice> backwards(Instant at, int size) {
        var walked = new ArrayList<BasePrice>();
        var page = pricing.basePrices(EVERYTHING, BERLIN.id(), Channel.ALL, null, at, PageRequest.backward(size, null));
        walked.addAll(0, page.nodes());
        while (page.hasPreviousPage()) {
            page = pricing.basePrices(
                    EVERYTHING, BERLIN.id(), Channel.ALL, null, at, PageRequest.backward(size, page.startCursor()));
            assertThat(page.hasNextPage()).isTrue();
            walked.addAll(0, page.nodes());
        }
        return walked;
    }

    private static SwapPrice swap(String combo, String option, String amount) {
        return new SwapPrice(
                BERLIN,
                Channel.ALL,
                new ComboId(combo),
                new OptionId(option),
                EffectiveDate.parse("2026-01-01"),
                new Money(new BigDecimal(amount), BERLIN.currency()));
    }

    private void load(List<? extends Price> prices) {
        LoadedPrices.load(db, prices);
    }
}
