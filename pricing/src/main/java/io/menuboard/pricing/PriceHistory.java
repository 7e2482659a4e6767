package io.menuboard.pricing;

import io.menuboard.kernel.Money;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.DynamoPriceChanges.Terms;
import io.menuboard.pricing.DynamoPrices.Version;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What every price was, and who changed it: items {@code STORE#{store}}/
 * {@code {channel}#History#{subject}#{instant}#{changeSet}}. Thread-safe.
 */
public final class PriceHistory {
    /** What kind of items they are. */
    static final String TYPE = "priceHistory";

    private final QueryDb db;
    private final Stores stores;
    private final Duration keptFor;

    PriceHistory(QueryDb db, Stores stores, Duration keptFor) {
        this.db = db;
        this.stores = stores;
        this.keptFor = keptFor;
    }

    /**
     * Changes of one price, oldest first; half a read unit per 4 KB, about 20 changes. An unknown store is refused with
     * {@link io.menuboard.kernel.InvalidInput} {@code NOT_FOUND} on {@code store}.
     */
    public Page<PriceHistoryEntry> of(StoreId store, Channel channel, PriceSubject subject, PageRequest page) {
        return db.query(query(stores.require(store).id(), channel, subject), PriceHistory::entry, page);
    }

    /**
     * Every change of a store and channel, by price and then oldest first, read as the stream is consumed; half a read
     * unit per 4 KB, about 20 changes.
     */
    Stream<PriceHistoryEntry> all(StoreId store, Channel channel) {
        var query = Query.table("storeHistory", DynamoStores.partition(store)).beginsWith(prefix(channel));
        return db.all(query).map(this::read);
    }

    /** What the price was before that set changed it first; null for none. One read unit. */
    @Nullable
    Money before(StoreId store, Channel channel, PriceSubject subject, ChangeSetId set) {
        try (var items = db.all(query(store, channel, subject), Consistency.STRONG)) {
            return items.map(this::read)
                    .filter(entry -> entry.changeSet().equals(set))
                    .findFirst()
                    .map(PriceHistoryEntry::before)
                    .orElse(null);
        }
    }

    /** The first change after that instant whose effective date is after that one too: half a read unit. */
    Optional<PriceHistoryEntry> firstAfter(
            StoreId store, Channel channel, PriceSubject subject, Instant at, String latest) {
        var prefix = prefix(channel, subject);
        var query = Query.table("priceHistory", DynamoStores.partition(store))
                .between(prefix + Key.sortable(endOfSecond(at)) + "~", prefix + "~");
        try (var items = db.all(query, Consistency.EVENTUAL)) {
            return items.map(this::read)
                    .filter(entry -> entry.effectiveDate().toString().compareTo(latest) > 0)
                    .findFirst();
        }
    }

    /** The last change until that instant: half a read unit. */
    Optional<PriceHistoryEntry> lastUntil(StoreId store, Channel channel, PriceSubject subject, Instant at) {
        var prefix = prefix(channel, subject);
        var query = Query.table("priceHistory", DynamoStores.partition(store))
                .between(prefix, prefix + Key.sortable(endOfSecond(at)) + "~");
        return db.query(query, PageRequest.backward(1, null)).nodes().stream()
                .findFirst()
                .map(this::read);
    }

    private PriceHistoryEntry read(Item item) {
        return db.read(item, PriceHistory::entry);
    }

    private static Instant endOfSecond(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).plusMillis(999);
    }

    /** One entry, once. */
    Write write(
            Terms terms,
            StoreId store,
            Channel channel,
            PriceSubject subject,
            Instant at,
            EffectiveDate date,
            @Nullable Version before,
            @Nullable Money after) {
        var item = Item.at(new Key(
                        DynamoStores.partition(store), prefix(channel, subject) + Key.sortable(at) + "#" + terms.set()))
                .type(TYPE)
                .string("effectiveDate", date.toString())
                .string("actor", DynamoChangeSets.actor(terms.actor()))
                .string("reason", terms.reason())
                .ttl(at.plus(keptFor));
        if (before != null) {
            item.string("beforeSince", before.effectiveDate().toString());
            if (before.price() != null) {
                item.string("before", DynamoPrices.text(before.price()));
            }
        }
        if (after != null) {
            item.string("after", DynamoPrices.text(after));
        }
        return Write.put(item.build(), SaveMode.INIT);
    }

    static PriceHistoryEntry entry(Item item) {
        var parts = item.key().sort().split("#", -1);
        var subject = item.key()
                .sort()
                .substring(
                        parts[0].length() + "#History#".length(),
                        item.key().sort().length()
                                - parts[parts.length - 1].length()
                                - parts[parts.length - 2].length()
                                - 2);
        return new PriceHistoryEntry(
                DynamoStores.idIn(item.key().partition()),
                new Channel(parts[0]),
                PriceSubject.of(subject),
                // Written to the millisecond, so that entries stand in order; a price counts from its whole second on.
                Instant.parse(parts[parts.length - 2]).truncatedTo(ChronoUnit.SECONDS),
                EffectiveDate.inKey(item.string("effectiveDate")),
                item.findString("before").map(DynamoPrices::money).orElse(null),
                item.findString("beforeSince").map(EffectiveDate::inKey).orElse(null),
                item.findString("after").map(DynamoPrices::money).orElse(null),
                new ChangeSetId(parts[parts.length - 1]),
                DynamoChangeSets.actor(item.string("actor")),
                item.string("reason"));
    }

    private static Query query(StoreId store, Channel channel, PriceSubject subject) {
        return Query.table("priceHistory", DynamoStores.partition(store)).beginsWith(prefix(channel, subject));
    }

    private static String prefix(Channel channel, PriceSubject subject) {
        return prefix(channel) + subject + "#";
    }

    private static String prefix(Channel channel) {
        return channel + "#History#";
    }
}
