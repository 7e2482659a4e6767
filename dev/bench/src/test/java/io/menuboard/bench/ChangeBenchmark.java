package io.menuboard.bench;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.Address;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceHistory;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.StoreStatus;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.batches.ChangeBatches;
import io.menuboard.pricing.batches.DueBatches;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSetStatus;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.imports.Imports;
import io.menuboard.pricing.imports.SamplePrices;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import io.micronaut.context.ApplicationContext;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Price changes: batches applied, against the same transactions made with the SDK's client alone; and a set of many lines,
 * against sets of one line each. Interleaved in one run. The instance is an application context of this process.
 */
final class ChangeBenchmark implements AutoCloseable {
    private static final int THREADS = 8;
    private static final int STORES = 16;
    private static final int PRODUCTS = 128;
    private static final int ROUNDS = 6;
    private static final int SET_STORES = 10;
    private static final int SET_PRODUCTS = 100;
    private static final int SET_ROUNDS = 2;
    private static final String SINCE = "2026-01-01";
    private static final String BEFORE = "4.99";
    private static final Access ACTOR = new Access(Principal.withEveryRole("bench"), Actor.Source.WORKER);

    private final ApplicationContext instance;
    private final ChangeSetDrafts drafts;
    private final ChangeSets sets;
    private final ChangeBatches batches;
    private final RawChanges raw;
    private Duration preparation = Duration.ofMinutes(1);
    private int amounts;

    ChangeBenchmark(URI table) {
        System.setProperty("aws.region", "eu-central-1");
        System.setProperty("aws.endpointUrlDynamoDb", table.toString());
        System.setProperty("aws.accessKeyId", "local");
        System.setProperty("aws.secretAccessKey", "local");
        instance = ApplicationContext.run(Map.<String, Object>of("menuboard.pricing.changes.inline", 1_000_000));
        drafts = instance.getBean(ChangeSetDrafts.class);
        sets = instance.getBean(ChangeSets.class);
        batches = instance.getBean(ChangeBatches.class);
        raw = new RawChanges(table);
    }

    String report() throws InterruptedException, ExecutionException {
        return "## Price changes\n" + applying() + setOrLoop();
    }

    private String applying() throws InterruptedException, ExecutionException {
        round(0);
        var rawSeconds = 0.0;
        var ourSeconds = 0.0;
        for (var round = 1; round <= ROUNDS; round++) {
            var seconds = round(round);
            rawSeconds += seconds[0];
            ourSeconds += seconds[1];
        }
        var lines = (double) ROUNDS * STORES * PRODUCTS;
        return """
                Measured by `ChangeBenchmark`, which is part of `mvn -Pbench`.

                Batches whose time has come: %d stores with %d products each, 32 lines to a transaction, which for each line removes
                the change, writes its history and gives the price before it an end. *Raw* writes the same items in the same
                transactions with the SDK's client alone, and reads nothing. %d threads each apply one batch after the other; both take
                turns, %d rounds.

                | caller | lines/s | to raw |
                | --- | ---: | ---: |
                | raw, SDK client | %.0f | 1.00 |
                | `ChangeBatches` | %.0f | %.2f |

                """.formatted(
                STORES, PRODUCTS, THREADS, ROUNDS, lines / rawSeconds, lines / ourSeconds, rawSeconds / ourSeconds);
    }

    /** Seconds of both for the same number of batches. */
    private double[] round(int round) throws InterruptedException, ExecutionException {
        var stores = stores("CHANGE-" + round, 2 * STORES, PRODUCTS);
        var begin = Instant.now();
        var local =
                LocalDateTime.ofInstant(begin.plus(preparation), ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS);
        var date = new EffectiveDate(local);
        var at = local.toInstant(ZoneOffset.UTC);
        var set = applied(drafted(date, stores, products(PRODUCTS), "5.49"));
        check(set.status() == ChangeSetStatus.SCHEDULED && set.failed() == 0);
        preparation = Duration.between(begin, Instant.now())
                .multipliedBy(3)
                .dividedBy(2)
                .plusSeconds(5);
        Thread.sleep(Duration.between(Instant.now(), at.plusSeconds(2)).toMillis());

        var ofRaw = stores.subList(0, STORES).stream()
                .map(store -> new RawChanges.Batch(
                        store.id().value(),
                        products(PRODUCTS),
                        set.id().value(),
                        date.toString(),
                        at,
                        SINCE,
                        BEFORE + " EUR",
                        "5.49 EUR"))
                .toList();
        var ours = stores.subList(STORES, 2 * STORES).stream()
                .map(store -> new PriceBatch(store.id(), Channel.ALL, date))
                .toList();
        var seconds = new double[2];
        for (var turn = 0; turn < 2; turn++) {
            // Who is first takes turns too.
            if ((turn + round) % 2 == 0) {
                seconds[0] = seconds(() -> raw.apply(ofRaw, THREADS));
            } else {
                seconds[1] = seconds(() -> apply(ours));
            }
        }
        for (var store : stores) {
            check(instance.getBean(PriceHistory.class)
                            .of(EVERYTHING, store.id(), Channel.ALL, product("P000"), PageRequest.forward(2, null))
                            .nodes()
                            .size()
                    == 1);
        }
        return seconds;
    }

    private void apply(List<PriceBatch> all) throws InterruptedException, ExecutionException {
        var left = new ConcurrentLinkedQueue<>(all);
        TaskBenchmark.together(IntStream.range(0, THREADS)
                .<Callable<Void>>mapToObj(_ -> () -> {
                    for (var batch = left.poll(); batch != null; batch = left.poll()) {
                        check(batches.apply(EVERYTHING, batch) instanceof DueBatches.Due.Applied);
                    }
                    return null;
                })
                .toList());
    }

    private String setOrLoop() throws InterruptedException, ExecutionException {
        var stores = stores("SET", SET_STORES, SET_PRODUCTS);
        var products = products(SET_PRODUCTS);
        applied(drafted(null, stores, products, amount()));
        var setSeconds = 0.0;
        var loopSeconds = 0.0;
        for (var round = 0; round < SET_ROUNDS; round++) {
            setSeconds += seconds(() -> applied(drafted(null, stores, products, amount())));
            loopSeconds += seconds(() -> {
                var amount = amount();
                for (var store : stores) {
                    for (var product : products) {
                        applied(drafted(null, List.of(store), List.of(product), amount));
                    }
                }
            });
        }
        return """
                A change of %d lines at once, %d products in %d stores, drafted, which previews it, and applied: as one set, or as a client
                would without sets, line by line. Both take turns, %d rounds.

                | caller | lines/s | time, to the loop |
                | --- | ---: | ---: |
                | a loop over sets of one line | %.0f | 1.00 |
                | one set | %.0f | %.3f |

                """.formatted(
                        SET_STORES * SET_PRODUCTS,
                        SET_PRODUCTS,
                        SET_STORES,
                        SET_ROUNDS,
                        SET_ROUNDS * SET_STORES * SET_PRODUCTS / loopSeconds,
                        SET_ROUNDS * SET_STORES * SET_PRODUCTS / setSeconds,
                        setSeconds / loopSeconds);
    }

    /** Another one each time, so that each line changes something. */
    private String amount() {
        return BigDecimal.valueOf(500L + amounts++, 2).toPlainString();
    }

    private ChangeSet drafted(@Nullable EffectiveDate date, List<Store> stores, List<String> products, String amount) {
        var rule = new ChangeRule(
                new StoreSelection.Listed(stores.stream().map(Store::id).toList()),
                products.stream().map(ChangeBenchmark::product).toList(),
                List.of(Channel.ALL),
                new PriceOperation.SetTo(new BigDecimal(amount), null),
                null);
        return done(drafts.draft(ACTOR, new DraftChangeSet("Benchmark", "measured", date, List.of(rule)), null));
    }

    private ChangeSet applied(ChangeSet draft) {
        return done(sets.applyAccepted(ACTOR, draft.id(), String.valueOf(draft.token())));
    }

    private static ChangeSet done(ChangeSetResult result) {
        if (result instanceof ChangeSetResult.Done(var set, var _)) {
            return set;
        }
        throw new IllegalStateException(result.toString());
    }

    private List<Store> stores(String prefix, int count, int products) {
        var stores = IntStream.range(0, count)
                .mapToObj(i -> new Store(
                        new StoreId("%s-%02d".formatted(prefix, i)),
                        "Benchmark " + prefix + " " + i,
                        new Address("Benchmark Street " + i, "Berlin", "Berlin", "10178", "DE"),
                        Store.timeZoneOf("UTC"),
                        Money.currencyOf("EUR"),
                        StoreStatus.OPEN))
                .toList();
        instance.getBean(Stores.class).save(EVERYTHING, stores);
        var prices = stores.stream()
                .flatMap(store -> products(products).stream()
                        .map(product -> new BasePrice(
                                store,
                                Channel.ALL,
                                new ProductId(product),
                                EffectiveDate.parse(SINCE),
                                new Money(new BigDecimal(BEFORE), store.currency()))))
                .toList();
        SamplePrices.save(instance.getBean(Imports.class), sets, prices);
        return stores;
    }

    private static List<String> products(int count) {
        return IntStream.range(0, count).mapToObj("P%03d"::formatted).toList();
    }

    private static PriceSubject product(String id) {
        return new PriceSubject.Product(new ProductId(id));
    }

    /** Something that takes time. */
    @FunctionalInterface
    private interface Work {
        void run() throws InterruptedException, ExecutionException;
    }

    private static double seconds(Work work) throws InterruptedException, ExecutionException {
        var begin = System.nanoTime();
        work.run();
        return (System.nanoTime() - begin) / 1e9;
    }

    private static void check(boolean right) {
        if (!right) {
            throw new IllegalStateException("not what was expected");
        }
    }

    @Override
    public void close() {
        instance.close();
        raw.close();
    }
}
