package io.menuboard.pricing.revisions;

import io.menuboard.pricing.Channel;
import io.menuboard.pricing.StoreId;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.Write;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
    private static final String LOGGED = "logged";
    private static final String LOADS = "loads";
    private static final String PASSED = "passed";

    private final QueryDb db;

    DynamoPriceRevisions(QueryDb db) {
        this.db = db;
    }

    /**
     * Makes another revision, in the transaction that writes or takes back prices that are to come, and holds only while no
     * instant has passed since which one of them counts. Two write units.
     *
     * @param first the earliest of those instants
     */
    public static Write raiseForLater(StoreId store, Channel channel, Instant first) {
        return next(store, channel).when(hasNotPassed(first));
    }

    /**
     * Makes another revision, in the transaction that changes prices at once and logs that as {@link DynamoPriceLog} has it.
     * Holds only while nobody has logged anything since that revision was read, and no later instant has passed. Two write
     * units. Where the transaction writes prices that are to come, too, these are one revision more: with as many revisions as
     * entries of the log, nothing but those has changed.
     *
     * @param first the earliest instant from which prices count that are to come; null for none
     */
    public static Write raiseAtOnce(
            StoreId store, Channel channel, Revision read, Instant now, @Nullable Instant first) {
        var logged = read.logged() == 0
                ? Condition.absent(LOGGED).or(Condition.equal(LOGGED, 0))
                : Condition.equal(LOGGED, read.logged());
        var raised = next(store, channel, first == null ? 1 : 2)
                .set(LOGGED, read.logged() + 1)
                .set(PASSED, now.getEpochSecond())
                .when(logged.and(Condition.absent(PASSED).or(Condition.atMost(PASSED, now.getEpochSecond()))));
        return first == null ? raised : raised.when(hasNotPassed(first));
    }

    /** Condition that holds while nobody has taken that instant for past. */
    private static Condition hasNotPassed(Instant instant) {
        return Condition.absent(PASSED).or(Condition.less(PASSED, instant.getEpochSecond()));
    }

    /** Makes another revision, in the transaction that removes prices which were loaded, as if they had never been there. */
    public static Write raiseForUnload(StoreId store, Channel channel) {
        return next(store, channel).add(LOADS, 1);
    }

    /** The same where what follows changes prices without transactions, until {@link #endLoading}. */
    public static Write beginLoading(StoreId store, Channel channel) {
        return next(store, channel).add(LOADS, 1).set(LOADING, true);
    }

    /** Ends what {@link #beginLoading} began. */
    public static Write endLoading(StoreId store, Channel channel) {
        return next(store, channel).remove(LOADING);
    }

    private static Update next(StoreId store, Channel channel) {
        return next(store, channel, 1);
    }

    private static Update next(StoreId store, Channel channel, int by) {
        return Update.of(key(store, channel)).type(TYPE).add(NUMBER, by);
    }

    private static Key key(StoreId store, Channel channel) {
        return new Key(PARTITION + store, channel.value());
    }

    /**
     * Takes an instant for past: what is written later with an earlier one is refused. Is not another revision. One write unit,
     * also where that or a later instant has passed already.
     *
     * @return false where it has
     */
    boolean pass(StoreId store, Channel channel, Instant instant) {
        try {
            db.update(Update.of(key(store, channel))
                    .type(TYPE)
                    .add(NUMBER, 0) // what reads revisions wants a number
                    .set(PASSED, instant.getEpochSecond())
                    .when(hasNotPassed(instant)));
            return true;
        } catch (ConditionFailed _) {
            // Another instance was quicker, or this attempt is its own second one.
            return false;
        }
    }

    /** Store of a change of an item of this type. */
    static StoreId storeOf(Key key) {
        return new StoreId(key.partition().substring(PARTITION.length()));
    }

    /** Revisions of all channels of a store that ever had prices, strongly consistent: one read unit. */
    Map<Channel, Revision> of(StoreId store) {
        var found = new HashMap<Channel, Revision>();
        try (var items = db.all(
                Query.table("priceRevisions", PARTITION + store).attributes(NUMBER, LOADING, LOGGED, LOADS, PASSED),
                Consistency.STRONG)) {
            items.forEach(
                    item -> found.put(new Channel(item.key().sort()), db.read(item, DynamoPriceRevisions::revision)));
        }
        return found;
    }

    private static Revision revision(Item item) {
        return new Revision(
                item.number(NUMBER).longValueExact(),
                item.attributes().containsKey(LOADING),
                number(item, LOGGED),
                number(item, LOADS),
                Instant.ofEpochSecond(number(item, PASSED)));
    }

    private static long number(Item item, String attribute) {
        return item.findNumber(attribute).map(BigDecimal::longValueExact).orElse(0L);
    }
}
