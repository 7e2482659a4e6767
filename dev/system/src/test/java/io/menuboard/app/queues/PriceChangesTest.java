package io.menuboard.app.queues;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.EventPattern;
import io.menuboard.local.aws.LocalAws;
import io.menuboard.local.aws.LocalBus;
import io.menuboard.local.aws.LocalScheduler.Misfire;
import io.menuboard.local.aws.Template;
import io.menuboard.messaging.ChangeBatchHandler;
import io.menuboard.messaging.ChangeHandler;
import io.menuboard.messaging.QueueConsumer;
import io.menuboard.pricing.Address;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceHistory;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.StoreStatus;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.batches.BatchSchedules;
import io.menuboard.pricing.batches.ChangeBatches;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.events.PriceEventReplay;
import io.menuboard.pricing.events.ReplayPriceEvents;
import io.menuboard.pricing.events.ReplayPriceEventsResult;
import io.menuboard.pricing.imports.ImportAbout;
import io.menuboard.pricing.imports.ImportFile;
import io.menuboard.pricing.imports.ImportKind;
import io.menuboard.pricing.imports.ImportListener;
import io.menuboard.pricing.imports.ImportStatus;
import io.menuboard.pricing.imports.Imports;
import io.menuboard.pricing.imports.SamplePrices;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Price changes from the use case to the bus, through the application and all that stands in for AWS. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PriceChangesTest {
    private static final int LINES = 100;
    private static final int FEW = 10;
    private static final ZoneId ZONE = ZoneId.of("Asia/Kathmandu");
    private static final Access GRACE = new Access(Principal.withEveryRole("grace"), Actor.Source.CSV);

    private final LocalAws aws = LocalAws.start(null, "price-changes");
    private final ApplicationContext context = context();
    private final Stores stores = context.getBean(Stores.class);
    private final Pricing pricing = context.getBean(Pricing.class);
    private final ChangeSets sets = context.getBean(ChangeSets.class);
    private final ChangeBatches batches = context.getBean(ChangeBatches.class);
    private final BatchSchedules schedules = context.getBean(BatchSchedules.class);

    @SuppressWarnings("NullAway.Init") // before all tests
    private EffectiveDate at;

    @SuppressWarnings("NullAway.Init") // before all tests
    private ChangeSet scheduled;

    private ApplicationContext context() {
        var properties = new HashMap<>(aws.properties());
        properties.put("micronaut.server.port", -1);
        properties.put("menuboard.queues.backoff", "0s");
        properties.put("menuboard.queues.long-poll", "1s");
        properties.put("menuboard.scheduler.soon", "0s");
        var built = ApplicationContext.builder().properties(properties).start();
        built.getBean(EmbeddedServer.class).start();
        return built;
    }

    /** Schedules one change of four stores, which falls due while other tests run. */
    @BeforeAll
    void scheduleFourStores() {
        var stores = List.of("due", "twice", "late", "never");
        stores.forEach(this::prices);
        misfire("twice", new Misfire.Twice());
        misfire("late", new Misfire.Late(Duration.ofSeconds(3)));
        misfire("never", new Misfire.Never());
        at = soon();

        scheduled = apply(draft(csv(stores, FEW), at));

        // On a machine under load it may be due before anybody has looked.
        await().until(() -> isDue() || stores.stream().allMatch(store -> schedules.isScheduled(batch(store))));
        var before = events(scheduled);
        assertThat(before.isEmpty() || isDue()).isTrue();
    }

    private void misfire(String store, Misfire kind) {
        aws.scheduler().misfire("\"store\":\"" + store + "\"", kind);
    }

    private boolean isDue() {
        return !pricing.now().isBefore(at.startsAt(ZONE));
    }

    private PriceBatch batch(String store) {
        return new PriceBatch(new StoreId(store), Channel.ALL, at);
    }

    @AfterAll
    void stop() {
        context.close();
        aws.close();
    }

    @Test
    void queuesGetWhatTheirHandlersWant() {
        var template = Template.menuboard();
        assertThat(context.getBeansOfType(ChangeHandler.class).stream()
                        .flatMap(handler -> handler.types().stream())
                        .collect(toSet()))
                .isEqualTo(types(template.subscriptionFilter("ChangesSubscription")));
        assertThat(context.getBean(ChangeBatchHandler.class).types())
                .isEqualTo(types(template.subscriptionFilter("FavoritesSubscription")));
    }

    private static Set<String> types(EventPattern filter) {
        return filter.pattern().findValues("S").stream()
                .flatMap(JsonNode::valueStream)
                .map(JsonNode::asText)
                .collect(toSet());
    }

    @Test
    void everyQueueThatIsConfiguredIsConsumed() {
        assertThat(context.getBeansOfType(QueueConsumer.class)).hasSize(3);
    }

    @Test
    void aHundredLinesGiveAHundredHistoryRowsAndEventsAndTheSameFileAgainNone() {
        prices("csv");
        var file = csv("csv", LINES);

        var set = apply(draft(file, null));

        awaitEvents(set, LINES);
        assertThat(history("csv")).hasSize(LINES);
        var again = imported(file, null);
        assertThat(again.unchanged()).isEqualTo(LINES);
        assertThat(again.changeSet()).isNull();
        // What comes after it has come through, and nothing else.
        awaitEvents(apply(draft("store,product,operation,amount\ncsv," + product(0) + ",SET,5.59\n", null)), 1);
        assertThat(history("csv")).hasSize(LINES + 1);
    }

    @Test
    void whatIsDueIsAppliedByTheQueueAndAnnounced() {
        awaitEvents(scheduled, "due", FEW);

        assertThat(history("due")).hasSize(FEW);
        await().until(() -> !schedules.isScheduled(batch("due")));
        assertThat(isWaiting(batch("due"))).isFalse();
    }

    @Test
    void aMessageThatComesTwiceOrLateChangesAndAnnouncesNothingTwice() {
        awaitEvents(scheduled, "late", FEW);
        awaitEvents(scheduled, "twice", FEW);
        await().until(() -> aws.queues().isEmpty(aws.due().url()));

        assertThat(events(scheduled, "twice")).hasSize(FEW);
        assertThat(history("twice")).hasSize(FEW);
        assertThat(events(scheduled, "late")).hasSize(FEW);
        assertThat(history("late")).hasSize(FEW);
    }

    @Test
    void aPriceTakesEffectAtItsInstantThoughNoEventIsDelivered() {
        await().atMost(Duration.ofSeconds(30)).until(this::isDue);

        assertThat(price("never", pricing.now())).isEqualTo("5.49");
        assertThat(price("never", at.startsAt(ZONE).minusMillis(1))).isEqualTo("4.99");
        assertThat(price("never", at.startsAt(ZONE))).isEqualTo("5.49");
        assertThat(history("never")).isEmpty();
        assertThat(isWaiting(batch("never"))).isTrue();
    }

    @Test
    void aCancelledSetLeavesNoSchedule() {
        prices("cancelled");
        var at = new EffectiveDate(
                LocalDateTime.now(Clock.system(ZONE)).plusDays(3).withNano(0));
        var batch = new PriceBatch(new StoreId("cancelled"), Channel.ALL, at);
        var set = apply(draft(csv("cancelled", FEW), at));
        await().until(() -> schedules.isScheduled(batch));

        sets.cancel(GRACE, set.id());

        await().until(() -> !schedules.isScheduled(batch));
        assertThat(isWaiting(batch)).isFalse();
    }

    @Test
    void anEventThatTheBusRefusesIsPublishedLater() {
        prices("refused");
        aws.bus().refuseNext(3);

        var set = apply(draft("store,product,operation,amount\nrefused," + product(0) + ",SET,5.49\n", null));

        awaitEvents(set, 1);
    }

    @Test
    void eventsThatWereLostArePublishedAgainAsTheyWere() {
        prices("replayed");
        var begun = Instant.now(Clock.systemUTC()).minusSeconds(60);
        var set = apply(draft(csv("replayed", FEW), null));
        awaitEvents(set, FEW);
        var first = events(set);
        var stores = new StoreSelection.Listed(List.of(new StoreId("replayed")));

        var started = context.getBean(PriceEventReplay.class)
                .start(GRACE, new ReplayPriceEvents(stores, begun, begun.plus(Duration.ofHours(1))), null);

        assertThat(started).isInstanceOf(ReplayPriceEventsResult.Started.class);
        await().until(() -> first.stream().allMatch(event -> Collections.frequency(told(set), event) > 1));
        assertThat(told(set)).hasSameElementsAs(first);
    }

    private static String product(int line) {
        return "P%03d".formatted(line);
    }

    private static String csv(String store, int lines) {
        return csv(List.of(store), lines);
    }

    private static String csv(List<String> stores, int lines) {
        return stores.stream()
                .flatMap(store -> IntStream.range(0, lines).mapToObj(line -> store + "," + product(line) + ",SET,5.49"))
                .collect(joining("\n", "store,product,operation,amount\n", "\n"));
    }

    /** Late enough that it is drafted and applied before. */
    private static EffectiveDate soon() {
        return new EffectiveDate(
                LocalDateTime.now(Clock.system(ZONE)).plusSeconds(8).withNano(0));
    }

    private static Store store(String id) {
        return new Store(
                new StoreId(id), "Store " + id, Address.UNKNOWN, ZONE, Money.currencyOf("EUR"), StoreStatus.OPEN);
    }

    private void prices(String id) {
        var store = store(id);
        stores.save(EVERYTHING, List.of(store));
        SamplePrices.save(
                context.getBean(Imports.class),
                sets,
                IntStream.range(0, LINES)
                        .mapToObj(line -> new BasePrice(
                                store,
                                Channel.ALL,
                                new ProductId(product(line)),
                                EffectiveDate.parse("2020-01-01"),
                                new Money(new BigDecimal("4.99"), Money.currencyOf("EUR"))))
                        .toList());
    }

    private ChangeSet draft(String csv, @Nullable EffectiveDate at) {
        return sets.find(GRACE, Objects.requireNonNull(imported(csv, at).changeSet(), "nothing changes"))
                .orElseThrow();
    }

    private ImportStatus imported(String csv, @Nullable EffectiveDate at) {
        var bytes = csv.getBytes(UTF_8);
        var files = List.of(
                new ImportFile(ImportKind.CHANGES, "changes.csv", bytes.length, () -> new ByteArrayInputStream(bytes)));
        var imports = context.getBean(Imports.class);
        var about = new ImportAbout("File", "costs rose", at);
        var ended = imports.run(GRACE, imports.begin(GRACE, files).id(), files, about, ImportListener.NONE);
        assertThat(ended.rejected()).isZero();
        return ended;
    }

    private ChangeSet apply(ChangeSet draft) {
        return done(sets.applyAccepted(GRACE, draft.id(), String.valueOf(draft.token())));
    }

    private static ChangeSet done(ChangeSetResult result) {
        if (result instanceof ChangeSetResult.Done(var set, var _)) {
            return set;
        }
        throw new AssertionError(result);
    }

    private List<LocalBus.Event> told(ChangeSet set) {
        return aws.bus().events().stream()
                .filter(event -> event.detail()
                        .path("changeSet")
                        .asText()
                        .equals(set.id().value()))
                .toList();
    }

    /** One of each id: where a message is told twice, as queues may on a busy machine, so is its event, with the same id. */
    private List<LocalBus.Event> events(ChangeSet set) {
        return List.copyOf(told(set).stream()
                .collect(Collectors.toMap(
                        event -> event.detail().path("id").asText(),
                        event -> event,
                        (first, _) -> first,
                        LinkedHashMap::new))
                .values());
    }

    private List<LocalBus.Event> events(ChangeSet set, String store) {
        return events(set).stream()
                .filter(event -> event.detail().path("store").asText().equals(store))
                .toList();
    }

    private void awaitEvents(ChangeSet set, String store, int count) {
        await().atMost(Duration.ofSeconds(60)).until(() -> events(set, store).size() >= count);
        assertThat(events(set, store)).hasSize(count);
    }

    private void awaitEvents(ChangeSet set, int count) {
        await().atMost(Duration.ofSeconds(60)).until(() -> events(set).size() >= count);
        assertThat(events(set)).hasSize(count);
    }

    private List<String> history(String store) {
        var history = context.getBean(PriceHistory.class);
        return IntStream.range(0, LINES)
                .mapToObj(line -> new PriceSubject.Product(new ProductId(product(line))))
                .flatMap(subject -> history
                        .of(EVERYTHING, new StoreId(store), Channel.ALL, subject, PageRequest.forward(10, null))
                        .nodes()
                        .stream())
                .map(entry -> entry.subject() + " " + entry.before() + " " + entry.after())
                .toList();
    }

    private String price(String store, Instant at) {
        return pricing.price(EVERYTHING, new StoreId(store), new ProductId(product(0)), Channel.ALL, at)
                .map(price -> price.price().amount().toPlainString())
                .orElse("");
    }

    private boolean isWaiting(PriceBatch batch) {
        var at = batch.effectiveDate().startsAt(ZONE);
        return batches.between(EVERYTHING, at.minusSeconds(1), at.plusSeconds(1)).stream()
                .anyMatch(scheduled -> scheduled.batch().equals(batch));
    }
}
