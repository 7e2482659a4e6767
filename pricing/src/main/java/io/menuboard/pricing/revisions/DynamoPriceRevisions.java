package io.menuboard.pricing.revisions;

import io.menuboard.pricing.Channel;
import io.menuboard.pricing.StoreId;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.Write;
import java.util.HashMap;
import java.util.Map;

/**
 * Revisions as items {@code PRICES#{store}}/{@code {channel}}, which stay for ever. They have a partition of their own, so that one
 * Query finds all of a store.
 */
public final class DynamoPriceRevisions {
    /** Type of the items. */
    public static final String TYPE = "priceRevision";

    private static final String PARTITION = "PRICES#";
    private static final String NUMBER = "revision";
    private static final String LOADING = "loading";

    private final QueryDb db;

    DynamoPriceRevisions(QueryDb db) {
        this.db = db;
    }

    /** Makes another revision, in the transaction that changes the prices. Two write units. */
    public static Write raise(StoreId store, Channel channel) {
        return next(store, channel);
    }

    /** The same where what follows changes prices without transactions, until {@link #endLoading}. */
    public static Write beginLoading(StoreId store, Channel channel) {
        return next(store, channel).set(LOADING, true);
    }

    /** Ends what {@link #beginLoading} began. */
    public static Write endLoading(StoreId store, Channel channel) {
        return next(store, channel).remove(LOADING);
    }

    private static Update next(StoreId store, Channel channel) {
        return Update.of(new Key(PARTITION + store, channel.value())).type(TYPE).add(NUMBER, 1);
    }

    /** Store of a change of an item of this type. */
    static StoreId storeOf(Key key) {
        return new StoreId(key.partition().substring(PARTITION.length()));
    }

    /** Revisions of all channels of a store that ever had prices, strongly consistent: one read unit. */
    Map<Channel, Revision> of(StoreId store) {
        var found = new HashMap<Channel, Revision>();
        try (var items = db.all(
                Query.table("priceRevisions", PARTITION + store).attributes(NUMBER, LOADING), Consistency.STRONG)) {
            items.forEach(
                    item -> found.put(new Channel(item.key().sort()), db.read(item, DynamoPriceRevisions::revision)));
        }
        return found;
    }

    private static Revision revision(Item item) {
        return new Revision(
                item.number(NUMBER).longValueExact(), item.attributes().containsKey(LOADING));
    }
}
