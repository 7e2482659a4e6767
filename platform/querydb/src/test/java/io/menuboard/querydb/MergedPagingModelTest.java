package io.menuboard.querydb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.menuboard.kernel.Count;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.LocalDynamoDb;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Pages of several lists merged into one, against the same list in memory. */
final class MergedPagingModelTest {
    private static final Instant NOW = Instant.parse("2036-03-01T12:00:00Z");
    private static final TableDefinition TABLE = TableDefinition.menuboard("merged-paging-model");
    private static final QueryDb DB =
            LocalTables.queryDb(LocalDynamoDb.shared().directClient(), TABLE, Clock.fixed(NOW, ZoneOffset.UTC));
    private static final AtomicInteger TRIES = new AtomicInteger();
    private static final int LISTS = 4;
    private static final int PARTITIONS = 3;

    @BeforeContainer
    static void createTable() {
        LocalTables.create(LocalDynamoDb.shared(), TABLE);
    }

    @AfterContainer
    static void deleteTable() {
        LocalDynamoDb.shared().client().deleteTable(request -> request.tableName(TABLE.name()));
    }

    /** What stands in one of the lists; the place makes it unique. */
    record Entry(int list, String name, Fate fate) {}

    enum Fate {
        EDGE,
        FILTERED,
        EXPIRED
    }

    /** Which part of every list is meant. */
    enum Part {
        ALL,
        REVERSED,
        BETWEEN,
        /** Two ranges of each list, as if they were lists of their own. */
        TWO_PREFIXES,
        /** Partitions of the table instead of the index. */
        TABLE
    }

    @Property(tries = 200)
    void aWalkInEitherDirectionSeesEveryEdgeOnceInOrder(
            @ForAll @Size(max = 40) List<@From("entries") Entry> entries,
            @ForAll Part part,
            @ForAll @IntRange(min = 1, max = 9) int size) {
        var lists = new Model(part, entries).list();

        lists.walk(PageRequest.Direction.FORWARD, size);
        lists.walk(PageRequest.Direction.BACKWARD, size);
    }

    @Property(tries = 100)
    void aCursorKeepsItsPlaceWhenItsEntryHasGone(
            @ForAll @Size(min = 1, max = 25) List<@From("entries") Entry> entries,
            @ForAll @Size(max = 15) List<@From("entries") Entry> added,
            @ForAll Part part,
            @ForAll @IntRange(max = 24) int at,
            @ForAll @IntRange(min = 1, max = 9) int size) {
        var lists = new Model(part, entries);
        var edges = lists.page(PageRequest.forward(entries.size(), null)).edges();
        if (edges.isEmpty()) {
            return;
        }
        var edge = edges.get(at % edges.size());

        lists.remove(edge.node());
        lists.add(added);

        lists.check(new PageRequest(PageRequest.Direction.FORWARD, size, edge.cursor()), edge.node());
        lists.check(new PageRequest(PageRequest.Direction.BACKWARD, size, edge.cursor()), edge.node());
    }

    @Property(tries = 100)
    void whereEveryItemIsAnEdgeItIsCountedWithoutBeingRead(
            @ForAll @Size(max = 40) List<@From("entries") Entry> entries, @ForAll Part part) {
        var lists = new Model(part, entries);
        var merged = DB.query(lists.queries(), item -> item.key().sort(), PageRequest.forward(100, null));

        assertThat(merged.totalCount()).isEqualTo(Count.exactly(merged.nodes().size()));
        for (var query : lists.queries()) {
            var one = DB.query(query, PageRequest.forward(100, null));
            assertThat(one.totalCount()).isEqualTo(Count.exactly(one.nodes().size()));
        }
    }

    @Example
    void aCursorIsOfTheseListsAndNoOthers() {
        var lists = new Model(Part.ALL, List.of(new Entry(0, "a", Fate.EDGE), new Entry(1, "b", Fate.EDGE)));
        var cursor = lists.page(PageRequest.forward(1, null)).endCursor();

        assertThatExceptionOfType(InvalidInput.class)
                .isThrownBy(() -> DB.query(lists.queries().subList(0, 2), PageRequest.forward(1, cursor), Optional::of))
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo("INVALID_CURSOR"));
    }

    @Example
    void aListWithANameGoesOnWhereOneOfItsPartsHasGoneAndAnotherCome() {
        var lists = new Model(
                Part.ALL,
                List.of(new Entry(0, "a", Fate.EDGE), new Entry(1, "b", Fate.EDGE), new Entry(2, "c", Fate.EDGE)));
        var queries = lists.queries();
        var name = List.of("named");
        var first = DB.query(name, queries.subList(0, 2), PageRequest.forward(1, null), () -> Optional::of);

        var next = DB.query(
                name,
                queries.subList(1, 3),
                PageRequest.forward(2, first.endCursor()),
                () -> item -> Optional.of(item.key().sort()));

        assertThat(next.nodes()).satisfiesExactly(b -> assertThat(b).startsWith("b"), c -> assertThat(c)
                .startsWith("c"));
        assertThat(next.hasPreviousPage()).as("the part with it has gone").isFalse();
        assertThatExceptionOfType(InvalidInput.class)
                .isThrownBy(() -> DB.query(
                        List.of("other"), queries, PageRequest.forward(1, first.endCursor()), () -> Optional::of))
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo("INVALID_CURSOR"));
    }

    @Example
    void onlyListsOfOneKindAreMerged() {
        var index = Query.index("merged", "gsi1", "p");

        for (var wrong : List.of(Query.table("merged", "p"), index.reversed(), index.groupedBy(1))) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> DB.query(List.of(index, wrong), PageRequest.forward(1, null), Optional::of));
        }
    }

    @Provide
    Arbitrary<Entry> entries() {
        // The second name sorts after the third in UTF-16, before it in UTF-8.
        return Combinators.combine(
                        Arbitraries.integers().between(0, LISTS - 1),
                        Arbitraries.of("a", "\uFFFD", "\uD83C\uDF55", "b!", "b", "ba"),
                        Arbitraries.frequencyOf(
                                Tuple.of(4, Arbitraries.of(Fate.EDGE)), Tuple.of(2, Arbitraries.of(Fate.class))))
                .as(Entry::new);
    }

    /** Lists in the table, and the one list that they must read as. */
    private static final class Model {
        private final String prefix = "try-" + TRIES.incrementAndGet() + "-";
        private final Part part;
        private final TreeMap<String, Entry> stored = new TreeMap<>(Key::compareUtf8);
        private int places;

        Model(Part part, List<Entry> entries) {
            this.part = part;
            add(entries);
        }

        void add(List<Entry> entries) {
            var saves = new ArrayList<Save>();
            for (var entry : entries) {
                var place = entry.name() + "#%03d".formatted(places++);
                stored.put(place, entry);
                var item = Item.at(new Key(prefix + places % PARTITIONS, place))
                        .index(prefix + entry.list(), place)
                        .flag("filtered", entry.fate() == Fate.FILTERED);
                if (entry.fate() == Fate.EXPIRED) {
                    item.ttl(NOW);
                }
                saves.add(new Save(item.build(), SaveMode.ANY));
            }
            DB.saveBatch(saves).orThrow();
        }

        void remove(String place) {
            stored.remove(place);
            DB.deleteBatch(IntStream.range(0, PARTITIONS)
                            .mapToObj(i -> new Key(prefix + i, place))
                            .toList())
                    .orThrow();
        }

        List<Query> queries() {
            if (part == Part.TABLE) {
                return IntStream.range(0, PARTITIONS)
                        .mapToObj(partition -> Query.table("merged", prefix + partition))
                        .toList();
            }
            return IntStream.range(0, LISTS)
                    .mapToObj(list -> Query.index("merged", "gsi1", prefix + list))
                    .flatMap(list -> switch (part) {
                        case ALL -> Stream.of(list);
                        case REVERSED -> Stream.of(list.reversed());
                        case BETWEEN -> Stream.of(list.between("a#005", "ba#010"));
                        case TABLE -> Stream.<Query>empty();
                        case TWO_PREFIXES -> Stream.of(list.beginsWith("a"), list.beginsWith("b"));
                    })
                    .toList();
        }

        Page<String> page(PageRequest request) {
            return DB.query(queries(), request, item -> Optional.of(item)
                    .filter(found -> !found.flag("filtered"))
                    .map(found -> found.key().sort()));
        }

        private List<String> expected() {
            var places = stored.entrySet().stream()
                    .filter(entry -> entry.getValue().fate() == Fate.EDGE)
                    .map(Map.Entry::getKey)
                    .filter(this::inRange)
                    .toList();
            return part == Part.REVERSED ? places.reversed() : places;
        }

        private boolean inRange(String place) {
            return switch (part) {
                case ALL, REVERSED, TABLE -> true;
                case BETWEEN -> Key.compareUtf8("a#005", place) <= 0 && Key.compareUtf8(place, "ba#010") <= 0;
                case TWO_PREFIXES -> place.startsWith("a") || place.startsWith("b");
            };
        }

        ExpectedList list() {
            return new ExpectedList(expected(), this::page);
        }

        void check(PageRequest request, String place) {
            var forward = request.direction() == PageRequest.Direction.FORWARD;
            list().check(request, other -> forward == comesAfter(other, place));
        }

        private boolean comesAfter(String one, String another) {
            var compared = Key.compareUtf8(one, another);
            return part == Part.REVERSED ? compared < 0 : compared > 0;
        }
    }
}
