package io.menuboard.pricing;

import io.menuboard.kernel.Money;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Expression;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import java.math.BigDecimal;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Prices as items in their store's partition: {@code {channel}#Base#{product}#{effectiveDate}} and
 * {@code {channel}#Swap#{combo}#{option}#{effectiveDate}}. Everything but the amount and its currency is in the key, so
 * a page reads two attributes and the sort key. All dates of one product stand together, oldest first; the price in
 * effect is the last that has started.
 */
final class DynamoPrices {
    private static final String INDEX = "gsi1";
    private static final String AMOUNT = "amount";
    private static final String CURRENCY = "currency";
    static final String CHANGE_SET = "changeSet";
    private static final String WRITTEN_AT = "writtenAt";
    private static final String UNDER = "beneath";

    /** How far back a lowest price looks: Directive 98/6/EC, article 6a. */
    private static final Duration LOOK_BACK = Duration.ofDays(30);

    /** From so many on, prices of one store are read with what stands between them, in one request. */
    private static final int READ_TOGETHER = 4;

    /** Sorts after every key: the last code point there is. */
    private static final String LAST = Character.toString(Character.MAX_CODE_POINT);

    private final QueryDb db;
    private final Stores stores;
    private final PriceHistory history;
    private final Clock clock;
    private final Duration supersededKept;

    /** @param supersededKept versions that were superseded so long ago may have expired; history has them */
    DynamoPrices(QueryDb db, Stores stores, PriceHistory history, Clock clock, Duration supersededKept) {
        this.db = db;
        this.stores = stores;
        this.history = history;
        this.clock = clock;
        this.supersededKept = supersededKept;
    }

    Page<BasePrice> basePrices(Store store, Channel channel, String productPrefix, Instant at, PageRequest page) {
        var query = Query.table("basePrices", DynamoStores.partition(store.id()))
                .beginsWith(channel + "#Base#" + productPrefix)
                .attributes(AMOUNT, CURRENCY)
                .groupedBy(3);
        return inEffect(query, store, channel, at, page, item -> basePrice(store, channel, item));
    }

    Page<SwapPrice> swapPrices(Store store, Channel channel, Optional<ComboId> combo, Instant at, PageRequest page) {
        var query = Query.table("swapPrices", DynamoStores.partition(store.id()))
                .beginsWith(channel + "#Swap#" + combo.map(id -> id + "#").orElse(""))
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
                        .filter(DynamoPrices::isPrice);
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
     * are not in effect are not looked at, whatever they are.
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

    // ---- what was in effect

    /**
     * An instant on the clock of a store.
     *
     * @param latest the last effective date that has started by then
     * @param isLongAgo whether versions that were in effect then may have expired
     */
    private record Moment(Instant at, String latest, boolean isLongAgo) {}

    private Moment moment(Instant at, ZoneId zone) {
        return new Moment(
                at,
                EffectiveDate.latestAt(at, zone).toString(),
                at.isBefore(clock.instant().minus(supersededKept)));
    }

    /** The price at that moment, of those versions of it that there are; long ago, one or two Queries of its history. */
    private Optional<Item> inEffect(Store store, Channel channel, List<Item> group, Moment moment) {
        var last = lastOf(group, moment.latest());
        return (moment.isLongAgo() && !group.isEmpty() ? longAgo(store, channel, group, last, moment) : last)
                .filter(DynamoPrices::isPrice);
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
        return Stream.of(known, last).flatMap(Optional::stream).max(Comparator.comparing(DynamoPrices::dateOf));
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

    /** What was deleted has an item without an amount, from that date on. */
    private static boolean isPrice(Item item) {
        return item.attributes().containsKey(AMOUNT);
    }

    private static String dateOf(Item item) {
        var sort = item.key().sort();
        return sort.substring(sort.lastIndexOf('#') + 1);
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

    /** {@code 4.99 EUR}, for attributes that hold both. */
    static String text(Money money) {
        return money.amount().toPlainString() + " " + money.currency().getCurrencyCode();
    }

    /** What {@link #text} wrote. */
    static Money money(String text) {
        var parts = text.split(" ", 2);
        return new Money(new BigDecimal(parts[0]), Money.currencyOf(parts[1]));
    }

    private static Money money(Item item) {
        return new Money(item.number(AMOUNT), Money.currencyOf(item.string(CURRENCY)));
    }

    /**
     * One version of a price.
     *
     * @param price null where it was deleted
     * @param changeSet what wrote it; null where it was loaded
     * @param superseded whether a later version is known to have taken over
     * @param writtenAt when it was written, where it took effect at once; to the millisecond
     * @param under what it has taken the place of, and what comes back if it is taken back before its time: the set that
     *     was made last is last
     */
    record Version(
            EffectiveDate effectiveDate,
            @Nullable Money price,
            @Nullable ChangeSetId changeSet,
            boolean superseded,
            @Nullable Instant writtenAt,
            List<Layer> under) {

        /** The same with other layers under it. */
        Version over(List<Layer> layers) {
            return new Version(effectiveDate, price, changeSet, superseded, writtenAt, layers);
        }

        /** Holds while nobody has changed it. */
        Expression isStill() {
            var text = "attribute_exists(pk) AND "
                    + (changeSet == null ? "attribute_not_exists(changeSet)" : "changeSet = :changeSet")
                    + (under.isEmpty() ? " AND attribute_not_exists(beneath)" : " AND beneath = :beneath")
                    + (price == null
                            ? " AND attribute_not_exists(amount)"
                            : " AND amount = :amount AND currency = :currency");
            var condition = Expression.of(text);
            if (changeSet != null) {
                condition = condition.string(":changeSet", changeSet.value());
            }
            if (!under.isEmpty()) {
                condition = condition.strings(
                        ":beneath", under.stream().map(Layer::text).toList());
            }
            return price == null
                    ? condition
                    : condition
                            .number(":amount", price.amount())
                            .string(":currency", price.currency().getCurrencyCode());
        }
    }

    /**
     * A version that another one has taken the place of before its time.
     *
     * @param changeSet what wrote it; null where it was loaded
     * @param line which of that set's lines it is; null where nothing waits for its time
     * @param price null where it deletes
     */
    record Layer(
            @Nullable ChangeSetId changeSet,
            @Nullable Integer line,
            @Nullable Money price) {

        private String text() {
            return (changeSet == null ? "" : changeSet) + "\t" + (line == null ? "" : line) + "\t"
                    + (price == null ? "" : DynamoPrices.text(price));
        }

        private static Layer of(String text) {
            var parts = text.split("\t", -1);
            return new Layer(
                    parts[0].isEmpty() ? null : new ChangeSetId(parts[0]),
                    parts[1].isEmpty() ? null : Integer.valueOf(parts[1]),
                    parts[2].isEmpty() ? null : money(parts[2]));
        }
    }

    /** As {@link #versions(StoreId, Channel, Collection, Consistency)}, strongly consistent. */
    Map<PriceSubject, List<Version>> versions(StoreId store, Channel channel, Collection<PriceSubject> subjects) {
        return versions(store, channel, subjects, Consistency.STRONG);
    }

    /**
     * Every version of each of those prices, oldest first; one read unit per 4 KB, or half of one. Few of them are read one
     * by one, many with everything that stands between them, of which it is only said that it is there.
     *
     * @throws io.menuboard.querydb.UnreadableItem where another version of the application wrote one of them and this one
     *     cannot read it
     */
    Map<PriceSubject, List<Version>> versions(
            StoreId store, Channel channel, Collection<PriceSubject> subjects, Consistency consistency) {
        var asked = Set.copyOf(subjects);
        var found = new HashMap<PriceSubject, List<Version>>();
        subjects.stream()
                .collect(Collectors.groupingBy(PriceSubject::type))
                .values()
                .forEach(ofType -> ranges(channel, ofType).forEach(range -> {
                    var query = Query.table("priceVersions", DynamoStores.partition(store))
                            .between(range.first(), range.last() + LAST);
                    try (var items = db.all(query, consistency)) {
                        items.forEach(item -> db.readable(item, DynamoPrices::subjectOf)
                                .ifPresent(subject -> {
                                    var versions = found.computeIfAbsent(subject, _ -> new ArrayList<>());
                                    if (asked.contains(subject)) {
                                        versions.add(db.read(item, DynamoPrices::version));
                                    }
                                }));
                    }
                }));
        return found;
    }

    /** Whether the store has or had a price for exactly that channel; eventually consistent, up to one read unit. */
    boolean hasPrices(StoreId store, Channel channel) {
        return pricesOf(store, channel)
                .anyMatch(query ->
                        !db.query(query, PageRequest.forward(1, null)).nodes().isEmpty());
    }

    /**
     * Whether the store has no price for exactly that channel but for those of that set; strongly consistent, two read units
     * where it has none.
     */
    boolean isEmptyNow(StoreId store, Channel channel, ChangeSetId but) {
        return pricesOf(store, channel).allMatch(query -> {
            try (var items = db.all(query, Consistency.STRONG)) {
                return items.allMatch(item -> but.equals(changeSetOf(item)));
            }
        });
    }

    private static Stream<Query> pricesOf(StoreId store, Channel channel) {
        return Stream.of("Base", "Swap").map(type -> Query.table("hasPrices", DynamoStores.partition(store))
                .beginsWith(channel + "#" + type + "#")
                .attributes(CHANGE_SET));
    }

    /** Whether any store has a price of that product or combo; eventually consistent, half a read unit. */
    boolean isKnown(PriceSubject subject) {
        var query = Query.index("isKnown", INDEX, indexPartition(subject)).attributes("type");
        return !db.query(query, PageRequest.forward(1, null)).nodes().isEmpty();
    }

    private static String indexPartition(PriceSubject subject) {
        return switch (subject) {
            case PriceSubject.Product(var product) -> "TYPE#Base#" + product;
            case PriceSubject.Swap(var combo, var _) -> "TYPE#Swap#" + combo;
        };
    }

    /** The lowest price of the last 30 days, of those in the currency of the latest of them. */
    Optional<Money> lowest(Store store, Channel channel, PriceSubject subject, Instant now) {
        var today = EffectiveDate.latestAt(now, store.timeZone());
        var begin = EffectiveDate.latestAt(now.minus(LOOK_BACK), store.timeZone());
        var inEffect = new ArrayList<Money>();
        for (var version : versions(store.id(), channel, List.of(subject)).getOrDefault(subject, List.of())) {
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

    private record Range(String first, String last) {}

    private static List<Range> ranges(Channel channel, List<PriceSubject> subjects) {
        var starts = subjects.stream()
                .map(subject -> channel + "#" + subject + "#")
                .sorted(Key::compareUtf8)
                .toList();
        return starts.size() < READ_TOGETHER
                ? starts.stream().map(start -> new Range(start, start)).toList()
                : List.of(new Range(starts.getFirst(), starts.getLast()));
    }

    private static PriceSubject subjectOf(Item item) {
        var sort = item.key().sort();
        return PriceSubject.of(sort.substring(sort.indexOf('#') + 1, sort.lastIndexOf('#')));
    }

    private static Version version(Item item) {
        return new Version(
                EffectiveDate.inKey(dateOf(item)),
                isPrice(item) ? money(item) : null,
                changeSetOf(item),
                item.ttl().isPresent(),
                item.findNumber(WRITTEN_AT)
                        .map(millis -> Instant.ofEpochMilli(millis.longValue()))
                        .orElse(null),
                item.attributes().containsKey(UNDER)
                        ? item.strings(UNDER).stream().map(Layer::of).toList()
                        : List.of());
    }

    /** What wrote a version, or a change that is to come; null where it was loaded. */
    static @Nullable ChangeSetId changeSetOf(Item item) {
        return item.findString(CHANGE_SET).map(ChangeSetId::new).orElse(null);
    }

    static Key key(StoreId store, Channel channel, PriceSubject subject, EffectiveDate date) {
        return new Key(DynamoStores.partition(store), channel + "#" + subject + "#" + date);
    }

    /** The item of a version that is loaded. */
    static Item item(StoreId store, Channel channel, PriceSubject subject, EffectiveDate date, @Nullable Money price) {
        return item(store, channel, subject, new Version(date, price, null, false, null, List.of()));
    }

    /** The item of one version, which nothing has superseded. */
    static Item item(StoreId store, Channel channel, PriceSubject subject, Version version) {
        var item = Item.at(key(store, channel, subject, version.effectiveDate()))
                .type("price")
                .index(indexPartition(subject), channel + "#STORE#" + store);
        var price = version.price();
        if (price != null) {
            item.number(AMOUNT, price.amount())
                    .string(CURRENCY, price.currency().getCurrencyCode());
        }
        if (version.changeSet() != null) {
            item.string(CHANGE_SET, version.changeSet().value());
        }
        if (version.writtenAt() != null) {
            item.number(WRITTEN_AT, version.writtenAt().toEpochMilli());
        }
        if (!version.under().isEmpty()) {
            item.strings(UNDER, version.under().stream().map(Layer::text).toList());
        }
        return item.build();
    }
}
