package io.menuboard.pricing;

import static io.menuboard.pricing.DynamoPriceVersions.AMOUNT;
import static io.menuboard.pricing.DynamoPriceVersions.CHANGE_SET;
import static io.menuboard.pricing.DynamoPriceVersions.CURRENCY;
import static io.menuboard.pricing.DynamoPriceVersions.INDEX;
import static io.menuboard.pricing.DynamoPriceVersions.LAST;
import static io.menuboard.pricing.DynamoPriceVersions.changeSetOf;
import static io.menuboard.pricing.DynamoPriceVersions.dateOf;
import static io.menuboard.pricing.DynamoPriceVersions.isPrice;
import static io.menuboard.pricing.DynamoPriceVersions.money;
import static io.menuboard.pricing.DynamoPriceVersions.subjectOf;

import io.menuboard.access.Access;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.requests.Concurrently;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads of prices in effect, from their {@link DynamoPriceVersions versions}. */
final class DynamoPrices {

    /** Time in which a lowest price is sought: Directive 98/6/EC, article 6a. */
    private static final Duration LOOK_BACK = Duration.ofDays(30);

    /** Prices that take requests of their own: of each of some stores, or long ago. */
    private static final int AT_ONCE = 16;

    private final QueryDb db;
    private final Stores stores;
    private final DynamoPriceHistory history;
    private final Clock clock;
    private final DynamoPriceVersions versions;
    private final Consistency consistency; // of what is read of one store

    DynamoPrices(
            QueryDb db,
            Stores stores,
            DynamoPriceVersions versions,
            DynamoPriceHistory history,
            Clock clock,
            Consistency consistency) {
        this.db = db;
        this.consistency = consistency;
        this.stores = stores;
        this.history = history;
        this.clock = clock;
        this.versions = versions;
    }

    /** The same with strongly consistent reads of the prices of one store. */
    DynamoPrices strong() {
        return new DynamoPrices(db, stores, versions, history, clock, Consistency.STRONG);
    }

    Page<BasePrice> basePrices(Store store, Channel channel, String productPrefix, Instant at, PageRequest page) {
        var query = DynamoPriceVersions.basePrices(store.id(), channel, productPrefix);
        return inEffect(query, store, channel, at, page, DynamoPrices::basePrice);
    }

    Page<SwapPrice> swapPrices(Store store, Channel channel, @Nullable ComboId combo, Instant at, PageRequest page) {
        var query = DynamoPriceVersions.swapPrices(store.id(), channel, combo);
        return inEffect(query, store, channel, at, page, DynamoPrices::swapPrice);
    }

    Page<BasePrice> byStore(
            Access access, PriceSubject.Product product, Channel channel, Instant at, PageRequest page) {
        return byStore(
                "basePricesByProduct",
                access,
                product,
                channel,
                at,
                page,
                Function.identity(),
                DynamoPrices::basePrice);
    }

    /** Reads all options of the combo, unless it is for some stores. */
    Page<SwapPrice> byStore(Access access, PriceSubject.Swap swap, Channel channel, Instant at, PageRequest page) {
        UnaryOperator<List<Item>> ofOption = items -> items.stream()
                .filter(item -> db.readable(item, DynamoPriceVersions::subjectOf)
                        .filter(swap::equals)
                        .isPresent())
                .toList();
        return byStore("swapPricesByOption", access, swap, channel, at, page, ofOption, DynamoPrices::swapPrice);
    }

    /** Makes a price of its item, and of when it ends, which is null where it does not. */
    @FunctionalInterface
    private interface PriceReader<T extends Price> {
        T read(Store store, Channel channel, Item item, @Nullable EffectiveDate end);
    }

    /** For some stores, a Query for each that the page passes: what others sell takes no time, and no place on a page. */
    private <T extends Price> Page<T> byStore(
            String list,
            Access access,
            PriceSubject subject,
            Channel channel,
            Instant at,
            PageRequest page,
            Function<List<Item>, List<Item>> versions,
            PriceReader<T> price) {
        var some = Stores.inSight(access).orElse(null);
        if (some != null) {
            var ofSubject = channel + "#" + subject + "#";
            var query = Query.table(list, DynamoPriceVersions.indexPartition(subject))
                    .beginsWith(ofSubject);
            var sorted = some.stream().sorted(Key::compareUtf8).toList();
            return db.page(query, sorted, ids -> among(access, ids, ofSubject, channel, at, price), page);
        }
        var query = Query.index(list, INDEX, DynamoPriceVersions.indexPartition(subject))
                .beginsWith(channel + "#STORE#")
                .attributes(AMOUNT, CURRENCY)
                .groupedBy(3);
        return db.query(query, page, groups -> {
            var found = stores.findAll(
                    access, groups.stream().map(DynamoPrices::storeOf).toList());
            var moments = new ConcurrentHashMap<ZoneId, Moment>();
            var areOfLongAgo = this.versions.mayHaveExpired(at, clock.instant());
            return each(groups, areOfLongAgo, group -> Optional.ofNullable(found.get(storeOf(group)))
                    .flatMap(store -> edge(
                            store,
                            channel,
                            versions.apply(group),
                            moments.computeIfAbsent(store.timeZone(), zone -> moment(at, zone)),
                            price)));
        });
    }

    private static StoreId storeOf(List<Item> group) {
        return DynamoStores.idIn(group.getFirst().key().partition());
    }

    /** In their order; at once where each asks for history. */
    private static <T> List<Optional<T>> each(
            List<List<Item>> groups, boolean areOfLongAgo, Function<List<Item>, Optional<T>> edge) {
        return areOfLongAgo
                ? Concurrently.map(AT_ONCE, groups, edge)
                : groups.stream().map(edge).toList();
    }

    private <T extends Price> List<Optional<T>> among(
            Access access, List<String> ids, String ofSubject, Channel channel, Instant at, PriceReader<T> price) {
        var found = stores.findAll(access, ids.stream().map(StoreId::new).toList());
        return Concurrently.map(AT_ONCE, ids, id -> Optional.ofNullable(found.get(new StoreId(id)))
                .flatMap(store -> edge(
                        store,
                        channel,
                        all(Query.table("priceInStore", DynamoStores.partition(store.id()))
                                .beginsWith(ofSubject)
                                .attributes(AMOUNT, CURRENCY)),
                        moment(at, store.timeZone()),
                        price)));
    }

    /**
     * Prices of a channel.
     *
     * @param inEffect those that there are
     * @param toCome from when there is one, of what has none in effect and gets one
     */
    record Found(Map<PriceSubject, Price> inEffect, Map<PriceSubject, EffectiveDate> toCome) {}

    /** Few prices are read one by one, many in one request. */
    Found prices(Store store, Channel channel, Collection<? extends PriceSubject> subjects, Instant at) {
        var moment = moment(at, store.timeZone());
        var asked = Set.<PriceSubject>copyOf(subjects);
        var name = asked.size() < DynamoPriceVersions.READ_TOGETHER ? "price" : "prices";
        var found = new Found(new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
        var versions = new HashMap<PriceSubject, List<Item>>();
        DynamoPriceVersions.queries(name, store.id(), channel, asked)
                .forEach(query -> all(query.attributes(AMOUNT, CURRENCY))
                        .forEach(item -> db.readable(item, DynamoPriceVersions::subjectOf)
                                .filter(asked::contains)
                                .ifPresent(subject -> versions.computeIfAbsent(subject, _ -> new ArrayList<>())
                                        .add(item))));
        Consumer<Map.Entry<PriceSubject, List<Item>>> find = entry -> {
            var subject = entry.getKey();
            var some = entry.getValue();
            var price = inEffect(store, channel, some, moment);
            price.ifPresent(it -> found.inEffect().put(subject, read(store, channel, it)));
            if (price.isEmpty()) {
                toCome(store, channel, subject, some, moment)
                        .ifPresent(date -> found.toCome().put(subject, date));
            }
        };
        if (moment.isLongAgo()) {
            Concurrently.forEach(AT_ONCE, versions.entrySet(), find);
        } else {
            versions.entrySet().forEach(find);
        }
        return found;
    }

    /** From when there is a price, of those versions of it that there are, where none is in effect; long ago, a Query of its history. */
    private Optional<EffectiveDate> toCome(
            Store store, Channel channel, PriceSubject subject, List<Item> group, Moment moment) {
        var next = first(group.stream().filter(DynamoPriceVersions::isPrice).toList(), moment);
        if (!moment.isLongAgo()) {
            return next;
        }
        var change = history.firstAfter(store.id(), channel, subject, moment.at(), moment.latest());
        return Stream.of(
                        next,
                        change.filter(made -> made.after() != null).map(PriceHistoryEntry::effectiveDate),
                        change.filter(made -> made.before() != null).flatMap(made -> made.replaced(moment.latest())))
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder());
    }

    private Price read(Store store, Channel channel, InEffect price) {
        return db.read(price.item(), item -> switch (subjectOf(item)) {
            case PriceSubject.Product _ -> basePrice(store, channel, item, price.end());
            case PriceSubject.Swap _ -> swapPrice(store, channel, item, price.end());
        });
    }

    Page<PriceVersion> timeline(Store store, Channel channel, PriceSubject subject, PageRequest page) {
        var first = channel + "#" + subject + "#";
        var query = Query.table("priceTimeline", DynamoStores.partition(store.id()))
                .attributes(AMOUNT, CURRENCY, CHANGE_SET);
        var items = db.query(query.beginsWith(first), page);
        var starts = new ArrayList<EffectiveDate>();
        items.nodes().forEach(item -> starts.add(startOf(item)));
        var mayGoOn = page.direction() == PageRequest.Direction.BACKWARD && page.cursor() != null;
        if (!starts.isEmpty() && (mayGoOn || items.hasNextPage())) {
            var after = items.nodes().getLast().key().sort() + "!";
            db.query(query.between(after, first + LAST), PageRequest.forward(1, null))
                    .nodes()
                    .forEach(next -> starts.add(startOf(next)));
        }
        var next = starts.stream().skip(1).iterator();
        // Without one of them, the one before would seem to last: none is left out.
        return items.map(item -> db.read(item, version -> {
            var date = EffectiveDate.inKey(dateOf(version));
            return new PriceVersion(
                    date,
                    date.startsAt(store.timeZone()),
                    next.hasNext() ? next.next().startsAt(store.timeZone()) : null,
                    isPrice(version) ? money(version) : null,
                    changeSetOf(version));
        }));
    }

    private EffectiveDate startOf(Item item) {
        return db.read(item, version -> EffectiveDate.inKey(dateOf(version)));
    }

    List<Channel> channels(StoreId store) {
        return versions.channels(store);
    }

    private <T extends Price> Page<T> inEffect(
            Query query, Store store, Channel channel, Instant at, PageRequest page, PriceReader<T> price) {
        var moment = moment(at, store.timeZone());
        return db.query(
                query.consistency(consistency),
                page,
                groups -> each(groups, moment.isLongAgo(), group -> edge(store, channel, group, moment, price)));
    }

    /**
     * The price in effect, of those versions of it that there are; empty, too, where this version of the application cannot
     * read it. The product is left out of the list then, and is an error where it is asked for alone: to go by the version
     * before it would give a price that does not count any more, which nobody could tell from one that does. Of versions that
     * are not in effect nothing is read but their dates, whatever they are.
     */
    private <T extends Price> Optional<T> edge(
            Store store, Channel channel, List<Item> group, Moment moment, PriceReader<T> price) {
        return group.isEmpty()
                ? Optional.empty()
                : db.readable(group.getFirst(), _ -> inEffect(store, channel, group, moment)
                                .map(found ->
                                        db.read(found.item(), item -> price.read(store, channel, item, found.end()))))
                        .flatMap(Function.identity());
    }

    private List<Item> all(Query query) {
        try (var items = db.all(query, consistency)) {
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

    /** A version that counts, and the date of the next one; null where none is to come. */
    private record InEffect(Item item, @Nullable EffectiveDate end) {}

    private Moment moment(Instant at, ZoneId zone) {
        return new Moment(
                at, EffectiveDate.latestAt(at, zone).toString(), versions.mayHaveExpired(at, clock.instant()));
    }

    /** The price at that moment, of those versions of it that there are; long ago, one or two Queries of its history. */
    private Optional<InEffect> inEffect(Store store, Channel channel, List<Item> group, Moment moment) {
        var last = DynamoPriceVersions.lastUntil(group, moment.latest());
        if (!moment.isLongAgo() || group.isEmpty()) {
            return last.filter(DynamoPriceVersions::isPrice)
                    .map(item -> new InEffect(item, first(group, moment).orElse(null)));
        }
        var change = history.firstAfter(store.id(), channel, subjectOf(group.getFirst()), moment.at(), moment.latest());
        var replaced = change.flatMap(next -> next.replaced(moment.latest()));
        var end = Stream.of(first(group, moment), change.map(PriceHistoryEntry::effectiveDate), replaced)
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder());
        return longAgo(store, channel, group, last, moment, change)
                .filter(DynamoPriceVersions::isPrice)
                .map(item -> new InEffect(item, end.orElse(null)));
    }

    /** When the first of some versions begins after that moment; empty where this version of the application does not know such dates. */
    private Optional<EffectiveDate> first(List<Item> some, Moment moment) {
        return DynamoPriceVersions.firstAfter(some, moment.latest())
                .flatMap(next -> db.readable(next, version -> EffectiveDate.inKey(dateOf(version))));
    }

    /** The latest of what is left, what the next change replaced, and what the last one made. */
    private Optional<Item> longAgo(
            Store store,
            Channel channel,
            List<Item> group,
            Optional<Item> last,
            Moment moment,
            Optional<PriceHistoryEntry> change) {
        var known = change.flatMap(next -> DynamoPriceHistory.replacedUntil(next, moment.latest()))
                .or(() -> history.lastUntil(store.id(), channel, subjectOf(group.getFirst()), moment.at())
                        .map(DynamoPriceHistory::version));
        return Stream.of(known, last).flatMap(Optional::stream).max(Comparator.comparing(DynamoPriceVersions::dateOf));
    }

    private static BasePrice basePrice(Store store, Channel channel, Item item, @Nullable EffectiveDate end) {
        return new BasePrice(
                store, channel, new ProductId(part(item, 2)), EffectiveDate.inKey(dateOf(item)), money(item), end);
    }

    private static SwapPrice swapPrice(Store store, Channel channel, Item item, @Nullable EffectiveDate end) {
        return new SwapPrice(
                store,
                channel,
                new ComboId(part(item, 2)),
                new OptionId(part(item, 3)),
                EffectiveDate.inKey(dateOf(item)),
                money(item),
                end);
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

    /** The lowest price of the last 30 days, of those in the currency of the latest of them. */
    Optional<Money> lowest(Store store, Channel channel, PriceSubject subject, Instant now) {
        var zone = store.timeZone();
        var begin = now.minus(LOOK_BACK);
        var replaced = history.whileShownAgain(store, channel, subject, begin, now);
        return versions.versions(store.id(), channel, List.of(subject))
                .getOrDefault(subject, StoredPrices.NONE)
                .lowest(EffectiveDate.latestAt(begin, zone), EffectiveDate.latestAt(now, zone), replaced);
    }
}
