package io.menuboard.billing.reports;

import static io.menuboard.billing.reports.BillingFixture.run;
import static io.menuboard.billing.transactions.TransactionsFixture.GRACE;
import static io.menuboard.billing.transactions.TransactionsFixture.PAGE;
import static io.menuboard.billing.transactions.TransactionsFixture.byRule;
import static io.menuboard.billing.transactions.TransactionsFixture.sale;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.access.Scope;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.CommissionRule;
import io.menuboard.billing.transactions.Rounding;
import io.menuboard.billing.transactions.Transaction;
import io.menuboard.billing.transactions.TransactionId;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.YearMonth;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who may see one agency finds that one, and of all others as much as of one that there is not. */
class BillingScopesTest {
    private static final AgencyId ACME = new AgencyId("acme");
    private static final AgencyId BOLT = new AgencyId("bolt");
    private static final AgencyId NOBODY = new AgencyId("nobody");
    private static final YearMonth JUNE = YearMonth.of(2036, 6);
    private static final RunId NOON = run("1200", "1215");
    private static final Access PARTNER = partner("acme");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private BillingFixture fixture;
    private Transaction ours;
    private Transaction theirs;

    static Access partner(String... agencies) {
        return with(Stream.of(agencies)
                .map(agency -> new Grant(Role.PARTNER, new Scope.Only(Scope.Kind.AGENCY, agency)))
                .toArray(Grant[]::new));
    }

    private static Access with(Grant... grants) {
        return new Access(new Principal("p1", Actor.Kind.TOKEN, "partner", Set.of(grants)), Actor.Source.GRAPHQL);
    }

    @BeforeEach
    void report() throws Exception {
        fixture = new BillingFixture(table.queryDb(clock), clock, new MemoryFiles());
        clock.setTime("12:15:00");
        fixture.runs.checkpoint(GRACE);
        fixture.rules.put(GRACE, new CommissionRule("secret", new BigDecimal("0.10"), Rounding.HALF_UP));
        clock.setTime("12:00:00");
        ours = fixture.recorded(byRule("ours", "acme", "10.00", "secret")).getFirst();
        theirs = fixture.recorded(sale("theirs", "bolt", "77.00"), sale("more", "bolt", "7.00"))
                .getFirst();
        clock.setTime("12:30:00");
        fixture.run();
        fixture.make(((RunResult.Started) fixture.runs.runAgain(GRACE, NOON)).run());
    }

    @Test
    void transactionsOfOthersAreNotThere() {
        assertThat(fixture.billing.find(PARTNER, ours.id())).hasValueSatisfying(found -> {
            assertThat(found.amount()).isEqualTo(ours.amount());
            assertThat(found.recordedBy()).isNull();
        });
        assertThat(fixture.billing.find(PARTNER, theirs.id())).isEmpty();
        assertThat(fixture.billing.findAll(PARTNER, List.of(theirs.id(), ours.id(), new TransactionId("none"))))
                .extracting(Transaction::id)
                .containsExactly(ours.id());
        assertThat(fixture.billing.ofAgency(PARTNER, ACME, JUNE, PAGE).nodes())
                .extracting(Transaction::id, Transaction::recordedBy)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(ours.id(), null));
        same(agency -> fixture.billing.ofAgency(PARTNER, agency, JUNE, PAGE));
    }

    @Test
    void agenciesAreThoseThatMayBeSeenOnEveryPage() {
        assertThat(fixture.billing.isAgency(PARTNER, ACME)).isTrue();
        assertThat(fixture.billing.isAgency(PARTNER, BOLT)).isFalse();
        assertThat(fixture.billing.findAgencies(PARTNER, List.of(NOBODY, BOLT, ACME)))
                .containsExactly(ACME);
        assertThat(fixture.billing.isAgency(partner("nobody"), NOBODY)).isFalse();
        var pages = Stream.of(
                PageRequest.forward(1, null),
                PageRequest.backward(1, null),
                PageRequest.forward(
                        1,
                        fixture.billing
                                .agencies(GRACE, PageRequest.forward(1, null))
                                .endCursor()));
        assertThat(fixture.billing.agencies(PARTNER, PAGE).nodes()).containsExactly(ACME);
        assertThat(pages.map(page -> fixture.billing.agencies(PARTNER, page))).allSatisfy(page -> {
            assertThat(page.nodes()).isSubsetOf(ACME);
            assertThat(page.hasNextPage()).isFalse();
            assertThat(page.totalCount().count()).isEqualTo(1);
        });
        assertThat(fixture.billing.agencies(partner("nobody"), PAGE).nodes()).isEmpty();
        assertThat(fixture.billing.agencies(partner("bolt", "acme"), PAGE).nodes())
                .containsExactly(ACME, BOLT);
    }

    /** A run is there for everybody, and has of each what is theirs. */
    @Test
    void aRunHasWhatTheAgencyHasInIt() {
        var all = fixture.find(NOON);
        var run = fixture.runs.find(PARTNER, NOON).orElseThrow();

        assertThat(run.id()).isEqualTo(NOON);
        assertThat(run.effectiveVersion()).isEqualTo(2);
        assertThat(run.status()).isEqualTo(all.status());
        assertThat(run.startedBy().name()).isEqualTo("billing");
        assertThat(run.task()).isNull();
        assertThat(Optional.ofNullable(run.result())).hasValueSatisfying(result -> {
            assertThat(result.agencies()).isEqualTo(1);
            assertThat(result.lines()).isEqualTo(1);
            assertThat(result.totals()).singleElement().satisfies(totals -> assertThat(totals.amount())
                    .isEqualByComparingTo("10.00"));
        });
        assertThat(fixture.runs.findAll(PARTNER, List.of(NOON))).containsExactly(run);
        assertThat(fixture.runs.list(PARTNER, PAGE).nodes()).containsExactly(run);
        assertThat(fixture.reports.version(PARTNER, NOON, 1)).hasValueSatisfying(first -> {
            assertThat(first.lines()).isEqualTo(1);
            assertThat(first.agencies()).isEqualTo(1);
        });
        assertThat(fixture.reports.of(PARTNER, ours))
                .hasValueSatisfying(appearance -> assertThat(appearance.run()).isEqualTo(run));
        assertThat(fixture.runs.find(partner("nobody"), NOON).orElseThrow().result())
                .isEqualTo(new ReportRun.Result(fixture.result(NOON).committedAt(), 0, List.of()));
        assertThat(fixture.runs.find(GRACE, NOON)).contains(all);
    }

    @Test
    void reportsOfOthersAndOfAllAreNotThere() throws Exception {
        assertThat(fixture.reports.agencies(PARTNER, NOON, 2, PAGE).nodes())
                .extracting(AgencyTotals::agency)
                .containsExactly(ACME);
        var first = fixture.reports.agencies(PARTNER, NOON, 2, PageRequest.forward(1, null));
        assertThat(first.hasNextPage()).isFalse();
        assertThat(first.totalCount().count()).isEqualTo(1);
        assertThat(fixture.reports.agency(PARTNER, NOON, 2, ACME)).isPresent();
        assertThat(fixture.reports.agency(PARTNER, NOON, 2, BOLT)).isEmpty();
        assertThat(fixture.reports.lines(PARTNER, NOON, 2, ACME, PAGE).nodes()).hasSize(1);
        assertThatThrownBy(() -> fixture.reports.lines(PARTNER, NOON, 2, BOLT, PAGE))
                .isInstanceOf(IllegalStateException.class);
        try (var csv = fixture.reports.csv(PARTNER, NOON, 2, ACME).orElseThrow();
                var json = fixture.reports.json(PARTNER, NOON, 2, ACME).orElseThrow()) {
            assertThat(new String(csv.readAllBytes(), UTF_8)).contains("ours").doesNotContain("theirs");
            assertThat(new String(json.readAllBytes(), UTF_8)).contains("ours").doesNotContain("theirs");
        }
        same(agency -> fixture.reports.csv(PARTNER, NOON, 2, agency));
        same(agency -> fixture.reports.json(PARTNER, NOON, 2, agency));
        for (var kind : Reports.Kind.values()) {
            assertThat(fixture.reports.file(GRACE, NOON, 2, kind))
                    .as("%s", kind)
                    .isPresent();
            assertThat(fixture.reports.file(PARTNER, NOON, 2, kind))
                    .as("%s", kind)
                    .isEmpty();
        }
    }

    @Test
    void statementsAndAppearancesOfOthersAreNotThere() {
        assertThat(fixture.reports.statement(PARTNER, ACME, JUNE).reports()).hasSize(1);
        assertThat(fixture.reports.statement(PARTNER, BOLT, JUNE).reports()).isEmpty();
        assertThat(fixture.reports.statement(PARTNER, BOLT, JUNE).totals()).isEmpty();
        assertThat(fixture.reports.of(PARTNER, List.of(ours, theirs))).containsOnlyKeys(ours.id());
        assertThat(fixture.reports.reporting(PARTNER, ours)).isEqualTo(Reports.Reporting.REPORTED);
        denied(() -> fixture.reports.reporting(PARTNER, List.of(ours, theirs)));
    }

    @Test
    void whatIsOfAllAgenciesTakesThePermissionForAll() {
        denied(() -> fixture.reconciliations.reconcile(PARTNER, NOON.from(), NOON.to()));
        denied(() -> fixture.runs.differingQuarterHours(PARTNER));
        denied(() -> fixture.rules.list(PARTNER, PAGE));
        assertThat(fixture.rules.find(PARTNER, "secret")).isEmpty();
        assertThat(fixture.rules.find(PARTNER, List.of("secret"))).isEmpty();
        assertThat(fixture.runs.checkpoint(PARTNER)).isEqualTo(fixture.runs.checkpoint(GRACE));
    }

    @Test
    void whoMayOnlyReadChangesNothing() {
        var everything = with(Grant.of(Role.PARTNER));
        for (var access : List.of(PARTNER, everything)) {
            denied(() -> fixture.billing.record(access, List.of(sale("new", "acme", "1.00"))));
            denied(() ->
                    fixture.rules.put(access, new CommissionRule("secret", new BigDecimal("0.90"), Rounding.HALF_UP)));
            denied(() -> fixture.runs.setInterval(access, Duration.ofHours(2)));
            denied(() -> fixture.runs.runNow(access));
            denied(() -> fixture.runs.runFrom(access, NOON.to()));
            denied(() -> fixture.runs.run(access, NOON));
            denied(() -> fixture.runs.runAgain(access, NOON));
            denied(() -> fixture.runs.next(access));
        }
        assertThat(fixture.billing.find(GRACE, new TransactionId("new"))).isEmpty();
        assertThat(fixture.rules.find(GRACE, "secret").orElseThrow().rate()).isEqualByComparingTo("0.10");
        assertThat(fixture.runs.list(GRACE, PAGE).nodes()).hasSize(1);
        assertThat(fixture.reconciliations.reconcile(everything, NOON.from(), NOON.to()))
                .hasSize(1);
    }

    @Test
    void whoMayNothingSeesNothing() {
        var nobody = with(Grant.of(Role.VIEWER));
        for (var read : List.<ThrowingCallable>of(
                () -> fixture.billing.find(nobody, ours.id()),
                () -> fixture.billing.findAll(nobody, List.of(ours.id())),
                () -> fixture.billing.ofAgency(nobody, ACME, JUNE, PAGE),
                () -> fixture.billing.agencies(nobody, PAGE),
                () -> fixture.billing.findAgencies(nobody, List.of(ACME)),
                () -> fixture.billing.isAgency(nobody, ACME),
                () -> fixture.rules.find(nobody, "secret"),
                () -> fixture.runs.checkpoint(nobody),
                () -> fixture.runs.find(nobody, NOON),
                () -> fixture.runs.findAll(nobody, List.of(NOON)),
                () -> fixture.runs.list(nobody, PAGE),
                () -> fixture.reports.version(nobody, NOON, 1),
                () -> fixture.reports.agencies(nobody, NOON, 1, PAGE),
                () -> fixture.reports.agency(nobody, NOON, 1, ACME),
                () -> fixture.reports.file(nobody, NOON, 1, Reports.Kind.LEDGER),
                () -> fixture.reports.csv(nobody, NOON, 1, ACME),
                () -> fixture.reports.json(nobody, NOON, 1, ACME),
                () -> fixture.reports.lines(nobody, NOON, 1, ACME, PAGE),
                () -> fixture.reports.of(nobody, ours),
                () -> fixture.reports.statement(nobody, ACME, JUNE))) {
            denied(read);
        }
    }

    private static void denied(ThrowingCallable use) {
        assertThatThrownBy(use).isInstanceOf(Denied.class);
    }

    /** The answer about somebody else's agency is that about one that there is not. */
    private static void same(java.util.function.Function<AgencyId, Object> read) {
        assertThat(shown(read.apply(BOLT))).isEqualTo(shown(read.apply(NOBODY)));
    }

    private static Object shown(Object answer) {
        return answer instanceof Page<?> page
                ? List.of(page.nodes(), page.hasNextPage(), page.hasPreviousPage(), page.totalCount())
                : answer;
    }
}
