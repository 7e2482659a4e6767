package io.menuboard.favorites;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Gatherers;
import java.util.stream.LongStream;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Ledger of counted events, as items of {@link LedgerPage}: attribute {@code numbers} has eight bytes for each, {@code size}
 * says how many, which is the page's version, because they are only ever added. Events that a recount has reconciled, though
 * they were never delivered, are kept apart, because it is unknown when they happened: as items
 * {@code FAVUNTOLD#{restaurant}}/{@code {correction}}, some of a recount's events each, which never change.
 */
final class DynamoEventLedger {
    private static final String TYPE = "favoriteSeen";
    private static final String NUMBERS = "numbers";
    private static final String SIZE = "size";

    /** With so many events a page takes no more: then it is not far from a KB. */
    static final int FULL = 100;

    /** More than that a page never has, but one of the last level: 2 KB. */
    static final int MOST = 230;

    /** Most events that are reconciled at once: 640 write units in one partition, which takes 1,000 a second. */
    static final int MOST_RECONCILED = 40_000;

    /** They fit into an item of 16 KB. */
    private static final int RECONCILED_TOGETHER = 2_000;

    private static final int PAGES_REMEMBERED = 10_000;

    /** Of a set of reconciled events, besides eight for each. */
    private static final int BYTES_PER_SET = 300;

    private final QueryDb db;

    /** Of each restaurant those that were asked for last. */
    private final Cache<RestaurantId, Reconciled> reconciled;

    /** Pages as they were last read. Conditions decide whether they still are so. */
    private final Cache<Key, long[]> pages =
            Caffeine.newBuilder().maximumSize(PAGES_REMEMBERED).build();

    /** @param reconciledBytes memory for reconciled events; those that do not fit are read whenever they are asked for */
    DynamoEventLedger(QueryDb db, long reconciledBytes) {
        this.db = db;
        this.reconciled = Caffeine.newBuilder()
                .maximumWeight(reconciledBytes)
                .weigher((RestaurantId _, Reconciled known) -> BYTES_PER_SET + Long.BYTES * known.numbers.length)
                // Evict in the thread that adds, so that the bound holds at every moment.
                .executor(Runnable::run)
                .build();
    }

    /** Finds the events that were not counted, and a place for each. Half a read unit for each page not yet known. */
    Plan place(Collection<MarkEvent> events) {
        var plan = new Plan();
        Collection<MarkEvent> left = events;
        for (var level = 0; level <= LedgerPage.LAST_LEVEL && !left.isEmpty(); level++) {
            left = plan.place(left, level);
        }
        return plan;
    }

    /** Takes what is there from a write that was refused, so that the next attempt knows it. */
    void learn(ConditionFailed refused, Collection<Key> written) {
        for (var key : refused.keys()) {
            if (written.contains(key)) {
                refused.current(key)
                        .ifPresentOrElse(item -> pages.put(key, numbers(item)), () -> pages.invalidate(key));
            }
        }
    }

    void forget(Collection<Key> keys) {
        pages.invalidateAll(keys);
    }

    /** Takes the number of an event, and the time until which it has happened at the latest. */
    interface EventVisitor {
        void event(long number, Instant until);
    }

    /** Every event of a restaurant that was counted, of some months. Read strongly consistent. */
    void all(RestaurantId restaurant, YearMonth first, YearMonth last, EventVisitor visitor) {
        var isFullBefore = false;
        for (var month = first; !month.isAfter(last); month = month.plusMonths(1)) {
            var isFull = forEach(restaurant, month, 0, visitor);
            // The quarters of a page that is full at midnight are in two months.
            if (isFull || isFullBefore) {
                for (var shard = 1; shard <= LedgerPage.SPREAD; shard++) {
                    forEach(restaurant, month, shard, visitor);
                }
            }
            isFullBefore = isFull;
        }
    }

    /** Visits a shard; true if a page is full that has its quarters in other partitions. */
    private boolean forEach(RestaurantId restaurant, YearMonth month, int shard, EventVisitor visitor) {
        var deepest = "#" + (LedgerPage.FIRST_SPREAD_LEVEL - 1);
        var query = Query.table("counted favorite events", LedgerPage.partition(restaurant, month, shard));
        try (var items = db.all(query, Consistency.STRONG)) {
            return items.map(item -> {
                        var numbers = numbers(item);
                        var until = LedgerPage.until(item.key().sort());
                        Arrays.stream(numbers).forEach(number -> visitor.event(number, until));
                        return numbers.length >= FULL && item.key().sort().endsWith(deepest);
                    })
                    .reduce(false, Boolean::logicalOr);
        }
    }

    /** Events of a restaurant that its first corrections have reconciled. */
    static final class Reconciled {
        private static final Reconciled NOTHING = new Reconciled(0, new long[0]);

        private final long corrections;

        /** Ascending. */
        private final long[] numbers;

        private Reconciled(long corrections, long[] numbers) {
            this.corrections = corrections;
            this.numbers = numbers;
        }

        boolean contains(long number) {
            return Arrays.binarySearch(numbers, number) >= 0;
        }

        /** Ascending. */
        LongStream numbers() {
            return Arrays.stream(numbers);
        }
    }

    /**
     * All events that the first corrections of a restaurant have reconciled; empty where some of them are not seen yet, because
     * the transaction of a correction is under way (ADR 38).
     * Strongly consistent: a read unit for each 4 KB, some 500 of them, where they are not in memory.
     */
    Optional<Reconciled> reconciled(RestaurantId restaurant, long corrections) {
        if (corrections == 0) {
            return Optional.of(Reconciled.NOTHING);
        }
        var known = reconciled.getIfPresent(restaurant);
        if (known != null && known.corrections == corrections) {
            return Optional.of(known);
        }
        // Not within the cache, whose other keys would wait; to read it twice does no harm.
        var items = readReconciled(reconciledKey(restaurant, corrections));
        if (items.size() < corrections) {
            return Optional.empty();
        }
        var numbers = items.stream()
                .flatMapToLong(item -> Arrays.stream(numbers(item)))
                .sorted()
                .toArray();
        var read = new Reconciled(corrections, numbers);
        reconciled.put(restaurant, read);
        return Optional.of(read);
    }

    /** One item for each correction. */
    private List<Item> readReconciled(Key last) {
        var query = Query.table("reconciled favorite events", last.partition()).between("0", last.sort());
        try (var items = db.all(query, Consistency.STRONG)) {
            return items.toList();
        }
    }

    /**
     * Remembers events that are counted though they were never delivered. Each write is a correction more.
     *
     * @param before number of corrections so far
     * @param numbers {@value #MOST_RECONCILED} at the most
     */
    static List<Write> putReconciled(RestaurantId restaurant, long before, List<Long> numbers) {
        var corrections = new AtomicLong(before);
        return numbers.stream()
                .gather(Gatherers.windowFixed(RECONCILED_TOGETHER))
                .map(together -> put(
                        reconciledKey(restaurant, corrections.incrementAndGet()),
                        together.stream().mapToLong(Long::longValue).toArray(),
                        0))
                .toList();
    }

    private static Key reconciledKey(RestaurantId restaurant, long correction) {
        return new Key("FAVUNTOLD#" + restaurant, String.format(Locale.ROOT, "%012d", correction));
    }

    private static long[] numbers(Item item) {
        var value = item.attributes().get(NUMBERS);
        if (value == null || value.b() == null) {
            throw new IllegalStateException("the item at " + item.key() + " has no numbers");
        }
        var longs = value.b().asByteBuffer().asLongBuffer();
        var numbers = new long[longs.remaining()];
        longs.get(numbers);
        return numbers;
    }

    private static Write put(Key key, long[] numbers, int sizeBefore) {
        var bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
        bytes.asLongBuffer().put(numbers);
        var item = Item.at(key)
                .type(TYPE)
                .number(SIZE, numbers.length)
                .value(NUMBERS, AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(bytes.array())))
                .build();
        return sizeBefore == 0 ? Write.put(item, SaveMode.INIT) : Write.put(item, Condition.equal(SIZE, sizeBefore));
    }

    /** Events that were not counted, and the pages that will say that they were. */
    final class Plan {
        private final List<MarkEvent> fresh = new ArrayList<>();
        private final Map<Key, long[]> before = new LinkedHashMap<>();
        private final Map<Key, long[]> after = new LinkedHashMap<>();

        /** Those that were not counted. */
        List<MarkEvent> fresh() {
            return fresh;
        }

        Collection<Key> keys() {
            return after.keySet();
        }

        /** All or nothing, together with what counts them: each page as it was, and with its new marks. */
        List<Write> writes() {
            return after.entrySet().stream()
                    .map(page -> put(
                            page.getKey(), page.getValue(), Objects.requireNonNull(before.get(page.getKey())).length))
                    .toList();
        }

        /** Remembers the pages as they are once they are written. */
        void written() {
            after.forEach(pages::put);
        }

        /** Answers those that belong on a page of the next level. */
        private List<MarkEvent> place(Collection<MarkEvent> events, int level) {
            var byPage = new LinkedHashMap<Key, List<MarkEvent>>();
            for (var event : events) {
                byPage.computeIfAbsent(LedgerPage.of(event, level).key(), _ -> new ArrayList<>())
                        .add(event);
            }
            load(byPage.keySet());
            var left = new ArrayList<MarkEvent>();
            byPage.forEach((key, ofPage) -> place(key, ofPage, level, left));
            return left;
        }

        private void place(Key key, List<MarkEvent> events, int level, List<MarkEvent> left) {
            var known = Objects.requireNonNull(before.get(key));
            var unseen = events.stream()
                    .filter(event -> Arrays.stream(known).noneMatch(number -> number == event.number()))
                    .toList();
            var most =
                    level == LedgerPage.LAST_LEVEL ? Integer.MAX_VALUE : known.length >= FULL ? 0 : MOST - known.length;
            var here = unseen.subList(0, Math.min(most, unseen.size()));
            if (!here.isEmpty()) {
                var numbers = Arrays.copyOf(known, known.length + here.size());
                for (var i = 0; i < here.size(); i++) {
                    numbers[known.length + i] = here.get(i).number();
                }
                after.put(key, numbers);
                fresh.addAll(here);
            }
            left.addAll(unseen.subList(here.size(), unseen.size()));
        }

        private void load(Collection<Key> keys) {
            var unknown = new LinkedHashSet<Key>();
            for (var key : keys) {
                var page = pages.getIfPresent(key);
                if (page == null) {
                    unknown.add(key);
                } else {
                    before.put(key, page);
                }
            }
            var order = List.copyOf(unknown);
            var items = db.getBatch(order);
            for (var i = 0; i < order.size(); i++) {
                before.put(
                        order.get(i),
                        items.get(i).map(DynamoEventLedger::numbers).orElse(new long[0]));
            }
        }
    }

    /**
     * Page of the ledger that remembers that an event was counted. A page is for what happened to a restaurant within a stretch of time. When
     * it has enough it takes no more, and the four quarters of its stretch have pages of their own; so events that come together
     * are on few pages, at whatever rate they come, and every event has one place only, which nobody needs to look up.
     *
     * @param level how often the stretch was divided: 0 is 70 minutes, each further one a quarter, 16 a millionth of a second
     * @param start its first place, see {@link MarkEvent#place}
     */
    record LedgerPage(RestaurantId restaurant, int level, long start) {
        /** The level that is not divided any more. */
        static final int LAST_LEVEL = 16;

        /** Bits of a place. */
        private static final int FIRST_STRETCH = 2 * LAST_LEVEL;

        /** From this level on, stretches of four seconds and less, pages exist for busy restaurants only. */
        static final int FIRST_SPREAD_LEVEL = 5;

        /** Partitions of a month for these. */
        static final int SPREAD = 8;

        static LedgerPage of(MarkEvent event, int level) {
            var bits = FIRST_STRETCH - 2 * level;
            return new LedgerPage(event.restaurant(), level, (event.place() >> bits) << bits);
        }

        /** {@code FAVSEEN#{restaurant}#{month}#{shard}}/{@code {start}#{level}}. */
        Key key() {
            var month = YearMonth.from(
                    Instant.ofEpochMilli(start >> MarkEvent.PARTS_BITS).atOffset(ZoneOffset.UTC));
            return new Key(partition(restaurant, month, shard()), start + "#" + level);
        }

        /** The first instant after a page's stretch, by the sort key of its item. */
        static Instant until(String sort) {
            var hash = sort.indexOf('#');
            var bits = FIRST_STRETCH - 2 * Integer.parseInt(sort, hash + 1, sort.length(), 10);
            var end = Long.parseLong(sort, 0, hash, 10) + (1L << bits);
            return Instant.ofEpochMilli((end >> MarkEvent.PARTS_BITS) + 1);
        }

        private int shard() {
            var stretches = start >> (FIRST_STRETCH - 2 * level);
            return level < FIRST_SPREAD_LEVEL ? 0 : 1 + (int) Math.floorMod(stretches, (long) SPREAD);
        }

        static String partition(RestaurantId restaurant, YearMonth month, int shard) {
            return "FAVSEEN#" + restaurant + "#" + month + "#" + shard;
        }
    }
}
