package io.menuboard.webadmin.billing;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.billing.reports.Reconciliations;
import io.menuboard.billing.reports.ReportRuns;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.tasks.TaskReads;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Views;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Transactions that came in and those that were reported, by quarter hour. */
@RequiresPermission(Permission.BILLING_READ)
@Controller("/billing")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
@Requires(beans = ReportRuns.class)
final class ReconciliationController {
    /** Most quarter hours at once: a day of them. */
    private static final int MOST = 96;

    private final Reconciliations reconciliations;
    private final TaskReads tasks;
    private final Views views;

    ReconciliationController(Reconciliations reconciliations, TaskReads tasks, Views views) {
        this.reconciliations = reconciliations;
        this.tasks = tasks;
        this.views = views;
    }

    @Get("/reconciliation")
    HttpResponse<?> show(HttpRequest<?> request, Access access, @Nullable String from, @Nullable String to) {
        access.requireForAll(Permission.BILLING_READ);
        var amounts = Amounts.of(request);
        try {
            var range = Range.of(from, to, tasks.now());
            return views.page(
                    "billing/reconciliation",
                    ReconciliationPage.of(
                            range.from,
                            range.to,
                            range.form(),
                            null,
                            reconciliations.reconcile(access, range.from, range.to),
                            amounts));
        } catch (InvalidInput e) {
            var range = Range.of(null, null, tasks.now());
            var form = new ReconciliationPage.Form(text(from), text(to));
            return views.page(
                            "billing/reconciliation",
                            ReconciliationPage.of(range.from, range.to, form, Problem.of(e), List.of(), amounts))
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get(uri = "/reconciliation.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(Access access, @Nullable String from, @Nullable String to) {
        access.requireForAll(Permission.BILLING_READ);
        var range = Range.of(from, to, tasks.now());
        var quarters = reconciliations.reconcile(access, range.from, range.to);
        return CsvDownload.ofRows(
                "reconciliation-" + range.from + "-" + range.to + ".csv",
                BillingCsv.RECONCILIATION_COLUMNS,
                page -> Page.of(quarters, quarter -> quarter.quarter().label(), page)
                        .map(BillingCsv::rows));
    }

    private static String text(@Nullable String parameter) {
        return Objects.requireNonNullElse(parameter, "").strip();
    }

    /**
     * Quarter hours that are looked at.
     *
     * @param to first one after them
     */
    private record Range(Quarter from, Quarter to) {

        /** The last day, where only one end is given the day on its other side; the quarter hours that the instants are in. */
        static Range of(@Nullable String from, @Nullable String to, Instant now) {
            var begin = Moments.parseUtc("from", text(from));
            var end = Moments.parseUtc("to", text(to));
            if (end == null) {
                var last = begin == null
                        ? Quarter.of(now).next()
                        : Quarter.of(begin).plus(MOST);
                return new Range(begin == null ? last.plus(-MOST) : Quarter.of(begin), last);
            }
            var last = ceiling(end);
            var first = begin == null ? last.plus(-MOST) : Quarter.of(begin);
            if (first.compareTo(last) >= 0) {
                throw new InvalidInput("INVALID_RANGE", "to", "must be later than from");
            }
            if (first.plus(MOST).compareTo(last) < 0) {
                throw new InvalidInput("INVALID_RANGE", "to", "must be at most 24 hours after from");
            }
            return new Range(first, last);
        }

        private static Quarter ceiling(Instant instant) {
            var quarter = Quarter.of(instant);
            return quarter.start().equals(instant) ? quarter : quarter.next();
        }

        ReconciliationPage.Form form() {
            return new ReconciliationPage.Form(Moments.fieldUtc(from.start()), Moments.fieldUtc(to.start()));
        }
    }
}
