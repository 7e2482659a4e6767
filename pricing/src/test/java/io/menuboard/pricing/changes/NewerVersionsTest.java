package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.NOW;
import static io.menuboard.pricing.changes.ChangesFixture.PAGE;
import static io.menuboard.pricing.changes.ChangesFixture.done;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.percent;
import static io.menuboard.pricing.changes.ChangesFixture.product;
import static io.menuboard.pricing.changes.ChangesFixture.products;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.menuboard.pricing.Channel;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.SaveOutcome;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.batches.MemorySchedules;
import io.menuboard.pricing.imports.ImportFixture;
import io.menuboard.pricing.imports.ImportStatus;
import io.menuboard.pricing.imports.Imports;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.Update;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.workers.WorkersFixture;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What instances of a newer version write into the same table, while this one is still up. */
class NewerVersionsTest {
    private static final Store HAMBURG = aStore("DE-0002").named("Store Altona").build();
    private static final List<String> ONE = List.of("DE-0001");
    private static final List<String> BOTH = List.of("DE-0001", "DE-0002");
    private static final ProductId BURGER = new ProductId("BURGER");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private QueryDb db;
    private ChangesFixture fixture;

    @BeforeEach
    void open() {
        db = table.queryDb(clock);
        fixture = new ChangesFixture(db, clock);
        fixture.stores.save(EVERYTHING, List.of(BERLIN, HAMBURG));
        fixture.load(List.of(
                price(BERLIN, "ALL", "BURGER", "2030-01-01", "5.00"),
                price(BERLIN, "ALL", "COLA", "2030-01-01", "2.00"),
                price(BERLIN, "ALL", "FRIES", "2030-01-01", "3.00"),
                price(HAMBURG, "ALL", "BURGER", "2030-01-01", "5.00")));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void noOlderPriceIsGivenForOneInEffectThatCannotBeRead() {
        fixture.load(List.of(price(BERLIN, "ALL", "BURGER", "2031-01-01", "6.00")));
        newer(priceKey("BURGER", "2031-01-01"), "currency", "POINTS");

        assertThat(basePrices()).containsExactly("COLA", "FRIES");
        assertThat(fixture.pricing
                        .basePricesByProduct(EVERYTHING, BURGER, Channel.ALL, NOW, PAGE)
                        .nodes())
                .extracting(one -> one.store().id().value())
                .containsExactly("DE-0002");
        isOfAnotherVersion(() -> fixture.price("DE-0001", "BURGER"));
        isOfAnotherVersion(() ->
                fixture.pricing.timeline(EVERYTHING, BERLIN.id(), new PriceSubject.Product(BURGER), Channel.ALL, PAGE));
        isOfAnotherVersion(
                () -> fixture.pricing.lowest(EVERYTHING, BERLIN.id(), new PriceSubject.Product(BURGER), Channel.ALL));
        assertThat(fixture.price("DE-0001", "BURGER", "2030-06-01T12:00:00Z")).isEqualTo("5.00");
        assertThat(fixture.price("DE-0001", "COLA")).isEqualTo("2.00");
    }

    @Test
    void aPriceInEffectCountsWhateverElseOfItsProductCannotBeRead() {
        fixture.load(List.of(
                price(BERLIN, "ALL", "BURGER", "2029-01-01", "4.00"),
                price(BERLIN, "ALL", "BURGER", "2040-01-01", "6.00")));
        newer(priceKey("BURGER", "2029-01-01"), "currency", "POINTS");
        newer(priceKey("BURGER", "2040-01-01"), "currency", "POINTS");

        assertThat(basePrices()).containsExactly("BURGER", "COLA", "FRIES");
        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("5.00");
    }

    @Test
    void leavingOutCostsNoMoreReads() {
        everyList(); // and the store is remembered
        var before = table.meter().during(this::everyList);
        newer(priceKey("BURGER", "2030-01-01"), "currency", "POINTS");
        newer(storeKey(HAMBURG), "status", "FRANCHISED");

        var after = table.meter().during(this::everyList);

        assertThat(after.read()).isEqualTo(before.read());
    }

    @Test
    void listsHaveEverythingElse() {
        var imports = ImportFixture.imports(fixture);
        var known = started(imports);
        var paused = started(imports);
        newer(new Key("IMPORT#" + paused, "META"), "state", "PAUSED");
        newer(storeKey(HAMBURG), "status", "FRANCHISED");
        newer(new Key(storeKey(HAMBURG).partition() + "#SEARCH", "store altona"), "status", "FRANCHISED");
        var set = fixture.applied(draft(null, rule(percent("10"), ONE, "BURGER", "COLA")));
        var reviewed = fixture.drafted(draft(null, rule(percent("20"), ONE, "COLA")));
        newer(setKey(reviewed), "status", "IN_REVIEW");
        var waiting = fixture.applied(draft("2036-07-01", rule(percent("10"), ONE, "BURGER", "COLA")));
        newer(new Key(storeKey(BERLIN).partition(), "ALL#Change#2036-07-01#Base#BURGER"), "after", "99 POINTS");
        newer(history("BURGER"), "after", "99 POINTS");

        assertThat(fixture.stores.list(EVERYTHING, null, PAGE).nodes()).containsExactly(BERLIN);
        assertThat(fixture.stores.list(EVERYTHING, "store", PAGE).nodes()).containsExactly(BERLIN);
        assertThat(fixture.stores.findAll(EVERYTHING, List.of(BERLIN.id(), HAMBURG.id())))
                .containsOnlyKeys(BERLIN.id());
        assertThat(imports.list(GRACE, PAGE).nodes())
                .extracting(ImportStatus::id)
                .containsExactly(known);
        assertThat(fixture.sets.list(GRACE, PAGE).nodes())
                .extracting(ChangeSet::id)
                .containsExactlyInAnyOrder(set.id(), waiting.id());
        assertThat(fixture.batches
                        .upcoming(EVERYTHING, BERLIN.id(), Channel.ALL, null, null, PAGE)
                        .nodes())
                .extracting(change -> change.subject().name())
                .containsExactly("COLA");
        assertThat(fixture.history("DE-0001", "BURGER")).isEmpty();
        assertThat(fixture.history("DE-0001", "COLA")).hasSize(1);
        isOfAnotherVersion(() -> fixture.stores.find(EVERYTHING, HAMBURG.id()));
        isOfAnotherVersion(() -> fixture.sets.find(GRACE, reviewed.id()));
        isOfAnotherVersion(() -> imports.find(GRACE, paused));
        assertThat(db.unreadable()).isGreaterThanOrEqualTo(9);
    }

    @Test
    void aLineWhoseOutcomeIsNotKnownSaysSo() {
        var set = fixture.drafted(draft(null, rule(percent("10"), BOTH, "BURGER")));
        newer(chunks(set).getFirst().key(), "state", "PARKED");
        var odd = fixture.drafted(draft(null, rule(percent("10"), BOTH, "BURGER")));
        var line = db.all(Query.table("lines", partition(odd)).beginsWith("LINE#"))
                .findFirst()
                .orElseThrow();
        db.delete(line.key());
        db.save(
                Item.at(new Key(partition(odd), line.key().sort().replaceFirst("LINE#[A-Z]+#", "LINE#Z#")))
                        .type("changeLine")
                        .number("chunk", 0)
                        .build(),
                SaveMode.ANY);

        assertThat(fixture.lines(set))
                .extracting(ChangeLine::outcome)
                .containsExactlyInAnyOrder(ChangeLine.Outcome.UNKNOWN, ChangeLine.Outcome.NONE);
        assertThat(fixture.lines(odd)).hasSize(1);
    }

    @Test
    void theReconcilerLeavesWhatItCannotReadAndDoesTheRest() {
        fixture.applied(draft("2036-07-01", rule(percent("10"), BOTH, "BURGER")));
        fixture.applied(draft("2036-07-02", rule(percent("10"), BOTH, "BURGER")));
        newer(new Key(storeKey(BERLIN).partition(), "ALL#Change#2036-07-01#Base#BURGER"), "after", "99 POINTS");
        newer(new Key(storeKey(BERLIN).partition(), "ALL#Batch#2036-07-02"), "instant", "noon");
        var unknown = fixture.drafted(draft(null, rule(percent("20"), ONE, "COLA")));
        newer(setKey(unknown), "status", "IN_REVIEW");
        var schedules = new MemorySchedules();
        clock.set(Instant.parse("2036-07-01T21:50:00Z"));

        assertThat(fixture.reconcile(schedules)).isEqualTo(2);

        assertThat(fixture.history("DE-0001", "BURGER")).isEmpty();
        assertThat(fixture.history("DE-0002", "BURGER")).hasSize(1);
        assertThat(fixture.batches.onDays(EVERYTHING, LocalDate.of(2036, 7, 2), LocalDate.of(2036, 7, 2)))
                .extracting(batch -> batch.batch().store())
                .containsExactly(HAMBURG.id());
        assertThat(schedules.all()).hasSize(1);
        assertThat(fixture.batched.countStuck()).isZero();
    }

    @Test
    void aSetWhoseTaskCannotBeReadIsNotStuck() {
        var set = fixture.drafted(draft(null, rule(percent("10"), ONE, "BURGER")));
        var task = created(fixture.tasks
                .submission()
                .submit(TasksFixture.STAFF, SubmitTask.operation(ChangeSets.TYPE, Json.of(Map.of()))));
        newer(setKey(set), "status", "APPLYING");
        newer(setKey(set), "task", task.id().value());
        newer(new Key("TASK#" + task.id(), "META"), "status", "PAUSED");

        assertThat(fixture.batched.countStuck()).isZero();
    }

    @Test
    void nothingIsWrittenOnTheStrengthOfWhatCannotBeRead() {
        var set = fixture.drafted(draft(null, rule(percent("10"), BOTH, "BURGER")));
        newer(chunks(set).getFirst().key(), "state", "PARKED");
        newer(priceKey("COLA", "2030-01-01"), "currency", "POINTS");
        var cheap = rule(percent("-10"), ONE, "COLA");
        var all = new ChangeRule(
                new StoreSelection.All(), List.of(product("BURGER")), List.of(Channel.ALL), setTo("1.00"), null);

        isOfAnotherVersion(() -> fixture.applied(set));
        isOfAnotherVersion(() -> fixture.drafted(draft(null, cheap)));
        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("5.00");
        assertThat(fixture.price("DE-0002", "BURGER")).isEqualTo("5.00");
        newer(storeKey(HAMBURG), "status", "FRANCHISED");
        isOfAnotherVersion(() -> fixture.stores.select(EVERYTHING, all.stores()).toList());
        var before = db.get(storeKey(HAMBURG));
        assertThat(fixture.stores.save(
                        EVERYTHING, List.of(aStore("DE-0002").named("Altona").build(), BERLIN)))
                .satisfiesExactly(
                        first -> assertThat(first).isInstanceOf(SaveOutcome.NotSaved.class),
                        second -> assertThat(second).isInstanceOf(SaveOutcome.Unchanged.class));
        assertThat(db.get(storeKey(HAMBURG))).isEqualTo(before);
        assertThat(fixture.sets.list(GRACE, PAGE).nodes())
                .extracting(ChangeSet::id)
                .containsExactly(set.id());
    }

    @Test
    void whatOnlyANewerInstanceCanDoIsGivenBackToIt() {
        try (var large = new ChangesFixture(db, clock, 0);
                var workers = WorkersFixture.workers(large.tasks, large.runs.work())) {
            workers.start();
            var parked = previewed(large, draft(null, rule(setTo("4.00"), BOTH, products(100))));
            newer(chunks(parked).getFirst().key(), "state", "PARKED");
            var applying = done(large.sets.applyAccepted(GRACE, parked.id(), String.valueOf(parked.token())));
            var frozen = created(large.tasks
                    .submission()
                    .submit(
                            TasksFixture.STAFF,
                            SubmitTask.operation(
                                    ChangeSets.TYPE,
                                    Json.of(Map.of(
                                            "changeSet", parked.id().value(), "action", "FREEZE", "until", "noon")))));
            var moved = created(large.tasks
                    .submission()
                    .submit(
                            TasksFixture.STAFF,
                            SubmitTask.operation(
                                    ChangeSets.TYPE,
                                    Json.of(Map.of(
                                            "changeSet",
                                            parked.id().value(),
                                            "action",
                                            "RESCHEDULE",
                                            "run",
                                            "9",
                                            "effectiveDate",
                                            "when the cows come home")))));

            List.of(
                            String.valueOf(applying.task()),
                            frozen.id().value(),
                            moved.id().value())
                    .forEach(id -> await().untilAsserted(() -> {
                        var task = large.tasks
                                .reads()
                                .find(TasksFixture.STAFF, new TaskId(id))
                                .orElseThrow();
                        assertThat(task.attempt()).isPositive();
                        assertThat(task.status()).isEqualTo(TaskStatus.SCHEDULED);
                        assertThat(task.failures()).isZero();
                    }));
            assertThat(large.sets.find(GRACE, parked.id()).orElseThrow().status())
                    .isEqualTo(ChangeSetStatus.APPLYING);
        }
    }

    private ChangeSet previewed(ChangesFixture large, DraftChangeSet draft) {
        var set = large.drafted(draft);
        await().until(() -> large.sets.find(GRACE, set.id()).orElseThrow().token() != null);
        return large.sets.find(GRACE, set.id()).orElseThrow();
    }

    private void newer(Key key, String attribute, String value) {
        db.update(Update.of(key).set(attribute, value).when(Condition.exists()));
    }

    private static void isOfAnotherVersion(ThrowingCallable read) {
        assertThatThrownBy(read).isInstanceOf(UnreadableItem.class);
    }

    private void everyList() {
        basePrices();
        assertThat(fixture.stores.list(EVERYTHING, null, PAGE).nodes()).contains(BERLIN);
        assertThat(fixture.sets.list(GRACE, PAGE).nodes()).isEmpty();
    }

    private List<String> basePrices() {
        return fixture.pricing.basePrices(EVERYTHING, BERLIN.id(), Channel.ALL, "", NOW, PAGE).nodes().stream()
                .map(price -> price.product().value())
                .toList();
    }

    private static Task created(SubmitResult result) {
        return result instanceof SubmitResult.Created(var task, var _) ? task : fail(result);
    }

    private static Task fail(Object result) {
        throw new AssertionError(result);
    }

    private static Key storeKey(Store store) {
        return new Key("STORE#" + store.id(), "META");
    }

    private static Key priceKey(String product, String date) {
        return new Key("STORE#DE-0001", "ALL#Base#" + product + "#" + date);
    }

    private Key history(String product) {
        return db.all(Query.table("history", "STORE#DE-0001").beginsWith("ALL#History#Base#" + product + "#"))
                .findFirst()
                .orElseThrow()
                .key();
    }

    private static Key setKey(ChangeSet set) {
        return new Key("CHANGESET#" + set.id(), "META");
    }

    private String partition(ChangeSet set) {
        var meta = db.get(setKey(set)).orElseThrow();
        return "CHANGESET#" + set.id() + "#" + meta.string("preview") + "#0";
    }

    private List<Item> chunks(ChangeSet set) {
        return IntStream.range(0, (int) db.get(setKey(set)).orElseThrow().integer("shards"))
                .boxed()
                .flatMap(shard -> db.all(Query.table("chunks", partition(set).replaceFirst("#0$", "#" + shard))
                        .beginsWith("CHUNK#")))
                .toList();
    }

    private static ImportId started(Imports imports) {
        return imports.begin(GRACE, List.of(ImportFixture.stores("id"))).id();
    }
}
