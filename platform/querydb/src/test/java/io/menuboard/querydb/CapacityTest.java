package io.menuboard.querydb;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.RecordingMeter.Units;
import io.menuboard.querydb.audit.AuditFilter;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.requests.Usage;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What every operation costs, for items below one KB; {@code docs/capacity.md} lists it. */
final class CapacityTest {

    /** Far ahead, because DynamoDB Local deletes what has expired by the wall clock. */
    private static final Instant NOW = Instant.parse("2036-03-01T12:00:00Z");

    private static final Key KEY = new Key("p", "s");
    private static final Update INCREMENT = Update.of(KEY).add("n", 1);
    private static final Query LIST = Query.table("list", "many");

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    private QueryDb db;

    @BeforeEach
    void connect() {
        db = table.queryDb(Clock.fixed(NOW, ZoneOffset.UTC));
    }

    @Test
    void gettingAnItem() {
        db.save(item(KEY), SaveMode.ANY);

        assertThat(cost(() -> db.get(KEY))).isEqualTo(new Units(1, 0.5, 0));
        assertThat(cost(() -> db.get(KEY, Consistency.STRONG))).isEqualTo(new Units(1, 1, 0));
        assertThat(cost(() -> db.get(new Key("p", "absent")))).isEqualTo(new Units(1, 0.5, 0));
    }

    @Test
    void gettingManyItems() {
        db.saveBatch(many(150)).orThrow();

        var keys = many(150).stream().map(save -> save.item().key()).toList();

        assertThat(cost(() -> db.getBatch(keys))).isEqualTo(new Units(2, 75, 0));
        assertThat(cost(() -> db.getBatch(keys, Consistency.STRONG))).isEqualTo(new Units(2, 150, 0));
    }

    @Test
    void loadingAPartition() {
        db.saveBatch(many(150)).orThrow();

        // 150 items of 109 bytes are four times 4 KB.
        assertThat(cost(() -> db.load("many"))).isEqualTo(new Units(1, 2, 0));
        assertThat(cost(() -> db.load("many", Consistency.STRONG))).isEqualTo(new Units(1, 4, 0));
        assertThat(cost(() -> db.all(LIST).forEach(item -> {}))).isEqualTo(new Units(1, 2, 0));
    }

    @Test
    void pagingThroughAList() {
        db.saveBatch(many(150)).orThrow();

        var first = db.query(LIST, PageRequest.forward(64, null));

        assertThat(cost(() -> db.query(LIST, PageRequest.forward(64, null)))).isEqualTo(new Units(1, 1, 0));
        assertThat(cost(() -> db.query(LIST, PageRequest.forward(64, first.endCursor()))))
                .isEqualTo(new Units(1, 1, 0));
        assertThat(cost(() -> db.query(LIST.groupedBy(1), PageRequest.forward(64, null), CapacityTest::newest)))
                .isEqualTo(new Units(1, 1, 0));
        assertThat(cost(first::hasNextPage)).isEqualTo(new Units(0, 0, 0));
        assertThat(cost(first::hasPreviousPage)).isEqualTo(new Units(0, 0, 0));
    }

    @Test
    void askingForTheOtherDirection() {
        db.saveBatch(many(150)).orThrow();
        var cursor = db.query(LIST, PageRequest.forward(64, null)).endCursor();

        var second = db.query(LIST, PageRequest.forward(64, cursor));

        assertThat(cost(second::hasPreviousPage)).isEqualTo(new Units(1, 0.5, 0));
        assertThat(cost(second::hasPreviousPage)).isEqualTo(new Units(0, 0, 0));
    }

    @Test
    void aFilterThatLetsFewThroughReadsMoreAtATime() {
        db.saveBatch(IntStream.range(0, 2_064)
                        .mapToObj(i -> Item.at(new Key("task#" + i, "META"))
                                .index("running#" + i % 4, "%04d".formatted(i))
                                .flag("wanted", 1_000 <= i && i < 1_064)
                                .build())
                        .map(item -> new Save(item, SaveMode.ANY))
                        .toList())
                .orThrow();
        var lists = IntStream.range(0, 4)
                .mapToObj(shard -> Query.index("running", "gsi1", "running#" + shard))
                .toList();
        Function<Item, Optional<Item>> wanted = item -> Optional.of(item).filter(found -> found.flag("wanted"));
        var before =
                db.query(lists, PageRequest.forward(1_000, null), Optional::of).endCursor();
        var pages = new ArrayList<Page<Item>>();

        assertThat(cost(() -> pages.add(db.query(lists, PageRequest.forward(64, null), wanted)))
                        .requests())
                .as("a thousand others before those, and as many behind")
                .isLessThan(40);
        assertThat(cost(() -> pages.add(db.query(lists, PageRequest.forward(64, before), wanted)))
                        .requests())
                .isLessThan(40);
        assertThat(cost(() -> assertThat(pages.getLast().hasPreviousPage()).isFalse())
                        .requests())
                .isLessThan(40);
        assertThat(pages)
                .allSatisfy(page -> assertThat(page.nodes()).hasSize(64))
                .allSatisfy(page -> assertThat(page.hasNextPage()).isFalse());
    }

    @Test
    void savingAnItem() {
        assertThat(cost(() -> db.save(item(KEY), SaveMode.INIT))).isEqualTo(new Units(1, 0, 1));
        assertThat(cost(() -> db.save(item(KEY), SaveMode.ANY))).isEqualTo(new Units(1, 0, 1));
        assertThat(cost(() -> db.save(item(KEY), SaveMode.OVERWRITE))).isEqualTo(new Units(1, 0, 1));
        assertThat(cost(() -> db.save(indexed(new Key("p", "indexed")), SaveMode.ANY)))
                .isEqualTo(new Units(1, 0, 2));
    }

    @Test
    void savingManyItems() {
        var init = many(60).stream()
                .map(save -> new Save(save.item(), SaveMode.INIT))
                .toList();

        assertThat(cost(() -> db.saveBatch(init).orThrow())).isEqualTo(new Units(60, 0, 60));
        assertThat(cost(() -> db.saveBatch(many(60)).orThrow())).isEqualTo(new Units(3, 0, 60));
    }

    @Test
    void deleting() {
        db.save(item(KEY), SaveMode.ANY);
        db.saveBatch(many(60)).orThrow();
        var keys = many(60).stream().map(save -> save.item().key()).toList();

        assertThat(cost(() -> db.delete(KEY))).isEqualTo(new Units(1, 0, 1));
        assertThat(cost(() -> db.delete(KEY))).isEqualTo(new Units(1, 0, 1));
        assertThat(cost(() -> db.deleteBatch(keys).orThrow())).isEqualTo(new Units(3, 0, 60));
    }

    @Test
    void removing() {
        db.save(item(KEY), SaveMode.ANY);

        assertThat(cost(() -> db.remove(KEY, "type"))).isEqualTo(new Units(2, 1, 1));
        assertThat(cost(() -> db.remove(KEY, "type"))).isEqualTo(new Units(1, 1, 0));
    }

    @Test
    void countingAndUpdating() {
        assertThat(cost(() -> db.count(KEY, "n", 1))).isEqualTo(new Units(1, 0, 1));
        assertThat(cost(() -> db.update(INCREMENT))).isEqualTo(new Units(1, 0, 1));
    }

    @Test
    void countingWhatHasExpired() {
        db.save(Item.at(KEY).ttl(NOW).build(), SaveMode.ANY);

        // The refused addition costs one unit too, which DynamoDB does not report.
        assertThat(cost(() -> db.count(KEY, "n", 1))).isEqualTo(new Units(2, 0, 1));
    }

    @Test
    void writingInATransaction() {
        // One write only: DynamoDB Local charges several as if they were one item of their summed size.
        assertThat(cost(() -> db.transact(List.of(Write.put(item(KEY), SaveMode.INIT)))))
                .isEqualTo(new Units(1, 0, 2));
        assertThat(cost(() -> db.transact(List.of(INCREMENT)))).isEqualTo(new Units(1, 0, 2));
        assertThat(cost(() -> db.transact(List.of(Write.delete(KEY))))).isEqualTo(new Units(1, 0, 2));
    }

    /** Twice what the table is charged for the larger of before and after, and once what the index is. */
    @Test
    void workingOutWhatATransactionCosts() {
        var charges = new TransactionCharges(table.client());
        var counting = table.queryDb(charges.proxy(), Clock.fixed(NOW, ZoneOffset.UTC));
        var moved = Update.of(KEY).set("gsi1sk", "moved");
        var large = Item.at(KEY)
                .index("list", "1")
                .string("text", "x".repeat(2_000))
                .build();
        var other = Write.put(item(new Key("p", "other")), SaveMode.ANY);

        var costs = Stream.of(
                        Write.put(item(KEY), SaveMode.INIT),
                        Write.put(indexed(KEY), SaveMode.ANY),
                        INCREMENT,
                        moved,
                        Write.put(large, SaveMode.ANY),
                        INCREMENT,
                        Write.put(item(KEY), SaveMode.ANY),
                        Write.delete(KEY))
                .map(write ->
                        cost(() -> counting.transact(List.of(write, other))).write())
                .toList();

        assertThat(costs)
                .containsExactly(
                        2.0 + 2, // put
                        2.0 + 1 + 2, // put into the index
                        2.0 + 1 + 2, // changed there
                        2.0 + 2 + 2, // moved there, which is a delete and a put
                        4.0 + 1 + 2 + 2, // moved, and of two KB now
                        4.0 + 2 + 2, // changed
                        4.0 + 2 + 2, // taken out of the index
                        2.0 + 2); // deleted
        assertThat(charges.takeSent()).containsOnly(2).hasSize(costs.size());
    }

    @Test
    void keepingAnAuditTrail() {
        var clock = Clock.fixed(NOW, ZoneOffset.UTC);
        var audit = new AuditTrail(db, clock, new Random(1), new AuditTrail.Settings(1, Duration.ofDays(1)));
        var actor = new Actor(Actor.Kind.USER, "ada", Actor.Source.PAGE);

        assertThat(cost(() -> audit.record(actor, "subject", "created", Map.of())))
                .isEqualTo(new Units(1, 0, 2));
        assertThat(cost(() -> audit.bySubject("subject", PageRequest.forward(64, null))))
                .isEqualTo(new Units(1, 0.5, 0));
    }

    @Test
    void listingAnAuditTrailByPersonAndDay() {
        var clock = Clock.fixed(NOW, ZoneOffset.UTC);
        var audit = new AuditTrail(db, clock, new Random(1), new AuditTrail.Settings(4, Duration.ofDays(1)));
        var actor = new Actor(Actor.Kind.USER, "u1", "ada", Actor.Source.PAGE);
        var today = LocalDate.ofInstant(NOW, ZoneOffset.UTC);
        var page = PageRequest.forward(64, null);

        assertThat(cost(() -> audit.record(actor, "subject", "created", Map.of())))
                .as("a third unit for the list by person")
                .isEqualTo(new Units(1, 0, 3));
        assertThat(cost(() -> audit.list(new AuditFilter(null, null, null, "u1", null), page)))
                .as("one list for each shard; DynamoDB Local charges nothing for the empty ones")
                .isEqualTo(new Units(4, 0.5, 0));
        assertThat(cost(() -> audit.list(new AuditFilter(today.minusDays(6), today, null, null, null), page)))
                .as("one list for each day and shard")
                .isEqualTo(new Units(28, 0.5, 0));
        assertThat(cost(() -> audit.latest("subject", Set.of("created"), 1))).isEqualTo(new Units(1, 0.5, 0));
    }

    @Test
    void countingInAnAuditTrail() {
        var audit = new AuditTrail(
                db, Clock.fixed(NOW, ZoneOffset.UTC), new Random(1), new AuditTrail.Settings(4, Duration.ofDays(1)));
        var actor = Actor.system("sign-in", Actor.Source.PAGE);
        Runnable count = () -> audit.count(actor, "ADDRESS#::1", "unknown name", Duration.ofHours(1));

        assertThat(cost(count)).isEqualTo(new Units(1, 0, 2));
        assertThat(cost(count)).isEqualTo(new Units(1, 0, 2));
    }

    @Test
    void everyRequestIsMeteredUnderItsNameWithItsIndexAndItsAttempts() {
        db.save(indexed(KEY), SaveMode.ANY);
        table.faults().inject(Fault.TABLE_THROTTLED, "Query", 2);

        cost(() -> db.query(Query.index("things by name", "gsi1", "things"), PageRequest.forward(1, null)));

        assertThat(table.meter().usages()).singleElement().satisfies(usage -> {
            assertThat(usage.operation()).isEqualTo("things by name");
            assertThat(usage.index()).isEqualTo("gsi1");
            assertThat(usage.attempts()).isEqualTo(3);
            assertThat(usage.outcome()).isEqualTo(Usage.Outcome.DONE);
            assertThat(usage.duration()).isPositive();
        });
    }

    private Units cost(Runnable operation) {
        return table.meter().during(operation);
    }

    private static List<Optional<Item>> newest(List<List<Item>> groups) {
        return groups.stream().map(group -> Optional.of(group.getLast())).toList();
    }

    private static List<Save> many(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Save(item(new Key("many", "%04d".formatted(i))), SaveMode.ANY))
                .toList();
    }

    private static Item item(Key key) {
        return Item.at(key).type("thing").string("name", "x".repeat(80)).build();
    }

    private static Item indexed(Key key) {
        return Item.at(key).type("thing").index("things", "name").build();
    }
}
