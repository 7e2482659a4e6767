package io.menuboard.pricing.revisions;

import io.menuboard.kernel.Actor;
import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.StoreId;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Changes of prices at once, in the order in which they were committed, as items
 * {@code PRICELOG#{store}#{channel}}/{@code {number}}, 19 digits. Numbers have no gaps, so that who reads knows whether entries
 * have expired.
 */
public final class DynamoPriceLog {
    private static final String AT = "at";
    private static final String ACTOR = "actor";
    private static final String REASON = "reason";
    private static final String CHANGE_SET = "changeSet";
    private static final String LINES = "lines";

    private final QueryDb db;
    private final Duration keptFor;

    DynamoPriceLog(QueryDb db, Duration keptFor) {
        this.db = db;
        this.keptFor = keptFor;
    }

    /**
     * Writes one entry, in the transaction that changes the prices, with {@link DynamoPriceRevisions#raiseAtOnce}. Two write
     * units per KB, about eight lines.
     */
    public Write write(StoreId store, Channel channel, PriceLogEntry entry) {
        return Write.put(
                Item.at(new Key(partition(store, channel), sort(entry.number())))
                        .type("priceLog")
                        .number(AT, entry.at().getEpochSecond())
                        .string(CHANGE_SET, entry.by().changeSet().value())
                        .string(ACTOR, entry.by().actor().text())
                        .string(REASON, entry.by().reason())
                        .strings(
                                LINES,
                                entry.lines().stream()
                                        .map(PriceLogEntry.Line::text)
                                        .toList())
                        .ttl(entry.at().plus(keptFor))
                        .build(),
                SaveMode.INIT);
    }

    /**
     * Entries that there are of those with a number after the first one until the last one, in their order; strongly consistent,
     * one read unit per 4 KB.
     */
    public List<PriceLogEntry> between(StoreId store, Channel channel, long first, long last) {
        var query = Query.table("priceLog", partition(store, channel)).between(sort(first + 1), sort(last));
        try (var items = db.all(query, Consistency.STRONG)) {
            return items.map(item -> db.read(item, DynamoPriceLog::entry)).toList();
        }
    }

    private static PriceLogEntry entry(Item item) {
        return new PriceLogEntry(
                Long.parseLong(item.key().sort()),
                Instant.ofEpochSecond(item.number(AT).longValueExact()),
                new Attribution(
                        new ChangeSetId(item.string(CHANGE_SET)), Actor.parse(item.string(ACTOR)), item.string(REASON)),
                item.strings(LINES).stream().map(PriceLogEntry.Line::of).toList());
    }

    private static String partition(StoreId store, Channel channel) {
        return "PRICELOG#" + store + "#" + channel;
    }

    private static String sort(long number) {
        return "%019d".formatted(number);
    }
}
