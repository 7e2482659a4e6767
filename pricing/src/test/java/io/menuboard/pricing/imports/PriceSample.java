package io.menuboard.pricing.imports;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.Address;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.ComboId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.OptionId;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.SaveOutcome;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreStatus;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.SwapPrice;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.querydb.requests.Workload;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Stores and prices that have everything the pages must cope with. */
public final class PriceSample {
    /** Friday, five past two in the afternoon in Berlin. */
    public static final Instant NOW = Instant.parse("2026-03-06T13:05:00Z");

    public static final String ATTACK = "<script>alert('pwned')</script>";

    public static final Store BERLIN =
            store("DE-0001", "Berlin Alexanderplatz", "Berlin", "DE", "Europe/Berlin", "EUR");
    public static final Store TOKYO = store("JP-0001", "東京 新宿", "Tokyo", "JP", "Asia/Tokyo", "JPY");
    public static final Store ANKARA = store("TR-0001", "Ankara Kızılay", "Ankara", "TR", "Europe/Istanbul", "TRY");
    public static final Store HOSTILE = store("=1+1", ATTACK + " \"&'", ATTACK, "US", "America/Denver", "USD");
    public static final Store SLASHED = store("A/B?c=d&e+100%", "Strange id", "Oslo", "NO", "Europe/Oslo", "NOK");

    /** How many prices {@code DAILY} has had in Berlin: more than an export reads at once and a chart draws. */
    public static final int DAYS = 600;

    /** More than a page of them. */
    public static final List<Store> MANY = IntStream.rangeClosed(1, 72)
            .mapToObj(i ->
                    store("FR-%04d".formatted(i), "Boutique %d".formatted(i), "Paris", "FR", "Europe/Paris", "EUR"))
            .toList();

    private PriceSample() {}

    /** Gives the services of an instance, as an application context does. */
    public interface Instance {
        /** The service of that type. */
        <T> T get(Class<T> type);
    }

    /** Saves all of it, with the services that an instance has; with the patience of work that nobody waits for. */
    public static void save(Instance instance) {
        Workload.BACKGROUND.run(() -> saveAll(instance));
    }

    private static void saveAll(Instance instance) {
        check(instance.get(Stores.class)
                .save(
                        EVERYTHING,
                        Stream.concat(Stream.of(BERLIN, TOKYO, ANKARA, HOSTILE, SLASHED), MANY.stream())
                                .toList()));
        var prices = new ArrayList<Price>();
        prices.addAll(coffee());
        prices.addAll(lira());
        IntStream.rangeClosed(1, 140)
                .mapToObj(i -> base(BERLIN, "ALL", "BURGER-%03d".formatted(i), "2026-01-01", "%d.90".formatted(i)))
                .forEach(prices::add);
        MANY.forEach(store -> prices.add(base(store, "ALL", "COFFEE", "2025-07-01", "3.20")));
        prices.add(base(TOKYO, "ALL", "COFFEE", "2025-07-01", "450"));
        prices.add(base(HOSTILE, "ALL", ATTACK, "2025-07-01", "9.99"));
        prices.add(base(SLASHED, "ALL", "50/50 & more?", "2025-07-01", "9.99"));
        IntStream.rangeClosed(1, DAYS)
                .mapToObj(i -> base(
                        BERLIN,
                        "ALL",
                        "DAILY",
                        LocalDate.of(2024, 6, 1).plusDays(i).toString(),
                        "%d.%02d".formatted(5 + i % 3, i % 100)))
                .forEach(prices::add);
        for (var option : List.of("FRIES-L", "SALAD", "WEDGES")) {
            prices.add(new SwapPrice(
                    BERLIN,
                    Channel.ALL,
                    new ComboId("MENU-CLASSIC"),
                    new OptionId(option),
                    EffectiveDate.parse("2026-01-01"),
                    money("0.90", "EUR")));
        }
        SamplePrices.save(instance.get(Imports.class), instance.get(ChangeSets.class), prices);
    }

    /** Two changes behind, two ahead, and a price of its own in one channel. */
    private static List<BasePrice> coffee() {
        return List.of(
                base(BERLIN, "ALL", "COFFEE", "2025-03-01", "2.90"),
                base(BERLIN, "ALL", "COFFEE", "2025-09-01T06:00", "3.10"),
                base(BERLIN, "ALL", "COFFEE", "2026-02-01", "2.95"),
                base(BERLIN, "ALL", "COFFEE", "2026-06-01", "3.30"),
                base(BERLIN, "ALL", "COFFEE", "2026-12-24", "3.50"),
                base(BERLIN, "KIOSK", "COFFEE", "2026-01-01", "2.80"));
    }

    /** From millions to single digits, and in another currency at first. */
    private static List<BasePrice> lira() {
        return List.of(
                new BasePrice(
                        ANKARA,
                        Channel.ALL,
                        new ProductId("BIGMAC"),
                        EffectiveDate.parse("2003-04-01"),
                        money("3750000", "JPY")),
                base(ANKARA, "ALL", "BIGMAC", "2005-01-01", "4.00"),
                base(ANKARA, "ALL", "BIGMAC", "2015-01-01", "9.25"),
                base(ANKARA, "ALL", "BIGMAC", "2025-01-01", "190.00"));
    }

    private static BasePrice base(Store store, String channel, String product, String from, String amount) {
        return new BasePrice(
                store,
                new Channel(channel),
                new ProductId(product),
                EffectiveDate.parse(from),
                money(amount, store.currency().getCurrencyCode()));
    }

    private static Money money(String amount, String currency) {
        return new Money(new BigDecimal(amount), Money.currencyOf(currency));
    }

    private static Store store(String id, String name, String city, String country, String timeZone, String currency) {
        return new Store(
                new StoreId(id),
                name,
                new Address("", city, "", "", country),
                Store.timeZoneOf(timeZone),
                Money.currencyOf(currency),
                StoreStatus.OPEN);
    }

    private static void check(List<SaveOutcome> outcomes) {
        if (!outcomes.stream().allMatch(SaveOutcome.Created.class::isInstance)) {
            throw new IllegalStateException("not everything was saved: " + outcomes);
        }
    }
}
