package io.menuboard.pricing.menus;

import io.menuboard.access.Access;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoredPrice;
import io.menuboard.pricing.StoredPrices;
import io.menuboard.pricing.Stores;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Use case of menus. Thread-safe. */
public final class Menus {
    private final Stores stores;
    private final DynamoPriceVersions versions;
    private final Clock clock;

    Menus(Stores stores, DynamoPriceVersions versions, Clock clock) {
        this.stores = stores;
        this.versions = versions;
        this.clock = clock;
    }

    /** The instant that a menu is true for when its caller names none. */
    public Instant now() {
        return clock.instant();
    }

    /**
     * What a store sells through a channel then: of each product and option the channel's own price, or, where it has none in
     * effect, the one of {@link Channel#ALL}. Eventually consistent; two Queries for the channel and two for {@code ALL}, of half
     * a read unit for every 4 KB of all versions that there are.
     *
     * @return empty where there is no such store, or it is not to be seen
     * @throws InvalidInput {@code INVALID_TIME} on {@code at}, for an instant of which prices are not kept any more
     * @throws io.menuboard.querydb.UnreadableItem where another version of the application wrote one of the prices and this
     *     one cannot read it
     */
    public Optional<Menu> menu(Access access, StoreId id, Channel channel, Instant at) {
        if (versions.mayHaveExpired(at, clock.instant())) {
            throw new InvalidInput(
                    "INVALID_TIME", "at", "must not be earlier than prices are kept that others have replaced");
        }
        return stores.find(access, id).map(store -> menu(store, channel, at));
    }

    private Menu menu(Store store, Channel channel, Instant at) {
        var own = versions.all(store.id(), channel);
        var general = channel.equals(Channel.ALL)
                ? Map.<PriceSubject, StoredPrices>of()
                : versions.all(store.id(), Channel.ALL);
        var subjects = new HashSet<>(own.keySet());
        subjects.addAll(general.keySet());
        var items = new ArrayList<MenuItem>();
        Instant first = null;
        for (var subject : subjects.stream()
                .sorted(Comparator.comparing(PriceSubject::toString))
                .toList()) {
            var prices = new Prices(
                    store,
                    channel,
                    own.getOrDefault(subject, StoredPrices.NONE),
                    general.getOrDefault(subject, StoredPrices.NONE));
            var now = prices.inEffect(at);
            var end = prices.endOf(now, at);
            if (now != null) {
                items.add(now.item(subject, store, end));
            }
            first = end != null && (first == null || end.isBefore(first)) ? end : first;
        }
        return new Menu(store, channel, at, items, first);
    }

    /** Versions of one price, of the channel itself and of all channels. */
    private record Prices(Store store, Channel channel, StoredPrices own, StoredPrices general) {

        /** The version that counts then; null where nothing is sold. */
        @Nullable
        InEffect inEffect(Instant at) {
            var latest = EffectiveDate.latestAt(at, store.timeZone());
            var version = own.until(latest);
            if (version != null && version.price() != null) {
                return new InEffect(channel, version);
            }
            var other = general.until(latest);
            return other == null || other.price() == null ? null : new InEffect(Channel.ALL, other);
        }

        /** When something else counts than now; null where that is not planned. */
        @Nullable
        Instant endOf(@Nullable InEffect now, Instant at) {
            return Stream.of(own, general)
                    .flatMap(prices -> prices.versions().stream())
                    .map(version -> version.effectiveDate().startsAt(store.timeZone()))
                    .filter(start -> start.isAfter(at))
                    .sorted()
                    .filter(start -> !Objects.equals(inEffect(start), now))
                    .findFirst()
                    .orElse(null);
        }
    }

    private record InEffect(Channel channel, StoredPrice version) {
        MenuItem item(PriceSubject subject, Store store, @Nullable Instant end) {
            return new MenuItem(
                    subject,
                    channel,
                    Objects.requireNonNull(version.price()),
                    version.effectiveDate().startsAt(store.timeZone()),
                    end);
        }
    }
}
