package io.menuboard.pricing;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Use cases of prices. Thread-safe.
 *
 * <p>Every read is true for an instant: of the prices of one store, channel and product, the one with the latest
 * effective date that has started by then. Pages are eventually consistent and cost 0.5 read units for each 4 KB, about
 * 40 prices; at an instant of which versions may have expired, also a Query of history for each price, or two, 16 at a
 * time. They need {@link Permission#PRICES_READ}. An unknown store is refused with {@link InvalidInput}
 * {@code NOT_FOUND} on {@code store}, and so is one that the permission is not for, before anything of it is read.
 */
public final class Pricing {
    private final Stores stores;
    private final DynamoPrices prices;
    private final Clock clock;

    Pricing(Stores stores, DynamoPrices prices, Clock clock) {
        this.stores = stores;
        this.prices = prices;
        this.clock = clock;
    }

    /** The same with strongly consistent reads of the prices of one store, which cost twice as much. */
    public Pricing strong() {
        return new Pricing(stores, prices.strong(), clock);
    }

    /** The instant that a read means when its caller names none. */
    public Instant now() {
        return clock.instant();
    }

    /**
     * The prices that a store has set for exactly this channel, by product.
     *
     * @param productPrefix what product ids begin with; null or empty for all
     * @throws InvalidInput {@code NOT_FOUND}, {@code INVALID_PREFIX}, or what
     *     {@link io.menuboard.querydb.QueryDb#query} refuses
     */
    public Page<BasePrice> basePrices(
            Access access,
            StoreId store,
            Channel channel,
            @Nullable String productPrefix,
            Instant at,
            PageRequest page) {
        var prefix = productPrefix == null ? "" : productPrefix;
        Ids.checkPrefix("productPrefix", prefix);
        return prices.basePrices(stores.require(access, store), channel, prefix, at, page);
    }

    /**
     * Prices of a product in every store that has a price for exactly this channel, by store id. Each store's effective
     * dates are read on its own clock, so at one instant some stores may be in the next day already. Adds at most one
     * BatchGetItem per 100 stores that are not remembered. Where only some stores may be seen, the prices of each that the page
     * passes are a Query of 0.5 read units instead.
     */
    public Page<BasePrice> basePricesByProduct(
            Access access, ProductId product, Channel channel, Instant at, PageRequest page) {
        return prices.byStore(access, new PriceSubject.Product(product), channel, at, page);
    }

    /**
     * The swap prices that a store has set for exactly this channel, by combo and option.
     *
     * @param combo only this combo's, or null for all
     */
    public Page<SwapPrice> swapPrices(
            Access access, StoreId store, Channel channel, @Nullable ComboId combo, Instant at, PageRequest page) {
        return prices.swapPrices(stores.require(access, store), channel, combo, at, page);
    }

    /** As {@link #basePricesByProduct}, of an option of a combo. Reads all options that the combo has in each store. */
    public Page<SwapPrice> swapPricesByOption(
            Access access, PriceSubject.Swap swap, Channel channel, Instant at, PageRequest page) {
        return prices.byStore(access, swap, channel, at, page);
    }

    /**
     * Price of a product in a store and channel: the channel's own price in effect, or, where it has none, the one of
     * {@link Channel#ALL}. One Query of 0.5 read units for 4 KB of its versions, or two.
     */
    public Optional<BasePrice> price(Access access, StoreId store, ProductId product, Channel channel, Instant at) {
        var subject = new PriceSubject.Product(product);
        return Optional.ofNullable(
                (BasePrice) prices(access, store, List.of(subject), channel, at).get(subject));
    }

    /**
     * Prices of products and options in a store and channel, those that there are: for each the channel's own price in
     * effect, or, where it has none, the one of {@link Channel#ALL}. Up to three cost as {@link #price} does each. More are
     * read with all prices between the first and the last of them, of products and of options apart: one Query of half a
     * read unit per 4 KB, and another where the channel does not have all of them.
     */
    public Map<PriceSubject, Price> prices(
            Access access, StoreId store, Collection<? extends PriceSubject> subjects, Channel channel, Instant at) {
        var there = stores.require(access, store);
        var own = prices.prices(there, channel, subjects, at);
        var found = new HashMap<>(own.inEffect());
        var missing =
                subjects.stream().filter(subject -> !found.containsKey(subject)).toList();
        if (!missing.isEmpty() && !channel.equals(Channel.ALL)) {
            prices.prices(there, Channel.ALL, missing, at)
                    .inEffect()
                    .forEach((subject, price) ->
                            found.put(subject, price.endingBy(own.toCome().get(subject))));
        }
        return Map.copyOf(found);
    }

    /**
     * Every version of a price that something has or will have in a store for exactly this channel, oldest effective date
     * first; also those from which on it has none. One Query more where the page is not the last one.
     */
    public Page<PriceVersion> timeline(
            Access access, StoreId store, PriceSubject subject, Channel channel, PageRequest page) {
        return prices.timeline(stores.require(access, store), channel, subject, page);
    }

    /**
     * The lowest price that something had in a store and exactly this channel in the last 30 days, this instant included;
     * empty where it had none. Amounts in different currencies cannot be compared: only prices in the currency of the
     * latest of these prices count. One read unit per 4 KB of its versions; one of history more, where the store's clock has shown
     * an hour twice since.
     */
    public Optional<Money> lowest(Access access, StoreId store, PriceSubject subject, Channel channel) {
        return prices.lowest(stores.require(access, store), channel, subject, clock.instant());
    }

    /** The channels that a store has prices for, in order; empty for an unknown store. One Query of 0.5 read units each. */
    public List<Channel> channels(Access access, StoreId store) {
        return Stores.isInSight(access, store) ? prices.channels(store) : List.of();
    }
}
