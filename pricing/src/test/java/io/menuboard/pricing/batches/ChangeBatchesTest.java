package io.menuboard.pricing.batches;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.PricingFixture.limitedTo;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.SANTIAGO;
import static io.menuboard.pricing.StoreBuilder.TOKYO;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.percent;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Count;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceHistoryEntry;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.PriceVersion;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.pricing.rules.PriceOperation;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is to come, and what has come, as it is read. */
class ChangeBatchesTest {
    private static final List<String> ONE = List.of("DE-0001");
    private static final List<String> EVERYWHERE = List.of("DE-0001", "JP-0001", "CL-0001");
    private static final ProductId BURGER = new ProductId("BURGER");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private ChangesFixture fixture;

    @BeforeEach
    void open() {
        fixture = new ChangesFixture(table.queryDb(clock), clock);
        fixture.stores.save(EVERYTHING, List.of(BERLIN, TOKYO, SANTIAGO));
        fixture.load(List.of(
                price(BERLIN, "ALL", "BURGER", "2030-01-01", "5.00"),
                price(TOKYO, "ALL", "BURGER", "2030-01-01", "450"),
                price(SANTIAGO, "ALL", "BURGER", "2030-01-01", "3500")));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aBatchIsOnTheDayOfItsStoresOwnCalendar() {
        fixture.applied(draft("2036-07-01", rule(percent("10"), EVERYWHERE, "BURGER")));
        var july = LocalDate.of(2036, 7, 1);

        assertThat(fixture.batches.onDays(EVERYTHING, july, july))
                .extracting(batch -> batch.batch().store().value(), ScheduledBatch::at)
                .containsExactly(
                        tuple("JP-0001", Instant.parse("2036-06-30T15:00:00Z")),
                        tuple("DE-0001", Instant.parse("2036-06-30T22:00:00Z")),
                        tuple("CL-0001", Instant.parse("2036-07-01T04:00:00Z")));
        assertThat(fixture.batches.onDays(EVERYTHING, july.minusDays(30), july.minusDays(1)))
                .isEmpty();
        assertThat(fixture.batches.onDays(EVERYTHING, july.plusDays(1), july.plusDays(30)))
                .isEmpty();
    }

    @Test
    void aBatchBeginsByTheTimeZoneThatItsStoreHasNow() {
        fixture.applied(draft("2036-07-01", rule(percent("10"), ONE, "BURGER")));
        var midnight = Instant.parse("2036-07-01T07:00:00Z");

        fixture.stores.save(
                EVERYTHING,
                List.of(aStore("DE-0001").onTheClockOf("America/Los_Angeles").build()));

        assertThat(fixture.batches.between(EVERYTHING, midnight, midnight.plusSeconds(1)))
                .extracting(ScheduledBatch::at)
                .containsExactly(midnight);
        assertThat(fixture.batches.between(EVERYTHING, midnight.minus(Duration.ofDays(1)), midnight))
                .isEmpty();
        assertThat(fixture.batches.onDays(EVERYTHING, LocalDate.of(2036, 7, 1), LocalDate.of(2036, 7, 1)))
                .extracting(ScheduledBatch::at)
                .containsExactly(midnight);
    }

    @Test
    void batchesHavePagesBothWays() {
        for (var day : List.of("2036-07-01", "2036-07-02", "2036-07-12", "2036-08-20")) {
            fixture.applied(draft(day, rule(percent("10"), EVERYWHERE, "BURGER")));
        }
        fixture.stores.save(
                EVERYTHING,
                List.of(aStore("DE-0001").onTheClockOf("America/Los_Angeles").build()));
        var from = Instant.parse("2036-06-30T00:00:00Z");
        var to = from.plus(Duration.ofDays(60));
        var all = fixture.batches.between(EVERYTHING, from, to);

        for (var size : List.of(1, 2, 5, 12)) {
            var forward = new ArrayList<ScheduledBatch>();
            var page = fixture.batches.between(EVERYTHING, from, to, PageRequest.forward(size, null));
            while (!page.edges().isEmpty()) {
                assertThat(page.hasPreviousPage()).isEqualTo(!forward.isEmpty());
                forward.addAll(page.nodes());
                assertThat(page.hasNextPage()).isEqualTo(forward.size() < all.size());
                page = fixture.batches.between(EVERYTHING, from, to, PageRequest.forward(size, page.endCursor()));
            }
            var back = new ArrayList<ScheduledBatch>();
            page = fixture.batches.between(EVERYTHING, from, to, PageRequest.backward(size, null));
            while (!page.edges().isEmpty()) {
                assertThat(page.hasNextPage()).isEqualTo(!back.isEmpty());
                back.addAll(0, page.nodes());
                assertThat(page.hasPreviousPage()).isEqualTo(back.size() < all.size());
                page = fixture.batches.between(EVERYTHING, from, to, PageRequest.backward(size, page.startCursor()));
            }
            assertThat(forward).isEqualTo(all).hasSize(12);
            assertThat(back).isEqualTo(all);
        }
    }

    @Test
    void whoeverSeesSomeStoresSeesTheBatchesOfThese() {
        for (var day : List.of("2036-07-01", "2036-07-02", "2036-07-12", "2036-08-20")) {
            fixture.applied(draft(day, rule(percent("10"), EVERYWHERE, "BURGER")));
        }
        var mine = limitedTo(List.of("DE-0001", "CL-0001", "XX-0001"));
        var from = Instant.parse("2036-06-30T00:00:00Z");
        var to = from.plus(Duration.ofDays(60));
        var all = fixture.batches.between(EVERYTHING, from, to);
        var expected = all.stream()
                .filter(batch -> !batch.batch().store().equals(TOKYO.id()))
                .toList();
        assertThat(expected).hasSize(8);

        assertThat(fixture.batches.between(mine, from, to)).isEqualTo(expected);
        assertThat(fixture.batches.onDays(mine, LocalDate.of(2036, 7, 1), LocalDate.of(2036, 7, 2)))
                .isEqualTo(expected.subList(0, 4));
        assertThat(fixture.batches.findAll(
                        mine, all.stream().map(ScheduledBatch::batch).toList()))
                .containsExactlyInAnyOrderElementsOf(expected);
        for (var size : List.of(1, 3, 8)) {
            var found = new ArrayList<ScheduledBatch>();
            var page = fixture.batches.between(mine, from, to, PageRequest.forward(size, null));
            while (!page.edges().isEmpty()) {
                assertThat(page.totalCount()).isEqualTo(Count.exactly(8));
                assertThat(page.hasPreviousPage()).isEqualTo(!found.isEmpty());
                found.addAll(page.nodes());
                assertThat(page.hasNextPage()).isEqualTo(found.size() < 8);
                page = fixture.batches.between(mine, from, to, PageRequest.forward(size, page.endCursor()));
            }
            assertThat(found).isEqualTo(expected);
        }
        var ofAll = fixture.batches.between(EVERYTHING, from, to, PageRequest.forward(1, null));
        assertThat(ofAll.nodes().getFirst().batch().store()).isEqualTo(TOKYO.id());
        assertThat(fixture.batches
                        .between(mine, from, to, PageRequest.forward(12, ofAll.endCursor()))
                        .nodes())
                .as("a cursor of somebody else says where, and not what")
                .isEqualTo(expected);
    }

    @Test
    void changesOfAForeignStoreAreThoseOfOneThatDoesNotExist() {
        fixture.applied(draft("2036-07-01", rule(percent("10"), EVERYWHERE, "BURGER")));
        var mine = limitedTo(List.of("DE-0001"));

        var missing = table.meter().during(() -> refusesUpcoming(mine, new StoreId("XX-0001")));
        var foreign = table.meter().during(() -> refusesUpcoming(mine, TOKYO.id()));

        assertThat(foreign).isEqualTo(missing);
        assertThat(fixture.batches
                        .upcoming(mine, BERLIN.id(), Channel.ALL, null, null, ChangesFixture.PAGE)
                        .nodes())
                .hasSize(1);
        var reader = new Access(
                new Principal("u2", Actor.Kind.USER, "bill", Set.of(Grant.of(Role.VIEWER))), Actor.Source.PAGE);
        var batch = new PriceBatch(BERLIN.id(), Channel.ALL, EffectiveDate.parse("2036-07-01"));
        assertThatThrownBy(() -> fixture.batches.apply(reader, batch)).isInstanceOf(Denied.class);
        assertThatThrownBy(() -> fixture.batches.apply(mine, batch)).isInstanceOf(Denied.class);
    }

    private void refusesUpcoming(Access access, StoreId store) {
        assertThatThrownBy(() -> fixture.batches.upcoming(access, store, Channel.ALL, null, null, ChangesFixture.PAGE))
                .isInstanceOf(InvalidInput.class)
                .hasMessage("store must exist: there is no " + store);
    }

    @Test
    void aCursorStaysWhereItIsWhenItsBatchIsGone() {
        var first = fixture.applied(draft("2036-07-01", rule(percent("10"), EVERYWHERE, "BURGER")));
        fixture.applied(draft("2036-07-02", rule(percent("10"), ONE, "BURGER")));
        var from = Instant.parse("2036-06-30T00:00:00Z");
        var to = from.plus(Duration.ofDays(60));
        var cursor = fixture.batches
                .between(EVERYTHING, from, to, PageRequest.forward(2, null))
                .endCursor();

        fixture.sets.cancel(ChangesFixture.GRACE, first.id());

        var rest = fixture.batches.between(EVERYTHING, from, to, PageRequest.forward(2, cursor));
        assertThat(rest.nodes())
                .extracting(batch -> batch.batch().effectiveDate().toString())
                .containsExactly("2036-07-02");
        assertThat(rest.hasPreviousPage()).isFalse();
    }

    @Test
    void aMadeUpCursorAtTheLastInstantThatThereIsStandsBehindAllBatches() {
        fixture.applied(draft("2036-07-01", rule(percent("10"), ONE, "BURGER")));
        var from = Instant.parse("2036-06-30T00:00:00Z");
        var to = from.plus(Duration.ofDays(60));
        var all = fixture.batches.between(EVERYTHING, from, to);
        var cursor = Instant.MAX + "#DE-0001#ALL";

        var before = fixture.batches.between(EVERYTHING, from, to, PageRequest.backward(1, cursor));
        var after = fixture.batches.between(EVERYTHING, from, to, PageRequest.forward(1, cursor));

        assertThat(before.nodes()).isEqualTo(all).hasSize(1);
        assertThat(before.hasNextPage()).isFalse();
        assertThat(after.nodes()).isEmpty();
        assertThat(after.hasPreviousPage()).isTrue();
    }

    /** Whoever goes by the sequence of history takes the last one for what counts. */
    @Test
    void whatAClockThatGoesForwardComesToStandsAfterThePriceThatWasSetAtOnceBefore() {
        fixture.stores.save(
                EVERYTHING,
                List.of(aStore("DE-0001").onTheClockOf("America/Los_Angeles").build()));
        clock.set(Instant.parse("2036-01-15T17:00:00Z"));
        var first = fixture.applied(draft("2036-01-15T12:00:00", rule(setTo("5.10"), ONE, "BURGER")));
        var second = fixture.applied(draft("2036-01-15T12:15:00", rule(setTo("5.20"), ONE, "BURGER")));
        clock.set(Instant.parse("2036-01-15T17:30:00Z"));
        var atOnce = fixture.applied(draft(null, rule(setTo("5.30"), ONE, "BURGER")));
        clock.set(Instant.parse("2036-01-15T18:00:00Z"));
        fixture.stores.save(
                EVERYTHING,
                List.of(aStore("DE-0001").onTheClockOf("America/New_York").build()));

        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("5.20");
        for (var date : List.of("2036-01-15T12:15:00", "2036-01-15T12:00:00")) {
            fixture.batches.apply(EVERYTHING, new PriceBatch(BERLIN.id(), Channel.ALL, EffectiveDate.parse(date)));
        }

        assertThat(fixture.history("DE-0001", "BURGER"))
                .extracting(PriceHistoryEntry::changeSet)
                .containsExactly(atOnce.id(), first.id(), second.id());
    }

    @Test
    void aBatchIsOfTheSetsThatHaveChangesLeftInIt() {
        var cancelled = fixture.applied(draft("2036-07-01", rule(percent("10"), ONE, "BURGER")));
        fixture.applied(draft("2036-07-01", rule(setTo("2.00"), ONE, "COLA"))); // overtaken by the next one
        clock.advance(Duration.ofMinutes(1));
        var left = fixture.applied(draft("2036-07-01", rule(setTo("2.10"), ONE, "COLA")));
        fixture.sets.cancel(ChangesFixture.GRACE, cancelled.id());
        var from = Instant.parse("2036-06-30T00:00:00Z");

        assertThat(fixture.batches.between(EVERYTHING, from, from.plus(Duration.ofDays(2))))
                .extracting(ScheduledBatch::changes)
                .containsExactly(Map.of(left.id(), 1));
    }

    @Test
    void pagesSkipNoneOfTheBatchesToWhoseTimeAClockJumps() {
        clock.set(Instant.parse("2037-03-20T00:00:00Z"));
        // On a clock that never jumps these are two.
        fixture.stores.save(
                EVERYTHING,
                List.of(aStore("DE-0001").onTheClockOf("Africa/Lagos").build()));
        fixture.applied(draft("2037-03-29T02:30", rule(percent("10"), ONE, "BURGER")));
        fixture.applied(draft("2037-03-29T03:00", rule(percent("20"), ONE, "BURGER")));
        fixture.applied(draft("2037-03-30", rule(percent("30"), ONE, "BURGER")));
        fixture.stores.save(EVERYTHING, List.of(BERLIN));
        var from = Instant.parse("2037-03-29T00:00:00Z");
        var to = from.plus(Duration.ofDays(10));

        var first = fixture.batches.between(EVERYTHING, from, to, PageRequest.forward(1, null));
        var rest = fixture.batches.between(EVERYTHING, from, to, PageRequest.forward(2, first.endCursor()));

        assertThat(first.nodes()).extracting(ScheduledBatch::at).containsExactly(Instant.parse("2037-03-29T01:00:00Z"));
        assertThat(rest.nodes())
                .extracting(ScheduledBatch::at)
                .containsExactly(Instant.parse("2037-03-29T01:00:00Z"), Instant.parse("2037-03-29T22:00:00Z"));
        assertThat(fixture.batches
                        .between(EVERYTHING, from, to, PageRequest.forward(2, "2037-03-29T01:00:00Z#DE-0001#ALL"))
                        .nodes())
                .as("a cursor of an earlier version")
                .extracting(ScheduledBatch::at)
                .containsExactly(Instant.parse("2037-03-29T22:00:00Z"));
    }

    /** No record of it passes the pipe: the batch was there before, and still is. */
    @Test
    void aBatchThatComesToBeginEarlierIsFoundByTheReconciler() {
        fixture.applied(draft("2036-07-01", rule(percent("10"), ONE, "BURGER")));
        fixture.stores.save(
                EVERYTHING, List.of(aStore("DE-0001").onTheClockOf("Asia/Tokyo").build()));

        clock.set(Instant.parse("2036-06-30T15:02:01Z"));
        assertThat(fixture.reconcile(new MemorySchedules())).isEqualTo(1);

        assertThat(fixture.history("DE-0001", "BURGER"))
                .extracting(PriceHistoryEntry::at)
                .containsExactly(Instant.parse("2036-06-30T15:00:00Z"));
    }

    @Test
    void aBatchWithoutAScheduleGetsOneForTheEarlierTimeThatItComesToBegin() {
        fixture.stores.save(
                EVERYTHING, List.of(aStore("DE-0001").onTheClockOf("Etc/GMT+12").build()));
        fixture.applied(draft("2036-07-01T13:00:00", rule(percent("10"), ONE, "BURGER")));
        fixture.stores.save(
                EVERYTHING,
                List.of(aStore("DE-0001").onTheClockOf("Pacific/Kiritimati").build()));
        var schedules = new MemorySchedules();
        var batch = new PriceBatch(BERLIN.id(), Channel.ALL, EffectiveDate.parse("2036-07-01T13:00:00"));

        clock.set(Instant.parse("2036-06-30T22:50:00Z"));
        assertThat(fixture.reconcile(schedules)).isZero();

        assertThat(schedules.all())
                .as("26 hours earlier than it was, and two days of UTC")
                .containsExactly(Map.entry(batch, Instant.parse("2036-06-30T23:00:00Z")));
        assertThat(fixture.history("DE-0001", "BURGER")).isEmpty();
    }

    @Test
    void theReconcilerTellsForAWhileWhatItFound() {
        var reconciler = fixture.batching.reconciler(new MemorySchedules(), fixture.batched);
        assertThat(reconciler.lately()).isEmpty();
        fixture.applied(draft("2036-07-01", rule(percent("10"), ONE, "BURGER")));
        clock.set(Instant.parse("2036-07-01T00:00:00Z"));

        reconciler.run();

        assertThat(reconciler.lately()).contains(new PriceReconciler.Found(clock.instant(), 1, 0));
        clock.advance(Duration.ofMinutes(15));
        assertThat(reconciler.lately())
                .as("it was another instance's turn since")
                .isEmpty();
    }

    @Test
    void theReconcilerTellsWhatItFoundAlsoWhereABatchCannotBeScheduled() {
        var refusing = new BatchSchedules() {
            @Override
            public void schedule(PriceBatch batch, Instant at) {
                throw new IllegalStateException("no more schedules");
            }

            @Override
            public void cancel(PriceBatch batch) {}

            @Override
            public boolean isScheduled(PriceBatch batch) {
                return false;
            }
        };
        var reconciler = fixture.batching.reconciler(refusing, fixture.batched);
        fixture.applied(draft("2036-07-01", rule(percent("10"), ONE, "BURGER")));
        fixture.applied(draft("2036-07-01T02:30:00", rule(percent("20"), ONE, "BURGER")));
        clock.set(Instant.parse("2036-07-01T00:20:00Z"));

        reconciler.run();

        assertThat(reconciler.lately()).contains(new PriceReconciler.Found(clock.instant(), 1, 0));
    }

    @Test
    void whatIsOverdueIsAppliedThoughSetsWithoutAWorkerCannotBeCounted() {
        fixture.applied(draft("2036-07-01", rule(percent("10"), ONE, "BURGER")));
        clock.set(Instant.parse("2036-07-01T00:00:00Z"));
        var uncounted = new BatchedChangeSets() {
            @Override
            public Optional<Attribution> attribution(ChangeSetId set) {
                return fixture.batched.attribution(set);
            }

            @Override
            public int countStuck() {
                throw new IllegalStateException("cannot be counted");
            }
        };
        var reconciler = fixture.batching.reconciler(new MemorySchedules(), uncounted);

        assertThatIllegalStateException().isThrownBy(reconciler::run);

        assertThat(fixture.history("DE-0001", "BURGER")).hasSize(1);
    }

    @Test
    void aDeletedPriceIsAVersionOfItsTimeline() {
        var deleted = fixture.applied(draft("2036-07-01", rule(new PriceOperation.Delete(), ONE, "BURGER")));
        var back = fixture.applied(draft("2036-08-01", rule(setTo("5.50"), ONE, "BURGER")));

        var timeline = fixture.pricing.timeline(
                EVERYTHING, BERLIN.id(), new PriceSubject.Product(BURGER), Channel.ALL, ChangesFixture.PAGE);

        assertThat(timeline.nodes())
                .containsExactly(
                        version("2030-01-01", "2029-12-31T23:00:00Z", "2036-06-30T22:00:00Z", euros("5.00"), null),
                        version("2036-07-01", "2036-06-30T22:00:00Z", "2036-07-31T22:00:00Z", null, deleted.id()),
                        version("2036-08-01", "2036-07-31T22:00:00Z", null, euros("5.50"), back.id()));
    }

    private static PriceVersion version(
            String date,
            String startsAt,
            @Nullable String endsAt,
            @Nullable Money price,
            @Nullable ChangeSetId changeSet) {
        return new PriceVersion(
                EffectiveDate.parse(date),
                Instant.parse(startsAt),
                endsAt == null ? null : Instant.parse(endsAt),
                price,
                changeSet);
    }

    private static Money euros(String amount) {
        return new Money(new BigDecimal(amount), Money.currencyOf("EUR"));
    }
}
