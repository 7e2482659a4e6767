package io.menuboard.pricing.current;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.graphql.conditional.Dependency;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.ComboId;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.SwapPrice;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Use cases of prices in effect, as {@link Pricing} has them, from memory where that is as good. Thread-safe.
 *
 * <p>They need {@link Permission#PRICES_READ}. How fresh an answer is, the caller says. Where the prices of a store and channel
 * are remembered, an answer costs nothing, or one read unit to learn that they still are as they were. Otherwise
 * {@link Pricing} answers, strongly consistently, and what is asked for again within a minute is read and remembered meanwhile: two
 * read units, and one for every 4 KB of versions. Where an answer is to be {@link ReadConsistency#STRONG}, all of them are read for it,
 * but for single prices that cannot be remembered: those {@link Pricing} reads alone.
 */
public final class CurrentPrices {
    private final Pricing pricing;
    private final Stores stores;
    private final DynamoPriceVersions versions;
    private final PriceSnapshots snapshots;
    private final DynamoSnapshotPages pages;

    CurrentPrices(
            Pricing pricing,
            Stores stores,
            DynamoPriceVersions versions,
            PriceSnapshots snapshots,
            DynamoSnapshotPages pages) {
        this.pricing = pricing.strong();
        this.stores = stores;
        this.versions = versions;
        this.snapshots = snapshots;
        this.pages = pages;
    }

    /** Prices of a store that are asked for. */
    public record Asked(StoreId store, Channel channel, Instant at, ReadConsistency consistency) {
        Asked at(Instant other) {
            return new Asked(store, channel, other, consistency);
        }
    }

    /**
     * State of all that the prices depend on which are asked for: the same state, the same prices. Remembers them.
     *
     * @return empty where they are not to be remembered, or are to be {@link ReadConsistency#STRONG}
     */
    Optional<Dependency.State> state(Access access, Asked asked) {
        return state(
                asked,
                () -> stores.find(access, asked.store()),
                channel -> snapshots.of(asked.store(), channel, ReadConsistency.BOUNDED));
    }

    /** The same where all of it is remembered and known to be fresh; empty otherwise. Never blocks. */
    Optional<Dependency.State> rememberedState(Access access, Asked asked) {
        return state(
                asked,
                () -> stores.remembered(access, asked.store()),
                channel -> snapshots.fresh(asked.store(), channel));
    }

    private Optional<Dependency.State> state(
            Asked asked, Supplier<Optional<Store>> find, Function<Channel, Optional<PriceSnapshot>> snapshotOf) {
        if (asked.consistency() == ReadConsistency.STRONG || versions.mayHaveExpired(asked.at(), pricing.now())) {
            return Optional.empty();
        }
        var store = find.get();
        var own = store.flatMap(_ -> snapshotOf.apply(asked.channel()));
        var general = own.flatMap(_ -> snapshotOf.apply(Channel.ALL));
        if (general.isEmpty()) {
            return Optional.empty();
        }
        var zone = store.orElseThrow().timeZone();
        var latest = EffectiveDate.latestAt(asked.at(), zone);
        var next = Stream.of(own.orElseThrow(), general.get())
                .map(prices -> prices.firstAfter(latest))
                .flatMap(Stream::ofNullable)
                .min(Comparator.naturalOrder())
                .orElse(null);
        return Optional.of(new Dependency.State(
                store.get() + " " + text(own.get(), latest) + " " + text(general.get(), latest) + " " + next,
                next == null ? null : next.startsAt(zone)));
    }

    /** The revision alone would not tell prices of it apart that were read before all of it was to be seen. */
    private static String text(PriceSnapshot prices, EffectiveDate latest) {
        return prices.revision() + "-" + Long.toHexString(prices.fingerprint(latest));
    }

    /** The instant that a read means when its caller names none. */
    public Instant now() {
        return pricing.now();
    }

    /**
     * The prices that a store has set for exactly this channel, by product.
     *
     * @param productPrefix what product ids begin with; null or empty for all
     * @throws InvalidInput as {@link Pricing#basePrices}
     */
    public Page<BasePrice> basePrices(Access access, Asked asked, @Nullable String productPrefix, PageRequest page) {
        var prefix = productPrefix == null ? "" : productPrefix;
        Ids.checkPrefix("productPrefix", prefix);
        var store = stores.require(access, asked.store());
        return all(asked)
                .map(prices -> pages.basePrices(prices, store, asked.channel(), prefix, asked.at(), page))
                .orElseGet(() -> pricing.basePrices(access, asked.store(), asked.channel(), prefix, asked.at(), page));
    }

    /**
     * The swap prices that a store has set for exactly this channel, by combo and option.
     *
     * @param combo only this combo's, or null for all
     */
    public Page<SwapPrice> swapPrices(Access access, Asked asked, @Nullable ComboId combo, PageRequest page) {
        var store = stores.require(access, asked.store());
        return all(asked)
                .map(prices -> pages.swapPrices(prices, store, asked.channel(), combo, asked.at(), page))
                .orElseGet(() -> pricing.swapPrices(access, asked.store(), asked.channel(), combo, asked.at(), page));
    }

    /**
     * Prices of products and options in a store and channel, those that there are: for each the channel's own price in
     * effect, or, where it has none, the one of {@link Channel#ALL}.
     */
    public Map<PriceSubject, Price> prices(Access access, Asked asked, Collection<? extends PriceSubject> subjects) {
        var store = stores.require(access, asked.store());
        var own = snapshot(asked, asked.channel());
        var general = asked.channel().equals(Channel.ALL) ? own : snapshot(asked, Channel.ALL);
        if (own.isEmpty() || general.isEmpty()) {
            return pricing.prices(access, asked.store(), subjects, asked.channel(), asked.at());
        }
        var latest = EffectiveDate.latestAt(asked.at(), store.timeZone());
        var found = new HashMap<PriceSubject, Price>();
        for (var subject : subjects) {
            var price = price(own.get(), store, asked.channel(), subject, latest);
            if (price == null) {
                price = price(general.get(), store, Channel.ALL, subject, latest);
                var index = own.get().indexOf(subject);
                if (price != null && index >= 0) {
                    price = price.endingBy(own.get().firstPriceAfter(index, latest));
                }
            }
            if (price != null) {
                found.put(subject, price);
            }
        }
        return Map.copyOf(found);
    }

    private static @Nullable Price price(
            PriceSnapshot prices, Store store, Channel channel, PriceSubject subject, EffectiveDate latest) {
        var index = prices.indexOf(subject);
        return index < 0 ? null : DynamoSnapshotPages.price(prices, store, channel, index, latest);
    }

    /** For a list, which fails as a whole where strong reads meet what cannot be read; empty where the table is to be asked. */
    private Optional<PriceSnapshot> all(Asked asked) {
        var snapshot = snapshot(asked, asked.channel());
        return snapshot.isPresent()
                        || asked.consistency() != ReadConsistency.STRONG
                        || versions.mayHaveExpired(asked.at(), pricing.now())
                ? snapshot
                : Optional.of(snapshots.orRead(asked.store(), asked.channel(), ReadConsistency.STRONG));
    }

    /** Empty where the table is to be asked. */
    private Optional<PriceSnapshot> snapshot(Asked asked, Channel channel) {
        if (versions.mayHaveExpired(asked.at(), pricing.now())) {
            return Optional.empty();
        }
        return asked.consistency() == ReadConsistency.STRONG
                ? snapshots.of(asked.store(), channel, ReadConsistency.STRONG)
                : snapshots.remembered(asked.store(), channel);
    }
}
