package io.menuboard.pricing.subscriptions;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.TOKYO;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.done;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.limited;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.menuboard.access.CurrentAccess;
import io.menuboard.access.Role;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.PriceHistoryEntry;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.pricing.imports.ImportFixture;
import io.menuboard.pricing.revisions.Revision;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.Update;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What subscribers are told, and when, by one instance or two. */
class PriceSubscriptionsTest {
    private static final String STORE = "DE-0001";
    private static final EffectiveDate JULY = EffectiveDate.parse("2036-07-01");
    private static final Instant MIDNIGHT = JULY.startsAt(BERLIN.timeZone());
    private static final PriceBatch BATCH = new PriceBatch(BERLIN.id(), Channel.ALL, JULY);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    /** Of an instance that is not exactly right. */
    private final MovingClock othersClock = new MovingClock();

    private ChangesFixture changes;
    private ChangesFixture others;
    private SubscriptionsFixture instance;
    private SubscriptionsFixture other;

    @BeforeEach
    void open() {
        changes = new ChangesFixture(table.queryDb(clock), clock);
        others = new ChangesFixture(table.queryDb(othersClock), othersClock);
        instance = new SubscriptionsFixture(changes);
        other = new SubscriptionsFixture(others);
        changes.stores.save(EVERYTHING, List.of(BERLIN, TOKYO));
        changes.load(Stream.of("P000", "P001")
                .<Price>map(product -> price(BERLIN, "ALL", product, "2030-01-01", "4.99"))
                .toList());
    }

    @AfterEach
    void close() {
        instance.close();
        other.close();
        changes.close();
        others.close();
    }

    @Test
    void tellsThePositionFirstAndThenWhatChangesAtOnce() {
        var told = instance.all(STORE, null);
        told.awaitEvents(1);

        var set = now(changes, "5.49", "P000", "P001");

        told.awaitChanges("2036-06-15T12:00:00Z P000 4.99 -> 5.49", "2036-06-15T12:00:00Z P001 4.99 -> 5.49");
        assertThat(told.events()).hasSize(2);
        assertThat(told.events().getFirst().changes()).isEmpty();
        assertThat(told.events().getLast().changes())
                .extracting(PriceChange::changeSet, PriceChange::reason)
                .containsOnly(tuple(set.id(), set.data().attribution().reason()));
    }

    @Test
    void aMadeUpPositionBeforeAChangeThatItIncludesIsExpiredAndKeepsNobodyWaiting() {
        now(changes, "5.49", "P000");
        var madeUp = Position.of(
                        BERLIN.id(),
                        Channel.ALL,
                        BERLIN.timeZone(),
                        changes.revisions.since(BERLIN.id(), System.nanoTime()).of(Channel.ALL))
                .at(1, clock.instant().minusSeconds(1));

        var told = instance.all(STORE, madeUp.text());
        var next = instance.all(STORE, null);

        assertThat(told.awaitCode()).isEqualTo("POSITION_EXPIRED");
        next.awaitEvents(1);
    }

    @Test
    void tellsWhatWasScheduledWhenItsTimeComes() {
        var told = instance.all(STORE, null);
        var set = scheduled(changes, "5.99", "P000");
        to(MIDNIGHT.minusSeconds(1));
        told.awaitEvents(1);
        now(changes, "5.49", "P001");
        told.awaitChanges("2036-06-30T21:59:59Z P001 4.99 -> 5.49");

        to(MIDNIGHT);

        told.awaitChanges("2036-06-30T21:59:59Z P001 4.99 -> 5.49", "2036-06-30T22:00:00Z P000 4.99 -> 5.99");
        var last = told.events().getLast();
        assertThat(last.at()).isEqualTo(MIDNIGHT);
        assertThat(last.changes().getFirst().changeSet()).isEqualTo(set.id());
        assertThat(last.changes().getFirst().reason())
                .isEqualTo(set.data().attribution().reason());
        applyDue();
        now(changes, "6.49", "P000");
        told.awaitChanges(
                "2036-06-30T21:59:59Z P001 4.99 -> 5.49",
                "2036-06-30T22:00:00Z P000 4.99 -> 5.99",
                "2036-06-30T22:00:00Z P000 5.99 -> 6.49");
    }

    @Test
    void tellsNothingOfWhatIsScheduledAndIsThePriceAlready() {
        to(MIDNIGHT.minus(Duration.ofDays(1)));
        var told = instance.all(STORE, null);
        told.awaitEvents(1);
        var start = told.lastPosition();
        scheduled(changes, "5.49", "P000");
        now(changes, "5.49", "P000");
        to(MIDNIGHT);

        now(changes, "5.99", "P001");

        told.awaitChanges("2036-06-29T22:00:00Z P000 4.99 -> 5.49", "2036-06-30T22:00:00Z P001 4.99 -> 5.99");
        other.all(STORE, start)
                .awaitChanges("2036-06-29T22:00:00Z P000 4.99 -> 5.49", "2036-06-30T22:00:00Z P001 4.99 -> 5.99");
    }

    @Test
    void tellsWithoutAReasonWhatASetChangesThatIsNotKeptAnyMore() {
        var told = instance.all(STORE, null);
        told.awaitEvents(1);
        var set = scheduled(changes, "5.99", "P000");
        changes.db.delete(new Key("CHANGESET#" + set.id(), "META"));
        to(MIDNIGHT);

        applyDue();

        var change = "2036-06-30T22:00:00Z P000 4.99 -> 5.99";
        told.awaitChanges(change);
        var resumed = other.all(STORE, told.events().getFirst().position());
        resumed.awaitChanges(change);
        assertThat(resumed.events().getLast().changes())
                .extracting(PriceChange::changeSet, PriceChange::reason)
                .containsExactly(tuple(set.id(), null));
        assertThat(changes.history(STORE, "P000").getLast())
                .returns(set.id(), PriceHistoryEntry::changeSet)
                .returns("", PriceHistoryEntry::reason);
    }

    /** One transaction makes both. */
    @Test
    void tellsWhatOneFileChangesNowAndLaterEachAtItsTime() {
        to(MIDNIGHT.minusSeconds(1));
        var told = instance.all(STORE, null);
        told.awaitEvents(1);
        var first = told.events().getFirst().position();

        changes.applied(ofFile("DE-0001,P000,2036-06-30,5.49", "DE-0001,P001,2036-07-01,5.99"));

        told.awaitChanges("2036-06-30T21:59:59Z P000 4.99 -> 5.49");
        assertThat(changes.revisions.since(BERLIN.id(), System.nanoTime()).of(Channel.ALL))
                .extracting(Revision::number, Revision::logged)
                .as("a revision more than the log has entries, in one transaction")
                .containsExactly(2L, 1L);
        to(MIDNIGHT);
        told.awaitChanges("2036-06-30T21:59:59Z P000 4.99 -> 5.49", "2036-06-30T22:00:00Z P001 4.99 -> 5.99");
        other.all(STORE, first)
                .awaitChanges("2036-06-30T21:59:59Z P000 4.99 -> 5.49", "2036-06-30T22:00:00Z P001 4.99 -> 5.99");
    }

    private ChangeSet ofFile(String... lines) {
        var rows = Stream.concat(Stream.of("store,product,effectiveDate,amount"), Stream.of(lines))
                .toArray(String[]::new);
        var set = ImportFixture.drafted(changes, ImportFixture.prices(rows)).changeSet();
        return changes.sets.find(GRACE, Objects.requireNonNull(set)).orElseThrow();
    }

    @Test
    void tellsNothingOfWhatIsTakenBackAMomentBefore() {
        var told = instance.all(STORE, null);
        var set = scheduled(changes, "5.99", "P000");
        told.awaitEvents(1);
        to(MIDNIGHT.minusMillis(1));
        done(others.sets.cancel(GRACE, set.id()));

        to(MIDNIGHT.plusSeconds(1));

        now(changes, "5.49", "P000");
        told.awaitChanges("2036-06-30T22:00:01Z P000 4.99 -> 5.49");
    }

    @Test
    void tellsWhatIsMovedAtItsNewTime() {
        var told = instance.all(STORE, null);
        var set = scheduled(changes, "5.99", "P000");
        done(others.sets.reschedule(GRACE, set.id(), EffectiveDate.parse("2036-07-02")));
        told.awaitEvents(1);
        to(MIDNIGHT);
        now(changes, "5.49", "P001");
        told.awaitChanges("2036-06-30T22:00:00Z P001 4.99 -> 5.49");

        to(MIDNIGHT.plus(Duration.ofDays(1)));

        told.awaitChanges("2036-06-30T22:00:00Z P001 4.99 -> 5.49", "2036-07-01T22:00:00Z P000 4.99 -> 5.99");
    }

    @Test
    void tellsWhatIsUndone() {
        var told = instance.all(STORE, null);
        told.awaitEvents(1);
        var set = now(others, "5.49", "P000");
        advance(Duration.ofMinutes(1));
        var undo = done(others.drafts.draftUndo(GRACE, set.id(), "a mistake", null));
        others.applied(undo);

        told.awaitChanges("2036-06-15T12:00:00Z P000 4.99 -> 5.49", "2036-06-15T12:01:00Z P000 5.49 -> 4.99");
        assertThat(told.events().getLast().changes().getFirst().reason()).contains("a mistake");
    }

    @Test
    void tellsOfTheProductsThatAreAskedForAlone() {
        var told = instance.changes(
                GRACE, new WantedChanges(BERLIN.id(), Channel.ALL, Set.of(new ProductId("P001")), Set.of(), null));
        told.awaitEvents(1);

        now(changes, "5.49", "P000");
        now(changes, "5.59", "P000", "P001");

        told.awaitChanges("2036-06-15T12:00:00Z P001 4.99 -> 5.59");
        assertThat(told.events()).hasSize(2);
    }

    @Test
    void aSubscriberThatWasAwayGoesOnOnAnotherInstance() {
        to(MIDNIGHT.minus(Duration.ofDays(1)));
        var told = instance.all(STORE, null);
        told.awaitEvents(1);
        now(changes, "5.49", "P000");
        told.awaitChanges("2036-06-29T22:00:00Z P000 4.99 -> 5.49");
        told.cancel();
        scheduled(changes, "5.99", "P000");
        now(changes, "5.59", "P001");
        to(MIDNIGHT.plusSeconds(5));
        applyDue();
        now(changes, "6.49", "P000");
        advance(Duration.ofDays(1));
        scheduledFor(changes, "2036-07-03", "6.99", "P001");
        to(EffectiveDate.parse("2036-07-03").startsAt(BERLIN.timeZone()));

        var resumed = other.all(STORE, told.lastPosition());

        resumed.awaitChanges(
                "2036-06-29T22:00:00Z P001 4.99 -> 5.59",
                "2036-06-30T22:00:00Z P000 5.49 -> 5.99",
                "2036-06-30T22:00:05Z P000 5.99 -> 6.49",
                "2036-07-02T22:00:00Z P001 5.59 -> 6.99");
        now(others, "7.49", "P001");
        await().untilAsserted(
                        () -> assertThat(resumed.changes()).last().isEqualTo("2036-07-02T22:00:00Z P001 6.99 -> 7.49"));
    }

    @Test
    void aChangeAtOnceInTheSecondOfAScheduledOneComesAfterIt() {
        var told = instance.all(STORE, null);
        told.awaitEvents(1);
        var start = told.lastPosition();
        told.cancel();
        scheduled(changes, "5.99", "P000");
        to(MIDNIGHT.plusMillis(200));
        now(changes, "6.49", "P000");

        var resumed = other.all(STORE, start);

        resumed.awaitChanges("2036-06-30T22:00:00Z P000 4.99 -> 5.99", "2036-06-30T22:00:00Z P000 5.99 -> 6.49");
        applyDue();
        assertThat(changes.history(STORE, "P000"))
                .extracting(entry -> String.valueOf(entry.after()))
                .containsExactlyElementsOf(resumed.events().stream()
                        .flatMap(event -> event.changes().stream())
                        .map(change -> String.valueOf(change.after()))
                        .toList());
    }

    @Test
    void aChangeThatAClockThatIsBehindMakesAfterMidnightWasToldCountsFromThen() {
        var told = instance.all(STORE, null);
        scheduled(changes, "5.99", "P000", "P001");
        told.awaitEvents(1);
        clock.set(MIDNIGHT);
        othersClock.set(MIDNIGHT.minusMillis(1));
        told.awaitChanges("2036-06-30T22:00:00Z P000 4.99 -> 5.99", "2036-06-30T22:00:00Z P001 4.99 -> 5.99");

        // Previewed by an instance that knows what the price is now.
        var set = others.applied(changes.drafted(draft(null, rule(setTo("6.49"), List.of(STORE), "P000"))));

        told.awaitChanges(
                "2036-06-30T22:00:00Z P000 4.99 -> 5.99",
                "2036-06-30T22:00:00Z P001 4.99 -> 5.99",
                "2036-06-30T22:00:00Z P000 5.99 -> 6.49");
        assertThat(set.status().name()).isEqualTo("APPLIED");
        assertThat(changes.price(STORE, "P000")).isEqualTo("6.49");
    }

    @Test
    void whatWasToldIsNotTakenBackByAClockThatIsBehind() {
        var told = instance.all(STORE, null);
        var set = scheduled(changes, "5.99", "P000");
        told.awaitEvents(1);
        clock.set(MIDNIGHT);
        othersClock.set(MIDNIGHT.minusMillis(1));
        told.awaitChanges("2036-06-30T22:00:00Z P000 4.99 -> 5.99");

        assertThat(ChangesFixture.done(others.sets.cancel(GRACE, set.id()))
                        .status()
                        .name())
                .isEqualTo("APPLIED");
        assertThat(changes.price(STORE, "P000")).isEqualTo("5.99");
        var late = others.drafted(draft("2036-07-01", rule(setTo("6.99"), List.of(STORE), "P001")));
        var _ = others.sets.applyAccepted(GRACE, late.id(), String.valueOf(late.token()));
        assertThat(changes.price(STORE, "P001")).isEqualTo("4.99");
    }

    @Test
    void aSlowSubscriberIsDroppedAndGoesOn() {
        var slow = new ToldChanges(1);
        instance.subscriptions
                .changes(GRACE, new WantedChanges(BERLIN.id(), Channel.ALL, Set.of(), Set.of(), null))
                .subscribe(slow);
        slow.awaitEvents(1);
        for (var i = 0; i < 7; i++) {
            now(changes, "5.4" + i, "P000");
        }
        var quick = instance.all(STORE, slow.lastPosition());
        await().until(() -> quick.changes().size() == 7);

        slow.request(100);

        assertThat(slow.awaitCode()).isEqualTo("SUBSCRIBER_TOO_SLOW");
        assertThat(instance.registry
                        .counter("menuboard.pricing.subscriptions.dropped")
                        .count())
                .isEqualTo(1);
        var resumed = instance.all(STORE, slow.lastPosition());
        await().until(() -> slow.changes().size() + resumed.changes().size() == 7);
        assertThat(Stream.concat(slow.changes().stream(), resumed.changes().stream()))
                .containsExactlyElementsOf(quick.changes());
    }

    @Test
    void whoHasMissedMoreThanMayWaitIsToldOfWhatComesNext() {
        var quick = instance.all(STORE, null);
        quick.awaitEvents(1);
        for (var i = 0; i < 7; i++) {
            now(changes, "5.4" + i, "P000");
        }
        await().until(() -> quick.changes().size() == 7);
        var resumed = new ToldChanges(0);
        instance.subscriptions
                .changes(
                        GRACE,
                        new WantedChanges(
                                BERLIN.id(),
                                Channel.ALL,
                                Set.of(),
                                Set.of(),
                                quick.events().getFirst().position()))
                .subscribe(resumed);
        // Whoever comes later joins later.
        instance.all(STORE, null).awaitEvents(1);

        now(changes, "5.50", "P000");
        await().until(() -> quick.changes().size() == 8);
        resumed.request(100);

        await().until(() -> resumed.changes().size() == 8);
        assertThat(resumed.changes()).containsExactlyElementsOf(quick.changes());
    }

    @Test
    void aPriceThatThisVersionCannotReadEndsTheSubscription() {
        changes.db.update(Update.of(new Key("STORE#" + BERLIN.id(), "ALL#Base#P000#2030-01-01"))
                .set("currency", "POINTS")
                .when(Condition.exists()));

        var told = instance.all(STORE, null);

        assertThat(told.awaitError()).isInstanceOf(UnreadableItem.class);
    }

    @Test
    void noMoreSubscribersThanTheSettingSays() {
        var first = Stream.generate(() -> instance.all(STORE, null)).limit(20).toList();

        assertThat(instance.all(STORE, null).awaitCode()).isEqualTo("TOO_MANY_SUBSCRIBERS");
        first.getFirst().cancel();
        await().until(() ->
                instance.registry.get("menuboard.pricing.subscribers").gauge().value() == 19);
        instance.all(STORE, null).awaitEvents(1);
        first.forEach(ToldChanges::cancel);
        assertThat(instance.watches.size()).isEqualTo(1);
    }

    @Test
    void aWatchEndsWithItsLastSubscriber() {
        var told = instance.all(STORE, null);
        told.awaitEvents(1);
        assertThat(instance.watches.size()).isEqualTo(1);

        told.cancel();

        await().until(() -> instance.watches.size() == 0);
        now(changes, "5.49", "P000");
        var resumed = instance.all(STORE, told.lastPosition());
        resumed.awaitChanges("2036-06-15T12:00:00Z P000 4.99 -> 5.49");
    }

    @Test
    void storesThatSomebodyMayNotReadAreAsThoseThatDoNotExist() {
        var tokyo = limited("u1", Role.PRICING_EDITOR, "JP-0001");
        for (var store : List.of(STORE, "XX-0001")) {
            assertThatThrownBy(() -> instance.changes(
                            tokyo, new WantedChanges(new StoreId(store), Channel.ALL, Set.of(), Set.of(), null)))
                    .isInstanceOfSatisfying(
                            InvalidInput.class, e -> assertThat(e.code()).isEqualTo("NOT_FOUND"))
                    .hasMessage("store must exist: there is no " + store);
        }
    }

    @Test
    void whoMayNotReadTheStoreAnyMoreIsToldNothingMore() {
        var access = limited("u1", Role.PRICING_EDITOR, STORE);
        var told = instance.changes(access, new WantedChanges(BERLIN.id(), Channel.ALL, Set.of(), Set.of(), null));
        told.awaitEvents(1);
        changes.current = actor -> access;
        instance.subscriptions.check();
        now(changes, "5.49", "P000");
        told.awaitEvents(2);

        CurrentAccess none = actor -> limited("u1", Role.PRICING_EDITOR, "JP-0001");
        changes.current = none;
        instance.subscriptions.check();

        assertThat(told.awaitCode()).isEqualTo("NOT_FOUND");
        now(changes, "5.59", "P000");
        assertThat(told.changes()).hasSize(1);
    }

    private String madeUp(long loads, long logged) {
        return new Position(BERLIN.id(), Channel.ALL, BERLIN.timeZone(), loads, logged, clock.instant()).text();
    }

    @Test
    void positionsOfOtherStoresAndOtherTextsAreRefused() {
        var told = instance.all(STORE, null);
        told.awaitEvents(1);
        for (var text :
                List.of("", "x", "MSNERS0wMDAx", "%%%", "A".repeat(2_000), madeUp(-1, 0), madeUp(0, Long.MIN_VALUE))) {
            assertThatThrownBy(() -> instance.all(STORE, text))
                    .isInstanceOfSatisfying(
                            InvalidInput.class, e -> assertThat(e.code()).isEqualTo("INVALID_POSITION"));
        }
        assertThatThrownBy(() -> instance.all("JP-0001", told.lastPosition()))
                .hasMessage("after must be a position that this store and channel had");
    }

    @Test
    void aPositionExpiresWithTheLogAfterIt() {
        var told = instance.all(STORE, null);
        told.awaitEvents(1);
        told.cancel();
        now(changes, "5.49", "P000");
        advance(Duration.ofDays(8));

        assertThat(instance.all(STORE, told.lastPosition()).awaitCode()).isEqualTo("POSITION_EXPIRED");
    }

    @Test
    void aPositionWithoutChangesAtOnceAfterItIsGoodForAsLongAsVersionsAreKept() {
        var told = instance.all(STORE, null);
        told.awaitEvents(1);
        told.cancel();
        scheduledFor(changes, "2036-06-20", "5.99", "P000");
        advance(Duration.ofDays(30));

        other.all(STORE, told.lastPosition()).awaitChanges("2036-06-19T22:00:00Z P000 4.99 -> 5.99");
        advance(Duration.ofDays(6));
        assertThat(other.all(STORE, told.lastPosition()).awaitCode()).isEqualTo("POSITION_EXPIRED");
    }

    @Test
    void everybodyIsToldAPositionEveryHour() {
        var told = instance.all(STORE, null);
        told.awaitEvents(1);

        advance(Duration.ofMinutes(61));

        told.awaitEvents(2);
        assertThat(told.events().getLast().changes()).isEmpty();
        assertThat(told.events().getLast().at()).isEqualTo(clock.instant());
    }

    @Test
    void whoHearsOfNoneOfManyChangesIsToldAPositionEveryHour() {
        var told = instance.changes(
                GRACE, new WantedChanges(BERLIN.id(), Channel.ALL, Set.of(new ProductId("P001")), Set.of(), null));
        told.awaitEvents(1);
        var all = instance.all(STORE, null);
        all.awaitEvents(1);
        for (var i = 1; i <= 2; i++) {
            advance(Duration.ofMinutes(40));
            now(changes, "5.4" + i, "P000");
            var most = i;
            await().until(() -> all.changes().size() == most);
        }

        told.awaitEvents(2);

        assertThat(told.events().getLast().changes()).isEmpty();
    }

    @Test
    void loadingFirstPricesEndsSubscriptionsAndRefusesOthersMeanwhile() {
        var set = new ChangeSetId("01ARZ3NDEKTSV4RRFFQ69G5FAV");
        var told = instance.all("JP-0001", null);
        told.awaitEvents(1);

        assertThat(changes.guardLoad(set, TOKYO.id(), Channel.ALL)).isTrue();

        assertThat(told.awaitCode()).isEqualTo("POSITION_EXPIRED");
        assertThat(instance.all("JP-0001", null).awaitCode()).isEqualTo("PRICES_LOADING");
        changes.load(List.of(price(TOKYO, "ALL", "P000", "2030-01-01", "499")));
        changes.releaseLoad(set, TOKYO.id(), Channel.ALL);
        assertThat(instance.all("JP-0001", told.lastPosition()).awaitCode()).isEqualTo("POSITION_EXPIRED");
        instance.all("JP-0001", null).awaitEvents(1);
    }

    @Test
    void anotherTimeZoneEndsPositions() {
        var told = instance.all(STORE, null);
        told.awaitEvents(1);
        told.cancel();
        await().until(() -> instance.watches.size() == 0);

        changes.stores.edit(EVERYTHING, BERLIN.id(), store -> inZone(store, "Europe/London"));

        assertThat(instance.all(STORE, told.lastPosition()).awaitCode()).isEqualTo("POSITION_EXPIRED");
    }

    @Test
    void subscriptionsCompleteWhenTheInstanceStops() {
        var told = instance.all(STORE, null);
        told.awaitEvents(1);

        instance.close();

        told.awaitComplete();
        instance.all(STORE, null).awaitComplete();
    }

    @Test
    void aWrongRequestEndsASubscription() {
        var told = new ToldChanges(0);
        instance.subscriptions
                .changes(GRACE, new WantedChanges(BERLIN.id(), Channel.ALL, Set.of(), Set.of(), null))
                .subscribe(told);

        told.request(-1);

        assertThat(told.awaitError()).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whereSubscriptionsAreOffThatIsSaid() {
        try (var off = new SubscriptionsFixture(
                changes, new SubscriptionsConfig(false, 1, 1, Duration.ofSeconds(1), Duration.ofMinutes(1)))) {
            assertThatThrownBy(() -> off.all(STORE, null))
                    .isInstanceOfSatisfying(
                            InvalidInput.class, e -> assertThat(e.code()).isEqualTo("SUBSCRIPTIONS_UNAVAILABLE"));
        }
    }

    private static Store inZone(Store store, String zone) {
        return new Store(store.id(), store.name(), store.address(), ZoneId.of(zone), store.currency(), store.status());
    }

    private static ChangeSet now(ChangesFixture by, String amount, String... products) {
        return by.applied(draft(null, rule(setTo(amount), List.of(STORE), products)));
    }

    private static ChangeSet scheduled(ChangesFixture by, String amount, String... products) {
        return scheduledFor(by, "2036-07-01", amount, products);
    }

    private static ChangeSet scheduledFor(ChangesFixture by, @Nullable String date, String amount, String... products) {
        return by.applied(draft(date, rule(setTo(amount), List.of(STORE), products)));
    }

    private void applyDue() {
        var _ = changes.batches.apply(EVERYTHING, BATCH);
    }

    private void to(Instant instant) {
        clock.set(instant);
        othersClock.set(instant);
    }

    private void advance(Duration duration) {
        to(clock.instant().plus(duration));
    }
}
