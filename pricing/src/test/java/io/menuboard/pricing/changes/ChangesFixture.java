package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.access.Grant;
import io.menuboard.access.People;
import io.menuboard.access.Permission;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.access.Scope;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.DynamoPriceHistory;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.LoadedPrices;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.PriceHistory;
import io.menuboard.pricing.PriceHistoryEntry;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.PricingFixture;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.approvals.ApprovalPolicy;
import io.menuboard.pricing.approvals.DynamoApprovalQueue;
import io.menuboard.pricing.batches.BatchSchedules;
import io.menuboard.pricing.batches.BatchedChangeSets;
import io.menuboard.pricing.batches.BatchesFixture;
import io.menuboard.pricing.batches.ChangeBatches;
import io.menuboard.pricing.batches.ChangeConcurrency;
import io.menuboard.pricing.chunks.ChunksFixture;
import io.menuboard.pricing.revisions.PriceRevisions;
import io.menuboard.pricing.revisions.RevisionsFixture;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.TasksInstance;
import io.menuboard.tasks.workers.TaskWork;
import io.menuboard.tasks.workers.TaskWorkers;
import io.menuboard.tasks.workers.WorkersFixture;
import java.math.BigDecimal;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Price changes on a test's own table, wired as {@link ChangesFactory} does. */
public final class ChangesFixture implements AutoCloseable {
    /** Far ahead, because DynamoDB Local deletes what has expired by the wall clock. */
    public static final Instant NOW = MovingClock.START;

    public static final Access GRACE = new Access(Principal.withEveryRole("grace"), Actor.Source.PAGE);
    private static final Duration HISTORY_KEPT = Duration.ofDays(1_095);
    public static final PageRequest PAGE = PageRequest.forward(2_000, null);

    public final MovingClock clock;
    public final QueryDb db;
    public final Stores stores;
    public final Pricing pricing;
    public final PriceHistory history;
    public final DynamoPriceHistory storedHistory;
    public final BatchesFixture batching;
    public final DynamoPriceVersions prices;
    public final PriceRevisions revisions;
    public final TasksInstance tasks;
    public final TaskWorkers workers;
    final ChangeSetRuns runs;
    public final ChangeSetDrafts drafts;
    public final ChangeSets sets;
    public final ChangeSetApprovals approvals;
    public final ChangeSetLines setLines;
    public final ChangeBatches batches;
    public final BatchedChangeSets batched;
    public final AuditTrail audit;

    /** What runs later asks it. */
    public volatile CurrentAccess current = CurrentAccess.EVERYTHING;

    /** Ids of the accounts that created tokens, by the ids of those. */
    public final Map<String, String> creators = new ConcurrentHashMap<>();

    /** The tokens whose creators were asked for, request by request. */
    public final List<Set<String>> creatorsAsked = new CopyOnWriteArrayList<>();

    private final PriceBook book;

    public ChangesFixture(QueryDb db, MovingClock clock) {
        this(db, clock, WorkersFixture::workers);
    }

    public ChangesFixture(QueryDb db, MovingClock clock, int inline) {
        this(db, clock, inline, HISTORY_KEPT);
    }

    public ChangesFixture(QueryDb db, MovingClock clock, Function<TasksInstance, TaskWorkers> workers) {
        this(db, clock, config(1_000), HISTORY_KEPT, workers);
    }

    /** With sets that need a second person. */
    public ChangesFixture(QueryDb db, MovingClock clock, int inline, ApprovalPolicy approvals) {
        this(
                db,
                clock,
                new ChangesConfig(1_000_000, inline, 50, approvals.lines(), approvals.percent(), approvals.products()),
                HISTORY_KEPT,
                WorkersFixture::workers);
    }

    public ChangesFixture(QueryDb db, MovingClock clock, int inline, Duration historyKept) {
        this(db, clock, config(inline), historyKept, WorkersFixture::workers);
    }

    /** With sets whose rules expand to so many lines at most. */
    public static ChangesFixture ofAtMost(int lines, QueryDb db, MovingClock clock) {
        return new ChangesFixture(
                db,
                clock,
                new ChangesConfig(lines, 1_000, 50, null, null, null),
                HISTORY_KEPT,
                WorkersFixture::workers);
    }

    private static ChangesConfig config(int inline) {
        return new ChangesConfig(1_000_000, inline, 50, null, null, null);
    }

    private ChangesFixture(
            QueryDb db,
            MovingClock clock,
            ChangesConfig config,
            Duration historyKept,
            Function<TasksInstance, TaskWorkers> workersOf) {
        var concurrency = new ChangeConcurrency(2, 4);
        this.clock = clock;
        this.db = db;
        stores = PricingFixture.stores(db, clock);
        storedHistory = PricingFixture.history(db, historyKept);
        history = PricingFixture.history(storedHistory, stores);
        prices = PricingFixture.versions(db);
        pricing = PricingFixture.pricing(db, stores, clock);
        audit = new AuditTrail(db, clock, TasksFixture.IN_ORDER, new AuditTrail.Settings(1, Duration.ofDays(30)));
        book = new PriceBook(stores, prices, storedHistory, PricingFixture.audit(audit));
        revisions = RevisionsFixture.revisions(db);
        batching = new BatchesFixture(db, book, revisions, clock);
        var plans = ChunksFixture.plans(book, batching, revisions, clock);
        tasks = TasksFixture.tasks(db, clock);
        var dynamoSets =
                new DynamoChangeSets(db, concurrency.shards(), historyKept, new DynamoChangeSetAudit(audit, clock));
        var transactions =
                new DynamoChunkTransactions(db, batching.stored, dynamoSets, revisions, RevisionsFixture.log(db));
        var dynamoLines = new DynamoChangeLines(db, historyKept);
        var ids = new ChangeSetIds(clock, new SecureRandom());
        var previews = new ChangeSetPreviews(
                dynamoSets,
                dynamoLines,
                new LineSources(dynamoSets, dynamoLines, batching.applier, book),
                book,
                ids,
                config);
        var accessible = new AccessibleSets(dynamoSets, dynamoLines, actor -> current.of(actor));
        var writer = new ChunkWriter(transactions, plans, ChunksFixture.loads(db, book, revisions), book, clock);
        runs = new ChangeSetRuns(
                accessible, previews, new ChunkRunner(dynamoLines, concurrency.chunksAtOnce()), writer, clock);
        workers = workersOf.apply(tasks);
        var setTasks =
                new ChangeSetTasks(tasks.submission(), tasks.reads(), workers, runs, dynamoSets, config.inline());
        var whole = new ChangeSetTransactions(dynamoSets, dynamoLines, transactions, plans, stores, clock);
        drafts = new ChangeSetDrafts(accessible, previews, whole, setTasks, new IdempotencyKeys(db, "changeSets"), ids);
        approvals = new ChangeSetApprovals(
                accessible, new DynamoApprovalQueue(db), config.approvals(), new KnownPeople(), clock);
        sets = new ChangeSets(accessible, approvals, whole, setTasks, stores, clock);
        setLines = new ChangeSetLines(accessible, stores, clock);
        batched = setTasks;
        batches = batching.batches(batched);
    }

    private final class KnownPeople implements People {
        @Override
        public List<List<String>> named(Permission permission, List<Wanted> wanted, int most) {
            return Collections.nCopies(wanted.size(), List.of("Bob"));
        }

        @Override
        public Map<String, String> creatorsOf(Set<String> tokens) {
            creatorsAsked.add(tokens);
            var known = new HashMap<>(creators);
            known.keySet().retainAll(tokens);
            return known;
        }
    }

    /** What does the tasks of change sets. */
    public TaskWork work() {
        return runs.work();
    }

    /** Reconciles batches; the number of those that were overdue. */
    public int reconcile(BatchSchedules schedules) {
        return batching.reconcile(schedules, batched);
    }

    /** Whether that set may load first prices, which nobody else may meanwhile. */
    public boolean guardLoad(ChangeSetId set, StoreId store, Channel channel) {
        return ChunksFixture.loads(db, book, revisions).guard(set, store, channel);
    }

    public void releaseLoad(ChangeSetId set, StoreId store, Channel channel) {
        ChunksFixture.loads(db, book, revisions).release(set, store, channel);
    }

    @Override
    public void close() {
        workers.close();
    }

    /** As a first load leaves them. */
    public void load(List<? extends Price> prices) {
        LoadedPrices.load(db, prices);
    }

    /** Of somebody with an id, who has that role for some stores. */
    public static Access limited(String id, Role role, String... stores) {
        var grant = new Grant(role, new Scope.Stores(Set.of(stores)));
        return new Access(new Principal(id, Actor.Kind.USER, id, Set.of(grant)), Actor.Source.PAGE);
    }

    public static PriceSubject product(String id) {
        return new PriceSubject.Product(new ProductId(id));
    }

    public static PriceOperation setTo(String amount) {
        return new PriceOperation.SetTo(new BigDecimal(amount), null);
    }

    public static PriceOperation percent(String percent) {
        return new PriceOperation.Percent(new BigDecimal(percent));
    }

    public static ChangeRule rule(PriceOperation operation, List<String> stores, String... products) {
        return rule(Channel.ALL, operation, stores, products);
    }

    static ChangeRule rule(Channel channel, PriceOperation operation, List<String> stores, String... products) {
        return new ChangeRule(
                new StoreSelection.Listed(stores.stream().map(StoreId::new).toList()),
                List.of(products).stream().map(ChangesFixture::product).toList(),
                List.of(channel),
                operation,
                null);
    }

    public static DraftChangeSet draft(@Nullable String date, ChangeRule... rules) {
        return new DraftChangeSet(
                "Summer prices", "costs rose", date == null ? null : EffectiveDate.parse(date), List.of(rules));
    }

    public static String[] products(int count) {
        return IntStream.range(0, count).mapToObj("P%03d"::formatted).toArray(String[]::new);
    }

    public ChangeSet drafted(DraftChangeSet draft) {
        return done(drafts.draft(GRACE, draft, null));
    }

    public ChangeSet applied(DraftChangeSet draft) {
        return applied(drafted(draft));
    }

    public ChangeSet applied(ChangeSet draft) {
        return done(sets.applyAccepted(GRACE, draft.id(), String.valueOf(draft.token())));
    }

    public static ChangeSet done(ChangeSetResult result) {
        if (result instanceof ChangeSetResult.Done(var set, var _)) {
            return set;
        }
        throw new AssertionError(result);
    }

    public List<ChangeLine> lines(ChangeSet set) {
        return setLines.lines(GRACE, set.id(), null, PAGE).nodes();
    }

    /** What the product costs there then; empty for nothing. */
    public String price(String store, String product, String at) {
        return pricing.price(EVERYTHING, new StoreId(store), new ProductId(product), Channel.ALL, Instant.parse(at))
                .map(price -> price.price().amount().toPlainString())
                .orElse("");
    }

    public String price(String store, String product) {
        return price(store, product, clock.instant().toString());
    }

    public List<PriceHistoryEntry> history(String store, String product) {
        return history.of(EVERYTHING, new StoreId(store), Channel.ALL, product(product), PAGE)
                .nodes();
    }
}
