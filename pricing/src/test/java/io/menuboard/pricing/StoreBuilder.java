package io.menuboard.pricing;

import io.menuboard.kernel.Money;
import java.math.BigDecimal;

/** A valid store by default: {@code aStore("DE-0001").build()} is open in Berlin and sells in euros. */
public final class StoreBuilder {
    public static final Store BERLIN = aStore("DE-0001").build();
    public static final Store TOKYO =
            aStore("JP-0001").onTheClockOf("Asia/Tokyo").sellingIn("JPY").build();
    public static final Store SANTIAGO =
            aStore("CL-0001").onTheClockOf("America/Santiago").sellingIn("CLP").build();

    private final StoreId id;
    private String name;
    private Address address = new Address("", "Berlin", "", "", "DE");
    private String timeZone = "Europe/Berlin";
    private String currency = "EUR";

    private StoreBuilder(String id) {
        this.id = new StoreId(id);
        this.name = "Store " + id;
    }

    public static StoreBuilder aStore(String id) {
        return new StoreBuilder(id);
    }

    public StoreBuilder named(String name) {
        this.name = name;
        return this;
    }

    public StoreBuilder in(String city, String country) {
        this.address = new Address("", city, "", "", country);
        return this;
    }

    public StoreBuilder onTheClockOf(String timeZone) {
        this.timeZone = timeZone;
        return this;
    }

    public StoreBuilder sellingIn(String currency) {
        this.currency = currency;
        return this;
    }

    public Store build() {
        return new Store(id, name, address, Store.timeZoneOf(timeZone), Money.currencyOf(currency), StoreStatus.OPEN);
    }

    /** A base price of the store in its own currency. */
    public static BasePrice price(Store store, String channel, String product, String effectiveDate, String amount) {
        return new BasePrice(
                store,
                new Channel(channel),
                new ProductId(product),
                EffectiveDate.parse(effectiveDate),
                new Money(new BigDecimal(amount), store.currency()));
    }
}
