package io.menuboard.pricing.imports;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.products;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.pricing.Price;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.batches.MemorySchedules;
import io.menuboard.pricing.changes.ChangeSetStatus;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.tasks.Outage;
import io.menuboard.tasks.workers.WorkersFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The table is away for ten minutes, over a midnight from which prices change: each price is right at every instant, sets go
 * on by themselves within seconds, and an import says how far it came.
 */
class OutagesTest {
    private static final Instant MIDNIGHT = Instant.parse("2036-06-15T22:00:00Z");
    private static final List<Store> STORES = IntStream.range(0, 5)
            .mapToObj(number -> aStore("DE-%04d".formatted(number)).build())
            .toList();
    private static final List<String> IDS =
            STORES.stream().map(store -> store.id().value()).toList();
    private static final String[] AT_ONCE = products(30);
    private static final String TONIGHT = "TONIGHT";

    /** Turns of the sweep, and pauses after the first failures. */
    private static final Duration SOON = Duration.ofSeconds(30);

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    private final MovingClock clock = new MovingClock(MIDNIGHT.minus(Outage.LENGTH.dividedBy(2)));
    private final MemorySchedules schedules = new MemorySchedules();
    private ChangesFixture truth;

    @BeforeEach
    void open() {
        truth = new ChangesFixture(table.directQueryDb(clock), clock);
        truth.stores.save(EVERYTHING, STORES);
        truth.load(STORES.stream()
                .flatMap(store -> Stream.concat(Stream.of(AT_ONCE), Stream.of(TONIGHT))
                        .<Price>map(product -> price(store, "ALL", product, "2030-01-01", "5.00")))
                .toList());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void everyPriceIsRightAtItsInstantAndSetsGoOn(long seed) {
        var random = new Random(seed);
        var tonight = truth.applied(draft("2036-06-16", rule(setTo("4.44"), IDS, TONIGHT)));
        truth.reconcile(schedules);
        assertThat(schedules.all()).hasSize(STORES.size()).containsValue(MIDNIGHT);
        var set = truth.drafted(draft(null, rule(setTo("5.49"), IDS, AT_ONCE)));
        var db = table.queryDb(clock);
        var files = storesFile(60);
        try (var instance = new ChangesFixture(db, clock, 0);
                var workers = WorkersFixture.workers(instance.tasks, instance.work())) {
            instance.applied(set);
            var looked = instance.drafted(draft(null, rule(setTo("6.00"), IDS, AT_ONCE)));
            var imports = ImportFixture.imports(instance);
            var begun = imports.begin(GRACE, files);
            table.faults().breakDown(seed, 20 + random.nextInt(60));
            workers.start();
            var imported = run(imports, begun, files);
            assertThat(imported.state()).isEqualTo(ImportState.FAILED);
            assertThat(imported.message()).contains(ImportRun.AGAIN);

            Outage.pass(table, clock, () -> {
                Outage.refuses(
                        () -> instance.price(IDS.getFirst(), AT_ONCE[0]),
                        () -> instance.drafted(draft(null, rule(setTo("7.00"), IDS, AT_ONCE))),
                        () -> instance.drafts.preview(GRACE, looked.id()),
                        () -> instance.sets.cancel(GRACE, tonight.id()),
                        () -> imports.begin(GRACE, files),
                        () -> instance.reconcile(schedules));
                // The messages of midnight are delivered, and delivered again.
                schedules.all().keySet().stream()
                        .filter(_ -> !clock.instant().isBefore(MIDNIGHT))
                        .forEach(batch -> Outage.refuses(() -> instance.batches.apply(EVERYTHING, batch)));
            });

            assertThat(truth.sets.find(GRACE, set.id()).orElseThrow().status()).isEqualTo(ChangeSetStatus.APPLYING);
            for (var store : IDS) {
                assertThat(truth.price(store, TONIGHT, MIDNIGHT.minusMillis(1).toString()))
                        .isEqualTo("5.00");
                assertThat(truth.price(store, TONIGHT, MIDNIGHT.toString()))
                        .as("though it was not applied")
                        .isEqualTo("4.44");
            }
            var took = Outage.timeUntil(clock, truth.tasks, () -> {
                instance.reconcile(schedules);
                return truth.sets.find(GRACE, set.id()).orElseThrow().status() == ChangeSetStatus.APPLIED
                        && truth.sets.find(GRACE, looked.id()).orElseThrow().token() != null
                        && Outage.isOver(truth.tasks);
            });

            System.out.printf("pricing, seed %d: all done %s after the table came back%n", seed, took);
            assertThat(took).isLessThan(SOON);
            assertThat(run(imports, imports.begin(GRACE, files), files).state()).isEqualTo(ImportState.FINISHED);
        }
        assertThat(Outage.dead(truth.tasks)).isEmpty();
        assertThat(truth.sets.find(GRACE, set.id()).orElseThrow().failed()).isZero();
        assertThat(truth.sets.find(GRACE, tonight.id()).orElseThrow().status()).isEqualTo(ChangeSetStatus.APPLIED);
        assertThat(truth.batches.between(EVERYTHING, MIDNIGHT.minusSeconds(1), MIDNIGHT.plusSeconds(1)))
                .as("waiting")
                .isEmpty();
        for (var store : IDS) {
            assertThat(truth.history(store, TONIGHT)).hasSize(1);
            for (var product : AT_ONCE) {
                assertThat(truth.price(store, product)).isEqualTo("5.49");
                assertThat(truth.history(store, product)).hasSize(1);
            }
        }
        for (var number = 0; number < 60; number++) {
            assertThat(truth.stores.find(EVERYTHING, new StoreId("FR-%04d".formatted(number))))
                    .isPresent();
        }
    }

    private static ImportStatus run(Imports imports, ImportStatus begun, List<ImportFile> files) {
        return imports.run(GRACE, begun.id(), files, ImportAbout.FILE, new ImportListener() {
            @Override
            public void progress(ImportStatus status) {}

            @Override
            public void rejected(ImportRejection rejection) {}
        });
    }

    private static List<ImportFile> storesFile(int rows) {
        return List.of(ImportFixture.stores(Stream.concat(
                        Stream.of("id,name,city,country,timeZone,currency"),
                        IntStream.range(0, rows).mapToObj("FR-%04d,Paris,Paris,FR,Europe/Paris,EUR"::formatted))
                .toArray(String[]::new)));
    }
}
