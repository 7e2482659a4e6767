package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.done;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.products;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceHistoryEntry;
import io.menuboard.pricing.SaveOutcome;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.Stores.Edited;
import io.menuboard.pricing.batches.MemorySchedules;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.pricing.imports.ImportFixture;
import io.menuboard.pricing.imports.ImportState;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that get another time zone, in which their clocks are behind or ahead. */
class MovedClocksTest {
    private static final Store IN_NEW_YORK =
            aStore("DE-0001").onTheClockOf("America/New_York").build();

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock(Instant.parse("2036-06-15T10:00:00Z"));
    private ChangesFixture fixture;

    @BeforeEach
    void open() {
        fixture = new ChangesFixture(table.queryDb(clock), clock);
        fixture.stores.save(EVERYTHING, List.of(BERLIN));
        fixture.load(List.of(
                price(BERLIN, "ALL", "BURGER", "2030-01-01", "4.99"),
                price(BERLIN, "KIOSK", "COLA", "2030-01-01", "2.49")));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void noClockGoesBackBeforeATimeAtWhichAPriceWasSetAtOnce() {
        fixture.applied(draft(null, rule(setTo("5.49"), List.of("DE-0001"), "BURGER")));
        clock.advance(Duration.ofMinutes(5));

        assertThatThrownBy(() -> fixture.stores.edit(EVERYTHING, BERLIN.id(), _ -> IN_NEW_YORK))
                .isInstanceOfSatisfying(InvalidInput.class, refusal -> {
                    assertThat(refusal.code()).isEqualTo("PRICE_SET_AT_ONCE");
                    assertThat(refusal.field()).isEqualTo("timeZone");
                    assertThat(refusal)
                            .hasMessage("timeZone must not be America/New_York before 2036-06-15T16:00:00Z: until then"
                                    + " the price would not be in effect that was set at once when the store's clock"
                                    + " showed 2036-06-15T12:00:00");
                });
        assertThat(fixture.stores.save(EVERYTHING, List.of(IN_NEW_YORK)))
                .singleElement()
                .isInstanceOfSatisfying(
                        SaveOutcome.Refused.class,
                        refused -> assertThat(refused.rule().code()).isEqualTo("PRICE_SET_AT_ONCE"));

        assertThat(fixture.stores.find(EVERYTHING, BERLIN.id())).contains(BERLIN);
        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("5.49");
        clock.set(Instant.parse("2036-06-15T15:59:59Z"));
        assertThatThrownBy(() -> fixture.stores.edit(EVERYTHING, BERLIN.id(), _ -> IN_NEW_YORK))
                .isInstanceOf(InvalidInput.class);
        clock.advance(Duration.ofSeconds(1));
        assertThat(fixture.stores.edit(EVERYTHING, BERLIN.id(), _ -> IN_NEW_YORK))
                .isEqualTo(new Edited.Done(IN_NEW_YORK));
        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("5.49");
    }

    /** Its keys come right after the store's own item, {@code META}. */
    @Test
    void noClockGoesBackBeforeATimeAtWhichAPriceOfAnyChannelWasSetAtOnce() {
        var shop = new Channel("META SHOP");
        fixture.load(List.of(price(BERLIN, "META SHOP", "BURGER", "2030-01-01", "4.99")));
        fixture.applied(draft(null, rule(shop, setTo("5.49"), List.of("DE-0001"), "BURGER")));

        assertThatThrownBy(() -> fixture.stores.edit(EVERYTHING, BERLIN.id(), _ -> IN_NEW_YORK))
                .isInstanceOfSatisfying(InvalidInput.class, refusal -> assertThat(refusal.code())
                        .isEqualTo("PRICE_SET_AT_ONCE"));
    }

    @Test
    void aClockThatGoesForwardReadsNoPricesAndOneThatGoesBackItsChannelsAndVersions() {
        fixture.applied(draft(null, rule(setTo("5.49"), List.of("DE-0001"), "BURGER")));
        var tokyo = aStore("DE-0001").onTheClockOf("Asia/Tokyo").build();
        clock.advance(Duration.ofHours(8));

        var forward = table.meter().during(() -> fixture.stores.edit(EVERYTHING, BERLIN.id(), _ -> tokyo));
        var back = table.meter().during(() -> fixture.stores.edit(EVERYTHING, BERLIN.id(), _ -> BERLIN));

        assertThat(forward.requests()).isEqualTo(2);
        assertThat(back.requests())
                .as(
                        "for each of two channels one to find it and two of its versions; the store's own item, and the end")
                .isEqualTo(2 + 2 * 3 + 2);
        assertThat(fixture.stores.find(EVERYTHING, BERLIN.id())).contains(BERLIN);
    }

    @Test
    void whatWasPlannedIsToComeAgain() {
        fixture.applied(draft("2036-06-15T12:02", rule(setTo("5.49"), List.of("DE-0001"), "BURGER")));
        clock.advance(Duration.ofMinutes(5));
        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("5.49");

        assertThat(fixture.stores.edit(EVERYTHING, BERLIN.id(), _ -> IN_NEW_YORK))
                .isEqualTo(new Edited.Done(IN_NEW_YORK));

        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("4.99");
        assertThat(fixture.price("DE-0001", "BURGER", "2036-06-15T16:02:00Z")).isEqualTo("5.49");
    }

    /** One that fits a transaction, and one that takes a task. */
    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void aSetIsCancelledThatIsToComeBecauseItsStoreHasMovedMeanwhile(int count) {
        fixture.load(Stream.of(products(count))
                .map(product -> price(BERLIN, "ALL", product, "2030-01-01", "4.99"))
                .toList());
        var set = fixture.applied(draft("2036-06-16", rule(setTo("5.49"), List.of("DE-0001"), products(count))));
        fixture.stores.edit(EVERYTHING, BERLIN.id(), _ -> IN_NEW_YORK);
        clock.set(Instant.parse("2036-06-15T23:00:00Z")); // midnight was in Berlin

        var cancelled = done(fixture.sets.cancel(GRACE, set.id()));

        assertThat(cancelled.status()).isEqualTo(ChangeSetStatus.CANCELLED);
        assertThat(fixture.price("DE-0001", "P000", "2036-06-16T04:00:00Z")).isEqualTo("4.99");
    }

    @Test
    void aSetIsMovedThatIsToComeBecauseItsStoreHasMovedMeanwhile() {
        var set = fixture.applied(draft("2036-06-16", rule(setTo("5.49"), List.of("DE-0001"), "BURGER")));
        fixture.stores.edit(EVERYTHING, BERLIN.id(), _ -> IN_NEW_YORK);
        clock.set(Instant.parse("2036-06-15T23:00:00Z"));

        var moved = done(fixture.sets.reschedule(GRACE, set.id(), EffectiveDate.parse("2036-06-17")));

        assertThat(moved.status()).isEqualTo(ChangeSetStatus.SCHEDULED);
        assertThat(fixture.price("DE-0001", "BURGER", "2036-06-17T03:59:59Z")).isEqualTo("4.99");
        assertThat(fixture.price("DE-0001", "BURGER", "2036-06-17T04:00:00Z")).isEqualTo("5.49");
    }

    @Test
    void aSetThatIsInEffectOnTheClocksOfItsStoresAsTheyAreNowStaysSo() {
        var set = fixture.applied(draft("2036-06-16", rule(setTo("5.49"), List.of("DE-0001"), "BURGER")));
        fixture.stores.edit(EVERYTHING, BERLIN.id(), _ -> IN_NEW_YORK);
        clock.set(Instant.parse("2036-06-16T04:00:00Z"));

        assertThat(fixture.sets.cancel(GRACE, set.id())).isInstanceOf(ChangeSetResult.NotAllowed.class);
        assertThat(fixture.sets.reschedule(GRACE, set.id(), EffectiveDate.parse("2036-06-17")))
                .isInstanceOf(ChangeSetResult.NotAllowed.class);
        assertThat(fixture.sets.find(GRACE, set.id()).orElseThrow().status()).isEqualTo(ChangeSetStatus.APPLIED);
        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("5.49");
    }

    @Test
    void aSetThatWasInEffectBeforeItsStoreHasMovedIsNotCancelled() {
        var set = fixture.applied(draft("2036-06-16", rule(setTo("5.49"), List.of("DE-0001"), "BURGER")));
        clock.set(Instant.parse("2036-06-15T22:00:00Z"));
        fixture.batches.apply(EVERYTHING, new PriceBatch(BERLIN.id(), Channel.ALL, EffectiveDate.parse("2036-06-16")));
        fixture.stores.edit(EVERYTHING, BERLIN.id(), _ -> IN_NEW_YORK);

        assertThat(fixture.sets.cancel(GRACE, set.id())).isInstanceOf(ChangeSetResult.NotAllowed.class);
        assertThat(fixture.history("DE-0001", "BURGER")).hasSize(1);
    }

    /** One that fits a transaction, and one that takes a task. */
    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void whatWasInEffectInOneStoreBeforeThatHasMovedStaysWhereTheRestOfItsSetIsCancelled(int count) {
        var inTokyo = aStore("JP-0001").onTheClockOf("Asia/Tokyo").build();
        fixture.stores.save(EVERYTHING, List.of(inTokyo));
        fixture.load(Stream.of(products(count))
                .flatMap(product ->
                        Stream.of(BERLIN, inTokyo).map(store -> price(store, "ALL", product, "2030-01-01", "4.99")))
                .toList());
        var set = fixture.applied(
                draft("2036-06-16", rule(setTo("5.49"), List.of("JP-0001", "DE-0001"), products(count))));
        clock.set(Instant.parse("2036-06-15T15:00:00Z"));
        fixture.batches.apply(EVERYTHING, new PriceBatch(inTokyo.id(), Channel.ALL, EffectiveDate.parse("2036-06-16")));
        fixture.stores.edit(EVERYTHING, inTokyo.id(), _ -> aStore("JP-0001")
                .onTheClockOf("America/New_York")
                .build());
        clock.set(Instant.parse("2036-06-15T16:00:00Z"));

        var cancelled = done(fixture.sets.cancel(GRACE, set.id()));

        assertThat(cancelled.status()).isEqualTo(ChangeSetStatus.PARTLY_APPLIED);
        assertThat(cancelled.data().takenBack()).isEqualTo(count);
        assertThat(fixture.price("DE-0001", "P000", "2036-06-16T04:00:00Z")).isEqualTo("4.99");
        assertThat(fixture.price("JP-0001", "P000", "2036-06-16T04:00:00Z")).isEqualTo("5.49");
        assertThat(fixture.history("JP-0001", "P000")).hasSize(1);
    }

    @Test
    void whatWasInEffectStaysAlsoWhereALaterSetHasTakenItsPlaceSince() {
        var inTokyo = aStore("JP-0001").onTheClockOf("Asia/Tokyo").build();
        fixture.stores.save(EVERYTHING, List.of(inTokyo));
        fixture.load(List.of(price(inTokyo, "ALL", "BURGER", "2030-01-01", "4.99")));
        var set = fixture.applied(draft("2036-06-16", rule(setTo("5.49"), List.of("JP-0001", "DE-0001"), "BURGER")));
        clock.set(Instant.parse("2036-06-15T15:00:00Z"));
        fixture.batches.apply(EVERYTHING, new PriceBatch(inTokyo.id(), Channel.ALL, EffectiveDate.parse("2036-06-16")));
        fixture.stores.edit(EVERYTHING, inTokyo.id(), _ -> aStore("JP-0001")
                .onTheClockOf("America/New_York")
                .build());
        fixture.applied(draft("2036-06-16", rule(setTo("5.99"), List.of("JP-0001"), "BURGER")));
        clock.set(Instant.parse("2036-06-15T16:00:00Z"));

        var cancelled = done(fixture.sets.cancel(GRACE, set.id()));

        assertThat(cancelled.status()).isEqualTo(ChangeSetStatus.PARTLY_APPLIED);
        assertThat(cancelled.data().takenBack()).isEqualTo(1);
        assertThat(cancelled.data().overtaken()).isZero();
        assertThat(fixture.price("DE-0001", "BURGER", "2036-06-16T04:00:00Z")).isEqualTo("4.99");
        assertThat(fixture.price("JP-0001", "BURGER", "2036-06-16T04:00:00Z")).isEqualTo("5.99");
    }

    @Test
    void aSetIsNotUndoneWhoseTimeIsToComeInAStoreThatHasMovedButCancelledThere() {
        var other = aStore("DE-0002").build();
        fixture.stores.save(EVERYTHING, List.of(other));
        fixture.load(List.of(price(other, "ALL", "BURGER", "2030-01-01", "4.99")));
        var set = fixture.applied(draft("2036-06-16", rule(setTo("5.49"), List.of("DE-0001", "DE-0002"), "BURGER")));
        fixture.stores.edit(EVERYTHING, BERLIN.id(), _ -> IN_NEW_YORK);
        clock.set(Instant.parse("2036-06-15T23:00:00Z"));

        assertThat(fixture.drafts.draftUndo(GRACE, set.id(), "a slip", null))
                .isInstanceOfSatisfying(ChangeSetResult.NotAllowed.class, refused -> assertThat(refused.rule())
                        .isEqualTo("changeSet must not have prices that are to come; cancel those before"));

        assertThat(done(fixture.sets.cancel(GRACE, set.id())).status()).isEqualTo(ChangeSetStatus.PARTLY_APPLIED);
        fixture.applied(done(fixture.drafts.draftUndo(GRACE, set.id(), "a slip", null)));
        clock.set(Instant.parse("2036-06-16T04:00:00Z"));
        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("4.99");
        assertThat(fixture.price("DE-0002", "BURGER")).isEqualTo("4.99");
    }

    @Test
    void aSetIsNotUndoneWhoseOvertakenLineIsToComeBecauseItWouldComeBackWithoutTheLaterSet() {
        var other = aStore("DE-0002").build();
        fixture.stores.save(EVERYTHING, List.of(other));
        fixture.load(List.of(price(other, "ALL", "BURGER", "2030-01-01", "4.99")));
        var set = fixture.applied(draft("2036-06-16", rule(setTo("5.49"), List.of("DE-0001", "DE-0002"), "BURGER")));
        clock.advance(Duration.ofMinutes(1));
        var later = fixture.applied(draft("2036-06-16", rule(setTo("5.99"), List.of("DE-0001"), "BURGER")));
        fixture.stores.edit(EVERYTHING, BERLIN.id(), _ -> IN_NEW_YORK);
        clock.set(Instant.parse("2036-06-15T23:00:00Z"));
        assertThat(fixture.drafts.draftUndo(GRACE, set.id(), "a slip", null))
                .isInstanceOfSatisfying(ChangeSetResult.NotAllowed.class, refused -> assertThat(refused.rule())
                        .isEqualTo("changeSet must not have prices that are to come; cancel those before"));
        assertThat(done(fixture.sets.cancel(GRACE, set.id())).status()).isEqualTo(ChangeSetStatus.PARTLY_APPLIED);

        fixture.applied(done(fixture.drafts.draftUndo(GRACE, set.id(), "a slip", null)));

        assertThat(fixture.price("DE-0002", "BURGER")).isEqualTo("4.99");
        assertThat(fixture.price("DE-0001", "BURGER", "2036-06-16T04:00:00Z")).isEqualTo("5.99");
        assertThat(done(fixture.sets.cancel(GRACE, later.id())).status()).isEqualTo(ChangeSetStatus.CANCELLED);
        assertThat(fixture.price("DE-0001", "BURGER", "2036-06-16T04:00:00Z")).isEqualTo("4.99");
    }

    @Test
    void aSetThatWasInEffectBeforeItsStoreHasMovedIsUndoneOnceItIsAgain() {
        var set = fixture.applied(draft("2036-06-16", rule(setTo("5.49"), List.of("DE-0001"), "BURGER")));
        clock.set(Instant.parse("2036-06-15T22:00:00Z"));
        fixture.batches.apply(EVERYTHING, new PriceBatch(BERLIN.id(), Channel.ALL, EffectiveDate.parse("2036-06-16")));
        fixture.stores.edit(EVERYTHING, BERLIN.id(), _ -> IN_NEW_YORK);

        assertThat(fixture.drafts.draftUndo(GRACE, set.id(), "a slip", null))
                .isInstanceOfSatisfying(ChangeSetResult.NotAllowed.class, refused -> assertThat(refused.rule())
                        .contains("the clock of one has gone back since"));

        clock.set(Instant.parse("2036-06-16T04:00:00Z"));
        fixture.applied(done(fixture.drafts.draftUndo(GRACE, set.id(), "a slip", null)));
        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("4.99");
    }

    @Test
    void aBatchIsNotOverdueWhoseTimeIsToComeBecauseItsStoreHasMoved() {
        fixture.applied(draft("2036-06-16", rule(setTo("5.49"), List.of("DE-0001"), "BURGER")));
        fixture.stores.edit(EVERYTHING, BERLIN.id(), _ -> IN_NEW_YORK);
        clock.set(Instant.parse("2036-06-15T23:00:00Z"));
        assertThat(fixture.reconcile(new MemorySchedules())).isZero();

        clock.set(Instant.parse("2036-06-16T05:00:00Z"));
        assertThat(fixture.reconcile(new MemorySchedules())).isEqualTo(1);
        assertThat(fixture.history("DE-0001", "BURGER")).hasSize(1);
    }

    @Test
    void aRowOfAFileThatWouldDoThatIsRejectedForItsTimeZone() {
        fixture.applied(draft(null, rule(setTo("5.49"), List.of("DE-0001"), "BURGER")));
        clock.advance(Duration.ofMinutes(5));

        var ended = ImportFixture.drafted(
                fixture,
                ImportFixture.stores(
                        "id,name,timeZone,currency",
                        "DE-0001,Berlin,America/New_York,EUR",
                        "US-0001,New York,America/New_York,USD"));

        assertThat(ended.state()).isEqualTo(ImportState.FINISHED);
        assertThat(ended.files()).singleElement().satisfies(file -> {
            assertThat(file.created()).isEqualTo(1);
            assertThat(file.rejected()).isEqualTo(1);
        });
        try (var rejections = ImportFixture.imports(fixture).rejections(EVERYTHING, ended)) {
            assertThat(rejections).singleElement().satisfies(rejection -> {
                assertThat(rejection.code()).isEqualTo("PRICE_SET_AT_ONCE");
                assertThat(rejection.field()).isEqualTo("timeZone");
            });
        }
        assertThat(fixture.stores.find(EVERYTHING, BERLIN.id())).contains(BERLIN);
    }

    /** On a clock that shows the second date when the first one was applied, or before, or jumps over both. */
    @ParameterizedTest
    @CsvSource({
        "2036-06-15T13:00, 2036-06-15T15:00, Asia/Dubai",
        "2036-06-15T13:00, 2036-06-15T15:00, Asia/Tokyo",
        "2036-10-05T02:10, 2036-10-05T02:40, Australia/Sydney"
    })
    void whatAClockThatGoesForwardComesToStandsInHistoryByItsDate(String first, String second, String zone) {
        var drafted = ImportFixture.drafted(
                fixture,
                ImportFixture.prices(
                        "store,product,effectiveDate,amount",
                        "DE-0001,BURGER," + first + ",5.49",
                        "DE-0001,BURGER," + second + ",5.99"));
        var set = fixture.applied(fixture.sets
                .find(GRACE, Objects.requireNonNull(drafted.changeSet()))
                .orElseThrow());
        clock.set(EffectiveDate.parse(second).startsAt(BERLIN.timeZone()).minusSeconds(60));
        if (!first.startsWith("2036-10")) {
            fixture.batches.apply(EVERYTHING, new PriceBatch(BERLIN.id(), Channel.ALL, EffectiveDate.parse(first)));
        }
        fixture.stores.edit(EVERYTHING, BERLIN.id(), _ -> aStore("DE-0001")
                .onTheClockOf(zone)
                .build());

        fixture.reconcile(new MemorySchedules());

        assertThat(fixture.reconcile(new MemorySchedules())).isZero();
        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("5.99");
        assertThat(fixture.history("DE-0001", "BURGER"))
                .extracting(PriceHistoryEntry::changeSet, PriceHistoryEntry::effectiveDate)
                .containsExactly(
                        tuple(set.id(), EffectiveDate.parse(first)), tuple(set.id(), EffectiveDate.parse(second)));
        assertThat(fixture.history("DE-0001", "BURGER"))
                .extracting(PriceHistoryEntry::sequence)
                .doesNotHaveDuplicates();
    }

    @Test
    void aBatchIsAppliedWhoseInstantAnEarlierDateHadOnAClockThatWasTakenBack() {
        var rows = ImportFixture.prices(
                "store,product,effectiveDate,amount",
                "DE-0001,BURGER,2036-06-15T13:00,5.49",
                "DE-0001,BURGER,2036-06-15T19:00,5.99");
        fixture.applied(fixture.sets
                .find(
                        GRACE,
                        Objects.requireNonNull(
                                ImportFixture.drafted(fixture, rows).changeSet()))
                .orElseThrow());
        fixture.stores.edit(EVERYTHING, BERLIN.id(), _ -> IN_NEW_YORK);
        clock.set(Instant.parse("2036-06-15T17:00:00Z"));
        fixture.batches.apply(
                EVERYTHING, new PriceBatch(BERLIN.id(), Channel.ALL, EffectiveDate.parse("2036-06-15T13:00")));
        fixture.stores.edit(EVERYTHING, BERLIN.id(), _ -> BERLIN);
        clock.advance(Duration.ofMinutes(5));

        fixture.reconcile(new MemorySchedules());

        assertThat(fixture.reconcile(new MemorySchedules())).isZero();
        assertThat(fixture.history("DE-0001", "BURGER"))
                .extracting(entry -> entry.effectiveDate().toString(), PriceHistoryEntry::at)
                .containsExactly(
                        tuple("2036-06-15T13:00:00", Instant.parse("2036-06-15T17:00:00Z")),
                        tuple("2036-06-15T19:00:00", Instant.parse("2036-06-15T17:00:00Z")));
    }
}
