package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.PricingFixture.FULL_SOAK;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.PAGE;
import static io.menuboard.pricing.changes.ChangesFixture.done;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.products;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.batches.DynamoPriceBatches;
import io.menuboard.pricing.batches.MemorySchedules;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.pricing.changes.ChangeLine.Outcome;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.MovingClock;
import io.menuboard.tasks.workers.WorkersFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Changes that meet: at one price and instant, in one second, or of one set at the same time. */
class OverlappingChangesTest {
    private static final List<String> ONE = List.of("DE-0001");
    private static final String DAY = "2036-07-01";
    private static final String THEN = "2036-06-30T22:00:00Z";
    private static final int ROUNDS = FULL_SOAK ? 20 : 10;

    /** Of what takes some milliseconds. */
    private static final Duration OFTEN = Duration.ofMillis(10);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();

    @SuppressWarnings("NullAway.Init") // by JUnit
    private ChangesFixture fixture;

    @BeforeEach
    void open() {
        fixture = new ChangesFixture(table.queryDb(clock), clock);
        fixture.stores.save(EVERYTHING, List.of(BERLIN));
        fixture.load(List.of(price(BERLIN, "ALL", "BURGER", "2030-01-01", "5.00")));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** Lines of a file are in the order of the threads that have read it. */
    @Test
    void linesWhosePlaceNoLaterSetHasTakenAreFoundInAnyOrder() {
        fixture.load(List.of(
                price(BERLIN, "ALL", "COFFEE", "2030-01-01", "5.00"),
                price(BERLIN, "ALL", "WATER", "2030-01-01", "5.00")));
        var set = fixture.applied(draft(DAY, rule(setTo("6.00"), ONE, "BURGER", "COFFEE", "WATER")));
        clock.advance(Duration.ofSeconds(1));
        fixture.applied(draft(DAY, rule(setTo("7.00"), ONE, "COFFEE")));
        var lines = new DynamoChangeLines(fixture.db, Duration.ofDays(1));
        try (var chunks = lines.chunks(set)) {
            var written = chunks.toList().getFirst().writtenLines();

            assertThat(lines.withoutOvertaken(set.id(), written.reversed()))
                    .extracting(line -> line.subject().name())
                    .containsExactly("WATER", "BURGER");
        }
    }

    /** Whichever of the two is applied first. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void whatIsKeptOfASetThatIsOvertakenExpires(boolean inOrder) {
        var set = fixture.drafted(draft(DAY, rule(setTo("6.00"), ONE, "BURGER")));
        clock.advance(Duration.ofSeconds(1));
        var later = fixture.drafted(draft(DAY, rule(setTo("7.00"), ONE, "BURGER")));

        fixture.applied(inOrder ? set : later);
        fixture.applied(inOrder ? later : set);

        assertThat(fixture.db.load("CHANGESET#" + set.id()))
                .anyMatch(item -> item.type().equals("overtakenLine"))
                .allMatch(item -> item.ttl().isPresent());
    }

    @Test
    void takingASetBackPutsBackTheLoadedPriceThatItHadReplaced() {
        fixture.load(List.of(price(BERLIN, "ALL", "BURGER", DAY, "8.00")));
        var before = priceItems();
        var set = applied("6.00");
        assertThat(fixture.price("DE-0001", "BURGER", THEN)).isEqualTo("6.00");

        done(fixture.sets.cancel(GRACE, set.id()));

        assertThat(fixture.price("DE-0001", "BURGER", THEN)).isEqualTo("8.00");
        assertThat(priceItems()).isEqualTo(before);
    }

    @Test
    void movingASetPutsBackWhatItHadReplaced() {
        fixture.load(List.of(price(BERLIN, "ALL", "BURGER", DAY, "8.00")));
        var set = applied("6.00");

        done(fixture.sets.reschedule(GRACE, set.id(), EffectiveDate.parse("2036-07-09")));

        assertThat(fixture.price("DE-0001", "BURGER", THEN)).isEqualTo("8.00");
        assertThat(fixture.price("DE-0001", "BURGER", "2036-07-08T22:00:00Z")).isEqualTo("6.00");
        assertThat(fixture.lines(set))
                .extracting(ChangeLine::effectiveDate, ChangeLine::startsAt)
                .containsExactly(tuple(EffectiveDate.parse("2036-07-09"), Instant.parse("2036-07-08T22:00:00Z")));
    }

    @ParameterizedTest
    @CsvSource({"0 1 2, 2 1 0", "0 1 2, 0 1 2", "2 0 1, 1 2 0", "1 2 0, 2 0 1", "2 1 0, 1 0 2"})
    void setsThatAreTakenBackInAnyOrderLeaveWhatTheOthersSay(String appliedIn, String cancelledIn) {
        var amounts = List.of("6.00", "7.00", "8.00");
        var sets = amounts.stream().map(this::drafted).toList();
        for (var next : appliedIn.split(" ", -1)) {
            fixture.applied(sets.get(Integer.parseInt(next)));
        }
        var left = new java.util.TreeSet<>(List.of(0, 1, 2));
        for (var next : cancelledIn.split(" ", -1)) {
            assertThat(fixture.price("DE-0001", "BURGER", THEN)).isEqualTo(amounts.get(left.last()));
            assertThat(upcoming())
                    .containsExactly(tuple(
                            amounts.get(left.last()), sets.get(left.last()).id()));
            assertThat(scheduled()).isEqualTo(Map.of(sets.get(left.last()).id(), 1));
            for (var set : left) {
                assertThat(outcome(sets.get(set)))
                        .isEqualTo(set.equals(left.last()) ? Outcome.SCHEDULED : Outcome.SUPERSEDED);
                assertThat(fixture.sets
                                .find(GRACE, sets.get(set).id())
                                .orElseThrow()
                                .failed())
                        .isEqualTo(set.equals(left.last()) ? 0 : 1);
            }

            done(fixture.sets.cancel(GRACE, sets.get(Integer.parseInt(next)).id()));

            left.remove(Integer.valueOf(next));
            assertThat(outcome(sets.get(Integer.parseInt(next)))).isEqualTo(Outcome.CANCELLED);
        }
        assertThat(fixture.price("DE-0001", "BURGER", THEN)).isEqualTo("5.00");
        assertThat(types()).doesNotContainKeys("priceChange", DynamoPriceBatches.TYPE);
    }

    @Test
    void anEarlierSetTakesEffectAfterTheLaterOneWasTakenBack() {
        var earlier = applied("6.00");
        var later = applied("7.00");
        done(fixture.sets.cancel(GRACE, later.id()));

        pass();

        assertThat(history()).containsExactly("5.00 to 6.00 by " + earlier.id());
        assertThat(fixture.sets.find(GRACE, earlier.id()).orElseThrow().status())
                .isEqualTo(ChangeSetStatus.APPLIED);
    }

    @Test
    void timesThatAClockJumpsOverAreOneInstant() {
        var santiago = aStore("CL-0001").onTheClockOf("America/Santiago").build();
        fixture.stores.save(EVERYTHING, List.of(santiago));
        fixture.load(List.of(price(santiago, "ALL", "BURGER", "2030-01-01", "5.00")));
        var one = List.of("CL-0001");
        var first = fixture.drafted(draft("2037-09-06T00:30", rule(setTo("6.00"), one, "BURGER")));
        clock.advance(Duration.ofMillis(1));
        var second = fixture.drafted(draft("2037-09-06T00:15", rule(setTo("7.00"), one, "BURGER")));
        fixture.applied(second);
        fixture.applied(first);

        assertThat(fixture.price("CL-0001", "BURGER", "2037-09-06T04:00:00Z"))
                .as("the set that was drafted later has it")
                .isEqualTo("7.00");
        done(fixture.sets.cancel(GRACE, second.id()));
        assertThat(fixture.price("CL-0001", "BURGER", "2037-09-06T04:00:00Z")).isEqualTo("6.00");
    }

    @Test
    void historySaysWhatEachSetDidAlsoWhereTwoShareASecond() {
        var scheduled = applied("6.00");
        var atOnce = fixture.drafted(draft(null, rule(setTo("7.00"), ONE, "BURGER")));
        clock.set(Instant.parse(THEN).plusMillis(150));
        done(fixture.drafts.preview(GRACE, atOnce.id()));
        fixture.applied(fixture.sets.find(GRACE, atOnce.id()).orElseThrow());

        pass();

        assertThat(history()).containsExactly("5.00 to 6.00 by " + scheduled.id(), "6.00 to 7.00 by " + atOnce.id());
    }

    @Test
    void changesAtOnceOfOneMillisecondStandInTheOrderInWhichTheyWereMade() {
        var drafted = Stream.of("6.00", "7.00", "8.00")
                .map(amount -> fixture.drafted(draft(null, rule(setTo(amount), ONE, "BURGER"))))
                .toList()
                .reversed();
        for (var set : drafted) {
            fixture.applied(done(fixture.drafts.preview(GRACE, set.id())));
        }

        assertThat(history())
                .extracting(entry -> entry.substring(0, 12))
                .containsExactly("5.00 to 8.00", "8.00 to 7.00", "7.00 to 6.00");
    }

    @Test
    void changesOfTheLastMillisecondOfASecondComeBeforeWhatIsScheduledForTheNext() {
        var scheduled = applied("6.00");
        clock.advance(Duration.ofSeconds(1));
        var drafted = Stream.of("7.00", "8.00")
                .map(amount -> fixture.drafted(draft(null, rule(setTo(amount), ONE, "BURGER"))))
                .toList()
                .reversed();
        clock.set(Instant.parse(THEN).minusMillis(1));
        for (var set : drafted) {
            fixture.applied(done(fixture.drafts.preview(GRACE, set.id())));
        }

        pass();

        assertThat(history())
                .containsExactly(
                        "5.00 to 8.00 by " + drafted.getFirst().id(),
                        "8.00 to 7.00 by " + drafted.getLast().id(),
                        "7.00 to 6.00 by " + scheduled.id());
    }

    @Test
    void aPriceAndItsHistoryAgreeSinceWhenItCounts() {
        clock.advance(Duration.ofMillis(977));
        fixture.applied(draft(null, rule(setTo("6.00"), ONE, "BURGER")));

        var at = fixture.history("DE-0001", "BURGER").getFirst().at();

        assertThat(fixture.price("DE-0001", "BURGER", at.toString())).isEqualTo("6.00");
        assertThat(fixture.price("DE-0001", "BURGER", at.minusMillis(1).toString()))
                .isEqualTo("5.00");
    }

    /** Apply and cancel at once, of sets that are one transaction, a task done while the caller waits, and one done later. */
    @ParameterizedTest
    @CsvSource({"1, 1000, false", "20, 1000, false", "20, 0, false", "1, 1000, true", "20, 1000, true", "20, 0, true"})
    void aSetThatIsAppliedAndCancelledAtOnceEndsAsPricesSay(int lines, int inline, boolean toCome) throws Exception {
        var names = products(lines);
        fixture.load(Stream.of(names)
                .<Price>map(product -> price(BERLIN, "ALL", product, "2030-01-01", "5.00"))
                .toList());
        try (var one = new ChangesFixture(table.queryDb(clock), clock, inline);
                var other = new ChangesFixture(table.queryDb(clock), clock, inline);
                var workers = WorkersFixture.workers(one.tasks, one.runs.work());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            workers.start();
            for (var round = 0; round < ROUNDS; round++) {
                clock.advance(Duration.ofSeconds(2));
                var amount = "6." + (10 + round);
                var set = previewed(one, draft(toCome ? DAY : null, rule(setTo(amount), ONE, names)));
                var results = threads.invokeAll(List.<Callable<ChangeSetResult>>of(
                        () -> one.sets.applyAccepted(GRACE, set.id(), String.valueOf(set.token())),
                        () -> other.sets.cancel(GRACE, set.id()),
                        () -> other.sets.applyAccepted(GRACE, set.id(), String.valueOf(set.token()))));
                for (var result : results) {
                    result.get();
                }

                var ended = ended(one, set);
                var at = toCome ? THEN : clock.instant().toString();
                var expected = ended.status() == ChangeSetStatus.CANCELLED ? "not " + amount : amount;
                assertThat(ended.status())
                        .isIn(ChangeSetStatus.CANCELLED, toCome ? ChangeSetStatus.SCHEDULED : ChangeSetStatus.APPLIED);
                assertThat(ended.failed()).isZero();
                assertThat(Stream.of(names).map(name -> one.price("DE-0001", name, at)))
                        .as("round %s: %s", round, ended)
                        .allSatisfy(price -> assertThat(price.equals(amount) ? amount : "not " + amount)
                                .isEqualTo(expected));
                assertThat(one.lines(ended))
                        .extracting(ChangeLine::outcome)
                        .as("round %s: %s", round, ended)
                        .doesNotContain(
                                ended.status() == ChangeSetStatus.CANCELLED ? Outcome.APPLIED : Outcome.CANCELLED);
                if (toCome) {
                    done(other.sets.cancel(GRACE, set.id()));
                    ended(one, set, ChangeSetStatus.CANCELLED);
                }
            }
        }
    }

    @Test
    void setsForOnePriceThatAreAppliedAtOnceChangeItOnceAndTheOthersAreStale() throws Exception {
        var drafts = Stream.of("6.10", "6.20", "6.30", "6.40", "6.50", "6.60")
                .map(amount -> fixture.drafted(draft(null, rule(setTo(amount), ONE, "BURGER"))))
                .toList();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var results = threads
                    .invokeAll(drafts.stream()
                            .<Callable<ChangeSetResult>>map(set ->
                                    () -> fixture.sets.applyAccepted(GRACE, set.id(), String.valueOf(set.token())))
                            .toList())
                    .stream()
                    .map(java.util.concurrent.Future::resultNow)
                    .toList();

            assertThat(results)
                    .filteredOn(ChangeSetResult.Done.class::isInstance)
                    .hasSize(1);
            assertThat(results)
                    .filteredOn(ChangeSetResult.Stale.class::isInstance)
                    .hasSize(5);
        }
        assertThat(history()).hasSize(1);
    }

    @Test
    void aLineThatWasNotWrittenHasNoOutcome() {
        var set = fixture.applied(draft(
                null,
                rule(setTo("6.00"), ONE, "BURGER"),
                rule(ChangesFixture.percent("10"), ONE, "NONE"),
                rule(setTo("7.00"), ONE, "BURGER")));

        assertThat(fixture.lines(set))
                .extracting(ChangeLine::finding, ChangeLine::outcome)
                .containsExactly(
                        tuple(Finding.WILL_CHANGE, Outcome.APPLIED),
                        tuple(Finding.NOT_FOUND, Outcome.NONE),
                        tuple(Finding.INVALID, Outcome.NONE));
    }

    @Test
    void aSetThatIsUndoneAndBroughtBackCanBeUndoneAgain() {
        var set = fixture.applied(draft(null, rule(setTo("6.00"), ONE, "BURGER")));
        clock.advance(Duration.ofMinutes(1));
        var undo = fixture.applied(done(fixture.drafts.draftUndo(GRACE, set.id(), "wrong", null)));
        clock.advance(Duration.ofMinutes(1));
        fixture.applied(done(fixture.drafts.draftUndo(GRACE, undo.id(), "right after all", null)));
        assertThat(fixture.sets.find(GRACE, set.id()).orElseThrow())
                .extracting(ChangeSet::status, ChangeSet::undoneBy)
                .containsExactly(ChangeSetStatus.APPLIED, null);
        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("6.00");

        clock.advance(Duration.ofMinutes(1));
        fixture.applied(done(fixture.drafts.draftUndo(GRACE, set.id(), "wrong after all", null)));

        assertThat(fixture.price("DE-0001", "BURGER")).isEqualTo("5.00");
        assertThat(fixture.sets.find(GRACE, set.id()).orElseThrow().status()).isEqualTo(ChangeSetStatus.UNDONE);
    }

    @Test
    void aSetOfAnInstanceWithMoreShardsIsAppliedWhole() {
        var names = products(100);
        fixture.load(Stream.of(names)
                .<Price>map(product -> price(BERLIN, "ALL", product, "2030-01-01", "5.00"))
                .toList());
        try (var eight = new ChangesFixture(table.queryDb(clock), clock, 0);
                var workers = WorkersFixture.workers(eight.tasks, eight.runs.work())) {
            workers.start();
            var set = previewed(eight, draft(null, rule(setTo("6.00"), ONE, names)));

            var applied = fixture.applied(set);

            assertThat(applied.status()).isEqualTo(ChangeSetStatus.APPLIED);
            assertThat(Stream.of(names).map(name -> fixture.price("DE-0001", name)))
                    .containsOnly("6.00");
        }
    }

    private ChangeSet previewed(ChangesFixture in, DraftChangeSet draft) {
        var set = in.drafted(draft);
        org.awaitility.Awaitility.await()
                .pollInterval(OFTEN)
                .atMost(Duration.ofMinutes(1))
                .until(() -> in.sets.find(GRACE, set.id()).orElseThrow().token() != null);
        return in.sets.find(GRACE, set.id()).orElseThrow();
    }

    private static ChangeSet ended(ChangesFixture in, ChangeSet set) {
        org.awaitility.Awaitility.await()
                .pollInterval(OFTEN)
                .atMost(Duration.ofMinutes(1))
                .until(() -> {
                    var now = in.sets.find(GRACE, set.id()).orElseThrow();
                    return now.status() != ChangeSetStatus.APPLYING && now.status() != ChangeSetStatus.DRAFT;
                });
        return in.sets.find(GRACE, set.id()).orElseThrow();
    }

    private static void ended(ChangesFixture in, ChangeSet set, ChangeSetStatus status) {
        org.awaitility.Awaitility.await()
                .pollInterval(OFTEN)
                .atMost(Duration.ofMinutes(1))
                .until(() -> in.sets.find(GRACE, set.id()).orElseThrow().status() == status);
    }

    private ChangeSet drafted(String amount) {
        clock.advance(Duration.ofMillis(1));
        return fixture.drafted(draft(DAY, rule(setTo(amount), ONE, "BURGER")));
    }

    private ChangeSet applied(String amount) {
        return fixture.applied(drafted(amount));
    }

    private void pass() {
        clock.set(Instant.parse(THEN).plus(Duration.ofMinutes(10)));
        fixture.reconcile(new MemorySchedules());
    }

    private Outcome outcome(ChangeSet set) {
        return fixture.lines(set).getFirst().outcome();
    }

    private List<org.assertj.core.groups.Tuple> upcoming() {
        return fixture.batches.upcoming(EVERYTHING, BERLIN.id(), Channel.ALL, null, null, PAGE).nodes().stream()
                .map(change -> tuple(
                        java.util.Objects.requireNonNull(change.after())
                                .amount()
                                .toPlainString(),
                        change.changeSet()))
                .toList();
    }

    private Map<ChangeSetId, Integer> scheduled() {
        var changes = fixture.batching
                .stored
                .find(new PriceBatch(BERLIN.id(), Channel.ALL, EffectiveDate.parse(DAY)))
                .orElseThrow()
                .changes();
        return changes.entrySet().stream()
                .filter(entry -> entry.getValue() != 0)
                .collect(toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private List<String> history() {
        return fixture.history("DE-0001", "BURGER").stream()
                .map(entry -> java.util.Objects.requireNonNull(entry.before()).amount() + " to "
                        + java.util.Objects.requireNonNull(entry.after()).amount() + " by " + entry.changeSet())
                .toList();
    }

    private Map<String, Long> types() {
        return fixture.db.load("STORE#DE-0001").stream()
                .collect(java.util.stream.Collectors.groupingBy(Item::type, java.util.stream.Collectors.counting()));
    }

    private List<Item> priceItems() {
        return fixture.db.load("STORE#DE-0001").stream()
                .filter(item -> item.type().equals("price"))
                .toList();
    }
}
