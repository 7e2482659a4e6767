package io.menuboard.pricing;

import io.menuboard.kernel.Money;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Versions of prices as items in their store's partition: {@code {channel}#Base#{product}#{effectiveDate}} and
 * {@code {channel}#Swap#{combo}#{option}#{effectiveDate}}. Everything but the amount and its currency is in the key, so
 * a page reads two attributes and the sort key. All dates of one product stand together, oldest first; the price in
 * effect is the last that has started.
 */
public final class DynamoPriceVersions {
    static final String INDEX = "gsi1";
    static final String AMOUNT = "amount";
    static final String CURRENCY = "currency";

    /** The attribute that names the change set which wrote an item. */
    public static final String CHANGE_SET = "changeSet";

    private static final String WRITTEN_AT = "writtenAt";
    private static final String BENEATH = "beneath";

    /** From so many on, prices of one store are read with what stands between them, in one request. */
    static final int READ_TOGETHER = 4;

    /** Sorts after every key: the last code point there is. */
    static final String LAST = Character.toString(Character.MAX_CODE_POINT);

    private final QueryDb db;
    private final Duration supersededKept;

    /** @param supersededKept how long a version is kept that a later one has taken over from */
    DynamoPriceVersions(QueryDb db, Duration supersededKept) {
        this.db = db;
        this.supersededKept = supersededKept;
    }

    /** As {@link #versions(StoreId, Channel, Collection, Consistency)}, strongly consistent. */
    public Map<PriceSubject, StoredPrices> versions(StoreId store, Channel channel, Collection<PriceSubject> subjects) {
        return versions(store, channel, subjects, Consistency.STRONG);
    }

    /**
     * Every version of each of those prices, oldest first; one read unit per 4 KB, or half of one. Few of them are read one
     * by one, many with everything that stands between them, of which it is only said that it is there.
     *
     * @throws io.menuboard.querydb.UnreadableItem where another version of the application wrote one of them and this one
     *     cannot read it
     */
    public Map<PriceSubject, StoredPrices> versions(
            StoreId store, Channel channel, Collection<PriceSubject> subjects, Consistency consistency) {
        var asked = Set.copyOf(subjects);
        return read(queries("priceVersions", store, channel, subjects), consistency, asked::contains);
    }

    /**
     * Every version of every price that a store has for exactly that channel: two Queries of one read unit per 4 KB, or half of
     * one.
     *
     * @throws io.menuboard.querydb.UnreadableItem where another version of the application wrote one of them and this one
     *     cannot read it
     */
    public Map<PriceSubject, StoredPrices> all(StoreId store, Channel channel, Consistency consistency) {
        var types = Stream.of("Base", "Swap").map(type -> Query.table("allPrices", DynamoStores.partition(store))
                .beginsWith(channel + "#" + type + "#"));
        return read(types, consistency, _ -> true);
    }

    /** The list of a store's base prices for exactly that channel, a group for each product. */
    public static Query basePrices(StoreId store, Channel channel, String productPrefix) {
        return Query.table("basePrices", DynamoStores.partition(store))
                .beginsWith(channel + "#Base#" + productPrefix)
                .attributes(AMOUNT, CURRENCY)
                .groupedBy(3);
    }

    /**
     * The list of a store's swap prices for exactly that channel, a group for each combo and option.
     *
     * @param combo only this combo's, or null for all
     */
    public static Query swapPrices(StoreId store, Channel channel, @Nullable ComboId combo) {
        return Query.table("swapPrices", DynamoStores.partition(store))
                .beginsWith(channel + "#Swap#" + (combo == null ? "" : combo + "#"))
                .attributes(AMOUNT, CURRENCY)
                .groupedBy(4);
    }

    private Map<PriceSubject, StoredPrices> read(
            Stream<Query> queries, Consistency consistency, Predicate<PriceSubject> isAsked) {
        var found = new HashMap<PriceSubject, List<StoredPrice>>();
        queries.forEach(query -> {
            try (var items = db.all(query, consistency)) {
                items.forEach(item -> db.readable(item, DynamoPriceVersions::subjectOf)
                        .ifPresent(subject -> {
                            var versions = found.computeIfAbsent(subject, _ -> new ArrayList<>());
                            if (isAsked.test(subject)) {
                                versions.add(db.read(item, DynamoPriceVersions::version));
                            }
                        }));
            }
        });
        var versions = new HashMap<PriceSubject, StoredPrices>();
        found.forEach((subject, some) -> versions.put(subject, new StoredPrices(some)));
        return versions;
    }

    /** True where the store has or had a price for exactly that channel; eventually consistent, up to one read unit. */
    public boolean hasPrices(StoreId store, Channel channel) {
        return pricesOf(store, channel)
                .anyMatch(query ->
                        !db.query(query, PageRequest.forward(1, null)).nodes().isEmpty());
    }

    /**
     * True where the store has no price for exactly that channel but for those of that set, and one that is just being committed
     * at the most; strongly consistent, two read units where it has none.
     */
    public boolean isEmptyNow(StoreId store, Channel channel, ChangeSetId but) {
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

    /**
     * The last date after the one and until the other at which a version of any channel begins that took effect at once; strongly
     * consistent but for a channel's first prices. Half a read unit for each channel, and then one per 4 KB of its versions.
     */
    Optional<EffectiveDate> lastAtOnce(StoreId store, EffectiveDate after, EffectiveDate until) {
        return firstOfChannels(store).stream()
                .flatMap(item -> pricesOf(store, db.read(item, DynamoPriceVersions::channelOf)))
                .flatMap(query -> datesAtOnce(query.attributes(WRITTEN_AT)).stream())
                .filter(date -> date.compareTo(after) > 0 && date.compareTo(until) <= 0)
                .max(Comparator.naturalOrder());
    }

    private List<EffectiveDate> datesAtOnce(Query query) {
        try (var items = db.all(query, Consistency.STRONG)) {
            return items.filter(item -> item.attributes().containsKey(WRITTEN_AT))
                    .map(item -> EffectiveDate.inKey(dateOf(item)))
                    .toList();
        }
    }

    /** The channels of which the store's partition has anything, by id: one Query of 0.5 read units each, and two. */
    List<Channel> channels(StoreId store) {
        return firstOfChannels(store).stream()
                .flatMap(item -> db.readable(item, DynamoPriceVersions::channelOf).stream())
                .toList();
    }

    /** An item of each channel, found by jumping from one to the next. */
    private List<Item> firstOfChannels(StoreId store) {
        var found = new ArrayList<Item>();
        var from = "!"; // no id begins with anything before
        while (true) {
            var query = Query.table("channels", DynamoStores.partition(store))
                    .between(from, LAST)
                    .attributes("type");
            var next = db.query(query, PageRequest.forward(1, null)).nodes();
            if (next.isEmpty()) {
                return found;
            }
            var sort = next.getFirst().key().sort();
            var end = sort.indexOf('#');
            if (end >= 0) {
                found.add(next.getFirst());
            }
            // '$' is next to '#': past all of this channel. After META alone come ids that go on with a blank, which
            // no character of an id precedes.
            from = end >= 0 ? sort.substring(0, end) + "$" : sort + " ";
        }
    }

    private static Channel channelOf(Item item) {
        var sort = item.key().sort();
        return new Channel(sort.substring(0, sort.indexOf('#')));
    }

    /** True where any store has a price of that product or combo; eventually consistent, half a read unit. */
    public boolean isKnown(PriceSubject subject) {
        var query = Query.index("isKnown", INDEX, indexPartition(subject)).attributes("type");
        return !db.query(query, PageRequest.forward(1, null)).nodes().isEmpty();
    }

    static String indexPartition(PriceSubject subject) {
        return switch (subject) {
            case PriceSubject.Product(var product) -> "TYPE#Base#" + product;
            case PriceSubject.Swap(var combo, var _) -> "TYPE#Swap#" + combo;
        };
    }

    /** Queries that find every version of those prices: one for each of few, else one for each type, which finds others too. */
    static Stream<Query> queries(
            String accessPattern, StoreId store, Channel channel, Collection<? extends PriceSubject> subjects) {
        return subjects.stream().collect(Collectors.groupingBy(PriceSubject::type)).values().stream()
                .flatMap(ofType -> ranges(channel, ofType))
                .map(range -> Query.table(accessPattern, DynamoStores.partition(store))
                        .between(range.first(), range.last() + LAST));
    }

    private record Range(String first, String last) {}

    private static Stream<Range> ranges(Channel channel, List<? extends PriceSubject> subjects) {
        var starts = subjects.stream()
                .map(subject -> channel + "#" + subject + "#")
                .sorted(Key::compareUtf8)
                .toList();
        return starts.size() < READ_TOGETHER
                ? starts.stream().map(start -> new Range(start, start))
                : Stream.of(new Range(starts.getFirst(), starts.getLast()));
    }

    static PriceSubject subjectOf(Item item) {
        var sort = item.key().sort();
        return PriceSubject.of(sort.substring(sort.indexOf('#') + 1, sort.lastIndexOf('#')));
    }

    private static StoredPrice version(Item item) {
        return new StoredPrice(
                EffectiveDate.inKey(dateOf(item)),
                isPrice(item) ? money(item) : null,
                changeSetOf(item),
                item.ttl().isPresent(),
                item.findNumber(WRITTEN_AT)
                        .map(millis -> Instant.ofEpochMilli(millis.longValue()))
                        .orElse(null),
                item.attributes().containsKey(BENEATH)
                        ? item.strings(BENEATH).stream()
                                .map(StoredPrice.Layer::of)
                                .toList()
                        : List.of());
    }

    /** The change set that wrote a version, or a change that is to come; null where it was loaded. */
    public static @Nullable ChangeSetId changeSetOf(Item item) {
        return item.findString(CHANGE_SET).map(ChangeSetId::new).orElse(null);
    }

    /** Condition that holds for what that set has written; for null, for what was loaded. */
    public static Condition isOf(@Nullable ChangeSetId set) {
        return set == null
                ? Condition.exists().and(Condition.absent(CHANGE_SET))
                : Condition.equal(CHANGE_SET, set.value());
    }

    public static Key key(StoreId store, Channel channel, PriceSubject subject, EffectiveDate date) {
        return new Key(DynamoStores.partition(store), channel + "#" + subject + "#" + date);
    }

    /** The item of a version that is loaded. */
    public static Item item(
            StoreId store, Channel channel, PriceSubject subject, EffectiveDate date, @Nullable Money price) {
        return item(store, channel, subject, StoredPrice.loaded(date, price));
    }

    /** The item of one version, which nothing has superseded. */
    private static Item item(StoreId store, Channel channel, PriceSubject subject, StoredPrice version) {
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
        if (!version.beneath().isEmpty()) {
            item.strings(BENEATH, texts(version.beneath()));
        }
        return item.build();
    }

    /**
     * Writes one version, which nothing has superseded.
     *
     * @param replaced the version of that date, which must be there unchanged; null where there must be none
     */
    public static Write put(
            StoreId store, Channel channel, PriceSubject subject, StoredPrice version, @Nullable StoredPrice replaced) {
        return Write.put(
                item(store, channel, subject, version), replaced == null ? Condition.absent() : isUnchanged(replaced));
    }

    /** Removes a version, which must be there unchanged. */
    public static Write delete(StoreId store, Channel channel, PriceSubject subject, StoredPrice version) {
        return Write.delete(key(store, channel, subject, version.effectiveDate()), isUnchanged(version));
    }

    /** Condition that holds while nobody has changed the version. */
    public static Condition isUnchanged(StoredPrice version) {
        var price = version.price();
        return isOf(version.changeSet())
                .and(
                        version.beneath().isEmpty()
                                ? Condition.absent(BENEATH)
                                : Condition.equal(BENEATH, texts(version.beneath())))
                .and(price == null ? Condition.absent(AMOUNT) : costs(price));
    }

    /** Condition that holds for the version that was loaded, while no change set has changed or superseded it. */
    public static Condition isAsLoaded(Money price) {
        return isOf(null).and(Condition.absent("ttl")).and(costs(price));
    }

    private static Condition costs(Money price) {
        return Condition.equal(AMOUNT, price.amount())
                .and(Condition.equal(CURRENCY, price.currency().getCurrencyCode()));
    }

    private static List<String> texts(List<StoredPrice.Layer> layers) {
        return layers.stream().map(StoredPrice.Layer::text).toList();
    }

    /** Lets a version expire that a later one has superseded. */
    public Write supersede(StoreId store, Channel channel, PriceSubject subject, StoredPrice version, Instant now) {
        return Update.of(key(store, channel, subject, version.effectiveDate()))
                .ttl(now.plus(supersededKept))
                .when(Condition.exists().and(Condition.absent("ttl")));
    }

    /** True where a version that was superseded before then may have expired. */
    public boolean mayHaveExpired(Instant at, Instant now) {
        return at.isBefore(now.minus(supersededKept));
    }

    /** False for a deletion, whose item has no amount. */
    static boolean isPrice(Item item) {
        return item.attributes().containsKey(AMOUNT);
    }

    /** The one of some items with the last effective date that is not after that one. */
    static Optional<Item> lastUntil(List<Item> some, String date) {
        Item last = null;
        for (var item : some) {
            var begins = dateOf(item);
            if (begins.compareTo(date) <= 0 && (last == null || begins.compareTo(dateOf(last)) > 0)) {
                last = item;
            }
        }
        return Optional.ofNullable(last);
    }

    /** The one of some items with the first effective date that is after that one. */
    static Optional<Item> firstAfter(List<Item> some, String date) {
        Item first = null;
        for (var item : some) {
            var begins = dateOf(item);
            if (begins.compareTo(date) > 0 && (first == null || begins.compareTo(dateOf(first)) < 0)) {
                first = item;
            }
        }
        return Optional.ofNullable(first);
    }

    static String dateOf(Item item) {
        var sort = item.key().sort();
        return sort.substring(sort.lastIndexOf('#') + 1);
    }

    static Money money(Item item) {
        return new Money(item.number(AMOUNT), Money.currencyOf(item.string(CURRENCY)));
    }
}
