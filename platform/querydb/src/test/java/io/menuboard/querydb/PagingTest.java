package io.menuboard.querydb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.menuboard.kernel.Count;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Pages of lists, and what they cost in requests. {@link PagingModelTest} has the odd cases. */
final class PagingTest {

    /** Far ahead, because DynamoDB Local deletes what has expired by the wall clock. */
    private static final Instant NOW = Instant.parse("2036-03-01T12:00:00Z");

    private static final Query LIST = Query.table("things", "p");

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    @Test
    void thePageOfAnEmptyListIsEmptyAtBothEnds() {
        for (var request : List.of(PageRequest.forward(5, null), PageRequest.backward(5, null))) {
            var page = db().query(LIST, request);

            assertThat(page.edges()).isEmpty();
            assertThat(page.startCursor()).isNull();
            assertThat(page.endCursor()).isNull();
            assertThat(page.hasNextPage()).isFalse();
            assertThat(page.hasPreviousPage()).isFalse();
        }
        assertThat(Page.empty().edges()).isEmpty();
        assertThat(Page.empty().hasNextPage()).isFalse();
        assertThat(Page.empty().hasPreviousPage()).isFalse();
    }

    @Test
    void aPageOfItemsAtHandIsThePageThatTheQueryWouldFind() {
        save(10);
        var all = db().query(LIST, PageRequest.forward(10, null)).nodes();
        var cursor = db().query(LIST, PageRequest.forward(4, null)).endCursor();

        for (var request : List.of(
                PageRequest.forward(4, null),
                PageRequest.backward(4, null),
                PageRequest.forward(4, cursor),
                PageRequest.backward(2, cursor),
                PageRequest.backward(4, cursor),
                PageRequest.forward(40, cursor))) {
            var found = db().query(LIST, request);
            var units = table.meter().during(() -> {
                var page = db().page(LIST, all, request);
                assertThat(page.nodes()).isEqualTo(found.nodes());
                assertThat(page.startCursor()).isEqualTo(found.startCursor());
                assertThat(page.endCursor()).isEqualTo(found.endCursor());
            });
            assertThat(units.requests()).isZero();
            assertThat(db().page(LIST, all, request).hasNextPage()).isEqualTo(found.hasNextPage());
            assertThat(db().page(LIST, all, request).hasPreviousPage()).isEqualTo(found.hasPreviousPage());
        }
        assertThatExceptionOfType(InvalidInput.class)
                .isThrownBy(() -> db().page(Query.table("others", "q"), all, PageRequest.forward(4, cursor)));
    }

    @Test
    void aPageOfWhatTheCallerReadsIsThePageOfAQueryThatFindsIt() {
        var sorts = IntStream.range(0, 40).mapToObj("%04d"::formatted).toList();
        var random = new Random(5);
        for (var round = 0; round < 60; round++) {
            var there = sorts.stream().filter(_ -> random.nextInt(3) > 0).toList();
            var items = there.stream()
                    .map(sort -> Item.at(new Key("p", sort)).build())
                    .toList();
            var read = new ArrayList<String>();
            var size = 1 + random.nextInt(12);
            var at = random.nextInt(there.size());
            var cursor =
                    db().page(LIST, items, PageRequest.forward(at + 1, null)).endCursor();
            for (var request : List.of(
                    PageRequest.forward(size, null),
                    PageRequest.backward(size, null),
                    PageRequest.forward(size, cursor),
                    PageRequest.backward(size, cursor))) {
                var expected = db().page(LIST, items, request);
                read.clear();

                var page = db().page(
                                LIST,
                                sorts,
                                some -> {
                                    read.addAll(some);
                                    return some.stream()
                                            .map(sort -> Optional.of(sort).filter(there::contains))
                                            .toList();
                                },
                                request);

                assertThat(read).hasSizeLessThanOrEqualTo(Math.min(sorts.size(), 8 * (size + 1)));
                assertThat(page.nodes()).isEqualTo(sorts(expected));
                assertThat(page.startCursor()).isEqualTo(expected.startCursor());
                assertThat(page.endCursor()).isEqualTo(expected.endCursor());
                assertThat(page.hasNextPage()).isEqualTo(expected.hasNextPage());
                assertThat(page.hasPreviousPage()).isEqualTo(expected.hasPreviousPage());
                assertThat(page.totalCount()).isEqualTo(Count.exactly(there.size()));
            }
        }
        var others = db().page(
                        Query.table("others", "q"),
                        sorts,
                        some -> some.stream().map(Optional::of).toList(),
                        PageRequest.forward(1, null))
                .endCursor();
        assertThatExceptionOfType(InvalidInput.class).isThrownBy(() -> db().page(
                        LIST, sorts, some -> some.stream().map(Optional::of).toList(), PageRequest.forward(1, others)));
    }

    @Test
    void theSizeOfAListIsCountedUpToABound() {
        save(10);

        db().save(Item.at(key(10)).ttl(NOW).build(), SaveMode.INIT);

        assertThat(db().size(LIST, 100)).isEqualTo(Count.exactly(10));
        assertThat(db().size(LIST.attributes("name"), 10)).isEqualTo(Count.exactly(10));
        assertThat(db().size(LIST, 9)).isEqualTo(Count.atLeast(9));
        assertThat(db().size(LIST.beginsWith("0000"), 100)).isEqualTo(Count.exactly(1));
        assertThat(db().size(Query.table("things", "empty"), Integer.MAX_VALUE)).isEqualTo(Count.exactly(0));
        assertThat(table.meter().during(() -> db().size(LIST, 100))).isEqualTo(new RecordingMeter.Units(1, 0.5, 0));
    }

    @Test
    void aPageOfMergedListsReadsEachOfThemOnce() {
        var lists = IntStream.range(0, 4)
                .mapToObj(list -> Query.index("merged", "gsi1", "list-" + list))
                .toList();
        db().saveBatch(IntStream.range(0, 200)
                        .mapToObj(i -> new Save(
                                Item.at(key(i))
                                        .index("list-" + i % 4, "%04d".formatted(i))
                                        .build(),
                                SaveMode.ANY))
                        .toList())
                .orThrow();

        var units = table.meter().during(() -> assertThat(
                        sorts(db().query(lists, PageRequest.forward(64, null), Optional::of)))
                .isEqualTo(IntStream.range(0, 64).mapToObj("%04d"::formatted).toList()));

        assertThat(units.requests()).isEqualTo(4);
    }

    @Test
    void aPageKnowsItsCursorsAndEnds() {
        save(10);

        var page = db().query(LIST, PageRequest.forward(4, null));

        assertThat(sorts(page)).containsExactly("0000", "0001", "0002", "0003");
        assertThat(page.startCursor()).isEqualTo(page.edges().getFirst().cursor());
        assertThat(page.endCursor()).isEqualTo(page.edges().getLast().cursor());
        assertThat(page.hasNextPage()).isTrue();
        assertThat(page.hasPreviousPage()).isFalse();
    }

    @Test
    void thePageBeforeACursorIsInTheOrderOfTheList() {
        save(10);
        var last = db().query(LIST, PageRequest.backward(4, null));

        var middle = db().query(LIST, PageRequest.backward(4, last.startCursor()));
        var first = db().query(LIST, PageRequest.backward(4, middle.startCursor()));

        assertThat(sorts(last)).containsExactly("0006", "0007", "0008", "0009");
        assertThat(last.hasNextPage()).isFalse();
        assertThat(last.hasPreviousPage()).isTrue();
        assertThat(sorts(middle)).containsExactly("0002", "0003", "0004", "0005");
        assertThat(middle.hasNextPage()).isTrue();
        assertThat(middle.hasPreviousPage()).isTrue();
        assertThat(sorts(first)).containsExactly("0000", "0001");
        assertThat(first.hasNextPage()).isTrue();
        assertThat(first.hasPreviousPage()).isFalse();
    }

    @Test
    void aPageBeyondTheLastEdgeKnowsWhatLiesBeforeIt() {
        save(3);
        var end = db().query(LIST, PageRequest.forward(3, null)).endCursor();
        var start = db().query(LIST, PageRequest.forward(3, null)).startCursor();

        var after = db().query(LIST, PageRequest.forward(3, end));
        var before = db().query(LIST, PageRequest.backward(3, start));

        assertThat(after.edges()).isEmpty();
        assertThat(after.hasNextPage()).isFalse();
        assertThat(after.hasPreviousPage()).isTrue();
        assertThat(before.edges()).isEmpty();
        assertThat(before.hasNextPage()).isTrue();
        assertThat(before.hasPreviousPage()).isFalse();
    }

    @Test
    void aPageBesideNothingButDeletedEdgesSaysSo() {
        save(6);
        var cursor = db().query(LIST, PageRequest.forward(3, null)).endCursor();
        IntStream.range(0, 3).forEach(i -> db().delete(key(i)));

        var page = db().query(LIST, PageRequest.forward(3, cursor));

        assertThat(sorts(page)).containsExactly("0003", "0004", "0005");
        assertThat(page.hasPreviousPage()).isFalse();
        IntStream.range(3, 6).forEach(i -> db().delete(key(i)));
        var empty = db().query(LIST, PageRequest.forward(3, cursor));
        assertThat(empty.edges()).isEmpty();
        assertThat(empty.hasPreviousPage()).isFalse();
    }

    @Test
    void aPageTakesOneRequestAndTheOtherDirectionOneMoreWhenAsked() {
        save(200);
        var cursor = db().query(LIST, PageRequest.forward(64, null)).endCursor();

        var units = table.meter().during(() -> {
            var page = db().query(LIST, PageRequest.forward(64, cursor));
            assertThat(page.edges()).hasSize(64);
            assertThat(page.hasNextPage()).isTrue();
            assertThat(table.meter().usages()).hasSize(1);
            assertThat(page.hasPreviousPage()).isTrue();
            assertThat(page.hasPreviousPage()).isTrue();
        });

        assertThat(units.requests()).isEqualTo(2);
    }

    @Test
    void aPageOfGroupsTakesOneRequestToo() {
        save(200);

        var units = table.meter().during(() -> {
            var page = db().query(LIST.groupedBy(1), PageRequest.forward(64, null), PagingTest::all);
            assertThat(page.edges()).hasSize(64);
            assertThat(page.hasNextPage()).isTrue();
        });

        assertThat(units.requests()).isEqualTo(1);
    }

    @Test
    void aPageIsFilledPastWhatHasExpired() {
        save(40);
        IntStream.range(0, 30).forEach(i -> db().save(Item.at(key(i)).ttl(NOW).build(), SaveMode.ANY));

        var page = db().query(LIST, PageRequest.forward(9, null));

        assertThat(sorts(page)).startsWith("0030").hasSize(9);
        assertThat(page.hasNextPage()).isTrue();
        assertThat(db().query(LIST, PageRequest.forward(10, null)).hasNextPage())
                .isFalse();
    }

    @Test
    void aPageOfMergedListsReadsTwiceAsManyEachTimePastWhatHasExpired() {
        var lists = IntStream.range(0, 2)
                .mapToObj(list -> Query.index("merged", "gsi1", "list-" + list))
                .toList();
        db().saveBatch(IntStream.range(0, 2_020)
                        .mapToObj(i -> {
                            var hasExpired = i < 2_000;
                            var item =
                                    Item.at(key(i)).index(hasExpired ? "list-0" : "list-" + i % 2, "%04d".formatted(i));
                            return new Save((hasExpired ? item.ttl(NOW) : item).build(), SaveMode.ANY);
                        })
                        .toList())
                .orThrow();

        var units = table.meter()
                .during(() -> assertThat(sorts(db().query(lists, PageRequest.forward(9, null), Optional::of)))
                        .isEqualTo(IntStream.range(2_000, 2_009)
                                .mapToObj("%04d"::formatted)
                                .toList()));

        assertThat(units.requests()).isLessThan(15);
    }

    @Test
    void versionsOfAThingAreOneEdge() {
        for (var sort : List.of("a#1", "a#2", "b#1", "b#2", "b#3", "c", "c#1", "c!x")) {
            db().save(Item.at(new Key("p", sort)).build(), SaveMode.ANY);
        }
        var seen = new ArrayList<List<String>>();

        var forward = db().query(LIST.groupedBy(1), PageRequest.forward(9, null), groups -> {
            groups.forEach(group ->
                    seen.add(group.stream().map(item -> item.key().sort()).toList()));
            return all(groups);
        });
        var backward = db().query(LIST.groupedBy(1), PageRequest.backward(9, null), PagingTest::all);

        // "c!x" sorts between "c" and "c#1", so those two do not stand together.
        assertThat(seen)
                .containsExactly(
                        List.of("a#1", "a#2"),
                        List.of("b#1", "b#2", "b#3"),
                        List.of("c"),
                        List.of("c!x"),
                        List.of("c#1"));
        assertThat(sorts(forward)).containsExactly("a#2", "b#3", "c", "c!x", "c#1");
        assertThat(sorts(backward)).isEqualTo(sorts(forward));
    }

    @Test
    void edgesAreMadeOfNoMoreGroupsThanThePageNeeds() {
        save(200);
        var sizes = new ArrayList<Integer>();

        db().query(LIST.groupedBy(1), PageRequest.forward(10, null), groups -> {
            sizes.add(groups.size());
            return all(groups).stream()
                    .map(edge -> edge.filter(item -> Integer.parseInt(item.key().sort()) % 2 == 0))
                    .toList();
        });

        assertThat(sizes).startsWith(11, 5, 3, 1);
    }

    @Test
    void edgesAnswerForEveryGroup() {
        save(3);

        assertThatIllegalStateException()
                .isThrownBy(() -> db().query(LIST, PageRequest.forward(3, null), _ -> List.of()))
                .withMessage("things made 0 edges of 3 groups");
    }

    @Test
    void onlyTheAttributesAskedForComeAndTheKeys() {
        db().save(
                        Item.at(new Key("p", "s"))
                                .type("thing")
                                .index("things", "t")
                                .string("name", "n")
                                .string("size", "s")
                                .build(),
                        SaveMode.ANY);

        var ofTable = db().query(LIST.attributes("name"), PageRequest.forward(1, null))
                .nodes();
        var ofIndex = db().all(Query.index("things", "gsi1", "things").attributes("size", "sk"));

        assertThat(ofTable).singleElement().satisfies(item -> {
            assertThat(item.key()).isEqualTo(new Key("p", "s"));
            assertThat(item.attributes()).containsOnlyKeys("sk", "name");
        });
        assertThat(ofIndex).singleElement().satisfies(item -> {
            assertThat(item.key()).isEqualTo(new Key("p", "s"));
            assertThat(item.attributes()).containsOnlyKeys("pk", "sk", "gsi1sk", "size");
        });
    }

    @Test
    void aRangeNarrowsTheList() {
        save(30);

        assertThat(sorts(db().query(LIST.beginsWith("001"), PageRequest.forward(64, null))))
                .hasSize(10)
                .startsWith("0010");
        assertThat(sorts(db().query(LIST.between("0004", "0006"), PageRequest.forward(64, null))))
                .containsExactly("0004", "0005", "0006");
        assertThat(sorts(db().query(LIST.beginsWith(""), PageRequest.forward(64, null))))
                .hasSize(30);
        assertThat(db().all(LIST.between("0004", "0006").reversed())
                        .map(item -> item.key().sort()))
                .containsExactly("0006", "0005", "0004");
    }

    @Test
    void aPageOfOtherNodesHasTheSameCursorsAndEnds() {
        save(3);

        var page = db().query(LIST, PageRequest.forward(2, null));
        var mapped = page.map(item -> item.integer("n"));

        assertThat(mapped.nodes()).containsExactly(0L, 1L);
        assertThat(mapped.endCursor()).isEqualTo(page.endCursor());
        assertThat(mapped.hasNextPage()).isTrue();
    }

    @Test
    void aQuestionThatFailedIsAskedAgain() {
        save(3);
        var cursor = db().query(LIST, PageRequest.forward(2, null)).endCursor();
        var page = db().query(LIST, PageRequest.forward(2, cursor));
        table.faults().inject(Fault.TABLE_THROTTLED, "Query", FreshTable.RETRIES.maxAttempts());

        assertThatExceptionOfType(NotLoaded.class).isThrownBy(page::hasPreviousPage);

        assertThat(page.hasPreviousPage()).isTrue();
    }

    @Test
    void aPageOfManyListsAsksForThirtyTwoOfThemAtOnce() {
        var queries = IntStream.range(0, 80)
                .mapToObj(i -> Query.table("things", "p" + i))
                .toList();
        var underWay = new AtomicInteger();
        var most = new AtomicInteger();
        var full = new CountDownLatch(32);
        var counting = (DynamoDbClient) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DynamoDbClient.class}, (_, method, arguments) -> {
                    most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                    full.countDown();
                    assertThat(full.await(1, TimeUnit.MINUTES)).isTrue();
                    try {
                        return method.invoke(table.client(), arguments);
                    } finally {
                        underWay.decrementAndGet();
                    }
                });

        var page = table.queryDb(counting, Clock.fixed(NOW, ZoneOffset.UTC))
                .query(queries, PageRequest.forward(5, null), Optional::of);

        assertThat(page.nodes()).isEmpty();
        assertThat(table.faults().sent()).hasSize(queries.size());
        assertThat(most).hasValue(32);
    }

    @Test
    void aListMustBePossible() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> db().query(Query.index("things", "none", "p"), PageRequest.forward(1, null)))
                .withMessageEndingWith("has no index none");
        assertThatIllegalArgumentException().isThrownBy(() -> Query.table("things", ""));
        assertThatIllegalArgumentException().isThrownBy(() -> LIST.groupedBy(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> LIST.between("b", "a"));
        assertThatIllegalArgumentException().isThrownBy(() -> LIST.beginsWith("x".repeat(1025)));
    }

    private void save(int count) {
        db().saveBatch(IntStream.range(0, count)
                        .mapToObj(i -> new Save(Item.at(key(i)).number("n", i).build(), SaveMode.ANY))
                        .toList())
                .orThrow();
    }

    private static Key key(int i) {
        return new Key("p", "%04d".formatted(i));
    }

    private static List<Optional<Item>> all(List<List<Item>> groups) {
        return groups.stream().map(group -> Optional.of(group.getLast())).toList();
    }

    private static List<String> sorts(Page<Item> page) {
        return page.nodes().stream().map(item -> item.key().sort()).toList();
    }

    private QueryDb db() {
        return table.queryDb(Clock.fixed(NOW, ZoneOffset.UTC));
    }
}
