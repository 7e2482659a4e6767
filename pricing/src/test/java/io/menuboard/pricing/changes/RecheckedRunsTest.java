package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.SANTIAGO;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.done;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.limited;
import static io.menuboard.pricing.changes.ChangesFixture.percent;
import static io.menuboard.pricing.changes.ChangesFixture.products;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.access.Scope;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.approvals.ApprovalPolicy;
import io.menuboard.pricing.changes.ChangeLine.Outcome;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.workers.TaskFailed;
import io.menuboard.tasks.workers.WorkersFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of change sets whose principal may do less by then than when they asked for them. */
class RecheckedRunsTest {
    private static final String HERE = BERLIN.id().value();
    private static final String THERE = SANTIAGO.id().value();

    /** With two stores more lines than fit one transaction. */
    private static final String[] PRODUCTS = products(10);

    private static final EffectiveDate LATER = EffectiveDate.parse("2036-08-01");

    private static final Access BOTH = limited("editor", Role.PRICING_EDITOR, HERE, THERE);
    private static final Access ONE = limited("editor", Role.PRICING_EDITOR, HERE);
    private static final Access NOTHING =
            new Access(new Principal("editor", Actor.Kind.USER, "editor", Set.of()), Actor.Source.PAGE);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private ChangesFixture fixture;

    @BeforeEach
    void open() {
        fixture = new ChangesFixture(table.queryDb(clock), clock, 0);
        fixture.stores.save(EVERYTHING, List.of(BERLIN, SANTIAGO));
        fixture.load(Stream.of(BERLIN, SANTIAGO)
                .flatMap(store -> Stream.of(PRODUCTS).map(product -> price(store, "ALL", product, "2030-01-01", "500")))
                .toList());
        fixture.current = _ -> BOTH;
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aPreviewReachesTheStoresThatAreLeft() {
        var draft = asked(null);
        fixture.current = _ -> ONE;

        work(fixture, draft);

        assertThat(fixture.lines(draft))
                .extracting(line -> line.store().value(), ChangeLine::finding)
                .containsOnly(tuple(HERE, Finding.WILL_CHANGE), tuple(THERE, Finding.NOT_FOUND));
    }

    @Test
    void nothingIsPreviewedForWhoMayNotDraftAnyMore() {
        var draft = asked(null);

        isRefused(draft, NOTHING);

        var refused = now(draft);
        assertThat(refused.problem()).isEqualTo(ChangeSetRuns.NOT_PERMITTED);
        assertThat(refused.token()).isNull();
        assertThat(refused.task()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2036-07-01"})
    void nothingIsAppliedForWhoMayNotForAllOfItsStores(String date) {
        var draft = previewed(date.isEmpty() ? null : date);
        var applying = done(fixture.sets.apply(BOTH, draft.id(), String.valueOf(draft.token())));

        isRefused(applying, ONE);

        var refused = now(draft);
        assertThat(refused.status()).isEqualTo(ChangeSetStatus.DRAFT);
        assertThat(refused.problem()).isEqualTo(ChangeSetRuns.NOT_PERMITTED);
        assertThat(refused.token()).as("needs another preview").isNull();
        assertThat(fixture.lines(refused)).extracting(ChangeLine::outcome).containsOnly(Outcome.NONE);
        clock.advance(Duration.ofDays(60));
        pricesAre("500", "500");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2036-07-01"})
    void whatWasLeftToWriteIsRefusedLineByLine(String date) {
        var draft = previewed(date.isEmpty() ? null : date);
        var applying = done(fixture.sets.apply(BOTH, draft.id(), String.valueOf(draft.token())));
        // As if the worker had died when it was about to write.
        var stored = new DynamoChangeSets(
                fixture.db, 2, Duration.ofDays(1_095), new DynamoChangeSetAudit(fixture.audit, clock));
        stored.save(((ChangeSet.Applying) stored.now(draft.id())).checked());

        isRefused(applying, ONE);

        clock.advance(Duration.ofDays(60));
        var partly = now(draft);
        assertThat(partly.status()).isEqualTo(ChangeSetStatus.PARTLY_APPLIED);
        assertThat(partly.failed()).isEqualTo(PRODUCTS.length);
        assertThat(partly.problem()).isEqualTo(ChangeSetRuns.NOT_PERMITTED);
        assertThat(fixture.lines(partly))
                .extracting(line -> line.store().value(), ChangeLine::outcome, ChangeLine::message)
                .containsOnly(
                        tuple(HERE, Outcome.APPLIED, null), tuple(THERE, Outcome.FAILED, ChangeSetRuns.NOT_PERMITTED));
        pricesAre("510", "500");
        assertThat(fixture.history(THERE, PRODUCTS[9])).isEmpty();
    }

    @Test
    void aSetThatIsNotTakenBackWaitsForItsTimeAsBefore() {
        var scheduled = scheduled();
        var cancelling = done(fixture.sets.cancel(BOTH, scheduled.id()));

        isRefused(cancelling, ONE);

        waitsAsBefore(scheduled);
    }

    @Test
    void aSetThatIsNotMovedWaitsForItsTimeAsBefore() {
        var scheduled = scheduled();
        var moving = done(fixture.sets.reschedule(BOTH, scheduled.id(), LATER));

        isRefused(moving, ONE);

        assertThat(now(scheduled).effectiveDate()).isEqualTo(scheduled.effectiveDate());
        waitsAsBefore(scheduled);
    }

    @Test
    void aSetThatWasApprovedIsNotMovedForWhoMayNotApproveItAnyMore() {
        fixture.close();
        fixture = new ChangesFixture(table.queryDb(clock), clock, 0, new ApprovalPolicy(2, 20, Set.of()));
        fixture.current = _ -> BOTH;
        var stores = new Scope.Stores(Set.of(HERE, THERE));
        var grants = Set.of(new Grant(Role.PRICING_EDITOR, stores), new Grant(Role.PRICING_APPROVER, stores));
        var approver = new Access(new Principal("approver", Actor.Kind.USER, "approver", grants), Actor.Source.PAGE);
        var draft = previewed("2036-07-01");
        var token = String.valueOf(draft.token());
        done(fixture.approvals.request(BOTH, draft.id(), token));
        done(fixture.approvals.approve(approver, draft.id(), token));
        work(fixture, done(fixture.sets.apply(BOTH, draft.id(), token)));
        var scheduled = now(draft);
        var moving = done(fixture.sets.reschedule(approver, scheduled.id(), LATER));

        isRefused(moving, limited("approver", Role.PRICING_EDITOR, HERE, THERE));

        assertThat(now(scheduled).effectiveDate()).isEqualTo(scheduled.effectiveDate());
        waitsAsBefore(scheduled);
    }

    private void waitsAsBefore(ChangeSet scheduled) {
        var now = now(scheduled);
        assertThat(now.status()).isEqualTo(ChangeSetStatus.SCHEDULED);
        assertThat(now.failed()).isZero();
        assertThat(now.problem()).isEqualTo(ChangeSetRuns.NOT_PERMITTED);
        // It counts from its time on, whatever has become of whoever asked for it.
        clock.set(Instant.parse("2036-07-02T12:00:00Z"));
        pricesAre("510", "510");
        assertThat(now(scheduled).status()).isEqualTo(ChangeSetStatus.APPLIED);
    }

    private ChangeSet scheduled() {
        var draft = previewed("2036-07-01");
        work(fixture, done(fixture.sets.apply(BOTH, draft.id(), String.valueOf(draft.token()))));
        return now(draft);
    }

    private ChangeSet asked(@Nullable String date) {
        return done(fixture.drafts.draft(BOTH, draft(date, rule(percent("2"), List.of(HERE, THERE), PRODUCTS)), null));
    }

    private ChangeSet previewed(@Nullable String date) {
        var draft = asked(date);
        work(fixture, draft);
        return now(draft);
    }

    private ChangeSet now(ChangeSet set) {
        return fixture.sets.find(GRACE, set.id()).orElseThrow();
    }

    private void pricesAre(String here, String there) {
        assertThat(Stream.of(HERE, THERE).map(store -> Double.valueOf(fixture.price(store, PRODUCTS[9]))))
                .containsExactly(Double.valueOf(here), Double.valueOf(there));
    }

    private void isRefused(ChangeSet set, Access access) {
        fixture.current = _ -> access;

        assertThatThrownBy(() -> attempt(fixture, set))
                .isInstanceOf(TaskFailed.class)
                .hasMessage(ChangeSetRuns.NOT_PERMITTED);
    }

    /** Does the set's task here and now. */
    static void work(ChangesFixture fixture, ChangeSet set) {
        try {
            attempt(fixture, set);
        } catch (TaskFailed | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void attempt(ChangesFixture fixture, ChangeSet set) throws TaskFailed, InterruptedException {
        var reads = fixture.tasks.reads();
        var task = reads.find(TasksFixture.STAFF, Objects.requireNonNull(set.task()))
                .orElseThrow();
        fixture.work().handler().handle(WorkersFixture.run(task.withPayload(reads.payload(TasksFixture.STAFF, task))));
    }
}
