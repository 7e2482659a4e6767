package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.context.ContextServer;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.kernel.Money;
import io.menuboard.pricing.Address;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreStatus;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.imports.Imports;
import io.menuboard.pricing.imports.SamplePrices;
import io.menuboard.querydb.coordination.TableClock;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Prices and tasks, with a store in Berlin, one in Tokyo and one in New York, and the prices that tests give them. */
public final class ChangesServer implements AutoCloseable {
    public static final String BERLIN = "DE-0001";
    public static final String TOKYO = "JP-0001";
    public static final String NEW_YORK = "US-0001";

    private static final Duration TO_PREVIEW = Duration.ofSeconds(5);

    /** Long before every test. */
    private static final EffectiveDate BEFORE = EffectiveDate.parse("2020-01-01");

    private static final Map<String, Store> STORES = Map.of(
            BERLIN, store(BERLIN, "Berlin", "DE", "Europe/Berlin", "EUR"),
            TOKYO, store(TOKYO, "Tokyo", "JP", "Asia/Tokyo", "JPY"),
            NEW_YORK, store(NEW_YORK, "New York", "US", "America/New_York", "USD"));

    private final GraphQlServer server;

    private ChangesServer(GraphQlServer server) {
        this.server = server;
    }

    public static ChangesServer start(Map<String, Object> properties) {
        var server = ContextServer.start(properties);
        server.bean(Stores.class).save(EVERYTHING, List.copyOf(STORES.values()));
        return new ChangesServer(server);
    }

    public GraphQlServer server() {
        return server;
    }

    /** Gives products the same price in one store. */
    public void price(String store, String amount, String... products) {
        var found = Objects.requireNonNull(STORES.get(store));
        var prices = Stream.of(products)
                .map(product -> new BasePrice(
                        found,
                        Channel.ALL,
                        new ProductId(product),
                        BEFORE,
                        new Money(new BigDecimal(amount), found.currency())))
                .toList();
        SamplePrices.save(server.bean(Imports.class), server.bean(ChangeSets.class), prices);
    }

    /** Enough seconds from now, on the clock of that store, to preview a set of some lines. */
    public Soon soon(String store) {
        var clock = server.bean(TableClock.class);
        return new Soon(
                clock,
                clock.instant().truncatedTo(ChronoUnit.SECONDS).plus(TO_PREVIEW),
                Objects.requireNonNull(STORES.get(store)).timeZone());
    }

    /** An instant that is to come, and comes. */
    public record Soon(TableClock clock, Instant at, ZoneId timeZone) {
        String effectiveDate() {
            return LocalDateTime.ofInstant(at, timeZone).toString();
        }

        boolean isPast() {
            return at.isBefore(clock.instant());
        }
    }

    public JsonNode data(String document) {
        return server.data(document);
    }

    @Override
    public void close() {
        server.close();
    }

    private static Store store(String id, String city, String country, String timeZone, String currency) {
        return new Store(
                new StoreId(id),
                city,
                new Address("", city, "", "", country),
                Store.timeZoneOf(timeZone),
                Money.currencyOf(currency),
                StoreStatus.OPEN);
    }
}
