package io.menuboard.pricing;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.AuditTrail;
import io.menuboard.querydb.IdempotencyKeys;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.tasks.TaskWorkers;
import io.menuboard.tasks.Tasks;
import io.menuboard.tasks.TasksFixture;
import java.math.BigDecimal;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Price changes on a test's own table, wired as {@link ChangesFactory} does. */
final class ChangesFixture implements AutoCloseable {
    /** Far ahead, because DynamoDB Local deletes what has expired by the wall clock. */
    static final Instant NOW = MovingClock.START;

    static final Actor GRACE = new Actor(Actor.Kind.USER, "grace", Actor.Source.PAGE);
    private static final Duration HISTORY_KEPT = Duration.ofDays(1_095);
    static final PageRequest PAGE = PageRequest.forward(2_000, null);

    final MovingClock clock;
    final QueryDb db;
    final Stores stores;
    final Pricing pricing;
    final PriceHistory history;
    final DynamoPriceChanges changes;
    final DynamoPrices prices;
    final Tasks tasks;
    final TaskWorkers workers;
    final ChangeSetRuns runs;
    final ChangeSets sets;
    final ChangeBatches batches;
    final AuditTrail audit;

    ChangesFixture(QueryDb db, MovingClock clock) {
        this(db, clock, TasksFixture::workers);
    }

    ChangesFixture(QueryDb db, MovingClock clock, int inline) {
        this(db, clock, inline, HISTORY_KEPT);
    }

    ChangesFixture(QueryDb db, MovingClock clock, Function<Tasks, TaskWorkers> workers) {
        this(db, clock, 1_000, HISTORY_KEPT, workers);
    }

    ChangesFixture(QueryDb db, MovingClock clock, int inline, Duration historyKept) {
        this(db, clock, inline, historyKept, TasksFixture::workers);
    }

    private ChangesFixture(
            QueryDb db, MovingClock clock, int inline, Duration historyKept, Function<Tasks, TaskWorkers> workersOf) {
        var config =
                new ChangesConfig(1_000_000, inline, 50, 2, 4, Duration.ofDays(35), historyKept, Duration.ofMinutes(5));
        var random = new SecureRandom();
        this.clock = clock;
        this.db = db;
        stores = new Stores(new DynamoStores(db), Duration.ofMinutes(1));
        history = new PriceHistory(db, stores, config.historyKept());
        prices = new DynamoPrices(db, stores, history, clock, config.supersededKept());
        pricing = new Pricing(stores, prices, clock);
        audit = new AuditTrail(db, clock, new Random(3), new AuditTrail.Settings(1, Duration.ofDays(30)));
        changes = new DynamoPriceChanges(db, prices, history, audit, clock, config);
        var writes = new DynamoChangeWrites(prices, changes, history, clock);
        tasks = TasksFixture.tasks(db, clock);
        var dynamoSets = new DynamoChangeSets(db, config.shards(), config.historyKept());
        var transactions = new ChangeSetTransactions(dynamoSets, changes, writes, stores, clock);
        var loads = new DynamoPriceLoads(db, prices, audit);
        runs = new ChangeSetRuns(
                dynamoSets, changes, writes, loads, transactions, prices, history, stores, clock, random, config);
        workers = workersOf.apply(tasks);
        sets = new ChangeSets(
                dynamoSets,
                runs,
                transactions,
                stores,
                new IdempotencyKeys(db, "changeSets"),
                tasks,
                workers,
                clock,
                random,
                config);
        batches = new ChangeBatches(changes, runs, stores, clock, config);
    }

    @Override
    public void close() {
        workers.close();
    }

    /** As a first load leaves them. */
    void load(List<? extends Price> prices) {
        LoadedPrices.load(db, prices);
    }

    static PriceSubject product(String id) {
        return new PriceSubject.Product(new ProductId(id));
    }

    static PriceOperation setTo(String amount) {
        return new PriceOperation.SetTo(new BigDecimal(amount), null);
    }

    static PriceOperation percent(String percent) {
        return new PriceOperation.Percent(new BigDecimal(percent));
    }

    static ChangeRule rule(PriceOperation operation, List<String> stores, String... products) {
        return new ChangeRule(
                new StoreSelection.Listed(stores.stream().map(StoreId::new).toList()),
                List.of(products).stream().map(ChangesFixture::product).toList(),
                List.of(Channel.ALL),
                operation,
                null);
    }

    static DraftChangeSet draft(@Nullable String date, ChangeRule... rules) {
        return new DraftChangeSet(
                "Summer prices", "costs rose", date == null ? null : EffectiveDate.parse(date), List.of(rules));
    }

    static String[] products(int count) {
        return IntStream.range(0, count).mapToObj("P%03d"::formatted).toArray(String[]::new);
    }

    ChangeSet drafted(DraftChangeSet draft) {
        return done(sets.draft(draft, null, GRACE));
    }

    ChangeSet applied(DraftChangeSet draft) {
        return applied(drafted(draft));
    }

    ChangeSet applied(ChangeSet draft) {
        return done(sets.apply(draft.id(), String.valueOf(draft.token()), true, GRACE));
    }

    static ChangeSet done(ChangeSetResult result) {
        if (result instanceof ChangeSetResult.Done(var set)) {
            return set;
        }
        throw new AssertionError(result);
    }

    List<ChangeLine> lines(ChangeSet set) {
        return sets.lines(set.id(), null, PAGE).nodes();
    }

    /** What the product costs there then; empty for nothing. */
    String price(String store, String product, String at) {
        return pricing.price(new StoreId(store), new ProductId(product), Channel.ALL, Instant.parse(at))
                .map(price -> price.price().amount().toPlainString())
                .orElse("");
    }

    String price(String store, String product) {
        return price(store, product, clock.instant().toString());
    }

    List<PriceHistoryEntry> history(String store, String product) {
        return history.of(new StoreId(store), Channel.ALL, product(product), PAGE)
                .nodes();
    }
}
