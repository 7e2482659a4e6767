package io.menuboard.pricing.batches;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.menuboard.kernel.Money;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.DynamoStores;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Store;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Write;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Changes that have no history yet, as items {@code STORE#{store}}/{@code {channel}#Change#{effectiveDate}#{subject}}. Each
 * stands beside the version of the price that it makes, which every read finds at its instant, until its batch is applied.
 */
public final class DynamoPendingChanges {
    /** Type of the items. */
    static final String TYPE = "priceChange";

    private static final String LINE = "line";
    private static final String AFTER = "after";

    /** Sorts after every change of an effective date, and before the next date, which may be a time of the same day. */
    private static final String LAST = "#~";

    private final QueryDb db;

    DynamoPendingChanges(QueryDb db) {
        this.db = db;
    }

    /** @param after null where it deletes */
    record PendingChange(
            PriceSubject subject, ChangeSetId set, @Nullable Money after) {}

    /** The line of its set that waits there for its time; one read unit. */
    public Optional<Integer> lineOf(PriceBatch batch, PriceSubject subject) {
        return db.get(key(batch, subject), Consistency.STRONG)
                .map(change -> db.read(change, item -> (int) item.integer(LINE)));
    }

    /** Prices of a batch whose change of that set is left; strongly consistent, a read unit per 4 KB of the batch. */
    public Set<PriceSubject> of(PriceBatch batch, ChangeSetId set) {
        return of(batch).stream()
                .filter(change -> change.set().equals(set))
                .map(PendingChange::subject)
                .collect(toUnmodifiableSet());
    }

    /** Prices of a batch whose change is left, of whatever set; cost of {@link #of(PriceBatch, ChangeSetId)}. */
    public Set<PriceSubject> left(PriceBatch batch) {
        return of(batch).stream().map(PendingChange::subject).collect(toUnmodifiableSet());
    }

    /**
     * True where none of these changes is there, also not of a transaction that is being committed: of such a one a Query may
     * find the versions before the changes. Two write units each.
     *
     * @param changes keys of at least one, as many as one transaction takes
     */
    public boolean areGone(List<Key> changes) {
        try {
            db.transact(changes.stream()
                    .map(key -> Write.check(key, Condition.absent()))
                    .toList());
            return true;
        } catch (ConditionFailed _) {
            return false;
        }
    }

    /** Changes that are left of a batch, by subject; strongly consistent. */
    List<PendingChange> of(PriceBatch batch) {
        var prefix = prefix(batch);
        var query = Query.table("changesOfBatch", DynamoStores.partition(batch.store()))
                .beginsWith(prefix);
        try (var items = db.all(query, Consistency.STRONG)) {
            return items.map(change -> db.read(
                            change,
                            item -> new PendingChange(
                                    PriceSubject.of(item.key().sort().substring(prefix.length())),
                                    changeSetOf(item),
                                    after(item))))
                    .toList();
        }
    }

    /** Changes of a store and channel, by effective date. */
    Page<UpcomingChange> upcoming(
            Store store, Channel channel, @Nullable Instant from, @Nullable Instant to, PageRequest page) {
        var prefix = channel + "#Change#";
        var low = from == null ? "" : EffectiveDate.latestAt(from.minusNanos(1), store.timeZone()) + LAST;
        var high = to == null ? "~" : EffectiveDate.latestAt(to.minusNanos(1), store.timeZone()) + LAST;
        var query = Query.table("upcomingChanges", DynamoStores.partition(store.id()))
                .between(prefix + low, prefix + high);
        Function<Item, UpcomingChange> reader = item -> {
            var parts = item.key().sort().split("#", 4);
            var date = EffectiveDate.inKey(parts[2]);
            return new UpcomingChange(
                    store,
                    channel,
                    PriceSubject.of(parts[3]),
                    date,
                    date.startsAt(store.timeZone()),
                    after(item),
                    changeSetOf(item));
        };
        return db.query(query, reader, page);
    }

    /**
     * The item of a change.
     *
     * @param line number in its set
     * @param after null where it deletes
     */
    public static Item item(PriceBatch batch, PriceSubject subject, int line, @Nullable Money after, ChangeSetId set) {
        var item = Item.at(key(batch, subject))
                .type(TYPE)
                .string(DynamoPriceVersions.CHANGE_SET, set.value())
                .number(LINE, line);
        return after == null ? item.build() : item.string(AFTER, after.text()).build();
    }

    public static Key key(PriceBatch batch, PriceSubject subject) {
        return new Key(DynamoStores.partition(batch.store()), prefix(batch) + subject);
    }

    private static String prefix(PriceBatch batch) {
        return batch.channel() + "#Change#" + batch.effectiveDate() + "#";
    }

    private static ChangeSetId changeSetOf(Item item) {
        return Objects.requireNonNull(DynamoPriceVersions.changeSetOf(item));
    }

    private static @Nullable Money after(Item item) {
        return item.findString(AFTER).map(Money::of).orElse(null);
    }
}
