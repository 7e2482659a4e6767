package io.menuboard.pricing;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.ChangeRecord;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Entries of price history as items {@code STORE#{store}}/{@code {channel}#History#{subject}#{instant}#{changeSet}}. */
public final class DynamoPriceHistory {
    /** Type of the items. */
    public static final String TYPE = "priceHistory";

    private final QueryDb db;
    private final Duration keptFor;

    DynamoPriceHistory(QueryDb db, Duration keptFor) {
        this.db = db;
        this.keptFor = keptFor;
    }

    /** Retention of history, and of the change sets that made it. */
    public Duration keptFor() {
        return keptFor;
    }

    /** Changes of one price, oldest first. */
    Page<PriceHistoryEntry> of(StoreId store, Channel channel, PriceSubject subject, PageRequest page) {
        return db.query(query(store, channel, subject), DynamoPriceHistory::entry, page);
    }

    /**
     * Every change of a store and channel, by price and then oldest first, read as the stream is consumed; half a read
     * unit per 4 KB, about 20 changes.
     */
    public Stream<PriceHistoryEntry> all(StoreId store, Channel channel) {
        var query = Query.table("storeHistory", DynamoStores.partition(store)).beginsWith(prefix(channel));
        return db.all(query).map(this::read);
    }

    /**
     * The first change of a price by that set; one read unit. Empty also while the transaction that writes it is being committed, of
     * which the rest may be seen already.
     */
    public Optional<PriceHistoryEntry> firstBy(StoreId store, Channel channel, PriceSubject subject, ChangeSetId set) {
        try (var items = db.all(query(store, channel, subject), Consistency.STRONG)) {
            return items.map(this::read)
                    .filter(entry -> entry.changeSet().equals(set))
                    .findFirst();
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

    /**
     * Of the changes from that instant on, the last one whose effective date is before that date; strongly consistent, one read
     * unit.
     */
    public Optional<PriceHistoryEntry> lastSince(
            StoreId store, Channel channel, PriceSubject subject, Instant at, EffectiveDate date) {
        var prefix = prefix(channel, subject);
        var query = Query.table("priceHistory", DynamoStores.partition(store))
                .between(prefix + Key.sortable(at), prefix + "~");
        try (var items = db.all(query, Consistency.STRONG)) {
            return items.map(this::read)
                    .filter(entry -> entry.effectiveDate().compareTo(date) < 0)
                    .reduce((_, later) -> later);
        }
    }

    /**
     * What was charged between two instants while the store's clock showed an hour for the second time. All of that hour has one
     * effective date, at which versions that are set at once replace each other (ADR 13). Strongly consistent; one read unit for
     * each such hour.
     */
    List<Money> whileShownAgain(Store store, Channel channel, PriceSubject subject, Instant from, Instant until) {
        var found = new ArrayList<Money>();
        var prefix = prefix(channel, subject);
        var rules = store.timeZone().getRules();
        var jump = rules.nextTransition(from.minus(Duration.ofDays(1)));
        while (jump != null && jump.getInstant().isBefore(until)) {
            var begin = jump.getInstant().isAfter(from) ? jump.getInstant() : from;
            var end = jump.getInstant().minus(jump.getDuration()); // less than none, where the clock goes back
            if (begin.isBefore(end)) {
                var query = Query.table("priceHistory", DynamoStores.partition(store.id()))
                        .between(prefix + Key.sortable(begin), prefix + Key.sortable(end));
                try (var items = db.all(query, Consistency.STRONG)) {
                    items.map(this::read)
                            .flatMap(change -> Stream.concat(
                                    Stream.ofNullable(change.before()), Stream.ofNullable(change.after())))
                            .forEach(found::add);
                }
            }
            jump = rules.nextTransition(jump.getInstant());
        }
        return found;
    }

    /** The version that a change made, which may have expired. */
    static Item version(PriceHistoryEntry change) {
        return DynamoPriceVersions.item(
                change.store(), change.channel(), change.subject(), change.effectiveDate(), change.after());
    }

    /** The version that a change replaced, which may have expired, where it began by that date. */
    static Optional<Item> replacedUntil(PriceHistoryEntry change, String date) {
        var since = change.beforeSince();
        return since == null || since.toString().compareTo(date) > 0
                ? Optional.empty()
                : Optional.of(DynamoPriceVersions.item(
                        change.store(), change.channel(), change.subject(), since, change.before()));
    }

    private PriceHistoryEntry read(Item item) {
        return db.read(item, DynamoPriceHistory::entry);
    }

    private static Instant endOfSecond(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).plusMillis(999);
    }

    /**
     * One entry, once.
     *
     * @param now from which on it is kept, where it counts from a time before
     */
    public Write write(
            Attribution by,
            StoreId store,
            Channel channel,
            PriceSubject subject,
            Instant at,
            Instant now,
            EffectiveDate date,
            @Nullable StoredPrice before,
            @Nullable Money after) {
        var item = Item.at(new Key(
                        DynamoStores.partition(store),
                        prefix(channel, subject) + Key.sortable(at) + "#" + by.changeSet()))
                .type(TYPE)
                .string("effectiveDate", date.toString())
                .string("actor", by.actor().text())
                .string("reason", by.reason())
                .ttl((at.isBefore(now) ? now : at).plus(keptFor));
        if (before != null) {
            item.string("beforeSince", before.effectiveDate().toString());
            if (before.price() != null) {
                item.string("before", before.price().text());
            }
        }
        if (after != null) {
            item.string("after", after.text());
        }
        return Write.put(item.build(), SaveMode.INIT);
    }

    /** The entry that a record of the table's stream says is new; empty where it says anything else. */
    public static Optional<PriceHistoryEntry> created(ChangeRecord record) {
        return record.kind() == ChangeRecord.Kind.CREATED
                ? Optional.ofNullable(record.after()).map(DynamoPriceHistory::entry)
                : Optional.empty();
    }

    private static PriceHistoryEntry entry(Item item) {
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
                parts[parts.length - 2],
                EffectiveDate.inKey(item.string("effectiveDate")),
                item.findString("before").map(Money::of).orElse(null),
                item.findString("beforeSince").map(EffectiveDate::inKey).orElse(null),
                item.findString("after").map(Money::of).orElse(null),
                new ChangeSetId(parts[parts.length - 1]),
                Actor.parse(item.string("actor")),
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
