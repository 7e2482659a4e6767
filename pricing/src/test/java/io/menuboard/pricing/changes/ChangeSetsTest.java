package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.SANTIAGO;
import static io.menuboard.pricing.StoreBuilder.TOKYO;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.done;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.percent;
import static io.menuboard.pricing.changes.ChangesFixture.products;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.PriceHistoryEntry;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.StoreBuilder;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.approvals.ApprovalFacts;
import io.menuboard.pricing.batches.DueBatches;
import io.menuboard.pricing.batches.MemorySchedules;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.pricing.batches.ScheduledBatch;
import io.menuboard.pricing.changes.ChangeLine.Outcome;
import io.menuboard.pricing.changes.ChangeSetData.Event;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.Update;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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

class ChangeSetsTest {
    private static final List<String> ONE = List.of("DE-0001");
    private static final Instant DAY = Instant.parse("2036-06-30T00:00:00Z");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private ChangesFixture fixture;

    @BeforeEach
    void open() {
        fixture = new ChangesFixture(table.queryDb(clock), clock);
        fixture.stores.save(EVERYTHING, List.of(BERLIN, TOKYO, SANTIAGO));
        fixture.load(List.of(
                price(BERLIN, "ALL", "BURGER", "2030-01-01", "4.99"),
                price(BERLIN, "ALL", "COLA", "2030-01-01", "2.49"),
                price(TOKYO, "ALL", "BURGER", "2030-01-01", "450"),
                price(SANTIAGO, "ALL", "BURGER", "2030-01-01", "3500")));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aDraftChangesNothingAndSaysWhatItWould() {
        var set = fixture.drafted(draft(
                null,
                rule(setTo("5.49"), ONE, "BURGER", "COLA", "NONE"),
                rule(percent("10"), List.of("DE-0001", "XX-0001"), "NONE", "COLA")));

        assertThat(set.status()).isEqualTo(ChangeSetStatus.DRAFT);
        assertThat(fixture.lines(set))
                .extracting(line -> line.store().value(), line -> line.subject().name(), ChangeLine::finding)
                .containsExactly(
                        tuple("DE-0001", "COLA", Finding.SUSPICIOUS),
                        tuple("DE-0001", "NONE", Finding.UNKNOWN_PRODUCT),
                        tuple("DE-0001", "BURGER", Finding.WILL_CHANGE),
                        tuple("XX-0001", "NONE", Finding.NOT_FOUND),
                        tuple("XX-0001", "COLA", Finding.NOT_FOUND),
                        tuple("DE-0001", "NONE", Finding.INVALID),
                        tuple("DE-0001", "COLA", Finding.INVALID));
        assertThat(set.summary())
                .isEqualTo(new ChangeSetSummary(
                        Map.of(
                                Finding.WILL_CHANGE, 1,
                                Finding.UNKNOWN_PRODUCT, 1,
                                Finding.SUSPICIOUS, 1,
                                Finding.NOT_FOUND, 2,
                                Finding.INVALID, 2),
                        1,
                        3,
                        1,
                        null,
                        null,
                        1,
                        Set.of(BERLIN.id()),
                        new ApprovalFacts(121, false),
                        0));
        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("4.99");
        assertThat(fixture.history("DE-0001", "BURGER")).isEmpty();
    }

    /** One that fits a transaction, and one that takes a task. */
    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void keepsWhoAppliedMovedAndCancelledIt(int count) {
        var ada = new Access(
                new Principal("u7", Actor.Kind.USER, "ada", GRACE.principal().grants()), Actor.Source.GRAPHQL);
        var draft = fixture.drafted(draft("2036-07-01", rule(setTo("5.49"), ONE, products(count))));

        var set = fixture.applied(draft);
        fixture.applied(draft);
        clock.advance(Duration.ofMinutes(1));
        fixture.sets.reschedule(ada, set.id(), EffectiveDate.parse("2036-07-02"));
        clock.advance(Duration.ofMinutes(1));
        fixture.sets.cancel(ada, set.id());
        fixture.sets.cancel(GRACE, set.id());

        assertThat(fixture.sets.find(GRACE, set.id()).orElseThrow().data().events())
                .containsExactly(
                        Event.of(ChangeSetAction.APPLY, ChangesFixture.NOW, GRACE.actor()),
                        Event.of(ChangeSetAction.RESCHEDULE, ChangesFixture.NOW.plusSeconds(60), ada.actor()),
                        Event.of(ChangeSetAction.CANCEL, ChangesFixture.NOW.plusSeconds(120), ada.actor()));
    }

    @Test
    void aKeyIsThatOfWhoeverChoseIt() {
        var ada = known("u7");
        var bob = known("u8");
        var one = draft(null, rule(setTo("5.49"), ONE, "BURGER"));
        var other = draft(null, rule(setTo("5.99"), ONE, "BURGER"));

        var adas = ChangesFixture.done(fixture.drafts.draft(ada, one, "spring"));
        var bobs = ChangesFixture.done(fixture.drafts.draft(bob, other, "spring"));

        assertThat(bobs.id()).isNotEqualTo(adas.id());
        assertThat(ChangesFixture.done(fixture.drafts.draft(ada, one, "spring")).id())
                .isEqualTo(adas.id());
        assertThat(fixture.drafts.draft(ada, other, "spring"))
                .isEqualTo(new ChangeSetResult.KeyReused(adas.id(), "spring"));
    }

    /** Of a version that knew no owners of keys, or of somebody who was known by a name only. */
    @Test
    void aKeyWithoutAnOwnerIsThatOfWhoeverAsksForTheSame() {
        var one = draft(null, rule(setTo("5.49"), ONE, "BURGER"));
        var before = ChangesFixture.done(fixture.drafts.draft(GRACE, one, "spring"));

        var again = ChangesFixture.done(fixture.drafts.draft(known("u7"), one, "spring"));
        var another = ChangesFixture.done(
                fixture.drafts.draft(known("u8"), draft(null, rule(setTo("5.99"), ONE, "BURGER")), "spring"));

        assertThat(again.id()).isEqualTo(before.id());
        assertThat(another.id()).isNotEqualTo(before.id());
    }

    private static Access known(String id) {
        return new Access(
                new Principal(id, Actor.Kind.USER, "ada", GRACE.principal().grants()), Actor.Source.GRAPHQL);
    }

    @Test
    void keepsNothingOfWhatWasNotBegun() {
        var stale = fixture.drafted(draft(null, rule(setTo("5.49"), ONE, "BURGER")));
        fixture.applied(draft(null, rule(setTo("5.29"), ONE, "BURGER")));

        fixture.sets.applyAccepted(GRACE, stale.id(), String.valueOf(stale.token()));

        assertThat(fixture.sets.find(GRACE, stale.id()).orElseThrow().data().events())
                .isEmpty();
    }

    @Test
    void atOnceMeansNow() {
        var set = fixture.applied(draft(null, rule(setTo("5.49"), ONE, "BURGER")));

        assertThat(set.status()).isEqualTo(ChangeSetStatus.APPLIED);
        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("5.49");
        assertThat(fixture.price("DE-0001", "BURGER", "2036-06-15T11:59:59Z")).isEqualTo("4.99");
        assertThat(fixture.history("DE-0001", "BURGER"))
                .containsExactly(new PriceHistoryEntry(
                        BERLIN.id(),
                        Channel.ALL,
                        ChangesFixture.product("BURGER"),
                        ChangesFixture.NOW,
                        "2036-06-15T12:00:00.000000Z",
                        EffectiveDate.parse("2036-06-15T14:00:00"),
                        euros("4.99"),
                        EffectiveDate.parse("2030-01-01"),
                        euros("5.49"),
                        set.id(),
                        GRACE.actor(),
                        "costs rose"));
        assertThat(fixture.lines(set)).extracting(ChangeLine::outcome).containsExactly(Outcome.APPLIED);
        assertThat(fixture.audit.bySubject("STORE#DE-0001", ChangesFixture.PAGE).nodes())
                .singleElement()
                .satisfies(record -> assertThat(record.details())
                        .containsEntry("changeSet", set.id().value())
                        .containsEntry("prices", "Base#BURGER"));
    }

    @Test
    void twoChangesInOneSecondAreInOrderByTheirSequenceAlone() {
        fixture.applied(draft(null, rule(setTo("5.49"), ONE, "BURGER")));
        fixture.applied(draft(null, rule(setTo("5.99"), ONE, "BURGER")));

        var entries = fixture.history("DE-0001", "BURGER");
        assertThat(entries)
                .isSortedAccordingTo(Comparator.comparing(PriceHistoryEntry::sequence))
                .extracting(PriceHistoryEntry::after)
                .containsExactly(euros("5.49"), euros("5.99"));
        assertThat(entries).extracting(PriceHistoryEntry::at).containsOnly(ChangesFixture.NOW);
        assertThat(entries).extracting(PriceHistoryEntry::sequence).doesNotHaveDuplicates();
    }

    @Test
    void aDateMeansEachStoresOwnMidnightWhoeverIsLate() {
        var set = fixture.applied(
                draft("2036-09-07", rule(percent("10"), List.of("DE-0001", "JP-0001", "CL-0001"), "BURGER")));

        assertThat(set.status()).isEqualTo(ChangeSetStatus.SCHEDULED);
        assertThat(summary(set).firstInstant()).isEqualTo("2036-09-06T15:00:00Z");
        assertThat(summary(set).timeZones()).isEqualTo(3);
        // Nothing was applied; in Santiago the clock jumps from midnight to one o'clock on that day.
        assertThat(summary(set).lastInstant()).isEqualTo("2036-09-07T04:00:00Z");
        assertThat(fixture.price("CL-0001", "BURGER", "2036-09-07T03:59:59.999Z"))
                .isEqualTo("3500");
        assertThat(fixture.price("CL-0001", "BURGER", "2036-09-07T04:00:00Z")).isEqualTo("3850");
        assertThat(fixture.price("DE-0001", "BURGER", "2036-09-06T21:59:59.999Z"))
                .isEqualTo("4.99");
        assertThat(fixture.price("DE-0001", "BURGER", "2036-09-06T22:00:00Z")).isEqualTo("5.49");
        assertThat(fixture.price("JP-0001", "BURGER", "2036-09-06T15:00:00Z")).isEqualTo("495");
        assertThat(fixture.history("DE-0001", "BURGER")).isEmpty();
    }

    @Test
    void whatIsDueIsAppliedOnceHoweverOftenThatIsSaid() {
        var set = fixture.applied(draft("2036-07-01", rule(percent("10"), ONE, "BURGER", "COLA")));
        var batch = new PriceBatch(BERLIN.id(), Channel.ALL, EffectiveDate.parse("2036-07-01"));

        assertThat(fixture.batches.apply(EVERYTHING, batch))
                .isEqualTo(new DueBatches.Due.NotDueYet(Instant.parse("2036-06-30T22:00:00Z")));
        clock.set(Instant.parse("2036-06-30T22:00:00Z"));
        assertThat(fixture.sets.find(GRACE, set.id()).orElseThrow().status())
                .as("what is in effect is applied, whoever has noticed")
                .isEqualTo(ChangeSetStatus.APPLIED);
        assertThat(fixture.batches.between(EVERYTHING, DAY, DAY.plus(Duration.ofDays(1))))
                .containsExactly(new ScheduledBatch(
                        batch, Instant.parse("2036-06-30T22:00:00Z"), java.util.Map.of(set.id(), 2)));
        assertThat(fixture.batches.apply(EVERYTHING, batch)).isEqualTo(new DueBatches.Due.Applied());
        assertThat(fixture.batches.apply(EVERYTHING, batch)).isEqualTo(new DueBatches.Due.Applied());

        assertThat(fixture.batches.between(EVERYTHING, DAY, DAY.plus(Duration.ofDays(1))))
                .isEmpty();
        assertThat(fixture.history("DE-0001", "BURGER"))
                .extracting(PriceHistoryEntry::at, PriceHistoryEntry::before, PriceHistoryEntry::after)
                .containsExactly(tuple(Instant.parse("2036-06-30T22:00:00Z"), euros("4.99"), euros("5.49")));
        assertThat(fixture.history("DE-0001", "COLA")).hasSize(1);
    }

    @Test
    void theNameOfAnUndoIsCutBetweenCharacters() {
        var kept = "x".repeat(199 - "Undo of ".length());
        var name = kept + Character.toString(0x1F354);
        var set = fixture.applied(
                new DraftChangeSet(name, "costs rose", null, List.of(rule(setTo("5.49"), ONE, "BURGER"))));

        var undo = done(fixture.drafts.draftUndo(GRACE, set.id(), "a mistake", null));

        assertThat(undo.name()).isEqualTo("Undo of " + kept);
    }

    @Test
    void aHundredLinesGiveAHundredHistoryRowsAndAreUndone() {
        loadHundred();
        var set = fixture.applied(draft(null, rule(setTo("5.49"), ONE, products(100))));
        assertThat(Stream.of(products(100))
                        .map(p -> fixture.history("DE-0001", p).size()))
                .hasSize(100)
                .containsOnly(1);
        clock.advance(Duration.ofHours(1));

        var undo = done(fixture.drafts.draftUndo(GRACE, set.id(), "a mistake", null));
        assertThat(summary(undo).willChange()).isEqualTo(100);
        var undone = fixture.applied(undo);

        assertThat(undone.status()).isEqualTo(ChangeSetStatus.APPLIED);
        assertThat(Stream.of(products(100)).map(p -> fixture.price("DE-0001", p)))
                .containsOnly("5.00");
        assertThat(fixture.sets.find(GRACE, set.id()).orElseThrow().status()).isEqualTo(ChangeSetStatus.UNDONE);
        assertThat(fixture.sets.find(GRACE, set.id()).orElseThrow().undoneBy()).isEqualTo(undo.id());
    }

    @Test
    void whatWasChangedInBetweenIsLeftOutOfAnUndoAndListed() {
        loadHundred();
        var set = fixture.applied(draft("2036-07-01", rule(setTo("5.49"), ONE, products(100))));
        clock.set(Instant.parse("2036-07-01T10:00:00Z"));
        fixture.batches.apply(EVERYTHING, new PriceBatch(BERLIN.id(), Channel.ALL, EffectiveDate.parse("2036-07-01")));
        fixture.applied(draft(null, rule(setTo("5.29"), ONE, "P042")));
        clock.advance(Duration.ofHours(1));
        finish(set);

        var undo = done(fixture.drafts.draftUndo(GRACE, set.id(), "a mistake", null));
        fixture.applied(undo);

        assertThat(summary(undo).willChange()).isEqualTo(99);
        assertThat(fixture.setLines
                        .lines(GRACE, undo.id(), Finding.INVALID, ChangesFixture.PAGE)
                        .nodes())
                .singleElement()
                .satisfies(line -> assertThat(line.message()).contains("has been changed since"));
        assertThat(fixture.price("DE-0001", "P042")).isEqualTo("5.29");
        assertThat(fixture.price("DE-0001", "P041")).isEqualTo("5.00");
    }

    @Test
    void theSameAgainIsNoChange() {
        fixture.applied(draft(null, rule(setTo("5.49"), ONE, "BURGER")));
        clock.advance(Duration.ofMinutes(1));

        var again = fixture.drafted(draft(null, rule(setTo("5.49"), ONE, "BURGER")));

        assertThat(summary(again).unchanged()).isEqualTo(1);
        assertThat(fixture.sets.apply(GRACE, again.id(), String.valueOf(again.token())))
                .isInstanceOf(ChangeSetResult.NotAllowed.class);
        assertThat(fixture.history("DE-0001", "BURGER")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "549.00, SUSPICIOUS, 'would change by more than 50 percent; it is to be 5.19 EUR'",
        "0, SUSPICIOUS, 'would cost nothing; it is to be 5.19 EUR'",
        ", DELETION, is to be 5.19 EUR"
    })
    void ofAPriceThatAnotherSetChangesFromThenOnMistakesAreFoundAsWell(
            @Nullable String amount, Finding finding, String message) {
        var other = fixture.applied(draft("2036-07-01", rule(setTo("5.19"), ONE, "BURGER")));
        clock.advance(Duration.ofMinutes(1));

        var set = fixture.drafted(
                draft("2036-07-01", rule(amount == null ? new PriceOperation.Delete() : setTo(amount), ONE, "BURGER")));

        assertThat(fixture.lines(set))
                .extracting(ChangeLine::finding, ChangeLine::message)
                .containsExactly(tuple(finding, message + " from the same instant on, by change set " + other.id()));
        assertThat(summary(set).deletions() > 0
                        || fixture.sets.apply(GRACE, set.id(), String.valueOf(set.token()))
                                instanceof ChangeSetResult.Suspicious)
                .isTrue();
    }

    @Test
    void oneAmountForSeveralCurrenciesIsFoundWhereAnotherSetChangesThePricesFromThenOn() {
        fixture.applied(draft("2036-07-01", rule(setTo("5.19"), ONE, "BURGER")));
        clock.advance(Duration.ofMinutes(1));

        var set = fixture.drafted(draft("2036-07-01", rule(setTo("500"), List.of("DE-0001", "JP-0001"), "BURGER")));

        assertThat(fixture.lines(set)).extracting(ChangeLine::finding).containsOnly(Finding.MIXED_CURRENCIES);
        assertThat(fixture.sets.apply(GRACE, set.id(), String.valueOf(set.token())))
                .isInstanceOf(ChangeSetResult.Suspicious.class);
    }

    @Test
    void anAmountForAPriceThatIsNotInTheCurrencyOfItsStoreHasToBeConfirmed() {
        fixture.stores.edit(EVERYTHING, new StoreId("DE-0001"), _ -> aStore("DE-0001")
                .sellingIn("SEK")
                .build());

        var set = fixture.drafted(draft(null, rule(setTo("5.29"), ONE, "BURGER")));
        var raised = fixture.drafted(draft(null, rule(percent("3"), ONE, "BURGER")));

        assertThat(fixture.lines(set))
                .extracting(ChangeLine::finding, ChangeLine::message)
                .containsExactly(tuple(Finding.MIXED_CURRENCIES, "the price is in EUR, and its store sells in SEK"));
        assertThat(fixture.sets.apply(GRACE, set.id(), String.valueOf(set.token())))
                .isInstanceOf(ChangeSetResult.Suspicious.class);
        assertThat(fixture.lines(raised)).extracting(ChangeLine::finding).containsExactly(Finding.WILL_CHANGE);
    }

    @Test
    void aChannelsFirstPriceIsComparedWithThatOfAllChannelsThoughAnotherSetChangesItFromThenOn() {
        var app = new Channel("APP");
        fixture.applied(draft("2036-07-01", rule(app, setTo("5.19"), ONE, "BURGER")));
        clock.advance(Duration.ofMinutes(1));

        var set = fixture.drafted(draft("2036-07-01", rule(app, setTo("549.00"), ONE, "BURGER")));

        assertThat(fixture.lines(set)).singleElement().satisfies(line -> {
            assertThat(line.finding()).isEqualTo(Finding.SUSPICIOUS);
            assertThat(line.message())
                    .startsWith(
                            "would change by more than 50 percent beside the price of all channels, 4.99 EUR; it is to be");
        });
    }

    @Test
    void whatIsSearchedForIsPreviewedAgainByATaskHoweverLittleWasFoundBefore() {
        var everywhere = new ChangeRule(
                new StoreSelection.All(),
                List.of(ChangesFixture.product("BURGER")),
                List.of(Channel.ALL),
                percent("10"),
                null);
        var draft = fixture.drafted(draft(null, everywhere));
        RecheckedRunsTest.work(fixture, draft);
        var previewed = fixture.sets.find(GRACE, draft.id()).orElseThrow();
        assertThat(summary(previewed).lines()).isEqualTo(3);
        fixture.stores.save(EVERYTHING, List.of(aStore("DE-0002").build()));

        var again = done(fixture.drafts.preview(GRACE, draft.id()));

        assertThat(again.token()).isNull();
        RecheckedRunsTest.work(fixture, again);
        assertThat(summary(fixture.sets.find(GRACE, draft.id()).orElseThrow()).lines())
                .isEqualTo(4);
    }

    @Test
    void ofTwoSetsForOneInstantTheLaterOneHasItAndTheOtherIsTold() {
        var first = fixture.applied(draft("2036-07-01", rule(setTo("5.19"), ONE, "BURGER", "COLA")));
        clock.advance(Duration.ofMinutes(1));
        clock.advance(Duration.ofSeconds(1));
        var second = fixture.drafted(draft("2036-07-01", rule(setTo("5.29"), ONE, "BURGER")));

        assertThat(fixture.lines(second))
                .extracting(ChangeLine::finding, ChangeLine::message)
                .containsExactly(tuple(
                        Finding.CONFLICT, "is to be 5.19 EUR from the same instant on, by change set " + first.id()));
        fixture.applied(second);

        assertThat(fixture.price("DE-0001", "BURGER", "2036-07-01T00:00:00Z")).isEqualTo("5.29");
        assertThat(fixture.lines(first))
                .extracting(line -> line.subject().name(), ChangeLine::outcome, ChangeLine::message)
                .contains(tuple(
                        "BURGER",
                        Outcome.SUPERSEDED,
                        "change set " + second.id() + " was made later and changes the same price"));
        clock.set(Instant.parse("2036-07-01T00:00:00Z"));
        fixture.batches.apply(EVERYTHING, new PriceBatch(BERLIN.id(), Channel.ALL, EffectiveDate.parse("2036-07-01")));
        assertThat(fixture.history("DE-0001", "BURGER"))
                .extracting(PriceHistoryEntry::changeSet)
                .containsExactly(second.id());
        assertThat(finish(first).status()).isEqualTo(ChangeSetStatus.PARTLY_APPLIED);
    }

    @Test
    void theLaterSetHasItAlsoWhenItWasAppliedFirst() {
        var first = fixture.drafted(draft("2036-07-01", rule(setTo("5.19"), ONE, "BURGER")));
        clock.advance(Duration.ofSeconds(1));
        var second = fixture.applied(draft("2036-07-01", rule(setTo("5.29"), ONE, "BURGER")));

        var applied = fixture.applied(first);

        assertThat(applied.status()).isEqualTo(ChangeSetStatus.SCHEDULED);
        assertThat(fixture.lines(applied)).singleElement().satisfies(line -> {
            assertThat(line.outcome()).isEqualTo(Outcome.SUPERSEDED);
            assertThat(line.message()).contains(second.id().value());
        });
        assertThat(fixture.price("DE-0001", "BURGER", "2036-07-01T00:00:00Z")).isEqualTo("5.29");
        done(fixture.sets.cancel(GRACE, second.id()));
        assertThat(fixture.price("DE-0001", "BURGER", "2036-07-01T00:00:00Z"))
                .as("what was underneath")
                .isEqualTo("5.19");
    }

    @Test
    void whatIsToComeAgainBecauseItsStoreHasMovedIsNotAppliedByAnUndo() {
        var set = fixture.applied(draft("2036-07-01", rule(setTo("5.19"), ONE, "BURGER")));
        clock.set(Instant.parse("2036-06-30T22:30:00Z"));
        berlinMovesTo("America/New_York");

        assertThat(fixture.drafts.draftUndo(GRACE, set.id(), "too early", null))
                .isInstanceOf(ChangeSetResult.NotAllowed.class);

        assertThat(fixture.history("DE-0001", "BURGER")).isEmpty();
        fixture.applied(draft(null, rule(setTo("4.79"), ONE, "BURGER")));
        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("4.79");
    }

    private void berlinMovesTo(String timeZone) {
        var moved = aStore("DE-0001").onTheClockOf(timeZone).build();
        fixture.stores.edit(EVERYTHING, BERLIN.id(), _ -> moved);
    }

    /** One that fits a transaction, and one that takes a task. */
    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void aSetWhoseTimeHasComeBecauseItsStoreHasMovedIsAppliedAndNotCancelled(int count) {
        var set = fixture.applied(draft("2036-07-01", rule(setTo("5.19"), ONE, products(count))));
        clock.set(Instant.parse("2036-06-30T20:00:00Z"));
        berlinMovesTo("Asia/Tokyo");

        fixture.sets.cancel(GRACE, set.id());

        assertThat(fixture.sets.find(GRACE, set.id()).orElseThrow().status()).isEqualTo(ChangeSetStatus.APPLIED);
    }

    @Test
    void aSetWhoseTimeComesBeforeItIsTakenBackIsNotMoved() {
        var set = fixture.applied(draft("2036-07-01", rule(setTo("5.19"), ONE, "BURGER")));
        clock.set(Instant.parse("2036-06-30T20:00:00Z"));
        berlinMovesTo("Asia/Tokyo");

        fixture.sets.reschedule(GRACE, set.id(), EffectiveDate.parse("2036-07-03"));

        assertThat(fixture.sets.find(GRACE, set.id()).orElseThrow())
                .returns(ChangeSetStatus.APPLIED, ChangeSet::status)
                .returns(EffectiveDate.parse("2036-07-01"), ChangeSet::effectiveDate);
    }

    /** Of sets that fit a transaction, and that take a task; drafted for that time, and moved to it. */
    @ParameterizedTest
    @CsvSource({"1, 2036-09-01, ", "100, 2036-09-01, ", "1, 2036-06-20, 2036-09-01", "100, 2036-06-20, 2036-09-01"})
    void aSetForLaterThanHistoryIsKeptIsAppliedAndUndone(int count, String drafted, @Nullable String moved) {
        try (var brief = new ChangesFixture(fixture.db, clock, 1_000, Duration.ofDays(30))) {
            var set = brief.applied(draft(drafted, rule(setTo("5.19"), ONE, products(count))));
            if (moved != null) {
                done(brief.sets.reschedule(GRACE, set.id(), EffectiveDate.parse(moved)));
            }
            clock.set(Instant.parse("2036-08-31T22:00:00Z"));

            brief.batches.apply(
                    EVERYTHING, new PriceBatch(BERLIN.id(), Channel.ALL, EffectiveDate.parse("2036-09-01")));

            assertThat(brief.history("DE-0001", "P000").getLast())
                    .returns(set.id(), PriceHistoryEntry::changeSet)
                    .returns("costs rose", PriceHistoryEntry::reason)
                    .returns(GRACE.actor(), PriceHistoryEntry::actor);
            clock.advance(Duration.ofDays(29));
            var undo = done(brief.drafts.draftUndo(GRACE, set.id(), "not now", null));
            assertThat(Objects.requireNonNull(undo.summary()).written()).isEqualTo(count);
            clock.advance(Duration.ofDays(2));
            assertThat(brief.sets.find(GRACE, set.id())).as("kept for ever").isEmpty();
        }
    }

    @Test
    void aBatchThatCannotBeAppliedKeepsNoneFromBeingScheduled() {
        var schedules = new MemorySchedules();
        var lost = fixture.applied(draft("2036-07-01", rule(setTo("5.19"), ONE, "BURGER")));
        fixture.applied(draft("2036-07-01T01:00:00", rule(setTo("5.29"), ONE, "BURGER")));
        fixture.db.update(
                Update.of(new Key("CHANGESET#" + lost.id(), "META")).set("status", "OF_A_NEWER_VERSION"), _ -> true);
        clock.set(Instant.parse("2036-06-30T22:50:00Z"));

        fixture.reconcile(schedules);

        assertThat(schedules.all())
                .containsKey(new PriceBatch(BERLIN.id(), Channel.ALL, EffectiveDate.parse("2036-07-01T01:00:00")));
    }

    @Test
    void theReconcilerAppliesWhatIsOverdueAndSchedulesWhatIsSoonDue() {
        var schedules = new MemorySchedules();
        fixture.applied(draft("2036-07-01", rule(setTo("5.19"), ONE, "BURGER")));
        fixture.applied(draft("2036-07-01T00:30:00", rule(setTo("5.29"), ONE, "BURGER")));
        clock.set(Instant.parse("2036-06-30T21:30:00Z"));
        assertThat(fixture.reconcile(schedules)).isZero();
        assertThat(schedules.all()).isEmpty();

        clock.set(Instant.parse("2036-06-30T21:50:00Z"));
        assertThat(fixture.reconcile(schedules)).isZero();
        assertThat(schedules.all())
                .containsExactly(Map.entry(
                        new PriceBatch(BERLIN.id(), Channel.ALL, EffectiveDate.parse("2036-07-01")),
                        Instant.parse("2036-06-30T22:00:00Z")));

        // Who was told in time is given the time.
        clock.set(Instant.parse("2036-06-30T22:01:59Z"));
        assertThat(fixture.reconcile(schedules)).isZero();
        clock.set(Instant.parse("2036-06-30T22:02:01Z"));
        assertThat(fixture.reconcile(schedules)).isEqualTo(1);
        assertThat(fixture.reconcile(schedules)).isZero();
        assertThat(fixture.history("DE-0001", "BURGER")).hasSize(1);

        // No instance ran for a month.
        clock.set(Instant.parse("2036-07-31T00:00:00Z"));
        assertThat(fixture.reconcile(schedules)).isEqualTo(1);
        assertThat(fixture.history("DE-0001", "BURGER")).hasSize(2);
    }

    @Test
    void aCancelledSetLeavesNothing() {
        var set = fixture.applied(draft("2036-07-01", rule(setTo("5.19"), ONE, "BURGER", "COLA")));
        clock.advance(Duration.ofMinutes(1));

        var cancelled = done(fixture.sets.cancel(GRACE, set.id()));

        assertThat(cancelled.status()).isEqualTo(ChangeSetStatus.CANCELLED);
        assertThat(fixture.price("DE-0001", "BURGER", "2036-07-02T00:00:00Z")).isEqualTo("4.99");
        assertThat(fixture.batches.between(EVERYTHING, DAY, DAY.plus(Duration.ofDays(1))))
                .isEmpty();
        assertThat(fixture.lines(set)).extracting(ChangeLine::outcome).containsOnly(Outcome.CANCELLED);
        assertThat(done(fixture.sets.cancel(GRACE, set.id())).status())
                .as("cancelled again")
                .isEqualTo(ChangeSetStatus.CANCELLED);
        assertThat(fixture.sets.applyAccepted(GRACE, set.id(), String.valueOf(set.token())))
                .as("applied again with the same token")
                .isInstanceOf(ChangeSetResult.NotAllowed.class);
    }

    @Test
    void cancellingASetAgainOfWhichSomeStoresHadBegunAnswersAsTheFirstTime() {
        var set = fixture.applied(draft("2036-07-01", rule(percent("10"), List.of("DE-0001", "JP-0001"), "BURGER")));
        clock.set(Instant.parse("2036-06-30T20:00:00Z"));
        var cancelled = done(fixture.sets.cancel(GRACE, set.id()));

        assertThat(cancelled.status()).isEqualTo(ChangeSetStatus.PARTLY_APPLIED);
        assertThat(done(fixture.sets.cancel(GRACE, set.id()))).isEqualTo(cancelled);

        var undo = fixture.applied(done(fixture.drafts.draftUndo(GRACE, set.id(), "put back", null)));
        assertThat(undo.status()).isEqualTo(ChangeSetStatus.APPLIED);
        assertThat(done(fixture.sets.cancel(GRACE, set.id())).status()).isEqualTo(ChangeSetStatus.UNDONE);
        fixture.applied(done(fixture.drafts.draftUndo(GRACE, undo.id(), "after all", null)));
        assertThat(fixture.sets.find(GRACE, set.id()))
                .hasValueSatisfying(again -> assertThat(again.status()).isEqualTo(ChangeSetStatus.PARTLY_APPLIED));
    }

    @Test
    void whatACancelTookBackHasNotFailedAndIsNotTriedAgain() {
        var set = fixture.applied(draft("2036-07-01", rule(percent("10"), List.of("DE-0001", "JP-0001"), "BURGER")));
        clock.set(Instant.parse("2036-06-30T20:00:00Z"));

        var cancelled = done(fixture.sets.cancel(GRACE, set.id()));

        assertThat(cancelled.status()).isEqualTo(ChangeSetStatus.PARTLY_APPLIED);
        assertThat(cancelled.failed()).isZero();
        assertThat(cancelled.data().missing().count()).isEqualTo(1);
        assertThat(cancelled.allowed(clock.instant())).doesNotContain(ChangeSetAction.RETRY);
        assertThat(fixture.drafts.draftRetry(GRACE, set.id(), null))
                .isInstanceOfSatisfying(ChangeSetResult.NotAllowed.class, refused -> assertThat(refused.rule())
                        .isEqualTo("changeSet must have lines that failed, but it is PARTLY_APPLIED with 0"));
    }

    @Test
    void whereACancelTookLinesBackThoseThatHadFailedAreTriedAgainAlone() {
        loadHundred();
        fixture.load(Stream.of(TOKYO, SANTIAGO)
                .flatMap(store -> Stream.of(products(100))
                        .<Price>map(product -> price(store, "ALL", product, "2030-01-01", "500")))
                .toList());
        var stores = List.of("DE-0001", "JP-0001", SANTIAGO.id().value());
        var set = fixture.drafted(draft("2036-06-16", rule(percent("10"), stores, products(20))));
        // The day begins in Tokyo before the set is applied, and in Berlin before it is cancelled.
        clock.set(Instant.parse("2036-06-15T15:00:00Z"));
        fixture.applied(set);
        clock.set(Instant.parse("2036-06-15T22:00:00Z"));

        fixture.sets.cancel(GRACE, set.id());

        var cancelled = fixture.sets.find(GRACE, set.id()).orElseThrow();
        assertThat(cancelled.status()).isEqualTo(ChangeSetStatus.PARTLY_APPLIED);
        assertThat(cancelled.failed()).isEqualTo(20);
        assertThat(cancelled.data().missing().count()).isEqualTo(40);
        assertThat(fixture.lines(done(fixture.drafts.draftRetry(GRACE, set.id(), null))))
                .hasSize(20)
                .extracting(line -> line.store().value())
                .containsOnly("JP-0001");
    }

    @Test
    void aSetCannotBeCancelledOrMovedOnceItsTimeHasCome() {
        var set = fixture.applied(draft("2036-07-01", rule(setTo("5.19"), ONE, "BURGER")));
        clock.set(Instant.parse("2036-06-30T22:00:00Z"));

        assertThat(fixture.sets.cancel(GRACE, set.id())).isInstanceOf(ChangeSetResult.NotAllowed.class);
        assertThat(fixture.sets.reschedule(GRACE, set.id(), EffectiveDate.parse("2036-08-01")))
                .isInstanceOf(ChangeSetResult.NotAllowed.class);
        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("5.19");
    }

    @Test
    void aRescheduledSetTakesEffectAtTheOtherTimeAlone() {
        var set = fixture.applied(draft("2036-07-01", rule(setTo("5.19"), ONE, "BURGER")));

        var moved = done(fixture.sets.reschedule(GRACE, set.id(), EffectiveDate.parse("2036-08-01T06:00")));

        assertThat(moved.status()).isEqualTo(ChangeSetStatus.SCHEDULED);
        assertThat(summary(moved).firstInstant()).isEqualTo("2036-08-01T04:00:00Z");
        assertThat(fixture.price("DE-0001", "BURGER", "2036-08-01T03:59:59Z")).isEqualTo("4.99");
        assertThat(fixture.price("DE-0001", "BURGER", "2036-08-01T04:00:00Z")).isEqualTo("5.19");
        clock.set(Instant.parse("2036-08-01T04:00:00Z"));
        assertThat(finish(moved).status()).isEqualTo(ChangeSetStatus.APPLIED);
        assertThat(fixture.history("DE-0001", "BURGER"))
                .extracting(PriceHistoryEntry::at)
                .containsExactly(Instant.parse("2036-08-01T04:00:00Z"));
    }

    @Test
    void aSetIsNotMovedToATimeThatHasPassedInOneOfItsStores() {
        var set = fixture.applied(draft("2036-07-01", rule(percent("10"), List.of("DE-0001", "JP-0001"), "BURGER")));
        clock.set(Instant.parse("2036-06-19T16:00:00Z"));

        // The 20th has begun in Tokyo.
        assertThatThrownBy(() -> fixture.sets.reschedule(GRACE, set.id(), EffectiveDate.parse("2036-06-20")))
                .isInstanceOf(InvalidInput.class)
                .hasMessage("effectiveDate must be to come in every store");

        assertThat(fixture.sets.find(GRACE, set.id())).contains(set);
        assertThat(fixture.price("DE-0001", "BURGER", "2036-06-30T21:59:59Z")).isEqualTo("4.99");
        assertThat(fixture.price("DE-0001", "BURGER", "2036-06-30T22:00:00Z")).isEqualTo("5.49");
        clock.set(Instant.parse("2036-07-01T00:00:00Z"));
        assertThat(finish(set).status()).isEqualTo(ChangeSetStatus.APPLIED);
    }

    @Test
    void whatFailedIsTriedAgainAloneInASetOfItsOwn() {
        loadHundred();
        fixture.load(Stream.of(products(100))
                .<Price>map(product -> price(TOKYO, "ALL", product, "2030-01-01", "500"))
                .toList());
        var set =
                fixture.drafted(draft("2036-06-16", rule(percent("10"), List.of("DE-0001", "JP-0001"), products(20))));
        // The day begins in Tokyo after the preview, and before the set is applied.
        clock.set(Instant.parse("2036-06-15T15:00:00Z"));
        fixture.applied(set);
        clock.set(Instant.parse("2036-06-15T22:00:00Z"));
        var partly = fixture.sets.find(GRACE, set.id()).orElseThrow();
        assertThat(partly.status()).isEqualTo(ChangeSetStatus.PARTLY_APPLIED);
        assertThat(partly.failed()).isEqualTo(20);

        var retry = done(fixture.drafts.draftRetry(GRACE, set.id(), null));

        assertThat(fixture.lines(retry))
                .hasSize(20)
                .extracting(line -> line.store().value(), ChangeLine::finding)
                .containsOnly(tuple("JP-0001", Finding.WILL_CHANGE));
        fixture.applied(retry);
        assertThat(fixture.price("JP-0001", "P000")).isEqualTo("550");
        assertThat(fixture.price("DE-0001", "P000")).isEqualTo("5.50");
        assertThat(fixture.drafts.draftRetry(GRACE, retry.id(), null)).isInstanceOf(ChangeSetResult.NotAllowed.class);
    }

    @Test
    void whatFailedIsStillKnownOnceTheRestIsMoved() {
        loadHundred();
        fixture.load(Stream.of(products(20))
                .<Price>map(product -> price(TOKYO, "ALL", product, "2030-01-01", "500"))
                .toList());
        var set =
                fixture.drafted(draft("2036-06-16", rule(percent("10"), List.of("DE-0001", "JP-0001"), products(20))));
        clock.set(Instant.parse("2036-06-15T15:00:00Z"));
        fixture.applied(set);

        var moved = done(fixture.sets.reschedule(GRACE, set.id(), EffectiveDate.parse("2036-06-20")));

        assertThat(moved.status()).isEqualTo(ChangeSetStatus.SCHEDULED);
        assertThat(moved.failed()).isEqualTo(20);
        clock.set(Instant.parse("2036-06-19T22:00:00Z"));
        assertThat(fixture.sets.find(GRACE, set.id()).orElseThrow().status()).isEqualTo(ChangeSetStatus.PARTLY_APPLIED);
        assertThat(fixture.price("DE-0001", "P000")).isEqualTo("5.50");
        assertThat(fixture.lines(done(fixture.drafts.draftRetry(GRACE, set.id(), null))))
                .hasSize(20)
                .extracting(line -> line.store().value(), ChangeLine::finding)
                .containsOnly(tuple("JP-0001", Finding.WILL_CHANGE));
    }

    @Test
    void fourteenStoresAreOneTransactionAtOnceAndFifteenTakeATask() {
        var stores = IntStream.range(0, 15)
                .mapToObj(number -> aStore("AT-%04d".formatted(number)).build())
                .toList();
        fixture.stores.save(EVERYTHING, stores);
        fixture.load(stores.stream()
                .<Price>map(store -> price(store, "ALL", "BURGER", "2030-01-01", "4.99"))
                .toList());
        var ids = stores.stream().map(store -> store.id().value()).toList();

        fixture.applied(draft(null, rule(setTo("5.49"), ids.subList(0, 14), "BURGER")));
        assertThat(tasks()).isZero();
        clock.advance(Duration.ofMinutes(1));
        fixture.applied(draft(null, rule(setTo("5.59"), ids, "BURGER")));

        assertThat(tasks()).isEqualTo(1);
        assertThat(ids)
                .allSatisfy(store -> assertThat(fixture.price(store, "BURGER")).isEqualTo("5.59"));
    }

    private int tasks() {
        return fixture.tasks
                .reads()
                .list(TasksFixture.STAFF, TaskFilter.of(TaskStatus.COMPLETED), ChangesFixture.PAGE)
                .nodes()
                .size();
    }

    @Test
    void thePriceOfAnInstantLongAgoIsKnownWhenItsVersionHasExpired() {
        clock.set(Instant.parse("2036-06-16T12:00:00Z"));
        fixture.applied(draft(null, rule(setTo("5.49"), ONE, "BURGER")));
        clock.set(Instant.parse("2036-06-18T12:00:00Z"));
        fixture.applied(draft(null, rule(setTo("5.99"), ONE, "BURGER")));
        clock.set(Instant.parse("2036-06-20T12:00:00Z"));
        fixture.applied(draft(null, rule(new PriceOperation.Delete(), ONE, "BURGER")));

        clock.advance(Duration.ofDays(60));

        assertThat(fixture.prices.versions(BERLIN.id(), Channel.ALL, List.of(ChangesFixture.product("BURGER"))))
                .hasEntrySatisfying(ChangesFixture.product("BURGER"), versions -> assertThat(versions.versions())
                        .hasSize(1));
        for (var known : Map.of(
                        "2036-06-16T11:59:59Z", "4.99",
                        "2036-06-16T12:00:00Z", "5.49",
                        "2036-06-18T11:59:59.999Z", "5.49",
                        "2036-06-19T00:00:00Z", "5.99",
                        "2036-06-20T12:00:00Z", "")
                .entrySet()) {
            assertThat(fixture.price("DE-0001", "BURGER", known.getKey()))
                    .as(known.getKey())
                    .isEqualTo(known.getValue());
            var listed = fixture.pricing.basePrices(
                    EVERYTHING, BERLIN.id(), Channel.ALL, "BURGER", Instant.parse(known.getKey()), ChangesFixture.PAGE);
            var byProduct = fixture.pricing.basePricesByProduct(
                    EVERYTHING,
                    new ProductId("BURGER"),
                    Channel.ALL,
                    Instant.parse(known.getKey()),
                    ChangesFixture.PAGE);
            assertThat(listed.nodes())
                    .as(known.getKey())
                    .isEqualTo(
                            known.getValue().isEmpty()
                                    ? List.of()
                                    : List.of(fixture.pricing
                                            .price(
                                                    EVERYTHING,
                                                    BERLIN.id(),
                                                    new ProductId("BURGER"),
                                                    Channel.ALL,
                                                    Instant.parse(known.getKey()))
                                            .orElseThrow()));
            assertThat(byProduct.nodes()).as(known.getKey()).containsAll(listed.nodes());
        }
    }

    /** From 01:00 to 02:00 of UTC, the clock shows 02:00 to 03:00 again. */
    @Test
    void thePriceThatWasReplacedWhileTheClockShowedAnHourAgainIsTheLowest() {
        clock.set(Instant.parse("2036-10-26T01:10:00Z"));
        fixture.applied(draft(null, rule(setTo("3.99"), ONE, "BURGER")));
        clock.set(Instant.parse("2036-10-26T01:40:00Z"));
        fixture.applied(draft(null, rule(setTo("4.99"), ONE, "BURGER")));

        assertThat(lowest()).contains(Money.of("3.99 EUR"));
        assertThat(table.meter().during(this::lowest).requests()).isEqualTo(2);
        clock.set(Instant.parse("2036-11-25T01:39:00Z"));
        assertThat(lowest()).as("still charged 30 days ago").contains(Money.of("3.99 EUR"));
        clock.set(Instant.parse("2036-11-25T01:41:00Z"));
        assertThat(lowest()).as("replaced by then").contains(Money.of("4.99 EUR"));
        clock.set(Instant.parse("2036-11-25T02:01:00Z"));
        assertThat(lowest()).contains(Money.of("4.99 EUR"));
    }

    private Optional<Money> lowest() {
        return fixture.pricing.lowest(EVERYTHING, BERLIN.id(), ChangesFixture.product("BURGER"), Channel.ALL);
    }

    @Test
    void aPriceThatWasLoadedBetweenChangesLongAgoCountsFromItsDate() {
        clock.set(Instant.parse("2036-06-16T12:00:00Z"));
        fixture.applied(draft(null, rule(setTo("5.49"), ONE, "BURGER")));
        fixture.load(List.of(StoreBuilder.price(BERLIN, "ALL", "BURGER", "2036-06-18", "5.79")));
        clock.set(Instant.parse("2036-06-20T12:00:00Z"));
        fixture.applied(draft(null, rule(setTo("5.99"), ONE, "BURGER")));

        clock.advance(Duration.ofDays(60));

        assertThat(fixture.price("DE-0001", "BURGER", "2036-06-15T00:00:00Z")).isEqualTo("4.99");
        assertThat(fixture.price("DE-0001", "BURGER", "2036-06-17T12:00:00Z")).isEqualTo("5.49");
        assertThat(fixture.price("DE-0001", "BURGER", "2036-06-18T12:00:00Z")).isEqualTo("5.79");
    }

    @Test
    void aPriceThatWasLoadedLongAgoEndsWhereTheNextOneOfItsFileBegan() {
        fixture.load(List.of(StoreBuilder.price(BERLIN, "ALL", "BURGER", "2031-01-01", "5.49")));
        fixture.applied(draft(null, rule(setTo("5.99"), ONE, "BURGER")));

        clock.advance(Duration.ofDays(60));

        var price = fixture.pricing.price(
                EVERYTHING, BERLIN.id(), new ProductId("BURGER"), Channel.ALL, Instant.parse("2030-06-01T00:00:00Z"));
        assertThat(price.orElseThrow().endDate()).isEqualTo(EffectiveDate.parse("2031-01-01"));
    }

    @Test
    void aPriceOfAllChannelsEndedLongAgoWhereTheFirstOneOfTheChannelWasLoaded() {
        var delivery = new Channel("DELIVERY");
        fixture.load(List.of(StoreBuilder.price(BERLIN, "DELIVERY", "BURGER", "2031-01-01", "5.49")));
        fixture.applied(draft(null, rule(delivery, setTo("5.99"), ONE, "BURGER")));

        clock.advance(Duration.ofDays(60));

        var price = fixture.pricing.price(
                EVERYTHING, BERLIN.id(), new ProductId("BURGER"), delivery, Instant.parse("2030-06-01T00:00:00Z"));
        assertThat(price.orElseThrow().channel()).isEqualTo(Channel.ALL);
        assertThat(price.orElseThrow().endDate()).isEqualTo(EffectiveDate.parse("2031-01-01"));
    }

    @Test
    void aPreviewIsRefusedWhenPricesMovedSince() {
        var set = fixture.drafted(draft(null, rule(percent("10"), ONE, "BURGER")));
        fixture.applied(draft(null, rule(setTo("4.49"), ONE, "BURGER")));
        clock.advance(Duration.ofMinutes(1));

        var refused = fixture.sets.apply(GRACE, set.id(), String.valueOf(set.token()));

        assertThat(refused).isInstanceOf(ChangeSetResult.Stale.class);
        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("4.49");
        var again = done(fixture.drafts.preview(GRACE, set.id()));
        fixture.applied(again);
        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("4.94");
    }

    @Test
    void suspiciousLinesMustBeMeant() {
        var set = fixture.drafted(draft(null, rule(setTo("49.90"), ONE, "BURGER")));

        assertThat(fixture.lines(set)).extracting(ChangeLine::message).containsExactly("would cost 10 times as much");
        assertThat(fixture.sets.apply(GRACE, set.id(), String.valueOf(set.token())))
                .isInstanceOf(ChangeSetResult.Suspicious.class);
        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("4.99");
    }

    @Test
    void aDeletedPriceIsGoneAndComesBackWithUndo() {
        var set = fixture.applied(draft(null, rule(new PriceOperation.Delete(), ONE, "BURGER")));
        clock.advance(Duration.ofMinutes(1));

        assertThat(fixture.price("DE-0001", "BURGER")).isEmpty();
        assertThat(fixture.pricing
                        .basePrices(EVERYTHING, BERLIN.id(), Channel.ALL, null, clock.instant(), ChangesFixture.PAGE)
                        .nodes())
                .extracting(price -> price.product().value())
                .containsExactly("COLA");
        fixture.applied(done(fixture.drafts.draftUndo(GRACE, set.id(), "oops", null)));
        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("4.99");
    }

    @Test
    void oneKeyMakesOneSet() {
        var draft = draft("2036-07-01", rule(setTo("5.19"), ONE, "BURGER"));

        var made = (ChangeSetResult.Done) fixture.drafts.draft(GRACE, draft, "key");
        var again = (ChangeSetResult.Done) fixture.drafts.draft(GRACE, draft, "key");

        var first = made.set();
        assertThat(made.isNew()).isTrue();
        assertThat(again.isNew()).isFalse();
        assertThat(again.set().id()).isEqualTo(first.id());
        assertThat(fixture.drafts.draft(GRACE, draft("2036-07-02", rule(setTo("5.19"), ONE, "BURGER")), "key"))
                .isEqualTo(new ChangeSetResult.KeyReused(first.id(), "key"));
        assertThat(fixture.sets.list(GRACE, ChangesFixture.PAGE).nodes()).hasSize(1);
    }

    @Test
    void aSetThatIsPreviewedLaterIsNewOnce() {
        var draft = draft(null, rule(setTo("5.19"), ONE, "BURGER"));
        try (var instance = new ChangesFixture(table.queryDb(clock), clock, 0)) {
            var made = (ChangeSetResult.Done) instance.drafts.draft(GRACE, draft, "later");
            var again = (ChangeSetResult.Done) instance.drafts.draft(GRACE, draft, "later");

            assertThat(made.isNew()).isTrue();
            assertThat(again.isNew()).isFalse();
            assertThat(again.set().id()).isEqualTo(made.set().id());
        }
    }

    private void loadHundred() {
        fixture.load(Stream.of(products(100))
                .<Price>map(product -> price(BERLIN, "ALL", product, "2030-01-01", "5.00"))
                .toList());
    }

    /** Has what is overdue applied, and finds the set as it is then. */
    private ChangeSet finish(ChangeSet set) {
        clock.advance(Duration.ofHours(2));
        fixture.reconcile(new MemorySchedules());
        return fixture.sets.find(GRACE, set.id()).orElseThrow();
    }

    private static ChangeSetSummary summary(ChangeSet set) {
        return Objects.requireNonNull(set.summary());
    }

    private static Money euros(String amount) {
        return new Money(new BigDecimal(amount), Money.currencyOf("EUR"));
    }
}
