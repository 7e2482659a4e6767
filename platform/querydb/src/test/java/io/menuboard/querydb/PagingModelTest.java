package io.menuboard.querydb;

import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.LocalDynamoDb;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Pages of random lists against the same lists in memory. */
final class PagingModelTest {

    /** Far ahead, because DynamoDB Local deletes what has expired by the wall clock. */
    private static final Instant NOW = Instant.parse("2036-03-01T12:00:00Z");

    private static final TableDefinition TABLE = TableDefinition.menuboard("paging-model");
    private static final QueryDb DB =
            LocalTables.queryDb(LocalDynamoDb.shared().directClient(), TABLE, Clock.fixed(NOW, ZoneOffset.UTC));
    private static final AtomicInteger PARTITIONS = new AtomicInteger();
    private static final int MANY = 5000;

    /** With pages of one, which are 10,000 requests, when {@code -Dsoak=full}. */
    private static final List<Integer> PAGE_SIZES =
            "full".equals(System.getProperty("soak")) ? List.of(1, 7, 64, 2048) : List.of(7, 64, 2048);

    @BeforeContainer
    static void createTable() {
        LocalTables.create(LocalDynamoDb.shared(), TABLE);
        DB.saveBatch(IntStream.range(0, MANY)
                        .mapToObj(i -> new Save(
                                Item.at(new Key("many", "%05d".formatted(i))).build(), SaveMode.ANY))
                        .toList())
                .orThrow();
    }

    @AfterContainer
    static void deleteTable() {
        LocalDynamoDb.shared().client().deleteTable(request -> request.tableName(TABLE.name()));
    }

    @Property
    void fiveThousandEdgesAreTheSameInBothDirectionsAndInPagesOfEverySize(@ForAll("pageSizes") int size) {
        var query = Query.table("many", "many").attributes("sk");
        var expected = IntStream.range(0, MANY).mapToObj("%05d"::formatted).toList();

        var list = new ExpectedList(expected, request -> DB.query(query, request)
                .map(item -> item.key().sort()));

        list.walk(PageRequest.Direction.FORWARD, size);
        list.walk(PageRequest.Direction.BACKWARD, size);
    }

    @Provide
    Arbitrary<Integer> pageSizes() {
        return Arbitraries.of(PAGE_SIZES);
    }

    @Property(tries = 150)
    void aWalkInEitherDirectionSeesEveryEdgeOnce(
            @ForAll @Size(max = 40) List<@From("versions") Version> versions,
            @ForAll ListKind kind,
            @ForAll @IntRange(min = 1, max = 9) int size) {
        var list = new Model(kind, versions).list();

        list.walk(PageRequest.Direction.FORWARD, size);
        list.walk(PageRequest.Direction.BACKWARD, size);
    }

    @Property(tries = 150)
    void aCursorKeepsItsPlaceWhileTheListChanges(
            @ForAll @Size(min = 1, max = 25) List<@From("versions") Version> versions,
            @ForAll @Size(max = 15) List<@From("versions") Version> added,
            @ForAll @Size(max = 15) List<@IntRange(max = 24) Integer> removed,
            @ForAll ListKind kind,
            @ForAll @IntRange(max = 24) int at,
            @ForAll @IntRange(min = 1, max = 9) int size) {
        var list = new Model(kind, versions);
        var edges = list.page(PageRequest.forward(versions.size(), null)).edges();
        if (edges.isEmpty()) {
            return;
        }
        var edge = edges.get(at % edges.size());

        list.remove(removed);
        list.add(added);

        list.check(new PageRequest(PageRequest.Direction.FORWARD, size, edge.cursor()), group(edge.node()));
        list.check(new PageRequest(PageRequest.Direction.BACKWARD, size, edge.cursor()), group(edge.node()));
    }

    @Provide
    Arbitrary<Version> versions() {
        // The second name sorts after the third in UTF-16, before it in UTF-8.
        var groups = Combinators.combine(
                        Arbitraries.of("a", "\uFFFD", "\uD83C\uDF55", "b!", "b"),
                        Arbitraries.integers().between(0, 9))
                .as((name, number) -> name + '#' + number);
        return Combinators.combine(groups, Arbitraries.integers().between(1, 9), Arbitraries.of(Fate.values()))
                .as(Version::new);
    }

    /** One item: a version of the thing that its group is. */
    record Version(String group, int number, Fate fate) {}

    /** What becomes of a group whose last version has it. */
    enum Fate {
        EDGE,
        SAME,
        EXPIRED,
        FILTERED
    }

    /** Where the list is read. */
    enum ListKind {
        TABLE,
        TABLE_REVERSED,
        TABLE_PREFIX,
        TABLE_BETWEEN,
        INDEX,
        INDEX_REVERSED
    }

    private static String group(String node) {
        return node.substring(0, node.lastIndexOf('='));
    }

    /** A list in the table, and the entries that it must have. */
    private static final class Model {

        private final String partition = "random-" + PARTITIONS.incrementAndGet();
        private final ListKind kind;
        private final Query query;
        private final Map<Key, Version> stored = new LinkedHashMap<>();

        Model(ListKind kind, List<Version> versions) {
            this.kind = kind;
            this.query = query();
            add(versions);
        }

        private Query query() {
            var table = Query.table("random", partition).groupedBy(2);
            var index = Query.index("random", "gsi1", partition).groupedBy(2);
            return switch (kind) {
                case TABLE -> table;
                case TABLE_REVERSED -> table.reversed();
                case TABLE_PREFIX -> table.beginsWith("b");
                case TABLE_BETWEEN -> table.between("a#3", "b!#5");
                case INDEX -> index;
                case INDEX_REVERSED -> index.reversed();
            };
        }

        void add(List<Version> versions) {
            var saves = new LinkedHashMap<Key, Save>();
            for (var version : versions) {
                var item = item(version);
                stored.put(item.key(), version);
                saves.put(item.key(), new Save(item, SaveMode.ANY));
            }
            DB.saveBatch(List.copyOf(saves.values())).orThrow();
        }

        void remove(List<Integer> indexes) {
            var keys = List.copyOf(stored.keySet());
            var gone = indexes.stream()
                    .map(i -> keys.get(i % keys.size()))
                    .distinct()
                    .toList();
            DB.deleteBatch(gone).orThrow();
            gone.forEach(stored::remove);
        }

        /** In the index all versions of a thing stand at one place, and their partitions differ. */
        private Item item(Version version) {
            var inIndex = kind.name().startsWith("INDEX");
            var sort = version.group() + '#' + version.number();
            var item = inIndex
                    ? Item.at(new Key(partition + '-' + version.number() % 3, sort))
                            .index(partition, version.group())
                    : Item.at(new Key(partition, sort));
            item.string("node", version.group() + '=' + version.number());
            item.flag("filtered", version.fate() == Fate.FILTERED);
            if (version.fate() == Fate.EXPIRED) {
                item.ttl(NOW);
            }
            return item.build();
        }

        /** The node is the last version, unless that says that there is none. */
        Page<String> page(PageRequest request) {
            return DB.query(query, request, groups -> groups.stream()
                    .map(group -> Optional.of(group.getLast())
                            .filter(last -> !last.flag("filtered"))
                            .map(last -> last.string("node")))
                    .toList());
        }

        List<String> expected() {
            var groups = new TreeMap<String, List<Item>>(Key::compareUtf8);
            stored.values().stream()
                    .filter(version -> version.fate() != Fate.EXPIRED)
                    .map(this::item)
                    .filter(this::inRange)
                    .forEach(item -> groups.computeIfAbsent(group(item.string("node")), _ -> new ArrayList<>())
                            .add(item));
            var nodes = groups.values().stream()
                    .map(group -> Collections.max(group, this::compare))
                    .filter(last -> !last.flag("filtered"))
                    .map(last -> last.string("node"))
                    .collect(Collectors.toCollection(ArrayList::new));
            return kind.name().endsWith("REVERSED") ? nodes.reversed() : nodes;
        }

        private boolean inRange(Item item) {
            var sort = item.key().sort();
            return switch (kind) {
                case TABLE, TABLE_REVERSED, INDEX, INDEX_REVERSED -> true;
                case TABLE_PREFIX -> sort.startsWith("b");
                case TABLE_BETWEEN -> Key.compareUtf8("a#3", sort) <= 0 && Key.compareUtf8(sort, "b!#5") <= 0;
            };
        }

        private int compare(Item one, Item other) {
            var byPartition = Key.compareUtf8(one.key().partition(), other.key().partition());
            return byPartition != 0
                    ? byPartition
                    : Key.compareUtf8(one.key().sort(), other.key().sort());
        }

        ExpectedList list() {
            return new ExpectedList(expected(), this::page);
        }

        void check(PageRequest request, String cursorGroup) {
            var forward = request.direction() == PageRequest.Direction.FORWARD;
            list().check(
                            request,
                            node -> forward == comesAfter(group(node), cursorGroup)
                                    && !group(node).equals(cursorGroup));
        }

        private boolean comesAfter(String group, String other) {
            var compared = Key.compareUtf8(group, other);
            return kind.name().endsWith("REVERSED") ? compared < 0 : compared > 0;
        }
    }
}
