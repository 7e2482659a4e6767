package io.menuboard.webadmin.billing;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.billing.reports.ReportRuns;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.Transactions;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.tasks.TaskReads;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.lists.ListKind;
import io.menuboard.webadmin.ui.lists.Listing;
import io.menuboard.webadmin.ui.lists.Lists;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Partners that have had transactions. */
@RequiresPermission(Permission.BILLING_READ)
@Controller("/billing")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
@Requires(beans = ReportRuns.class)
final class AgenciesController {
    private static final ListKind LIST =
            ListKind.of("billing/agencies", "agency", "agencies").filteredBy("agency");
    private static final List<String> COLUMNS = List.of("agency");

    private static final Listing.Empty NOTHING = new Listing.Empty(
            "No agencies yet",
            "An agency is listed here as soon as a transaction of it is recorded, through GraphQL or a CSV file.",
            "/billing",
            "All runs");

    private final Transactions billing;
    private final TaskReads tasks;
    private final Lists lists;

    AgenciesController(Transactions billing, TaskReads tasks, Lists lists) {
        this.billing = billing;
        this.tasks = tasks;
        this.lists = lists;
    }

    /** Goes to the agency that is looked for, if there is one. */
    @Get("/agencies")
    HttpResponse<?> list(HttpRequest<?> request, Access access, @Nullable String agency) {
        var asked = Objects.requireNonNullElse(agency, "").strip();
        try {
            if (asked.isEmpty()) {
                return list(request, access, "", null);
            }
            var id = new AgencyId(asked);
            if (billing.isAgency(access, id)) {
                return Redirect.to(BillingWords.link(id));
            }
            return list(request, access, asked, Problem.of(BillingWords.notFound(id)))
                    .status(HttpStatus.NOT_FOUND);
        } catch (InvalidInput e) {
            return list(request, access, asked, Problem.of(e)).status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get(uri = "/agencies.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(Access access) {
        return CsvDownload.of(
                "agencies.csv", COLUMNS, page -> billing.agencies(access, page).map(agency -> List.of(agency.value())));
    }

    private MutableHttpResponse<?> list(
            HttpRequest<?> request, Access access, String asked, @Nullable Problem problem) {
        var month = YearMonth.from(tasks.now().atOffset(ZoneOffset.UTC));
        return lists.page(request, LIST, Link.to("billing", "agencies"), Link.to("billing", "agencies.csv"))
                .show(
                        page -> billing.agencies(access, page),
                        content -> new AgenciesPage(
                                BillingDoors.of(access),
                                asked,
                                problem,
                                Moments.month(month),
                                content.listing(NOTHING),
                                content.rows(agency -> AgenciesPage.Row.of(agency, month))));
    }
}
