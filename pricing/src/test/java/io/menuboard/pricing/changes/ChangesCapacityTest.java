package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.done;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.product;
import static io.menuboard.pricing.changes.ChangesFixture.products;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Count;
import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.PricingFixture;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.approvals.ApprovalPolicy;
import io.menuboard.pricing.batches.MemorySchedules;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.RecordingMeter.Units;
import io.menuboard.querydb.TransactionCharges;
import io.menuboard.tasks.workers.WorkersFixture;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * What every access to price changes costs, for one line and for a hundred of one store, which are four transactions of
 * 24 lines and one of four, or, when their time has come, three of 32 and one of four; {@code docs/capacity.md} lists it.
 * What transactions cost is worked out, because DynamoDB Local charges too little for them, and so it does for a Query that
 * finds nothing. Runs that are tasks take a request of up to three write units more for each third of their lease that they
 * last, which is longer here than any of them.
 */
class ChangesCapacityTest {
    private static final PageRequest PAGE = PageRequest.forward(64, null);
    private static final List<String> ONE_STORE = List.of("DE-0001");
    private static final String[] ONE = products(1);
    private static final String[] HUNDRED = products(100);
    private static final String DAY = "2036-07-01";
    private static final PriceBatch BATCH = new PriceBatch(BERLIN.id(), Channel.ALL, EffectiveDate.parse(DAY));

    /** The first task of a type that an instance begins: a request and a unit. */
    private static final double TYPE = 1;

    /** The set in a transaction: its item, and its place in the index. */
    private static final double SET = 2 + 1;

    /** An audit record of the set: the record, and its place among those of its subject; one more by somebody with an id. */
    private static final double RECORD = 2 + 1;

    /** What does not fit one transaction: a task, how the run begins and ends, each with a record, and that it has checked prices. */
    private static final double RUN = 5 + 2 * (SET + RECORD) + 2;

    /** Items of the transaction that makes a set, or changes it alone: the set, and its record. */
    private static final int DRAFT = 2;

    private static final int STEP = 2;

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private TransactionCharges charges;
    private ChangesFixture fixture;

    @BeforeEach
    void open() {
        charges = new TransactionCharges(LocalDynamoDb.shared().directClient());
        fixture = new ChangesFixture(table.queryDb(charges.proxy(), clock), clock, WorkersFixture::patientWorkers);
        fixture.stores.save(EVERYTHING, List.of(BERLIN));
        fixture.stores.require(EVERYTHING, BERLIN.id());
        fixture.load(Stream.of(products(200))
                .<Price>map(product -> price(BERLIN, "ALL", product, "2030-01-01", "4.99"))
                .toList());
        charges.takeSent();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void readingPricesCostsWhatTheirVersionsTake() {
        Runnable page = () -> fixture.pricing
                .basePrices(EVERYTHING, BERLIN.id(), Channel.ALL, null, clock.instant(), PAGE)
                .hasNextPage();
        Runnable one = () -> fixture.price("DE-0001", "P000");

        assertThat(cost(page)).isEqualTo(new Units(1, 1, 0));
        assertThat(cost(one)).isEqualTo(new Units(1, 0.5, 0));
        fixture.applied(scheduled(HUNDRED));

        assertThat(cost(page))
                .as("two versions each, of which the later ones name their set; the first request was too short")
                .isEqualTo(new Units(2, 3.5, 0));
        assertThat(cost(one)).isEqualTo(new Units(1, 0.5, 0));
    }

    @Test
    void pricesOfLongAgoCostTheirHistoryBesides() {
        var then = clock.instant();
        clock.advance(Duration.ofDays(60));
        Runnable page = () -> fixture.pricing.basePrices(EVERYTHING, BERLIN.id(), Channel.ALL, "P00", then, PAGE);

        assertThat(cost(page).requests())
                .as("the page; for each of ten, what came next, and what was last before it")
                .isEqualTo(1 + 2 * 10);
        fixture.applied(fixture.drafted(now("5.49", products(10))));

        assertThat(cost(page).requests())
                .as("what came next says what it replaced")
                .isEqualTo(1 + 10);
    }

    @Test
    void historyOfManyPricesIsAskedForAtOnce() {
        var then = clock.instant();
        clock.advance(Duration.ofDays(60));
        var subjects = Stream.of(products(10)).map(ChangesFixture::product).toList();

        assertThat(withRequestsForHistoryAtOnce(10)
                        .basePrices(EVERYTHING, BERLIN.id(), Channel.ALL, "P00", then, PAGE)
                        .nodes())
                .hasSize(10);
        assertThat(withRequestsForHistoryAtOnce(10).prices(EVERYTHING, BERLIN.id(), subjects, Channel.ALL, then))
                .hasSize(10);
    }

    /** Answers none of these requests before so many of them have come. */
    private Pricing withRequestsForHistoryAtOnce(int count) {
        var missing = new CountDownLatch(count);
        var client = (DynamoDbClient) Proxy.newProxyInstance(
                ChangesCapacityTest.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (_, method, arguments) -> {
                    if (arguments != null && arguments[0] instanceof QueryRequest query && isForHistory(query)) {
                        missing.countDown();
                        assertThat(missing.await(30, TimeUnit.SECONDS)).isTrue();
                    }
                    try {
                        return method.invoke(table.client(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        var db = table.queryDb(client, clock);
        return PricingFixture.pricing(db, PricingFixture.stores(db, clock), clock);
    }

    private static boolean isForHistory(QueryRequest query) {
        return query.expressionAttributeValues().values().stream()
                .anyMatch(value -> value.s() != null && value.s().contains("#History#"));
    }

    @Test
    void reading() {
        var set = fixture.applied(scheduled(HUNDRED));

        assertThat(cost(() -> fixture.sets.find(GRACE, set.id()))).isEqualTo(new Units(1, 1, 0));
        assertThat(cost(() -> fixture.sets.list(GRACE, PAGE))).isEqualTo(new Units(1, 0.5, 0));
        var sets = fixture.sets.list(GRACE, PAGE);
        assertThat(cost(sets::totalCount)).isEqualTo(new Units(1, 0.5, 0));
        var lines = fixture.setLines.lines(GRACE, set.id(), null, PAGE);
        assertThat(lines.totalCount()).isEqualTo(Count.exactly(100));
        // The set, a page, and the chunks of its lines.
        assertThat(cost(() -> fixture.setLines.lines(GRACE, set.id(), null, PAGE)))
                .isEqualTo(new Units(3, 4.5, 0));
        assertThat(cost(() -> fixture.batches.upcoming(EVERYTHING, BERLIN.id(), Channel.ALL, null, null, PAGE)))
                .isEqualTo(new Units(1, 1, 0));
        assertThat(cost(() -> fixture.batching.stored.find(BATCH))).isEqualTo(new Units(1, 1, 0));
        // Two shards of each day of UTC that it touches, of the one before and the one after; and the store.
        assertThat(cost(() -> fixture.batches.between(
                        EVERYTHING, clock.instant(), clock.instant().plus(Duration.ofDays(31)))))
                .isEqualTo(new Units(34 * 2, 0.5, 0));
        // Two shards of 31 days until today, and of today and tomorrow.
        assertThat(cost(() -> fixture.reconcile(new MemorySchedules()))).isEqualTo(new Units(34 * 2, 0, 0));
        assertThat(cost(() -> fixture.history("DE-0001", "P000"))).isEqualTo(new Units(1, 0, 0));
        fixture.applied(fixture.drafted(now("5.49", ONE)));
        assertThat(cost(() -> fixture.history("DE-0001", "P000"))).isEqualTo(new Units(1, 0.5, 0));
        assertThat(cost(() -> fixture.pricing.lowest(
                        EVERYTHING, BERLIN.id(), new PriceSubject.Product(new ProductId("P000")), Channel.ALL)))
                .isEqualTo(new Units(1, 1, 0));
    }

    @Test
    void pagesOfBatches() {
        fixture.applied(scheduled(ONE));
        var from = EffectiveDate.parse(DAY).startsAt(BERLIN.timeZone());
        Runnable page = () ->
                fixture.batches.between(EVERYTHING, from, from.plus(Duration.ofDays(31)), PageRequest.forward(1, null));

        assertThat(cost(page)).as("all days, as there is no second one").isEqualTo(new Units(34 * 2, 0.5, 0));
        fixture.applied(fixture.drafted(draft(DAY + "T06:00", rule(setTo("5.79"), ONE_STORE, ONE))));

        // Two shards of each day of UTC: of the one that begins then and ends tomorrow, and of those before and after.
        assertThat(cost(page)).isEqualTo(new Units(4 * 2, 1, 0));
    }

    @Test
    void linesOfManySetsAreReadTogether() {
        var ids = Stream.of(products(20))
                .map(product -> fixture.applied(scheduled(product)).id())
                .toList();
        clock.advance(Duration.ofMinutes(1));
        var conflicting = fixture.applied(fixture.drafted(draft(DAY, rule(setTo("5.79"), ONE_STORE, products(2)))));
        var sets = fixture.sets.findAll(GRACE, ids);

        // A page of each, and the chunks of all.
        assertThat(cost(() -> fixture.setLines.lines(GRACE, sets.subList(2, 20), null, PAGE))
                        .requests())
                .isEqualTo(18 + 1);
        // Two of them were overtaken, each of which is asked by what.
        assertThat(cost(() -> fixture.setLines.lines(GRACE, sets, null, PAGE)).requests())
                .isEqualTo(20 + 1 + 2);
        assertThat(fixture.setLines.lines(GRACE, List.of(sets.getFirst(), conflicting, sets.getLast()), null, PAGE))
                .extracting(
                        page -> page.nodes().stream().map(ChangeLine::outcome).toList())
                .containsExactly(
                        List.of(ChangeLine.Outcome.SUPERSEDED),
                        List.of(ChangeLine.Outcome.SCHEDULED, ChangeLine.Outcome.SCHEDULED),
                        List.of(ChangeLine.Outcome.SCHEDULED));
    }

    @Test
    void drafting() {
        // The set, with short rules or beside long ones, and its record; each line; and for each chunk what it will
        // write.
        costs(3, 1, SET + RECORD + 1 + 1, () -> fixture.drafted(now("5.49", ONE)));
        costs(12, 5, SET + RECORD + 2 + 100 + 5, () -> fixture.drafted(now("5.49", HUNDRED)));
        // A channel's first price is compared with the one of all channels, which is read for it; and is the product
        // known?
        var ofChannel = rule(new Channel("DELIVERY"), setTo("5.49"), ONE_STORE, ONE);
        costs(5, 1.5, SET + RECORD + 1 + 1, () -> fixture.drafted(draft(null, ofChannel)));
    }

    @Test
    void applyingAtOnce() {
        var one = fixture.drafted(now("5.49", ONE));
        costs(5, 3, SET + RECORD + atOnce(1), () -> fixture.applied(one));
        assertThat(charges.takeSent()).containsExactly(DRAFT, 3 + 4 + 2);

        clock.advance(Duration.ofMinutes(1));
        var hundred = fixture.drafted(now("5.59", HUNDRED));
        costs(1 + 31, 21, TYPE + RUN + 4 * atOnce(24) + atOnce(4), () -> fixture.applied(hundred));
        assertThat(charges.takeSent())
                .containsExactly(DRAFT, STEP, 3 * 24 + 4, 3 * 24 + 4, 3 * 24 + 4, 3 * 24 + 4, 3 * 4 + 4, STEP);
    }

    /**
     * Version, history and the end of the version before, of each line; the chunk, an audit record, the revision, and the log,
     * which is more than 1 KB where there are many lines. The revision is read before.
     */
    private static double atOnce(int lines) {
        return lines * (3 + 2 + 3) + 2 + 3 + 2 + (lines == 24 ? 4 : 2);
    }

    @Test
    void scheduling() {
        var one = scheduled("P199");
        costs(4, 3, SET + RECORD + later(1), () -> fixture.applied(one));
        assertThat(charges.takeSent()).containsExactly(DRAFT, 2 + 3 + 2);

        var hundred = scheduled(HUNDRED);
        costs(1 + 26, 16, TYPE + RUN + 4 * later(24) + later(4), () -> fixture.applied(hundred));
        assertThat(charges.takeSent())
                .containsExactly(DRAFT, STEP, 2 * 24 + 3, 2 * 24 + 3, 2 * 24 + 3, 2 * 24 + 3, 2 * 4 + 3, STEP);
    }

    /** Version and change of each line, written or taken back; the chunk, the batch, which is in the index, and the revision. */
    private static double later(int lines) {
        return lines * (3 + 2) + 2 + 3 + 2;
    }

    @Test
    void requestingAndGivingApproval() {
        var known = Stream.of("ada", "bob")
                .map(id -> new Access(
                        new Principal(id, Actor.Kind.USER, id, GRACE.principal().grants()), Actor.Source.PAGE))
                .toList();
        var db = table.queryDb(charges.proxy(), clock);
        try (var strict = new ChangesFixture(db, clock, 1_000, new ApprovalPolicy(0, null, Set.of()))) {
            var set = done(strict.drafts.draft(known.getFirst(), now("5.49", ONE), null));
            var token = String.valueOf(set.token());

            costs(2, 1, SET + 3 + RECORD + 1, () -> done(strict.approvals.request(known.getFirst(), set.id(), token)));
            costs(2, 1.5, 0, () -> strict.approvals
                    .waiting(known.getLast(), PAGE)
                    .nodes());
            costs(2, 1, SET + 3 + RECORD + 1, () -> done(strict.approvals.approve(known.getLast(), set.id(), token)));
        }
    }

    @Test
    void oneLineCostsLittleFromTheDraftToItsHistory() {
        var atOnce = cost(() -> fixture.applied(fixture.drafted(now("5.49", ONE))));
        assertThat(atOnce).isEqualTo(new Units(3 + 5, 1 + 3, 8 + 23));

        var set = scheduled("P199");
        var scheduling = cost(() -> fixture.applied(set));
        clock.set(Instant.parse("2036-06-30T22:00:00Z"));
        var applying = cost(() -> fixture.batches.apply(EVERYTHING, BATCH));
        assertThat(8 + scheduling.write() + applying.write()).isEqualTo(39);
    }

    @Test
    void takingBack() {
        var one = fixture.applied(scheduled(ONE));
        charges.takeSent();
        costs(7, 5, SET + RECORD + later(1) + 2, () -> done(fixture.sets.cancel(GRACE, one.id())));
        assertThat(charges.takeSent()).containsExactly(2 + 3 + 2);

        var hundred = fixture.applied(scheduled(HUNDRED));
        charges.takeSent();
        costs(25, 19, RUN - 2 + 4 * later(24) + later(4) + 2, () -> done(fixture.sets.cancel(GRACE, hundred.id())));
        assertThat(charges.takeSent())
                .containsExactly(STEP, 2 * 24 + 3, 2 * 24 + 3, 2 * 24 + 3, 2 * 24 + 3, 2 * 4 + 3, STEP);
    }

    @Test
    void moving() {
        var hundred = fixture.applied(scheduled(HUNDRED));
        charges.takeSent();

        // Taken back, and written again; a record of both, and of its new time.
        costs(
                39,
                27,
                RUN + SET + RECORD - 2 + 2 * (4 * later(24) + later(4)) + 2,
                () -> done(fixture.sets.reschedule(GRACE, hundred.id(), EffectiveDate.parse("2036-07-02"))));
        assertThat(charges.takeSent()).hasSize(2 * 5 + 3);
    }

    @Test
    void applyingWhatIsDue() {
        fixture.applied(scheduled(ONE));
        clock.set(Instant.parse("2036-06-30T22:00:00Z"));
        charges.takeSent();
        costs(7, 3.5, due(1) + 2 + 1, () -> fixture.batches.apply(EVERYTHING, BATCH));
        assertThat(charges.takeSent()).containsExactly(3 + 1);
        assertThat(cost(() -> fixture.batches.apply(EVERYTHING, BATCH)))
                .as("told of it again")
                .isEqualTo(new Units(2, 1, 0));
    }

    @Test
    void applyingAHundredThatAreDue() {
        fixture.applied(scheduled(HUNDRED));
        clock.set(Instant.parse("2036-06-30T22:00:00Z"));
        charges.takeSent();
        costs(13, 14.5, 3 * due(32) + due(4) + 2 + 1, () -> fixture.batches.apply(EVERYTHING, BATCH));
        assertThat(charges.takeSent()).containsExactly(3 * 32 + 1, 3 * 32 + 1, 3 * 32 + 1, 3 * 4 + 1);
    }

    /** The change, its history and the end of the version before, of each line; an audit record. */
    private static double due(int lines) {
        return lines * (2 + 2 + 3) + 3;
    }

    @Test
    void puttingBack() {
        var hundred = fixture.applied(fixture.drafted(now("5.49", HUNDRED)));
        clock.advance(Duration.ofMinutes(1));

        costs(14, 13, SET + RECORD + 100 + 5, () -> done(fixture.drafts.draftUndo(GRACE, hundred.id(), "why", null)));

        var undo = done(fixture.drafts.draftUndo(GRACE, hundred.id(), "why", null));
        charges.takeSent();
        // As any change at once; and the set that it undoes is told.
        costs(33, 30, RUN + 4 * atOnce(24) + atOnce(4) + SET + RECORD, () -> fixture.applied(undo));
        assertThat(charges.takeSent()).hasSize(2 + 5 + 1);
    }

    private ChangeSet scheduled(String... products) {
        return fixture.drafted(draft(DAY, rule(setTo("5.99"), ONE_STORE, products)));
    }

    private static DraftChangeSet now(String amount, String... products) {
        return draft(null, rule(setTo(amount), ONE_STORE, products));
    }

    private Units cost(Runnable access) {
        return table.meter().during(access);
    }

    private void costs(int requests, double read, double write, Runnable access) {
        assertThat(cost(access)).isEqualTo(new Units(requests, read, write));
    }
}
