package io.menuboard.webadmin.billing;

import io.menuboard.billing.reports.Reconciliations.Reconciliation;
import io.menuboard.billing.reports.RunId;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.kernel.Money;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Problem;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code billing/reconciliation}, the latest quarter hour first. */
record ReconciliationPage(Form form, @Nullable Problem problem, Links links, Summary summary, List<Row> rows) {

    static ReconciliationPage of(
            Quarter from,
            Quarter to,
            Form form,
            @Nullable Problem problem,
            List<Reconciliation> quarters,
            Amounts amounts) {
        var rows = quarters.reversed().stream()
                .map(quarter -> Row.of(quarter, amounts))
                .toList();
        return new ReconciliationPage(form, problem, Links.of(from, to), Summary.of(quarters, rows), rows);
    }

    /** @param export address of the same quarter hours as CSV */
    record Links(String earlier, String later, String export) {
        static Links of(Quarter from, Quarter to) {
            var length = Duration.between(from.start(), to.start()).dividedBy(Quarter.LENGTH);
            return new Links(
                    address(from.plus(-length), from).toString(),
                    address(to, to.plus(length)).toString(),
                    address(Link.to("billing", "reconciliation.csv"), from, to).toString());
        }
    }

    /**
     * Sums of all rows.
     *
     * @param ingested number of transactions that came in in all of them
     * @param open number of the quarter hours that no run has closed
     * @param differing the quarter hours that differ
     */
    record Summary(Badge verdict, String text, String ingested, String reported, String open, List<Row> differing) {

        static Summary of(List<Reconciliation> quarters, List<Row> rows) {
            var differing = rows.stream().filter(Row::differs).toList();
            return new Summary(
                    differing.isEmpty()
                            ? new Badge("badge-good", "All agree")
                            : new Badge(
                                    "badge-bad", differing.size() + (differing.size() == 1 ? " differs" : " differ")),
                    differing.isEmpty()
                            ? "Every closed quarter hour has in its reports exactly what came in."
                            : "In " + Counts.of(differing.size()) + " of " + Counts.of(rows.size())
                                    + " quarter hours, what is reported is not what came in.",
                    Counts.of(quarters.stream()
                            .mapToLong(Reconciliation::ingestedCount)
                            .sum()),
                    Counts.of(quarters.stream()
                            .mapToLong(Reconciliation::reportedCount)
                            .sum()),
                    Counts.of(quarters.stream()
                            .filter(quarter -> !quarter.closed())
                            .count()),
                    differing);
        }
    }

    static Link address(Quarter from, Quarter to) {
        return address(Link.to("billing", "reconciliation"), from, to);
    }

    private static Link address(Link link, Quarter from, Quarter to) {
        return link.with("from", Moments.fieldUtc(from.start())).with("to", Moments.fieldUtc(to.start()));
    }

    /** The range as it was sent. */
    record Form(String from, String to) {}

    /**
     * One quarter hour.
     *
     * @param id of its row
     * @param ingested sums, one for each currency
     */
    record Row(
            String id,
            String quarter,
            boolean differs,
            Badge verdict,
            String ingestedCount,
            List<String> ingested,
            String reportedCount,
            List<String> reported,
            List<RunLink> runs) {

        static Row of(Reconciliation quarter, Amounts amounts) {
            return new Row(
                    "q" + quarter.quarter().label(),
                    BillingWords.quarter(quarter.quarter()),
                    !quarter.agrees(),
                    !quarter.closed()
                            ? new Badge("", "Open")
                            : quarter.agrees() ? new Badge("badge-good", "Agrees") : new Badge("badge-bad", "Differs"),
                    Counts.of(quarter.ingestedCount()),
                    sums(quarter.ingested(), amounts),
                    Counts.of(quarter.reportedCount()),
                    sums(quarter.reported(), amounts),
                    quarter.runs().stream().map(RunLink::of).toList());
        }

        private static List<String> sums(Map<String, BigDecimal> sums, Amounts amounts) {
            return new TreeMap<>(sums)
                    .entrySet().stream()
                            .map(sum -> amounts.of(sum.getValue(), Money.currencyOf(sum.getKey())))
                            .toList();
        }
    }

    record RunLink(String href, String range) {
        static RunLink of(RunId run) {
            return new RunLink(BillingWords.link(run).toString(), BillingWords.range(run));
        }
    }
}
