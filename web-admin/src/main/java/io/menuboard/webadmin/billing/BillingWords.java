package io.menuboard.webadmin.billing;

import io.menuboard.billing.reports.ReportRun;
import io.menuboard.billing.reports.RunId;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.Rounding;
import io.menuboard.billing.transactions.TransactionId;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.tasks.Task;
import io.menuboard.webadmin.tasks.TaskWords;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.NotFound;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.YearMonth;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Runs, reports and transactions as pages name and link them. */
final class BillingWords {
    private BillingWords() {}

    static Link link(RunId run) {
        return Link.to("billing", "runs", run.toString());
    }

    static Link link(AgencyId agency) {
        return Link.to("billing", "agencies", agency.value());
    }

    static Link link(AgencyId agency, YearMonth month) {
        return Link.to("billing", "agencies", agency.value(), month.toString());
    }

    static Link link(TransactionId transaction) {
        return Link.to("billing", "transactions", transaction.value());
    }

    /** Page of an agency in a run. */
    static Link link(RunId run, AgencyId agency) {
        return Link.to("billing", "runs", run.toString(), "agencies", agency.value());
    }

    /** {@code 2026-11-22 00:00–01:00 UTC}, with both days where they differ. */
    static String range(RunId run) {
        return range(run.from(), run.to());
    }

    static String quarter(Quarter quarter) {
        return range(quarter, quarter.next());
    }

    private static String range(Quarter from, Quarter to) {
        var begin = from.start().atOffset(ZoneOffset.UTC).toLocalDateTime();
        var end = to.start().atOffset(ZoneOffset.UTC).toLocalDateTime();
        if (begin.toLocalDate().equals(end.toLocalDate())) {
            return Moments.of(begin) + "–" + end.toLocalTime() + " UTC";
        }
        return end.equals(begin.toLocalDate().plusDays(1).atStartOfDay())
                ? Moments.of(begin) + "–24:00 UTC"
                : Moments.of(begin) + " – " + Moments.of(end) + " UTC";
    }

    /** {@code 15%} of {@code 0.15}. */
    static String percent(BigDecimal rate) {
        var percent = rate.movePointRight(2).stripTrailingZeros();
        return (percent.scale() < 0 ? percent.setScale(0) : percent).toPlainString() + "%";
    }

    static String rounding(Rounding rounding) {
        return switch (rounding) {
            case HALF_UP -> "To the nearest, halves away from zero";
            case HALF_EVEN -> "To the nearest, halves to the even neighbour";
            case DOWN -> "Towards zero";
        };
    }

    /** {@code 45 minutes}, {@code 1 hour}, {@code 2 h 30 min}. */
    static String interval(Duration interval) {
        var hours = interval.toHours();
        var minutes = interval.toMinutesPart();
        if (hours == 0) {
            return minutes + " minutes";
        }
        return minutes > 0 ? hours + " h " + minutes + " min" : hours == 1 ? "1 hour" : hours + " hours";
    }

    /** {@code 1 line}, {@code 1,240 lines}. */
    static String lines(long count) {
        return Counts.of(count) + (count == 1 ? " line" : " lines");
    }

    /**
     * State of a run, and of the task that makes it for who may see everything.
     *
     * @param task that makes it, or null
     */
    static Badge status(BillingDoors may, ReportRun run, @Nullable Task task) {
        return switch (run.status()) {
            case COMMITTED -> new Badge("badge-good", "Committed");
            case RUNNING -> may.everything() ? TaskWords.making(task) : new Badge("badge-info", "Running");
        };
    }

    static InvalidInput notFound(RunId id) {
        return NotFound.of("run", "There is no report run " + id + ".");
    }

    static InvalidInput notFound(RunId id, int version) {
        return NotFound.of("version", "Run " + id + " has no version " + version + " that was made.");
    }

    static InvalidInput notFound(RunId run, AgencyId agency) {
        return NotFound.of("agency", "Agency " + agency + " has nothing in run " + run + ".");
    }

    static InvalidInput notFound(AgencyId id) {
        return NotFound.of("agency", "There is no agency " + id + ": nothing was ever recorded for it.");
    }

    static InvalidInput notFound(TransactionId id) {
        return NotFound.of("transaction", "There is no transaction " + id + ".");
    }

    static InvalidInput noFile(String name) {
        return NotFound.of("file", "There is no file " + name + " of this version.");
    }
}
