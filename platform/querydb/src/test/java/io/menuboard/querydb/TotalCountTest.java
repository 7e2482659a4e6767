package io.menuboard.querydb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.menuboard.kernel.Count;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.RecordingMeter.Units;
import io.menuboard.querydb.requests.Bulkhead;
import io.menuboard.querydb.requests.Requests;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Where counting the entries of a list stops, and what it costs. The models of pages check that it is right. */
final class TotalCountTest {
    private static final PageRequest FIRST = PageRequest.forward(1, null);

    private static final int BOUND = 100;

    /** As many items as a counter of these tests counts, ten to a group. */
    private static final Query LIST = upTo(Query.table("things", "p"), BOUND);

    private static final Query ONE_MORE = upTo(LIST, BOUND + 1);
    private static final Query THRICE = upTo(LIST, 3 * BOUND);

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    private QueryDb db;

    @BeforeEach
    void openTable() {
        db = table.directQueryDb(Clock.systemUTC());
    }

    @Test
    void countsAsMuchAsItMayAndSaysWhereItStopped() {
        store(3 * BOUND);
        var all = Count.exactly(BOUND);
        var bound = Count.atLeast(BOUND);

        assertThat(counter().items(List.of(LIST))).isEqualTo(all);
        assertThat(counter().items(shards(LIST))).isEqualTo(all);
        assertThat(counter().edges(List.of(LIST), every(1))).isEqualTo(all);
        assertThat(counter().edges(shards(LIST), every(1))).isEqualTo(all);
        assertThat(counter().edges(List.of(LIST), every(2))).isEqualTo(Count.exactly(BOUND / 2));
        assertThat(counter().edges(List.of(THRICE.groupedBy(1)), every(1))).isEqualTo(Count.exactly(3 * BOUND / 10));

        assertThat(counter().items(List.of(ONE_MORE))).isEqualTo(bound);
        assertThat(counter().items(shards(ONE_MORE))).isEqualTo(bound);
        assertThat(counter().edges(List.of(ONE_MORE), every(1))).isEqualTo(bound);
        assertThat(counter().edges(shards(ONE_MORE), every(1))).isEqualTo(bound);
    }

    @Test
    void readsAtMostAMegabyteBeyondTheBoundWhateverTheFilterKeeps() {
        // Four or five to a megabyte.
        db.saveBatch(IntStream.range(0, 12)
                        .mapToObj(i -> new Save(
                                Item.at(new Key("large", "%04d".formatted(i)))
                                        .string("text", "x".repeat(250_000))
                                        .build(),
                                SaveMode.ANY))
                        .toList())
                .orThrow();
        var large = List.of(Query.table("things", "large"));

        assertThat(counter(5).items(large)).isEqualTo(Count.atLeast(5));
        assertThat(counter(5).edges(large, groups -> groups.stream()
                        .map(_ -> Optional.<Item>empty())
                        .toList()))
                .isEqualTo(Count.atLeast(0));
        assertThat(cost(() -> counter(5).items(large)).requests()).isEqualTo(2);
        assertThat(cost(() -> counter(5).edges(large, groups -> List.of())).requests())
                .isEqualTo(2);
        assertThat(counter(11).items(large)).isEqualTo(Count.atLeast(11));
        assertThat(counter(12).items(large)).isEqualTo(Count.exactly(12));
    }

    @Test
    void aPageCountsTenThousand() {
        store(BOUND + 1);
        var tenThousand = Collections.nCopies(10_000 / BOUND, LIST);
        var oneMore = new ArrayList<>(tenThousand);
        oneMore.set(0, ONE_MORE);

        assertThat(totalCount(tenThousand)).isEqualTo(Count.exactly(10_000));
        assertThat(totalCount(oneMore)).isEqualTo(Count.atLeast(10_000));
    }

    @Test
    void nothingIsCountedUnlessSomebodyAsksAndThenItIsCountedOnce() {
        store(BOUND);
        var page = db.query(LIST, FIRST).map(Item::key);

        assertThat(cost(() -> db.query(LIST, FIRST))).isEqualTo(new Units(1, 0.5, 0));
        // 50 bytes or less for each.
        assertThat(cost(page::totalCount)).isEqualTo(new Units(1, 0.5, 0));
        assertThat(cost(page::totalCount)).isEqualTo(new Units(0, 0, 0));

        var shards = db.query(shards(LIST), Function.identity(), FIRST);
        assertThat(cost(shards::totalCount)).isEqualTo(new Units(4, 2, 0));
    }

    @Test
    void aCountThatFailedIsMadeAgain() {
        store(BOUND);
        var page = table.queryDb(Clock.systemUTC()).query(LIST, FIRST);
        table.faults().inject(Fault.TABLE_THROTTLED, "Query", FreshTable.RETRIES.maxAttempts());

        assertThatExceptionOfType(NotLoaded.class).isThrownBy(page::totalCount);
        assertThat(page.totalCount()).isEqualTo(Count.exactly(BOUND));
    }

    private Count totalCount(List<Query> lists) {
        return db.query(lists, Function.identity(), FIRST).totalCount();
    }

    private void store(int items) {
        db.saveBatch(IntStream.range(0, items).mapToObj(TotalCountTest::save).toList())
                .orThrow();
    }

    private Counter counter() {
        return counter(BOUND);
    }

    private Counter counter(int atMost) {
        var requests = new Requests(new Bulkhead(table.client(), FreshTable.RETRIES, 8), table.meter());
        return new Counter(table.definition(), Instant.now(), requests, atMost);
    }

    /** Edges for the groups whose first item has such a number. */
    private static Function<List<List<Item>>, List<Optional<Item>>> every(int multipleOf) {
        return groups -> groups.stream()
                .map(group -> Optional.of(group.getFirst()).filter(item -> item.integer("n") % multipleOf == 0))
                .toList();
    }

    private Units cost(Runnable action) {
        return table.meter().during(action);
    }

    /** The same items in four lists. */
    private static List<Query> shards(Query query) {
        var range = (Query.Range.Between) Objects.requireNonNull(query.range());
        return IntStream.range(0, 4)
                .mapToObj(
                        shard -> Query.index("shards", "gsi1", "shard-" + shard).between(range.low(), range.high()))
                .toList();
    }

    private static Query upTo(Query query, int items) {
        return query.between(place(0), place(items - 1));
    }

    private static String place(int i) {
        return "%04d#%d".formatted(i / 10, i % 10);
    }

    private static Save save(int i) {
        return new Save(
                Item.at(new Key("p", place(i)))
                        .index("shard-" + i % 4, place(i))
                        .number("n", i)
                        .build(),
                SaveMode.ANY);
    }
}
