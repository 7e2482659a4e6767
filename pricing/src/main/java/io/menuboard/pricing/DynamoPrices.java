package io.menuboard.pricing;

import static io.menuboard.pricing.DynamoPriceVersions.AMOUNT;
import static io.menuboard.pricing.DynamoPriceVersions.CHANGE_SET;
import static io.menuboard.pricing.DynamoPriceVersions.CURRENCY;
import static io.menuboard.pricing.DynamoPriceVersions.INDEX;
import static io.menuboard.pricing.DynamoPriceVersions.LAST;
import static io.menuboard.pricing.DynamoPriceVersions.changeSetOf;
import static io.menuboard.pricing.DynamoPriceVersions.dateOf;
import static io.menuboard.pricing.DynamoPriceVersions.isPrice;
import static io.menuboard.pricing.DynamoPriceVersions.item;
import static io.menuboard.pricing.DynamoPriceVersions.money;
import static io.menuboard.pricing.DynamoPriceVersions.subjectOf;

import io.menuboard.kernel.Money;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads of prices in effect, from their {@link DynamoPriceVersions versions}. */
final class DynamoPrices {

    /** Time in which a lowest price is sought: Directive 98/6/EC, article 6a. */
    private static final Duration LOOK_BACK = Duration.ofDays(30);

    private final QueryDb db;
    private final Stores stores;
    private final DynamoPriceHistory history;
    private final Clock clock;
    private final DynamoPriceVersions versions;

    DynamoPrices(QueryDb db, Stores stores, DynamoPriceVersions versions, DynamoPriceHistory history, Clock clock) {
        this.db = db;
        this.stores = stores;
        this.history = history;
        this.clock = clock;
        this.versions = versions;
    }

    Page<BasePrice> basePrices(Store store, Channel channel, String productPrefix, Instant at, PageRequest page) {
        var query = Query.table("basePrices", DynamoStores.partition(store.id()))
                .beginsWith(channel + "#Base#" + productPrefix)
                .attributes(AMOUNT, CURRENCY)
                .groupedBy(3);
        return inEffect(query, store, channel, at, page, item -> basePrice(store, channel, item));
    }

    Page<SwapPrice> swapPrices(Store store, Channel channel, @Nullable ComboId combo, Instant at, PageRequest page) {
        var query = Query.table("swapPrices", DynamoStores.partition(store.id()))
                .beginsWith(channel + "#Swap#" + (combo == null ? "" : combo + "#"))
                .attributes(AMOUNT, CURRENCY)
                .groupedBy(4);
        return inEffect(query, store, channel, at, page, item -> swapPrice(store, channel, item));
    }

    Page<BasePrice> basePricesByProduct(ProductId product, Channel channel, Instant at, PageRequest page) {
        var query = Query.index("basePricesByProduct", INDEX, "TYPE#Base#" + product)
                .beginsWith(channel + "#STORE#")
                .attributes(AMOUNT, CURRENCY)
                .groupedBy(3);
        return db.query(query, page, groups -> {
            var ids = groups.stream().map(DynamoPrices::storeOf).toList();
            var found = stores.findAll(ids);
            var moments = new HashMap<ZoneId, Moment>();
            var edges = new ArrayList<Optional<BasePrice>>(groups.size());
            for (var i = 0; i < groups.size(); i++) {
                var group = groups.get(i);
                edges.add(Optional.ofNullable(found.get(ids.get(i)))
                        .flatMap(store -> edge(
                                store,
                                channel,
                                group,
                                moments.computeIfAbsent(store.timeZone(), zone -> moment(at, zone)),
                                item -> basePrice(store, channel, item))));
            }
            return edges;
        });
    }

    Optional<BasePrice> basePrice(Store store, Channel channel, ProductId product, Instant at) {
        var first = channel + "#Base#" + product + "#";
        var moment = moment(at, store.timeZone());
        var query = Query.table("price", DynamoStores.partition(store.id())).attributes(AMOUNT, CURRENCY);
        var inEffect = moment.isLongAgo()
                ? inEffect(store, channel, all(query.beginsWith(first)), moment)
                : db
                        .query(query.between(first, first + moment.latest()), PageRequest.backward(1, null))
                        .nodes()
                        .stream()
                        .findFirst()
                        .filter(DynamoPriceVersions::isPrice);
        return inEffect.map(item -> db.read(item, price -> basePrice(store, channel, price)));
    }

    Page<PriceVersion> timeline(Store store, Channel channel, ProductId product, PageRequest page) {
        var query = Query.table("priceTimeline", DynamoStores.partition(store.id()))
                .beginsWith(channel + "#Base#" + product + "#")
                .attributes(AMOUNT, CURRENCY, CHANGE_SET);
        // Without one of them, the one before would seem to last: none is left out.
        return db.query(query, page)
                .map(item -> db.read(item, version -> {
                    var date = EffectiveDate.inKey(dateOf(version));
                    return new PriceVersion(
                            date,
                            date.startsAt(store.timeZone()),
                            isPrice(version) ? money(version) : null,
                            changeSetOf(version));
                }));
    }

    /** Distinct first parts of the store's sort keys, found by jumping from one to the next: one Query each. */
    List<Channel> channels(StoreId store) {
        var channels = new ArrayList<Channel>();
        var partition = DynamoStores.partition(store);
        var from = "!";
        while (true) {
            var query = Query.table("channels", partition).between(from, LAST).attributes("type");
            var next = db.query(query, PageRequest.forward(1, null)).nodes();
            if (next.isEmpty()) {
                return channels;
            }
            var sort = next.getFirst().key().sort();
            var end = sort.indexOf('#');
            if (end > 0) {
                db.readable(next.getFirst(), _ -> new Channel(sort.substring(0, end)))
                        .ifPresent(channels::add);
            }
            // '$' follows '#', and '!' comes before it: past all that this channel has, or past META alone.
            from = end > 0 ? sort.substring(0, end) + "$" : sort + "!";
        }
    }

    private <T> Page<T> inEffect(
            Query query, Store store, Channel channel, Instant at, PageRequest page, Function<Item, T> price) {
        var moment = moment(at, store.timeZone());
        return db.query(query, page, groups -> {
            var edges = new ArrayList<Optional<T>>(groups.size());
            for (var group : groups) {
                edges.add(edge(store, channel, group, moment, price));
            }
            return edges;
        });
    }

    /**
     * The price in effect, of those versions of it that there are; empty, too, where this version of the application cannot
     * read it. The product is left out of the list then, and is an error where it is asked for alone: to go by the version
     * before it would give a price that does not count any more, which nobody could tell from one that does. Versions that
     * are not in effect are not read, whatever they are.
     */
    private <T> Optional<T> edge(
            Store store, Channel channel, List<Item> group, Moment moment, Function<Item, T> price) {
        return db.readable(group.getFirst(), _ -> inEffect(store, channel, group, moment)
                        .map(item -> db.read(item, price)))
                .flatMap(Function.identity());
    }

    private List<Item> all(Query query) {
        try (var items = db.all(query, Consistency.EVENTUAL)) {
            return items.toList();
        }
    }

    /**
     * An instant on the clock of a store.
     *
     * @param latest the last effective date that has started by then
     * @param isLongAgo whether versions that were in effect then may have expired
     */
    private record Moment(Instant at, String latest, boolean isLongAgo) {}

    private Moment moment(Instant at, ZoneId zone) {
        return new Moment(
                at, EffectiveDate.latestAt(at, zone).toString(), versions.mayHaveExpired(at, clock.instant()));
    }

    /** The price at that moment, of those versions of it that there are; long ago, one or two Queries of its history. */
    private Optional<Item> inEffect(Store store, Channel channel, List<Item> group, Moment moment) {
        var last = lastOf(group, moment.latest());
        return (moment.isLongAgo() && !group.isEmpty() ? longAgo(store, channel, group, last, moment) : last)
                .filter(DynamoPriceVersions::isPrice);
    }

    /** The latest of what is left, what the next change replaced, and what the last one made. */
    private Optional<Item> longAgo(Store store, Channel channel, List<Item> group, Optional<Item> last, Moment moment) {
        var subject = subjectOf(group.getFirst());
        var known = history.firstAfter(store.id(), channel, subject, moment.at(), moment.latest())
                .filter(next -> next.beforeSince() != null
                        && next.beforeSince().toString().compareTo(moment.latest()) <= 0)
                .map(next ->
                        item(store.id(), channel, subject, Objects.requireNonNull(next.beforeSince()), next.before()))
                .or(() -> history.lastUntil(store.id(), channel, subject, moment.at())
                        .map(change -> item(store.id(), channel, subject, change.effectiveDate(), change.after())));
        return Stream.of(known, last).flatMap(Optional::stream).max(Comparator.comparing(DynamoPriceVersions::dateOf));
    }

    /** The item with the last effective date that is not after {@code latest}. */
    private static Optional<Item> lastOf(List<Item> group, String latest) {
        Item last = null;
        var lastDate = "";
        for (var item : group) {
            var date = dateOf(item);
            if (date.compareTo(latest) <= 0 && date.compareTo(lastDate) > 0) {
                last = item;
                lastDate = date;
            }
        }
        return Optional.ofNullable(last);
    }

    /** The part of the sort key after so many {@code #}, and before the next. */
    private static String part(Item item, int number) {
        var sort = item.key().sort();
        var start = 0;
        for (var passed = 0; passed < number; passed++) {
            start = sort.indexOf('#', start) + 1;
        }
        return sort.substring(start, sort.indexOf('#', start));
    }

    private static StoreId storeOf(List<Item> group) {
        return DynamoStores.idIn(group.getFirst().key().partition());
    }

    private static BasePrice basePrice(Store store, Channel channel, Item item) {
        return new BasePrice(
                store, channel, new ProductId(part(item, 2)), EffectiveDate.inKey(dateOf(item)), money(item));
    }

    private static SwapPrice swapPrice(Store store, Channel channel, Item item) {
        return new SwapPrice(
                store,
                channel,
                new ComboId(part(item, 2)),
                new OptionId(part(item, 3)),
                EffectiveDate.inKey(dateOf(item)),
                money(item));
    }

    /** The lowest price of the last 30 days, of those in the currency of the latest of them. */
    Optional<Money> lowest(Store store, Channel channel, PriceSubject subject, Instant now) {
        var today = EffectiveDate.latestAt(now, store.timeZone());
        var begin = EffectiveDate.latestAt(now.minus(LOOK_BACK), store.timeZone());
        var inEffect = new ArrayList<Money>();
        var all = versions.versions(store.id(), channel, List.of(subject)).getOrDefault(subject, StoredPrices.NONE);
        for (var version : all.versions()) {
            if (version.effectiveDate().compareTo(today) > 0) {
                break;
            }
            if (version.effectiveDate().compareTo(begin) <= 0) {
                inEffect.clear();
            }
            if (version.price() != null) {
                inEffect.add(version.price());
            }
        }
        return inEffect.stream()
                .filter(price -> price.currency().equals(inEffect.getLast().currency()))
                .min(Comparator.comparing(Money::amount));
    }
}
