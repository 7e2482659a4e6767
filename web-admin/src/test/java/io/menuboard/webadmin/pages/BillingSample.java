package io.menuboard.webadmin.pages;

import static io.menuboard.webadmin.pages.PagesServer.encoded;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.access.Principal;
import io.menuboard.billing.reports.BillingAt;
import io.menuboard.billing.reports.ReportFiles;
import io.menuboard.billing.reports.RunId;
import io.menuboard.billing.reports.RunResult;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.CommissionRule;
import io.menuboard.billing.transactions.CommissionRules;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.RecordOutcome;
import io.menuboard.billing.transactions.RecordTransaction;
import io.menuboard.billing.transactions.Rounding;
import io.menuboard.billing.transactions.TransactionId;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Money;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.tasks.TasksInstance;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Transactions, rules and runs that have everything the pages must cope with, on a server of their own that opens no run by
 * itself. Everything is of one month of UTC.
 *
 * @param begin of the first run; the others follow, an hour each
 * @param first run, of two versions
 * @param second run, with a late line and more lines than a page
 * @param open run, which is being made for ever
 */
public record BillingSample(PagesServer server, Instant begin, RunId first, RunId second, RunId open) {
    static final Access CLIENT =
            CurrentAccess.EVERYTHING.of(new Actor(Actor.Kind.TOKEN, "till 7", Actor.Source.GRAPHQL));
    public static final Access STAFF = new Access(Principal.withEveryRole("grace"), Actor.Source.PAGE);

    public static final AgencyId ACME = new AgencyId("acme");
    public static final AgencyId HOSTILE = new AgencyId(PriceSample.ATTACK);
    public static final AgencyId SLASHED = new AgencyId("=A/B?c=d&e \"100%\" Zürich 東京");

    /** How many transactions of {@link #ACME} the second run has, the late one included. */
    public static final int MANY = 150;

    public static final String LATE = "late-1";
    public static final String REFUND = "refund/1 \"?";
    public static final String WAITING = "waiting-1";
    static final String RULE = "standard";

    private static final Duration HOUR = Duration.ofHours(1);

    /** Made at the first call, never stopped. */
    public static BillingSample shared() {
        return Shared.INSTANCE;
    }

    /** A server on which nothing was recorded yet. */
    public static PagesServer emptyServer(String table) {
        return PagesServer.start(table, PagesServer.REPORTS);
    }

    public static BillingSample start(String table) {
        return start(table, Map.of());
    }

    /** As {@link #start(String)}, with further settings. */
    public static BillingSample start(String table, Map<String, Object> settings) {
        var server = PagesServer.start(table, settings, PagesServer.REPORTS);
        var begin = Quarter.of(server.now().minus(HOUR.multipliedBy(5))).start();
        var past = past(server, begin.plus(Duration.ofMinutes(15)));
        var rules = server.bean(CommissionRules.class);
        rules.put(STAFF, new CommissionRule(RULE, new BigDecimal("0.15"), Rounding.HALF_UP));
        rules.put(STAFF, new CommissionRule(PriceSample.ATTACK, new BigDecimal("0.1"), Rounding.HALF_EVEN));
        var first = first(past, rules, begin);
        var second = second(past, begin.plus(HOUR));
        server.bean(PagesFactory.HeldRuns.class).hold();
        return new BillingSample(server, begin, first, second, open(past, begin));
    }

    public static BillingAt past(PagesServer server, Instant now) {
        return new BillingAt(
                server.bean(QueryDb.class),
                server.bean(AuditTrail.class),
                TasksInstance.of(server::bean),
                server.bean(ReportFiles.class),
                now);
    }

    /** Two versions: between them a rule was changed. */
    private static RunId first(BillingAt past, CommissionRules rules, Instant begin) {
        record(past, sale("order-1", ACME, "12.40 EUR", null, RULE));
        past.setTime(begin.plus(Duration.ofMinutes(20)));
        record(
                past,
                sale("order-2", ACME, "100.00 USD", "0.2", null),
                sale("order-3", HOSTILE, "9.99 EUR", null, PriceSample.ATTACK),
                sale("order-4", SLASHED, "450 JPY", "0", null),
                refund(REFUND, ACME, "-2.40 EUR", "order-1"));
        past.setTime(begin.plus(Duration.ofMinutes(75)));
        var run = past.report(STAFF);
        rules.put(STAFF, new CommissionRule(RULE, new BigDecimal("0.25"), Rounding.DOWN));
        return past.reportAgain(STAFF, run.id()).id();
    }

    /** One of its lines arrived while the first run was being made, by a clock that was behind. */
    private static RunId second(BillingAt past, Instant begin) {
        past.setTime(begin.minus(Duration.ofMinutes(10)));
        record(past, sale(LATE, ACME, "5.00 EUR", "0.1", null));
        past.setTime(begin.plus(Duration.ofMinutes(5)));
        record(
                past,
                IntStream.range(1, MANY)
                        .mapToObj(number -> sale("many-" + number, ACME, number + ".00 EUR", "0.1", null))
                        .toArray(RecordTransaction[]::new));
        past.setTime(begin.plus(Duration.ofMinutes(76)));
        return past.report(STAFF).id();
    }

    private static RunId open(BillingAt past, Instant begin) {
        past.setTime(begin.plus(Duration.ofMinutes(150)));
        record(past, sale(WAITING, ACME, "1.00 EUR", "0.1", null));
        past.setTime(begin.plus(Duration.ofMinutes(196)));
        return switch (past.runs().runNow(STAFF)) {
            case RunResult.Started(var run) -> run.id();
            default -> throw new IllegalStateException("the sample's runs are nobody else's");
        };
    }

    /** Has a counter of the first transactions say that one more came in than did. */
    public void miscount() {
        var db = server.bean(QueryDb.class);
        var counter = IntStream.range(0, 4)
                .mapToObj(shard -> db.load("BILLQ#" + quarter(15) + "#" + shard))
                .flatMap(List::stream)
                .findFirst()
                .orElseThrow();
        db.count(counter.key(), "count", 1);
    }

    public YearMonth month() {
        return YearMonth.from(begin.atOffset(ZoneOffset.UTC));
    }

    /** The quarter hour so many minutes after the first run's begin. */
    public Quarter quarter(int minutes) {
        return Quarter.of(begin.plus(Duration.ofMinutes(minutes)));
    }

    public static void record(BillingAt past, RecordTransaction... transactions) {
        past.billing().record(CLIENT, List.of(transactions)).forEach(outcome -> {
            if (!(outcome instanceof RecordOutcome.Recorded)) {
                throw new IllegalStateException("not recorded: " + outcome);
            }
        });
    }

    public static RecordTransaction sale(
            String id, AgencyId agency, String amount, @Nullable String rate, @Nullable String rule) {
        return transaction(id, agency, amount, rate, rule, null);
    }

    private static RecordTransaction refund(String id, AgencyId agency, String amount, String corrects) {
        return transaction(id, agency, amount, "0.15", null, corrects);
    }

    private static RecordTransaction transaction(
            String id,
            AgencyId agency,
            String amount,
            @Nullable String rate,
            @Nullable String rule,
            @Nullable String corrects) {
        var parts = amount.split(" ", -1);
        return new RecordTransaction(
                new TransactionId(id),
                agency,
                "HAMBURGER",
                "customer <7>",
                new Money(new BigDecimal(parts[0]), Money.currencyOf(parts[1])),
                Instant.parse("2026-03-06T13:05:00Z"),
                rate == null ? null : new BigDecimal(rate),
                rule,
                corrects == null ? null : new TransactionId(corrects));
    }

    /** Addresses of every kind of page of billing, in every state that looks different. */
    public List<String> pages() {
        return List.of(
                "/billing?first=16",
                "/billing?after=forged",
                "/billing?did=interval",
                "/billing/run-now",
                "/billing/interval",
                run(first()),
                run(first()) + "?version=1&first=16",
                run(first()) + "/again",
                run(second()) + "?did=started",
                run(open()),
                lines(second(), ACME) + "?first=16",
                lines(first(), HOSTILE) + "?version=1",
                "/billing/agencies",
                "/billing/agencies?agency=nobody",
                agency(ACME),
                agency(SLASHED) + "?to=1999-12",
                agency(ACME) + "?to=tomorrow",
                month(ACME),
                month(ACME) + "/transactions?first=16",
                agency(HOSTILE) + "/1999-12",
                agency(HOSTILE) + "/1999-12/transactions",
                "/billing/transactions",
                "/billing/transactions?transaction=nothing",
                transaction(REFUND),
                transaction(LATE),
                transaction(WAITING),
                "/billing/record",
                "/billing/reconciliation",
                "/billing/reconciliation?from=2026-01-01T00:00&to=2026-01-03T00:00",
                "/billing/rules",
                "/billing/rules/new",
                "/billing/rules/new?commissionRule=standard",
                "/billing/rules/confirm?commissionRule=standard&commissionRate=0.3&rounding=DOWN",
                "/billing/rules/confirm?commissionRule=new&commissionRate=15&rounding=DOWN",
                "/billing/runs/202601010000-202601010100");
    }

    public static String run(RunId run) {
        return "/billing/runs/" + run;
    }

    public static String lines(RunId run, AgencyId agency) {
        return run(run) + "/agencies/" + encoded(agency.value());
    }

    public static String agency(AgencyId agency) {
        return "/billing/agencies/" + encoded(agency.value());
    }

    public String month(AgencyId agency) {
        return agency(agency) + "/" + month();
    }

    public static String transaction(String id) {
        return "/billing/transactions/" + encoded(id);
    }

    private static final class Shared {
        static final BillingSample INSTANCE = start("billing-pages");
    }
}
