package io.menuboard.pricing.imports;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.done;
import static io.menuboard.pricing.imports.ImportFixture.changes;
import static io.menuboard.pricing.imports.ImportFixture.prices;
import static io.menuboard.pricing.imports.ImportFixture.stores;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.menuboard.kernel.Money;
import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceHistoryEntry;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.batches.MemorySchedules;
import io.menuboard.pricing.changes.ChangeLine;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSetStatus;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.pricing.changes.Finding;
import io.menuboard.pricing.events.PriceUpdated;
import io.menuboard.querydb.DyingClient;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Item;
import io.menuboard.tasks.TasksFixture;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of prices and of changes: what they draft, and what becomes of that. */
class ImportedChangesTest {
    private static final String PRICES = "store,product,effectiveDate,amount";
    private static final String OF_CHANNELS = "store,channel,product,effectiveDate,amount";
    private static final String CHANGES = "store,channel,product,combo,option,operation,amount,percent,ending";
    private static final String TODAY = "2126-06-15";

    @RegisterExtension
    final FreshTable table = new FreshTable();

    @SuppressWarnings("NullAway.Init") // by JUnit
    private ImportFixture fixture;

    @BeforeEach
    void open() {
        fixture = new ImportFixture(table);
        fixture.run(
                stores("id,name,timeZone,currency", "B1,Berlin,Europe/Berlin,EUR", "B2,Berlin,Europe/Berlin,EUR"),
                prices(PRICES, "B1,BURGER,2126-01-01,5.00", "B1,WATER,2126-01-01,1.09"));
        fixture.clock.advance(Duration.ofMinutes(1));
    }

    @AfterEach
    void close() {
        fixture.changes.close();
    }

    /** The second row is as the price is now, and would change nothing by itself. */
    @ParameterizedTest
    @ValueSource(strings = {TODAY, "2126-06-16"})
    void aPromotionEndsWhenItsFileSaysSo(String begin) {
        var draft = drafted(fixture.drafted(prices(
                PRICES, "B1,BURGER," + begin + ",4.00", "B1,WATER,2126-06-20,1.09", "B1,BURGER,2126-06-20,5.00")));
        assertThat(fixture.changes.lines(draft))
                .extracting(ChangeLine::number, ChangeLine::finding)
                .containsExactlyInAnyOrder(tuple(2, Finding.WILL_CHANGE), tuple(4, Finding.WILL_CHANGE));

        var again = done(fixture.changes.drafts.preview(GRACE, draft.id()));
        fixture.changes.applied(again);

        assertThat(fixture.changes.price("B1", "BURGER", "2126-06-19T12:00:00Z"))
                .isEqualTo("4.00");
        assertThat(fixture.changes.price("B1", "BURGER", "2126-06-20T12:00:00Z"))
                .isEqualTo("5.00");
        assertThat(fixture.drafted(prices(PRICES, "B1,BURGER,2126-06-20,5.00")).unchanged())
                .as("planned so already")
                .isEqualTo(1);
    }

    /** The amount is the same, and what customers pay is not. */
    @Test
    void aPriceInAnotherCurrencyIsToBeAcceptedAndApproved() {
        var draft = drafted(fixture.drafted(prices(PRICES + ",currency", "B1,BURGER,2126-06-16,5.00,USD")));

        assertThat(fixture.changes.lines(draft)).singleElement().satisfies(line -> {
            assertThat(line.finding()).isEqualTo(Finding.MIXED_CURRENCIES);
            assertThat(line.message()).isEqualTo("the price is in EUR, and would be in USD");
        });
        assertThat(Objects.requireNonNull(
                                Objects.requireNonNull(draft.summary()).approvalFacts())
                        .largestPercent())
                .isEqualTo(1_000_000);
    }

    @Test
    void aPromotionIsRefusedThatComesAfterItsEndWasFoundToChangeNothing() {
        var ended = fixture.drafted(prices(
                PRICES,
                "B1,BURGER,2126-06-20,5.00",
                "B1,BURGER,2126-06-16,4.00",
                "B1,WATER,2126-06-22,1.29",
                "B1,WATER,2126-06-18,1.19"));

        assertThat(fixture.rejections).singleElement().satisfies(rejected -> {
            assertThat(rejected.row()).isEqualTo(3);
            assertThat(rejected.field()).isEqualTo("effectiveDate");
            assertThat(rejected.rule()).contains("after that of row 2");
        });
        assertThat(List.of(ended.changed(), ended.unchanged(), ended.rejected()))
                .containsExactly(2, 1, 1);
    }

    @Test
    void rowsThatChangeNothingAreNotWrittenBecauseAnEarlierOneOfTheirPriceIsThere() {
        var ended = fixture.drafted(prices(
                PRICES,
                "B1,BURGER,2126-06-16,5.00",
                "B1,BURGER,2126-06-20,5.00",
                "B1,WATER,2126-06-16,1.19",
                "B1,WATER,2126-06-20,1.09"));

        assertThat(List.of(ended.changed(), ended.unchanged(), ended.rejected()))
                .containsExactly(2, 2, 0);
        assertThat(fixture.changes.lines(drafted(ended)))
                .extracting(line -> line.subject().name())
                .containsOnly("WATER");
    }

    /** Promotions from one hour to another, which is over. */
    @ParameterizedTest
    @CsvSource({
        "B1,BURGER,2126-06-15T06:00,4.00, B1,BURGER,2126-06-15T08:00,5.00, effectiveDate must be to come: row 2",
        "B1,BURGER,2126-06-15T08:00,5.00, B1,BURGER,2126-06-15T06:00,4.00, effectiveDate must be after that of row 2"
    })
    void aPromotionThatIsOverIsNotImportedWithoutItsEnd(
            String store,
            String product,
            String date,
            String amount,
            String store2,
            String product2,
            String date2,
            String amount2,
            String rule) {
        fixture.drafted(prices(
                PRICES,
                String.join(",", store, product, date, amount),
                String.join(",", store2, product2, date2, amount2)));

        assertThat(fixture.rejections).singleElement().satisfies(rejected -> {
            assertThat(rejected.row()).isEqualTo(3);
            assertThat(rejected.rule()).startsWith(rule);
        });
    }

    @Test
    void aPromotionThatIsOverWhenItIsPreviewedAgainLeavesThePriceAsItIs() {
        var draft = drafted(fixture.drafted(prices(
                PRICES,
                "B1,BURGER,2126-06-16T06:00,4.00",
                "B1,BURGER,2126-06-16T08:00,5.00",
                "B1,WATER,2126-06-20,1.19")));
        fixture.clock.set(Instant.parse("2126-06-16T12:00:00Z"));

        var again = done(fixture.changes.drafts.preview(GRACE, draft.id()));

        var summary = Objects.requireNonNull(again.summary());
        assertThat(List.of(
                        summary.count(Finding.WILL_CHANGE),
                        summary.count(Finding.INVALID),
                        summary.count(Finding.NO_CHANGE)))
                .containsExactly(1, 1, 1);
        assertThat(fixture.changes.lines(again))
                .extracting(ChangeLine::number, ChangeLine::finding)
                .containsExactly(tuple(4, Finding.WILL_CHANGE), tuple(2, Finding.INVALID));
        var onceMore = done(fixture.changes.drafts.preview(GRACE, draft.id()));
        assertThat(fixture.changes.lines(onceMore)).isEqualTo(fixture.changes.lines(again));
        assertThat(Objects.requireNonNull(onceMore.summary()).count(Finding.INVALID))
                .isEqualTo(1);
        fixture.changes.applied(onceMore);
        assertThat(price("B1", "BURGER")).isEqualTo("5.00");
    }

    @Test
    void aPriceChangesWhenItsDraftIsAppliedAndNotBefore() {
        var ended = fixture.drafted(prices(PRICES, "B1,WATER," + TODAY + ",109.00", "B1,BURGER," + TODAY + ",5.50"));

        var draft = drafted(ended);
        assertThat(List.of(ended.created(), ended.changed(), ended.unchanged(), ended.rejected()))
                .containsExactly(0, 2, 0, 0);
        assertThat(draft.imported()).isEqualTo(ended.id());
        assertThat(draft.name()).isEqualTo("prices.csv");
        assertThat(draft.reason()).isEqualTo("Import of prices.csv");
        assertThat(fixture.changes.lines(draft))
                .extracting(ChangeLine::number, line -> line.subject().name(), ChangeLine::finding)
                .containsExactly(tuple(2, "WATER", Finding.SUSPICIOUS), tuple(3, "BURGER", Finding.WILL_CHANGE));
        assertThat(price("B1", "WATER")).isEqualTo("1.09");
        assertThat(fixture.changes.sets.apply(GRACE, draft.id(), String.valueOf(draft.token())))
                .isInstanceOf(ChangeSetResult.Suspicious.class);

        var applied = fixture.changes.applied(draft);

        assertThat(applied.status()).isEqualTo(ChangeSetStatus.APPLIED);
        assertThat(price("B1", "WATER")).isEqualTo("109.00");
        assertThat(history("WATER"))
                .extracting(PriceHistoryEntry::before, PriceHistoryEntry::after, PriceHistoryEntry::changeSet)
                .containsExactly(tuple(Money.of("1.09 EUR"), Money.of("109.00 EUR"), draft.id()));
        assertThat(fixture.audit
                        .bySubject("STORE#B1", PageRequest.forward(10, null))
                        .nodes())
                .extracting(record -> record.action())
                .contains("prices changed");
        fixture.clock.advance(Duration.ofMinutes(1));
        fixture.changes.applied(done(fixture.changes.drafts.draftUndo(GRACE, applied.id(), "a slip", null)));
        assertThat(price("B1", "WATER")).isEqualTo("1.09");
    }

    @Test
    void aProductThatIsNewToAStoreMayHaveSeveralDatesThatHaveBegun() {
        var draft = drafted(fixture.drafted(
                prices(PRICES, "B1,PIE,2126-03-01,3.50", "B1,PIE,2126-01-01,3.00", "B1,CAKE,2115-01-01,2.00")));

        var applied = fixture.changes.applied(draft);

        assertThat(applied.status()).isEqualTo(ChangeSetStatus.APPLIED);
        assertThat(price("B1", "PIE")).isEqualTo("3.50");
        assertThat(fixture.changes.price("B1", "PIE", "2126-02-01T00:00:00Z")).isEqualTo("3.00");
        assertThat(history("PIE"))
                .extracting(PriceHistoryEntry::before, PriceHistoryEntry::after)
                .containsExactlyInAnyOrder(
                        tuple(null, Money.of("3.00 EUR")), tuple(Money.of("3.00 EUR"), Money.of("3.50 EUR")));
        assertThat(history("PIE"))
                .flatExtracting(entry -> PriceUpdated.of(entry).stream().toList())
                .extracting(PriceUpdated::id)
                .hasSize(2)
                .doesNotHaveDuplicates();
        assertThat(history("CAKE")).as("for longer than history is kept").hasSize(1);
    }

    @Test
    void firstPricesOfAStoreAreLoadedAsTheyAreAndRemovedByUndoingThat() {
        var before = fixture.db.load("STORE#B2");
        var file = prices(PRICES, "B2,BURGER,2126-01-01,4.00", "B2,BURGER,2126-03-01,4.50", "B2,COLA,2126-01-01,2.00");
        var draft = drafted(fixture.drafted(file));
        assertThat(draft.summary())
                .satisfies(summary ->
                        assertThat(Objects.requireNonNull(summary).created()).isEqualTo(3));
        assertThat(fixture.changes.lines(draft)).isEmpty();
        assertThat(firstPrices(draft, null)).extracting(ChangeLine::number).containsExactly(2, 3, 4);

        var applied = fixture.changes.applied(draft);

        assertThat(applied.status()).isEqualTo(ChangeSetStatus.APPLIED);
        assertThat(fixture.changes.price("B2", "BURGER", "2126-02-01T00:00:00Z"))
                .isEqualTo("4.00");
        assertThat(price("B2", "BURGER")).isEqualTo("4.50");
        assertThat(fixture.changes.history("B2", "BURGER")).isEmpty();
        assertThat(fixture.db.load("STORE#B2")).extracting(Item::type).doesNotContain("priceLoad");
        assertThat(fixture.drafted(file).unchanged()).isEqualTo(3);

        fixture.changes.applied(done(fixture.changes.drafts.draftUndo(GRACE, applied.id(), "wrong file", null)));

        assertThat(fixture.db.load("STORE#B2")).isEqualTo(before);
        fixture.run(file);
        assertThat(price("B2", "BURGER")).isEqualTo("4.50");
    }

    @Test
    void chunksAreReadForFirstPricesOnlyWhereThereAreSome() {
        fixture.run(prices(PRICES, "B2,COLA,2126-01-01,2.00"));
        var changed =
                drafted(fixture.drafted(prices(PRICES, "B1,BURGER," + TODAY + ",5.50", "B1,COLA," + TODAY + ",2.00")));
        var loaded = drafted(fixture.drafted(prices(OF_CHANNELS, "B2,KIOSK,COLA," + TODAY + ",2.20")));

        assertThat(Objects.requireNonNull(changed.summary()).created())
                .as("a new price of a store that has others is listed")
                .isEqualTo(1);
        assertThat(readsOfChunks(changed, null)).isZero();
        assertThat(readsOfChunks(changed, Finding.NEW)).isZero();
        assertThat(readsOfChunks(loaded, Finding.WILL_CHANGE)).isZero();
        assertThat(readsOfChunks(loaded, Finding.NEW)).isPositive();
        assertThat(firstPrices(loaded, Finding.NEW)).hasSize(1);
    }

    @Test
    void firstPricesAreLookedForInNoMoreChunksThanOneCanWaitFor() {
        var draft = drafted(fixture.drafted(
                prices(OF_CHANNELS, "B2,ALL,COLA," + TODAY + ",2.00", "B2,KIOSK,COLA," + TODAY + ",2.20")));
        var lines = fixture.changes.setLines;

        try (var one = lines.firstPrices(GRACE, draft.id(), null, 1);
                var both = lines.firstPrices(GRACE, draft.id(), null, 2)) {
            assertThat(one).hasSize(1);
            assertThat(both).hasSize(2);
        }
    }

    /** Requests for chunks while the first prices of a set are read. */
    private long readsOfChunks(ChangeSet set, @Nullable Finding finding) {
        var _ = table.meter().during(() -> firstPrices(set, finding));
        return table.meter().usages().stream()
                .filter(usage -> usage.operation().equals("changeChunks"))
                .count();
    }

    private List<ChangeLine> firstPrices(ChangeSet set, @Nullable Finding finding) {
        try (var first = fixture.changes.setLines.firstPrices(GRACE, set.id(), finding)) {
            return first.toList();
        }
    }

    @Test
    void aFirstPriceThatNeedsAcceptanceIsListedAndNotAmongTheOthers() {
        var draft = drafted(fixture.drafted(prices(
                OF_CHANNELS,
                "B1,KIOSK,BURGER," + TODAY + ",500.00",
                "B1,KIOSK,WATER," + TODAY + ",1.19",
                "B1,KIOSK,COLA," + TODAY + ",2.00")));

        assertThat(fixture.changes.lines(draft))
                .extracting(ChangeLine::number, ChangeLine::finding)
                .containsExactly(tuple(2, Finding.SUSPICIOUS));
        assertThat(firstPrices(draft, null)).extracting(ChangeLine::number).containsExactlyInAnyOrder(3, 4);
        assertThat(firstPrices(draft, Finding.NEW)).hasSize(2);
        assertThat(Objects.requireNonNull(draft.summary()).unlisted(Finding.NEW))
                .hasValue(2);
    }

    @Test
    void aFileOfMoreLinesThanRulesMayExpandToIsPreviewedAgainAndUndone() {
        var load = drafted(fixture.drafted(prices(PRICES, "B2,BURGER,2126-01-01,4.00", "B2,COLA,2126-01-01,2.00")));
        var changes = drafted(fixture.drafted(changes(CHANGES, "B1,,BURGER,,,ADD,0.10,,", "B1,,WATER,,,ADD,0.10,,")));
        try (var strict = ChangesFixture.ofAtMost(1, fixture.db, fixture.clock)) {
            strict.applied(done(strict.drafts.preview(GRACE, changes.id())));
            strict.applied(done(strict.drafts.preview(GRACE, load.id())));
            assertThat(List.of(price("B1", "BURGER"), price("B2", "BURGER"))).containsExactly("5.10", "4.00");

            strict.applied(done(strict.drafts.draftUndo(GRACE, changes.id(), "wrong file", null)));
            strict.applied(done(strict.drafts.draftUndo(GRACE, load.id(), "wrong file", null)));
        }

        assertThat(List.of(price("B1", "BURGER"), price("B1", "WATER"))).containsExactly("5.00", "1.09");
        assertThat(price("B2", "BURGER")).isEmpty();
    }

    @Test
    void aPriceThatWasLoadedAndChangedLaterByOneFileIsGoneWhenThatIsUndone() {
        var draft = drafted(fixture.drafted(
                prices(PRICES, "B2,BURGER,2126-01-01,4.00", "B2,BURGER,2126-07-01,4.50", "B2,COLA,2126-01-01,2.00")));
        var applied = fixture.changes.applied(draft);
        fixture.clock.set(Instant.parse("2126-07-01T12:00:00Z"));
        fixture.changes.reconcile(new MemorySchedules());
        assertThat(price("B2", "BURGER")).isEqualTo("4.50");

        var undo = done(fixture.changes.drafts.draftUndo(GRACE, applied.id(), "wrong file", null));

        assertThat(Objects.requireNonNull(undo.summary()).count(Finding.DELETION))
                .isEqualTo(2);
        assertThat(undo.summary().lines()).isEqualTo(2);
        fixture.changes.applied(undo);
        assertThat(price("B2", "BURGER")).isEmpty();
        assertThat(price("B2", "COLA")).isEmpty();
    }

    @Test
    void aLoadedPriceIsRemovedByUndoWhereItsLaterOneWasTakenBack() {
        var before = fixture.db.load("STORE#B2");
        var draft = drafted(fixture.drafted(prices(PRICES, "B2,BURGER,2126-01-01,4.00", "B2,BURGER,2126-07-01,4.50")));
        var applied = fixture.changes.applied(draft);
        assertThat(done(fixture.changes.sets.cancel(GRACE, applied.id())).status())
                .isEqualTo(ChangeSetStatus.PARTLY_APPLIED);

        fixture.changes.applied(done(fixture.changes.drafts.draftUndo(GRACE, applied.id(), "wrong file", null)));

        assertThat(fixture.db.load("STORE#B2")).isEqualTo(before);
    }

    @Test
    void anUndoSaysOfALoadedPriceThatAnotherSetHasTakenItsLaterPlace() {
        var draft = drafted(fixture.drafted(prices(PRICES, "B2,BURGER,2126-01-01,4.00", "B2,BURGER,2126-07-01,4.50")));
        var applied = fixture.changes.applied(draft);
        fixture.clock.advance(Duration.ofSeconds(1));
        fixture.changes.applied(ChangesFixture.draft(
                "2126-07-01", ChangesFixture.rule(ChangesFixture.setTo("7.00"), List.of("B2"), "BURGER")));
        fixture.clock.set(Instant.parse("2126-07-01T12:00:00Z"));
        fixture.changes.reconcile(new MemorySchedules());

        var undo = done(fixture.changes.drafts.draftUndo(GRACE, applied.id(), "wrong file", null));

        assertThat(fixture.changes.lines(undo))
                .extracting(line -> line.subject().name(), ChangeLine::finding)
                .containsExactly(tuple("BURGER", Finding.INVALID));
    }

    @Test
    void anUndoOfAnUndoListsTheFirstPriceThatIsAnotherOneSince() {
        var load = fixture.changes.applied(
                drafted(fixture.drafted(prices(PRICES, "B2,BURGER,2126-01-01,4.00", "B2,COLA,2126-01-01,2.00"))));
        var undo =
                fixture.changes.applied(done(fixture.changes.drafts.draftUndo(GRACE, load.id(), "wrong file", null)));
        fixture.clock.advance(Duration.ofMinutes(1));
        fixture.changes.applied(
                ChangesFixture.draft(null, ChangesFixture.rule(ChangesFixture.setTo("7.00"), List.of("B2"), "BURGER")));

        var again = done(fixture.changes.drafts.draftUndo(GRACE, undo.id(), "right after all", null));

        assertThat(fixture.changes.lines(again))
                .extracting(line -> line.subject().name(), ChangeLine::finding)
                .contains(tuple("BURGER", Finding.INVALID));
    }

    @Test
    void aPriceThatCameBackAtSeveralDatesIsGoneWhenThatIsUndone() {
        var load = fixture.changes.applied(
                drafted(fixture.drafted(prices(PRICES, "B2,BURGER,2126-01-01,4.00", "B2,BURGER,2126-03-01,4.50"))));
        var removed = undone(load);
        // With a price of another product the store is not loaded any more.
        fixture.changes.applied(
                ChangesFixture.draft(null, ChangesFixture.rule(ChangesFixture.setTo("2.00"), List.of("B2"), "COLA")));
        var restored = undone(removed);
        assertThat(price("B2", "BURGER")).isEqualTo("4.50");
        assertThat(fixture.changes.price("B2", "BURGER", "2126-02-01T00:00:00Z"))
                .isEqualTo("4.00");

        var undone = undone(restored);

        assertThat(undone.status()).isEqualTo(ChangeSetStatus.APPLIED);
        assertThat(price("B2", "BURGER")).isEmpty();
        assertThat(price("B2", "COLA")).isEqualTo("2.00");
    }

    /** The set that puts that one back, applied a minute later. */
    private ChangeSet undone(ChangeSet set) {
        fixture.clock.advance(Duration.ofMinutes(1));
        return fixture.changes.applied(done(fixture.changes.drafts.draftUndo(GRACE, set.id(), "wrong file", null)));
    }

    @Test
    void aProductIsKnownOnceTheFileItselfLoadsIt() {
        var draft = drafted(fixture.drafted(prices(PRICES, "B2,PIE,2126-01-01,4.00", "B2,PIE,2126-07-01,4.50")));

        assertThat(Objects.requireNonNull(draft.summary()).count(Finding.NEW)).isEqualTo(2);
    }

    @Test
    void ofTwoFirstLoadsOfOneStoreTheSecondIsRefused() {
        var one = drafted(fixture.drafted(prices(PRICES, "B2,BURGER,2126-01-01,4.00")));
        var other = drafted(fixture.drafted(prices(PRICES, "B2,BURGER,2126-01-01,9.00", "B2,COLA,2126-01-01,9.00")));
        fixture.changes.applied(one);

        var result = fixture.changes.sets.applyAccepted(GRACE, other.id(), String.valueOf(other.token()));

        assertThat(result).isInstanceOf(ChangeSetResult.Stale.class);
        assertThat(price("B2", "BURGER")).isEqualTo("4.00");
        assertThat(price("B2", "COLA")).isEmpty();
    }

    @Test
    void aSetIsCancelledWhereNothingOfItIsLeftThoughItsFirstPricesCameTooLate() {
        var late = drafted(fixture.drafted(prices(PRICES, "B2,BURGER,2126-01-01,4.00", "B2,COLA,2126-07-01,2.00")));
        fixture.run(prices(PRICES, "B2,WATER,2126-01-01,1.00"));
        fixture.changes.applied(late);
        assertThat(fixture.changes.lines(
                        fixture.changes.sets.find(GRACE, late.id()).orElseThrow()))
                .extracting(ChangeLine::outcome)
                .contains(ChangeLine.Outcome.SCHEDULED);

        var cancelled = done(fixture.changes.sets.cancel(GRACE, late.id()));

        assertThat(cancelled.status()).isEqualTo(ChangeSetStatus.CANCELLED);
        assertThat(price("B2", "BURGER")).isEmpty();
        assertThat(upcoming("B2")).isEmpty();
    }

    /** Wherever its process dies, and its task is given up. */
    @Test
    void ofALoadThatWasCutOffNothingIsLeftOnceItIsCancelledAndUndone() {
        var isDead = true;
        for (var step = 0; isDead; step++) {
            var store = "L" + step;
            fixture.run(stores("id,name,timeZone,currency", store + ",Berlin,Europe/Berlin,EUR"));
            var draft = drafted(fixture.drafted(
                    prices(PRICES, store + ",BURGER,2126-01-01,4.00", store + ",COLA,2126-01-01,2.00")));
            var client = new DyingClient(LocalDynamoDb.shared().directClient(), step, true);
            try (var dying = new ChangesFixture(table.queryDb(client.proxy(), fixture.clock), fixture.clock)) {
                dying.sets.applyAccepted(GRACE, draft.id(), String.valueOf(draft.token()));
            } catch (UncheckedIOException _) {
                // It died.
            }
            isDead = client.isDead();
            var sets = fixture.changes.sets;
            var left = sets.find(GRACE, draft.id()).orElseThrow();
            if (left.task() != null && left.status() == ChangeSetStatus.APPLYING) {
                fixture.changes.tasks.administration().cancel(TasksFixture.STAFF, left.task(), "gave up");
            }

            if (!price(store, "BURGER").isEmpty() || !price(store, "COLA").isEmpty()) {
                var _ = sets.cancel(GRACE, draft.id());
                fixture.changes.applied(done(fixture.changes.drafts.draftUndo(GRACE, draft.id(), "cut off", null)));
            }

            assertThat(price(store, "BURGER") + price(store, "COLA"))
                    .as("step %d", step)
                    .isEmpty();
        }
    }

    /** Wherever its process dies, and its task is given up. */
    @Test
    void whatAnUndoOfALoadHadRemovedBeforeItWasCutOffCanBePutBackOnceItIsCancelled() {
        var isDead = true;
        for (var step = 0; isDead; step++) {
            var store = "U" + step;
            fixture.run(stores("id,name,timeZone,currency", store + ",Berlin,Europe/Berlin,EUR"));
            var load = fixture.changes.applied(drafted(fixture.drafted(
                    prices(PRICES, store + ",BURGER,2126-01-01,4.00", store + ",COLA,2126-01-01,2.00"))));
            var undo = done(fixture.changes.drafts.draftUndo(GRACE, load.id(), "wrong file", null));
            var client = new DyingClient(LocalDynamoDb.shared().directClient(), step, true);
            try (var dying = new ChangesFixture(table.queryDb(client.proxy(), fixture.clock), fixture.clock)) {
                dying.sets.applyAccepted(GRACE, undo.id(), String.valueOf(undo.token()));
            } catch (UncheckedIOException _) {
                // It died.
            }
            isDead = client.isDead();
            var sets = fixture.changes.sets;
            var left = sets.find(GRACE, undo.id()).orElseThrow();
            if (left.task() != null && left.status() == ChangeSetStatus.APPLYING) {
                fixture.changes.tasks.administration().cancel(TasksFixture.STAFF, left.task(), "gave up");
            }
            var _ = sets.cancel(GRACE, undo.id());

            if (price(store, "BURGER").isEmpty() || price(store, "COLA").isEmpty()) {
                assertThat(sets.find(GRACE, load.id()).orElseThrow())
                        .as("step %d", step)
                        .extracting(ChangeSet::status, ChangeSet::undoneBy)
                        .containsExactly(ChangeSetStatus.UNDONE, undo.id());
                fixture.changes.applied(done(fixture.changes.drafts.draftUndo(GRACE, undo.id(), "cut off", null)));
            }

            assertThat(List.of(price(store, "BURGER"), price(store, "COLA")))
                    .as("step %d", step)
                    .containsExactly("4.00", "2.00");
        }
    }

    @Test
    void whatFailedOfAFileIsTriedAgainAtOnceWhereItsDayHasPassedSince() {
        fixture.run(prices(rows("B2", "2126-01-01", "4.00")));
        var set = drafted(fixture.drafted(prices(rows("B2", "2126-06-16", "5.00"))));
        // The day begins before the set is applied.
        fixture.clock.set(Instant.parse("2126-06-15T22:00:00Z"));
        var _ = fixture.changes.sets.applyAccepted(GRACE, set.id(), String.valueOf(set.token()));
        assertThat(fixture.changes.sets.find(GRACE, set.id()))
                .hasValueSatisfying(failed -> assertThat(failed.status()).isEqualTo(ChangeSetStatus.FAILED));
        fixture.clock.set(Instant.parse("2126-06-18T10:00:00Z"));
        fixture.changes.applied(
                ChangesFixture.draft(null, ChangesFixture.rule(ChangesFixture.setTo("4.50"), List.of("B2"), "P1")));
        fixture.clock.advance(Duration.ofMinutes(1));

        var retry = done(fixture.changes.drafts.draftRetry(GRACE, set.id(), null));

        assertThat(fixture.changes.lines(retry))
                .filteredOn(line -> line.finding() != Finding.WILL_CHANGE)
                .extracting(line -> line.subject().name(), ChangeLine::finding)
                .as("changed since that day")
                .containsExactly(tuple("P1", Finding.INVALID));
        fixture.changes.applied(retry);
        assertThat(price("B2", "P0")).isEqualTo("5.00");
        assertThat(price("B2", "P1")).isEqualTo("4.50");
        assertThat(fixture.changes.price("B2", "P0", "2126-06-18T09:59:59Z")).isEqualTo("4.00");
    }

    @Test
    void whatFailedOfAFileIsNotTriedAgainOnItsDayWhereThePriceHasBeenChangedSince() {
        fixture.run(prices(rows("B2", "2126-01-01", "4.00")));
        var set = drafted(fixture.drafted(prices(rows("B2", "2126-06-16", "5.00"))));
        fixture.clock.set(Instant.parse("2126-06-15T22:00:00Z"));
        var _ = fixture.changes.sets.applyAccepted(GRACE, set.id(), String.valueOf(set.token()));
        fixture.clock.set(Instant.parse("2126-06-16T08:00:00Z"));
        fixture.changes.applied(
                ChangesFixture.draft(null, ChangesFixture.rule(ChangesFixture.setTo("4.50"), List.of("B2"), "P1")));
        fixture.clock.advance(Duration.ofHours(1));

        fixture.changes.applied(done(fixture.changes.drafts.draftRetry(GRACE, set.id(), null)));

        assertThat(price("B2", "P0")).isEqualTo("5.00");
        assertThat(price("B2", "P1")).isEqualTo("4.50");
    }

    @Test
    void ofSeveralDatesOfOnePriceThatFailedTheLatestCountsWhereTheyAreTriedAgain() {
        fixture.run(prices(rows("B2", "2126-01-01", "4.00")));
        var rows = Stream.concat(Stream.of(rows("B2", "2126-06-16", "5.00")), Stream.of("B2,P0,2126-06-17,6.00"));
        var set = drafted(fixture.drafted(prices(rows.toArray(String[]::new))));
        fixture.clock.set(Instant.parse("2126-06-16T22:00:00Z"));
        var _ = fixture.changes.sets.applyAccepted(GRACE, set.id(), String.valueOf(set.token()));
        fixture.clock.set(Instant.parse("2126-06-18T10:00:00Z"));

        var retry = done(fixture.changes.drafts.draftRetry(GRACE, set.id(), null));

        assertThat(fixture.changes.lines(retry))
                .filteredOn(line -> line.subject().name().equals("P0") && line.finding() == Finding.INVALID)
                .singleElement()
                .satisfies(line -> assertThat(line.message())
                        .isEqualTo("effectiveDate must be to come: row 22 changes this price at once"));
        fixture.changes.applied(retry);
        assertThat(price("B2", "P0")).isEqualTo("6.00");
        assertThat(price("B2", "P1")).isEqualTo("5.00");
    }

    @Test
    void aPromotionThatFailedAndIsOverIsNotTriedAgain() {
        fixture.run(prices(rows("B2", "2126-01-01", "4.00")));
        var rows = Stream.concat(Stream.of(rows("B2", "2126-06-16", "5.00")), Stream.of("B2,P0,2126-06-17,4.00"));
        var set = drafted(fixture.drafted(prices(rows.toArray(String[]::new))));
        fixture.clock.set(Instant.parse("2126-06-16T22:00:00Z"));
        var _ = fixture.changes.sets.applyAccepted(GRACE, set.id(), String.valueOf(set.token()));
        assertThat(fixture.changes.sets.find(GRACE, set.id()))
                .hasValueSatisfying(failed -> assertThat(failed.status()).isEqualTo(ChangeSetStatus.FAILED));
        fixture.clock.set(Instant.parse("2126-06-18T10:00:00Z"));

        fixture.changes.applied(done(fixture.changes.drafts.draftRetry(GRACE, set.id(), null)));

        assertThat(price("B2", "P0")).isEqualTo("4.00");
        assertThat(price("B2", "P1")).isEqualTo("5.00");
    }

    /** More prices than one transaction takes. */
    private static String[] rows(String store, String date, String amount) {
        return Stream.concat(
                        Stream.of(PRICES),
                        IntStream.range(0, 20).mapToObj(number -> store + ",P" + number + "," + date + "," + amount))
                .toArray(String[]::new);
    }

    @Test
    void noOtherFirstPriceIsMadeWhileFirstPricesAreLoaded() {
        var set = fixture.changes.drafted(
                ChangesFixture.draft(null, ChangesFixture.rule(ChangesFixture.setTo("3.00"), List.of("B2"), "BURGER")));
        var loads = fixture.changes;
        var loading = ChangeSetId.random(fixture.clock.instant(), new java.util.Random(1));
        assertThat(loads.guardLoad(loading, new StoreId("B2"), Channel.ALL)).isTrue();
        assertThat(loads.guardLoad(loading, new StoreId("B2"), Channel.ALL))
                .as("again")
                .isTrue();
        assertThat(loads.guardLoad(set.id(), new StoreId("B2"), Channel.ALL)).isFalse();

        assertThat(fixture.changes.sets.applyAccepted(GRACE, set.id(), String.valueOf(set.token())))
                .isInstanceOfSatisfying(ChangeSetResult.NotAllowed.class, refused -> assertThat(refused.rule())
                        .contains("until the first prices of B2 are loaded"));

        assertThat(price("B2", "BURGER")).isEmpty();
        loads.releaseLoad(loading, new StoreId("B2"), Channel.ALL);
        fixture.changes.applied(set);
        assertThat(price("B2", "BURGER")).isEqualTo("3.00");
        assertThat(loads.guardLoad(loading, new StoreId("B2"), Channel.ALL))
                .as("has a price by now")
                .isFalse();
    }

    @Test
    void pricesToComeAreScheduledAndListedWhateverWroteThem() {
        fixture.run(prices(PRICES, "B2,BURGER,2126-07-01,4.00", "B1,BURGER,2126-07-01,5.50"));

        assertThat(price("B2", "BURGER")).isEmpty();
        assertThat(upcoming("B2")).containsExactly("BURGER 4.00 from 2126-07-01");
        assertThat(upcoming("B1")).containsExactly("BURGER 5.50 from 2126-07-01");
        fixture.clock.set(Instant.parse("2126-06-30T22:05:00Z"));
        fixture.changes.reconcile(new MemorySchedules());
        assertThat(price("B1", "BURGER")).isEqualTo("5.50");
        assertThat(history("BURGER"))
                .extracting(entry -> entry.effectiveDate().toString())
                .containsExactly("2126-07-01");
        assertThat(upcoming("B2")).isEmpty();
    }

    @Test
    void aRowOverAScheduledChangeIsAConflictAndPutsItBackWhenItIsTakenBack() {
        var set = fixture.changes.applied(ChangesFixture.draft(
                "2126-07-01", ChangesFixture.rule(ChangesFixture.setTo("7.00"), List.of("B1"), "BURGER")));
        fixture.clock.advance(Duration.ofSeconds(1));
        var draft = drafted(fixture.drafted(prices(PRICES, "B1,BURGER,2126-07-01,7.40")));
        assertThat(fixture.changes.lines(draft)).extracting(ChangeLine::finding).containsExactly(Finding.CONFLICT);
        fixture.changes.applied(draft);
        assertThat(upcoming("B1")).containsExactly("BURGER 7.40 from 2126-07-01");

        done(fixture.changes.sets.cancel(GRACE, draft.id()));

        assertThat(upcoming("B1")).containsExactly("BURGER 7.00 from 2126-07-01");
        fixture.clock.set(Instant.parse("2126-06-30T22:05:00Z"));
        fixture.changes.reconcile(new MemorySchedules());
        assertThat(history("BURGER"))
                .extracting(PriceHistoryEntry::after, PriceHistoryEntry::changeSet)
                .containsExactly(tuple(Money.of("7.00 EUR"), set.id()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            B1,BURGER,2126-06-01,9.00   | the past
            B1,BURGER,2125-12-31,9.00   | the past
            """)
    void thePastStaysAsItWas(String row, String word) {
        var ended = fixture.drafted(prices(PRICES, row, "B1,WATER," + TODAY + ",1.19"));

        assertThat(List.of(ended.changed(), ended.rejected())).containsExactly(1, 1);
        assertThat(fixture.rejections).singleElement().satisfies(rejected -> {
            assertThat(List.of(rejected.row(), rejected.field())).containsExactly(2, "effectiveDate");
            assertThat(rejected.value()).isEqualTo(row.split(",", -1)[2]);
            assertThat(rejected.rule())
                    .startsWith("effectiveDate must be today or later")
                    .contains(word);
        });
    }

    @Test
    void aNewProductOfAStoreThatHasPricesGetsHistoryAndIsAFindingOfItsOwn() {
        var draft =
                drafted(fixture.drafted(prices(PRICES, "B1,HAMBRUGER,2126-02-01,3.00", "B1,WATER,2126-01-01,1.09")));
        assertThat(fixture.changes.lines(draft))
                .extracting(ChangeLine::finding)
                .containsExactly(Finding.UNKNOWN_PRODUCT);

        fixture.changes.applied(draft);

        assertThat(fixture.changes.price("B1", "HAMBRUGER", "2126-02-02T00:00:00Z"))
                .isEqualTo("3.00");
        assertThat(history("HAMBRUGER"))
                .extracting(PriceHistoryEntry::before, entry -> entry.effectiveDate()
                        .toString())
                .containsExactly(tuple(null, "2126-02-01"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aProductThatIsNewToAStoreMayHaveMoreDatesThatHaveBegunThanFitOneChunk(boolean isNewestFirst) {
        var first = LocalDate.parse("2126-01-01");
        var rows = IntStream.range(0, 60)
                .mapToObj(day -> "B1,PIE,%s,3.%02d".formatted(first.plusDays(day), day))
                .toList();
        var file = Stream.concat(Stream.of(PRICES), (isNewestFirst ? rows.reversed() : rows).stream())
                .toArray(String[]::new);

        fixture.changes.applied(drafted(fixture.drafted(prices(file))));

        assertThat(price("B1", "PIE")).isEqualTo("3.59");
        assertThat(fixture.changes.history("B1", "PIE"))
                .as("ends with the price that counts")
                .isSortedAccordingTo(Comparator.comparing(PriceHistoryEntry::sequence))
                .extracting(entry -> entry.effectiveDate().toString())
                .isEqualTo(IntStream.range(0, 60)
                        .mapToObj(day -> first.plusDays(day).toString())
                        .toList());
    }

    /** 02:00 and 02:30 do not exist on that day, and start with 03:00. */
    @Test
    void rowsThatStartAtTheInstantOfAJumpOfTheClockAreOne() {
        var ended = fixture.drafted(prices(
                PRICES,
                "B1,BURGER,2127-03-30T02:30,5.10",
                "B1,BURGER,2127-03-30T02:00,5.20",
                "B1,BURGER,2127-03-30T03:00,5.30",
                "B1,BURGER,2127-03-30T03:01,5.40",
                "B1,WATER,2127-03-30T02:00,1.50"));

        assertThat(fixture.rejections)
                .extracting(ImportRejection::row, ImportRejection::field)
                .containsExactly(tuple(3, "effectiveDate"), tuple(4, "effectiveDate"));
        assertThat(fixture.rejections)
                .allSatisfy(rejected -> assertThat(rejected.rule()).contains("instant of row 2"));
        fixture.changes.applied(drafted(ended));
        assertThat(fixture.changes.price("B1", "BURGER", "2127-03-30T01:00:00Z"))
                .isEqualTo("5.10");
        assertThat(fixture.changes.price("B1", "BURGER", "2127-03-30T01:01:00Z"))
                .isEqualTo("5.40");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 40})
    void aFirstPriceSinceThePastIsStaleWhereAnotherOneCameAndWentMeanwhile(int rows) {
        var file = prices(
                PRICES,
                IntStream.range(0, rows)
                        .mapToObj(i -> "B1,P%04d,2126-02-01,1.00".formatted(i))
                        .collect(joining("\n")));
        var draft = drafted(fixture.drafted(file));
        var other = fixture.changes.applied(
                ChangesFixture.draft(null, ChangesFixture.rule(ChangesFixture.setTo("3.00"), List.of("B1"), "P0000")));
        fixture.clock.advance(Duration.ofMinutes(1));
        fixture.changes.applied(done(fixture.changes.drafts.draftUndo(GRACE, other.id(), "a slip", null)));

        var result = fixture.changes.sets.applyAccepted(GRACE, draft.id(), String.valueOf(draft.token()));

        assertThat(result).isInstanceOf(ChangeSetResult.Stale.class);
        assertThat(price("B1", "P0000")).isEmpty();
    }

    @Test
    void aLargeFileIsLoadedForLittleMoreThanItsPrices() {
        var rows = IntStream.range(0, 1_000)
                .mapToObj(i -> "B2,P%04d,2126-01-01,1.00".formatted(i))
                .collect(joining("\n"));
        var imports = fixture.imports(
                new ImportConfig(10_000, 1000, 500, 2, 250, Duration.ofMinutes(1), Duration.ofDays(30)));
        var file = prices(PRICES, rows);
        var begun = imports.begin(ImportFixture.ACTOR, List.of(file));

        var load = table.meter().during(() -> fixture.run(imports, begun, file));
        var again = imports.begin(ImportFixture.ACTOR, List.of(file));
        var unchanged = table.meter().during(() -> fixture.run(imports, again, file));

        assertThat(load.write()).as("two a price, and little more").isBetween(2_000.0, 2_120.0);
        assertThat(unchanged.write()).as("the import itself").isLessThan(15);
        assertThat(unchanged.read()).as("prices of a store together").isLessThan(60);
    }

    @Test
    void changesOfAFileAreDraftedAndWrongRowsReported() {
        fixture.about = new ImportAbout("Summer", "costs rose", EffectiveDate.parse("2126-07-01"));

        var ended = fixture.drafted(changes(
                CHANGES,
                "B1,,BURGER,,,PERCENT,,10,",
                "B1,,NONE,,,ADD,0.10,,",
                "B9,,BURGER,,,SET,1,,",
                "B1,,WATER,,,DELETE,,,"));

        var draft = drafted(ended);
        assertThat(fixture.rejections)
                .extracting(ImportRejection::row, ImportRejection::field, ImportRejection::value, ImportRejection::code)
                .containsExactly(tuple(3, "product", "NONE", "NOT_FOUND"), tuple(4, "store", "B9", "UNKNOWN_STORE"));
        assertThat(List.of(draft.name(), draft.reason(), String.valueOf(draft.effectiveDate())))
                .containsExactly("Summer", "costs rose", "2126-07-01");
        assertThat(fixture.changes.lines(draft))
                .extracting(line -> line.subject().name(), ChangeLine::finding)
                .containsExactly(tuple("WATER", Finding.DELETION), tuple("BURGER", Finding.WILL_CHANGE));
        fixture.changes.applied(draft);
        assertThat(fixture.changes.price("B1", "BURGER", "2126-06-30T22:00:00Z"))
                .isEqualTo("5.50");
        var moved = done(fixture.changes.sets.reschedule(GRACE, draft.id(), EffectiveDate.parse("2126-08-01")));
        assertThat(moved.status()).isEqualTo(ChangeSetStatus.SCHEDULED);
        assertThat(fixture.changes.price("B1", "BURGER", "2126-06-30T22:00:00Z"))
                .isEqualTo("5.00");
    }

    @Test
    void aFileOfChangesIsPreviewedAgainByItsRules() {
        var draft = drafted(fixture.drafted(changes(CHANGES, "B1,,BURGER,,,PERCENT,,10,")));
        fixture.changes.applied(
                ChangesFixture.draft(null, ChangesFixture.rule(ChangesFixture.setTo("6.00"), List.of("B1"), "BURGER")));
        fixture.clock.advance(Duration.ofSeconds(2));
        assertThat(fixture.changes.sets.applyAccepted(GRACE, draft.id(), String.valueOf(draft.token())))
                .isInstanceOf(ChangeSetResult.Stale.class);

        fixture.changes.applied(done(fixture.changes.drafts.preview(GRACE, draft.id())));

        assertThat(price("B1", "BURGER")).isEqualTo("6.60");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    a#b,,TEA,,,SET,1,,          | store     | INVALID_ID
                    B1,a#b,TEA,,,SET,1,,        | channel   | INVALID_ID
                    B1,,,,,SET,1,,              | product   | BLANK
                    B1,,TEA,MENU,,SET,1,,       | product   | PRODUCT_AND_COMBO
                    B1,,,MENU,,SET,1,,          | option    | BLANK
                    B1,,TEA,,,DOUBLE,1,,        | operation | INVALID_OPERATION
                    B1,,TEA,,,SET,,,            | amount    | INVALID_AMOUNT
                    B1,,TEA,,,SET,1e3,,         | amount    | INVALID_AMOUNT
                    B1,,TEA,,,SET,-1,,          | amount    | NEGATIVE_AMOUNT
                    B1,,TEA,,,SET,1,5,          | percent   | INVALID_PERCENT
                    B1,,TEA,,,PERCENT,1,5,      | amount    | INVALID_AMOUNT
                    B1,,TEA,,,PERCENT,,-100,    | percent   | INVALID_PERCENT
                    B1,,TEA,,,ROUND,,,          | ending    | INVALID_ENDING
                    B1,,TEA,,,SET,1,,12345      | ending    | INVALID_ENDING
                    B1,,TEA,,,DELETE,,,99       | ending    | INVALID_ENDING
                    B1,,TEA,,,SET,1,            | row       | WRONG_COLUMN_COUNT
                    "B1,,TEA,,,SET,1,,          | row       | BROKEN_QUOTING
                    B1,,BURGER,,,SET,1,,        | product   | DUPLICATE
                    """)
    void saysOfEachBadRowWhatIsWrongWithIt(String row, String column, String code) {
        fixture.drafted(changes(CHANGES, "B1,,BURGER,,,SET,6,,", row));

        assertThat(fixture.rejections)
                .extracting(ImportRejection::row, ImportRejection::field, ImportRejection::code)
                .containsExactly(tuple(3, column, code));
        assertThat(fixture.rejections.getFirst().rule()).startsWith(column + " ");
    }

    private ChangeSet drafted(ImportStatus ended) {
        return fixture.changes
                .sets
                .find(GRACE, Objects.requireNonNull(ended.changeSet()))
                .orElseThrow();
    }

    private String price(String store, String product) {
        return fixture.changes.price(store, product);
    }

    private List<PriceHistoryEntry> history(String product) {
        return fixture.changes.history("B1", product);
    }

    private List<String> upcoming(String store) {
        return fixture
                .changes
                .batches
                .upcoming(EVERYTHING, new StoreId(store), Channel.ALL, null, null, ChangesFixture.PAGE)
                .nodes()
                .stream()
                .map(change -> change.subject().name() + " "
                        + Objects.requireNonNull(change.after()).amount() + " from " + change.effectiveDate())
                .toList();
    }
}
