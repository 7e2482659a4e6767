package io.menuboard.querydb;

import io.menuboard.kernel.Count;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.requests.Requests;
import java.time.Clock;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;

/**
 * The one way to the table. Thread-safe; one per process. Every operation retries throttling and, where repeating is
 * harmless, attempts without an answer, within the bounds of its {@link Requests}; then it throws a
 * {@link QueryDbException} naming operation and keys.
 *
 * <p>An item whose TTL has passed by the given clock is treated as absent, although DynamoDB may keep it for days.
 *
 * <p>Reads of several items, also {@link Consistency#STRONG} ones, may see some of what a transaction under way writes and not yet
 * the rest: conclude nothing from what is not found, unless a condition says so, too (ADR 38).
 */
public final class QueryDb {

    /** Most writes in one transaction, a limit of DynamoDB. */
    public static final int MAX_TRANSACTION = 100;

    private final Clock clock;
    private final SingleItems items;
    private final Lists lists;
    private final Batches batches;
    private final Transactions transactions;
    private final Unreadable unreadable = new Unreadable();

    /**
     * The way to one table.
     *
     * @param table with string keys {@code pk} and {@code sk}, indexes with two string keys each, TTL attribute
     *     {@code ttl} or none, present in every index; else {@link IllegalArgumentException}
     * @param clock decides what has expired
     * @param requests through clients without retries of their own, see {@link #clientOverrides()}
     * @param cursorKey signs cursors; the same for every instance of the application, or their cursors are foreign
     */
    public QueryDb(TableDefinition table, Clock clock, Requests requests, SecretKey cursorKey) {
        TableRules.check(table);
        this.clock = clock;
        this.items = new SingleItems(table, clock, requests);
        this.lists = new Lists(table, clock, requests, cursorKey);
        this.batches = new Batches(table, requests);
        this.transactions = new Transactions(table, clock, requests);
    }

    /** Settings for the client: the SDK's own retries are off, because it cannot know what is safe to repeat. */
    public static ClientOverrideConfiguration.Builder clientOverrides() {
        return ClientOverrideConfiguration.builder().retryStrategy(AwsRetryStrategy.doNotRetry());
    }

    /** Reads one item, eventually consistent: half a read unit per 4 KB. */
    public Optional<Item> get(Key key) {
        return get(key, Consistency.EVENTUAL);
    }

    /** Reads one item; strongly consistent it costs one read unit per 4 KB. */
    public Optional<Item> get(Key key, Consistency consistency) {
        return items.get(key, consistency);
    }

    /**
     * Reads many items, eventually consistent. One answer per key, in the order of the keys; a key given twice is read
     * once. Requests of 100 keys, several at a time.
     */
    public List<Optional<Item>> getBatch(List<Key> keys) {
        return getBatch(keys, Consistency.EVENTUAL);
    }

    /** As {@link #getBatch(List)}; strongly consistent it costs one read unit per 4 KB of each item. */
    public List<Optional<Item>> getBatch(List<Key> keys, Consistency consistency) {
        var now = clock.instant();
        var found = batches.get(new LinkedHashSet<>(keys), consistency);
        return keys.stream()
                .map(key -> Optional.ofNullable(found.get(key)).filter(item -> !item.expiredAt(now)))
                .toList();
    }

    /** All items of a partition in the order of their sort keys, eventually consistent; a request per megabyte. */
    public List<Item> load(String partition) {
        return load(partition, Consistency.EVENTUAL);
    }

    /** All items of a partition in the order of their sort keys; a request per megabyte. */
    public List<Item> load(String partition, Consistency consistency) {
        return lists.all(Query.table("load", partition), consistency).toList();
    }

    /**
     * Saves one item whole. One write unit per KB, and as much again for the index.
     *
     * <p>When an attempt got no answer and the next one finds exactly this item stored, it counts as saved. Two callers
     * who save equal items {@link SaveMode#INIT} can in that case both succeed: where it matters who came first, put
     * something unique into the item.
     *
     * @throws AlreadyExists for {@link SaveMode#INIT}, if something is there
     * @throws ConditionFailed for {@link SaveMode#OVERWRITE}, if nothing is there
     * @throws NotSaved if it failed otherwise
     */
    public void save(Item item, SaveMode mode) {
        items.save(item, mode);
    }

    /**
     * Saves an item whole where nothing is there, for items that others remove: an attempt that got no answer may have saved
     * its item, which somebody has removed until the next attempt. So each attempt has an item of its own, with something unique
     * in it, and none comes back. Costs as {@link #save(Item, SaveMode)}.
     *
     * @param item makes an item with the same key each time
     * @return the one that is saved
     * @throws AlreadyExists if something is there that none of the attempts has saved
     * @throws NotSaved if it failed otherwise
     */
    public Item insert(Supplier<Item> item) {
        return items.insert(item);
    }

    /**
     * Saves one item whole if the condition holds for what is there now; never over an expired item. Costs, and is repeated,
     * as {@link #save(Item, SaveMode)}.
     *
     * @throws ConditionFailed with the current item
     * @throws NotSaved if it failed otherwise
     */
    public void save(Item item, Condition condition) {
        items.save(item, condition);
    }

    /**
     * Saves many items; one outcome per input, in input order, with the same meaning as saving them one after another:
     * of two inputs with the same key, {@link SaveMode#ANY} both, the last is stored and both are saved; the second of
     * two {@link SaveMode#INIT} finds the first.
     *
     * <p>{@link SaveMode#ANY} goes in requests of 25, the other modes in one conditional request each: half the write
     * units of a transaction, and one item's refusal does not cancel the others.
     */
    public BatchResult saveBatch(List<Save> saves) {
        return batches.save(saves, this::save);
    }

    /**
     * Adds to a number and returns the new value; an absent item or attribute counts as zero, and so does an expired
     * item, whose other attributes then are gone. Never adds twice.
     *
     * @throws NotCounted if it failed, saying whether it may have counted
     */
    public long count(Key key, String attribute, long delta) {
        return items.count(key, attribute, delta);
    }

    /**
     * Removes an item; succeeds when there is none. An attempt without an answer is not repeated: what was made in between
     * might be removed.
     *
     * @throws NotDeleted if it failed, saying whether it may be gone all the same
     */
    public void delete(Key key) {
        items.delete(key);
    }

    /**
     * Removes an item if the condition holds, in one request of what it costs to write the item; an absent one counts as
     * removed. An attempt without an answer is not repeated: what was made in between might be removed.
     *
     * @return whether it is gone; false where the condition does not hold
     * @throws NotDeleted if it failed
     */
    public boolean delete(Key key, Condition condition) {
        return items.delete(key, condition);
    }

    /**
     * An item that is not there any more.
     *
     * @param isCertain false where an attempt got no answer and the next one did not find it: that one may have removed it,
     *     or somebody else did
     */
    public record Removed(Item item, boolean isCertain) {}

    /**
     * Removes an item and returns what it was; empty when there was none. A strongly consistent read, and a request of what
     * it costs to write the item, on the condition that it still is as it was read: so attempts without an answer can be
     * repeated, and none of them takes what was made in between. Of many who remove it at once, one at most is certain that it
     * did.
     *
     * @param id attribute, a text, that tells an item from any other that takes its place, whatever else changes in it
     * @throws NotDeleted if it failed, or the item was another one at each of many tries
     */
    public Optional<Removed> remove(Key key, String id) {
        return items.remove(key, id);
    }

    /**
     * Removes many items, in requests of 25; one outcome per key, in the order of the keys. As with {@link #delete(Key)},
     * attempts without an answer are not repeated.
     */
    public BatchResult deleteBatch(List<Key> keys) {
        return batches.delete(keys, this::delete);
    }

    /**
     * Changes attributes of one item if the condition of the update holds, and returns the item as it is then. Creates an
     * absent item if the condition allows that. Never changes an expired item: where the condition allows an absent one, it
     * removes that first, for two requests more. An attempt without an answer is not repeated.
     *
     * @throws ConditionFailed with the current item
     * @throws NotSaved if it failed otherwise, saying whether it may have been applied
     */
    public Item update(Update update) {
        return items.update(update);
    }

    /**
     * As {@link #update(Update)}, and repeats attempts without an answer: when the condition does not hold then,
     * {@code applied} tells from the item whether it was an earlier attempt that saw to that.
     *
     * <p>The update must leave something of its own in the item, such as an id made for this call, and must do no harm when
     * it is made again where the condition still holds.
     */
    public Item update(Update update, Predicate<Item> applied) {
        return items.update(update, applied);
    }

    /**
     * Makes all writes or none, exactly once; two write units per KB and write. An empty list is no request.
     *
     * @param writes at most {@value #MAX_TRANSACTION}, each of another key; else {@link IllegalArgumentException}
     * @throws ConditionFailed naming the keys whose conditions do not hold, with what is there
     * @throws NotSaved if it failed otherwise, saying whether it may have been applied
     */
    public void transact(List<Write> writes) {
        transactions.write(writes);
    }

    /** A page of a list, each item an edge. As consistent as the query says, eventually unless it does. */
    public Page<Item> query(Query query, PageRequest page) {
        return lists.items(query, page, Optional::of);
    }

    /**
     * A page of a list, each group of items an edge or none. Reads on until the page is full or the list at its end.
     *
     * @param edges gets complete groups, each in ascending order, in the direction of the request, and answers for each
     *     what it is an edge of; empty for no edge. Called as often as it takes, also later, by
     *     {@link Page#hasNextPage} and {@link Page#hasPreviousPage}, so its answer must depend on the group alone
     * @throws InvalidInput INVALID_CURSOR, field {@code after} or {@code before}, for a cursor of another list
     * @throws NotLoaded if it failed
     */
    public <T> Page<T> query(Query query, PageRequest page, Function<List<List<Item>>, List<Optional<T>>> edges) {
        return lists.page(query, page, edges);
    }

    /**
     * A page of several lists of the table or of one index merged into one, in the order of their range keys, which no
     * two items of all lists may share. Reads every list once, 32 at a time and each for its share of the page, and those that
     * turn out to have more of the page again.
     *
     * @param queries at least one, ungrouped, all of the table or of the same index, and in the same direction
     * @param edge what an item is an edge of; empty for no edge, then the page is read on
     * @throws InvalidInput INVALID_CURSOR, field {@code after} or {@code before}, for a cursor of another list
     * @throws NotLoaded if it failed
     */
    public <T> Page<T> query(List<Query> queries, PageRequest page, Function<Item, Optional<T>> edge) {
        return lists.merged(null, queries, page, () -> edge);
    }

    /**
     * The same of a list that stays the same though some of its queries come and go, so that its cursors outlast them.
     *
     * @param list what cursors are bound to: texts that together say what is in the list
     * @param edge makes what says so of the items of one reading: of the page, of what is before or behind it, of the total
     */
    public <T> Page<T> query(
            List<String> list, List<Query> queries, PageRequest page, Supplier<Function<Item, Optional<T>>> edge) {
        return lists.merged(list, queries, page, edge);
    }

    /**
     * A page of items that the caller has already, with the cursors that the query would give them. No request.
     *
     * @param items what the query of the table would find, in list order
     */
    public Page<Item> page(Query query, List<Item> items, PageRequest page) {
        return lists.page(query, items, page);
    }

    /**
     * A page of a list whose entries the caller reads one by one, where the page takes them: as many as are wanted, and
     * more where some are no edges. Costs what reading them does.
     *
     * @param query gives the list its cursors, and is not sent; of the table
     * @param sorts sort keys of all that may be in the list, in list order
     * @param edges answers for each of some of them what it is an edge of; empty for no edge. Called as often as it takes,
     *     also later, by {@link Page#hasNextPage}, {@link Page#hasPreviousPage} and {@link Page#totalCount}
     * @throws InvalidInput INVALID_CURSOR, field {@code after} or {@code before}, for a cursor of another list
     */
    public <T> Page<T> page(
            Query query, List<String> sorts, Function<List<String>, List<Optional<T>>> edges, PageRequest page) {
        return page(query, sorts, Function.identity(), edges, page);
    }

    /**
     * The same of entries that have a sort key.
     *
     * @param query as above; where it groups items, each entry is a group of its own, in the order of those
     * @param sort sort key of an entry, of any item of its group
     */
    public <E, T> Page<T> page(
            Query query,
            List<E> entries,
            Function<? super E, String> sort,
            Function<List<E>, List<Optional<T>>> edges,
            PageRequest page) {
        return lists.page(query, entries, sort, edges, page);
    }

    /**
     * Number of items in a list, counted up to {@code atMost}; as dear as reading them: half a read unit per 4 KB, a request
     * per megabyte.
     */
    public Count size(Query query, int atMost) {
        return lists.size(query, atMost);
    }

    /** All items of a list in its order, ungrouped, read as the stream is consumed: a request per megabyte. */
    public Stream<Item> all(Query query) {
        return all(query, Consistency.EVENTUAL);
    }

    /** As {@link #all(Query)}; strongly consistent for twice the read units, which an index cannot. */
    public Stream<Item> all(Query query, Consistency consistency) {
        return lists.all(query.groupedBy(0), consistency);
    }

    /**
     * A page of a list, each item an edge, without those that this version cannot read: see {@link #readable}.
     *
     * @param reader what an item says; depends on the item alone
     */
    public <T> Page<T> query(Query query, Function<Item, T> reader, PageRequest page) {
        return lists.items(query, page, item -> readable(item, reader));
    }

    /**
     * A page of several lists merged into one, as {@link #query(List, PageRequest, Function)}, each item an edge, without those
     * that this version cannot read.
     *
     * @param reader what an item says; depends on the item alone
     */
    public <T> Page<T> query(List<Query> queries, Function<Item, T> reader, PageRequest page) {
        return lists.mergedItems(null, queries, page, item -> readable(item, reader));
    }

    /** The same with cursors as of {@link #query(List, List, PageRequest, Supplier)}. */
    public <T> Page<T> query(List<String> list, List<Query> queries, Function<Item, T> reader, PageRequest page) {
        return lists.mergedItems(list, queries, page, item -> readable(item, reader));
    }

    /**
     * Reads the attributes of an item that was asked for, or on which something is written. No request.
     *
     * @param reader throws whatever it likes where it does not know what it sees
     * @throws UnreadableItem where it did, because another version wrote the item; counted
     */
    public <T> T read(Item item, Function<Item, T> reader) {
        return unreadable.read(item, reader);
    }

    /**
     * Reads one of many items, for lists and sweeps, which no item may stop; empty where another version wrote it and
     * this one cannot read it, which is counted, and logged once a minute for each kind of items. Not for what is added up,
     * and not for what something is written on: {@link #read} is. No request.
     */
    public <T> Optional<T> readable(Item item, Function<Item, T> reader) {
        return unreadable.readable(item, reader);
    }

    /** Number of items that this process could not read. It stands still while all instances are of one version. */
    public long unreadable() {
        return unreadable.sum();
    }
}
