package io.menuboard.local;

import static org.awaitility.Awaitility.await;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.access.Principal;
import io.menuboard.billing.reports.ReportRun;
import io.menuboard.billing.reports.ReportRun.Status;
import io.menuboard.billing.reports.ReportRuns;
import io.menuboard.billing.reports.RunId;
import io.menuboard.billing.reports.RunResult;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.CommissionRule;
import io.menuboard.billing.transactions.CommissionRules;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.RecordTransaction;
import io.menuboard.billing.transactions.Rounding;
import io.menuboard.billing.transactions.TransactionId;
import io.menuboard.billing.transactions.Transactions;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Money;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Sales of partners in the last half day, and the reports of them: four agencies, three currencies, refunds, a line that was
 * late, and a run that was made again because a rule was wrong.
 */
final class SampleBilling {
    private static final Access CLIENT =
            CurrentAccess.EVERYTHING.of(new Actor(Actor.Kind.TOKEN, "store systems", Actor.Source.GRAPHQL));
    private static final Access PERSON = new Access(Principal.withEveryRole("maria.lopez"), Actor.Source.PAGE);

    /** Time after its end at which a quarter hour is closed, as in the application's settings. */
    private static final Duration LAG = Duration.ofMinutes(15);

    private static final int HOURS = 12;
    private static final int HOURS_OF_A_RUN = 2;
    private static final int QUARTERS_OF_A_RUN = 4 * HOURS_OF_A_RUN;
    private static final int MOST_IN_A_QUARTER = 45;
    private static final int REFUNDED = 33;

    private static final CommissionRule STANDARD = rule("standard", "0.15", Rounding.HALF_UP);
    private static final CommissionRule DELIVERY = rule("delivery", "0.225", Rounding.HALF_UP);
    private static final CommissionRule CATERING = rule("catering", "0.08", Rounding.DOWN);

    private static final List<Agency> AGENCIES = List.of(
            new Agency("quickbite", "EUR", 2, DELIVERY.id()),
            new Agency("Bistro & Partner", "EUR", 2, CATERING.id()),
            new Agency("northwind/us", "USD", 2, STANDARD.id()),
            new Agency("幸福デリバリー", "JPY", 0, DELIVERY.id()));

    /** @param decimals of the currency */
    private record Agency(String id, String currency, int decimals, String rule) {}

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    private final Past past;
    private final ReportRuns reports;
    private final List<SampleMenu.Product> menu;
    private final int inAQuarter;
    private final RandomGenerator random = new SplittableRandom(20_261_122);
    private int recorded;

    private SampleBilling(Past past, List<SampleMenu.Product> menu, int stores) {
        this.past = past;
        this.reports = past.get(ReportRuns.class);
        this.menu = menu;
        this.inAQuarter = Math.min(MOST_IN_A_QUARTER, 2 * stores);
    }

    /**
     * Makes reports begin long enough ago, which they do where they are asked for first; and keeps the application, once it
     * serves, from reporting anything before all is in.
     */
    static void begin(Past past, Instant now) {
        past.setTime(begin(now).start().plus(LAG));
        past.get(ReportRuns.class).setInterval(PERSON, Duration.ofHours(24));
    }

    /**
     * Makes it, and answers how many transactions there are. Reports have begun, and an application makes them.
     *
     * @param rules of that application
     * @param now as reports were told when they began
     */
    static int load(Past past, CommissionRules rules, int stores, int products, Instant now) {
        List.of(STANDARD, CATERING, rule(DELIVERY.id(), "0.2", Rounding.HALF_UP))
                .forEach(rule -> rules.put(PERSON, rule));
        var sample = new SampleBilling(past, SampleMenu.products(products), stores);
        sample.load(rules, begin(now));
        return sample.recorded;
    }

    /** As late as all of it can be over and in one month: no run is of two. */
    private static Quarter begin(Instant now) {
        var begin = Quarter.of(now).plus(-4L * HOURS - 2);
        var month = Quarter.of(Quarter.of(now).month());
        return begin.compareTo(month) < 0 ? month.plus(-4L * HOURS - 2) : begin;
    }

    private void load(CommissionRules rules, Quarter begin) {
        var runs = new ArrayList<RunId>();
        for (var quarter = 0; quarter < 4 * HOURS; quarter++) {
            record(begin.plus(quarter), quarter);
            if (quarter % QUARTERS_OF_A_RUN == 2 && quarter > QUARTERS_OF_A_RUN) {
                runs.add(made(reports.runNow(PERSON)).id());
                if (quarter + QUARTERS_OF_A_RUN < 4 * HOURS) {
                    late(begin.plus(quarter - 4), quarter);
                }
            }
        }
        rules.put(PERSON, DELIVERY);
        runs.stream().findFirst().ifPresent(run -> made(reports.runAgain(PERSON, run)));
        reports.setInterval(PERSON, Duration.ofHours(1));
    }

    /** The run once the application has made it. */
    private ReportRun made(RunResult result) {
        var id =
                switch (result) {
                    case RunResult.Started(var run) -> run.id();
                    case RunResult.AlreadyStarted(var run) -> run.id();
                    case RunResult.NothingToReport _, RunResult.NotFound _ ->
                        throw new IllegalStateException(result.toString());
                };
        return await().atMost(PATIENCE)
                .pollInterval(BETWEEN_LOOKS)
                .until(() -> reports.find(PERSON, id).orElseThrow(), run -> run.status() == Status.COMMITTED);
    }

    private void record(Quarter quarter, int number) {
        past.setTime(quarter.start().plusSeconds(60 + random.nextInt(700)));
        var sold = new ArrayList<RecordTransaction>();
        for (var i = 0; i < inAQuarter; i++) {
            sold.add(sale("order-%03d-%03d".formatted(number, i), quarter.start()));
        }
        past.get(Transactions.class).record(CLIENT, sold);
        var refunds = sold.stream()
                .filter(_ -> random.nextInt(REFUNDED) == 0)
                .map(SampleBilling::refund)
                .toList();
        past.get(Transactions.class).record(CLIENT, refunds);
        recorded += sold.size() + refunds.size();
    }

    /** By an instance whose clock was behind: its quarter hour was closed a moment ago, and the next run has it. */
    private void late(Quarter quarter, int number) {
        past.setTime(quarter.start().plusSeconds(890));
        past.get(Transactions.class).record(CLIENT, List.of(sale("late-%03d".formatted(number), quarter.start())));
        recorded++;
    }

    private RecordTransaction sale(String id, Instant occurredAt) {
        var agency = AGENCIES.get(random.nextInt(AGENCIES.size()));
        var product = menu.get(random.nextInt(menu.size()));
        var amount =
                BigDecimal.valueOf(product.dollars() * (1 + random.nextInt(4)) * (agency.decimals() == 0 ? 150 : 1));
        return new RecordTransaction(
                new TransactionId(id),
                new AgencyId(agency.id()),
                product.id(),
                "customer-%04d".formatted(random.nextInt(10_000)),
                new Money(
                        amount.setScale(agency.decimals(), RoundingMode.HALF_UP), Money.currencyOf(agency.currency())),
                occurredAt.plusSeconds(random.nextInt(60)),
                null,
                agency.rule(),
                null);
    }

    private static RecordTransaction refund(RecordTransaction sold) {
        return new RecordTransaction(
                new TransactionId("refund-of-" + sold.id()),
                sold.agency(),
                sold.product(),
                sold.customer(),
                new Money(sold.amount().amount().negate(), sold.amount().currency()),
                sold.occurredAt().plusSeconds(300),
                null,
                sold.commissionRule(),
                sold.id());
    }

    private static CommissionRule rule(String id, String rate, Rounding rounding) {
        return new CommissionRule(id, new BigDecimal(rate), rounding);
    }
}
