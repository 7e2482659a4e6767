package io.menuboard.webadmin.audit;

import static java.util.stream.Collectors.joining;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.audit.Audit;
import io.menuboard.audit.AuditDetail;
import io.menuboard.querydb.audit.AuditRecord;
import io.menuboard.webadmin.ui.Actors;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Views.AuditLinks;
import io.menuboard.webadmin.ui.lists.ListKind;
import io.menuboard.webadmin.ui.lists.Listing;
import io.menuboard.webadmin.ui.lists.Lists;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;

/** The audit trail of all contexts, newest first. */
@RequiresPermission(Permission.AUDIT_READ)
@Controller
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class AuditController {
    private static final ListKind LIST =
            ListKind.of("audit/list", "record", "records").filteredBy(AuditForm.FIELDS);

    private static final List<String> COLUMNS =
            List.of("at", "kind", "person", "by", "through", "action", "subject", "details");

    private final Audit audit;
    private final Lists lists;

    AuditController(Audit audit, Lists lists) {
        this.audit = audit;
        this.lists = lists;
    }

    @Get("/audit")
    HttpResponse<?> list(HttpRequest<?> request, Access access) {
        var form = AuditForm.of(request);
        return lists.page(request, LIST, form.on(Link.to(AuditLinks.PATH)), form.on(Link.to("audit.csv")))
                .show(
                        page -> audit.records(access, form.filter(), page),
                        content -> new AuditPage(
                                form,
                                form.actions(),
                                content.listing(nothing(form)),
                                content.rows(record -> AuditPage.Row.of(access, record))));
    }

    @Get(uri = "/audit.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(HttpRequest<?> request, Access access) {
        var filter = audit.lasting(access, AuditForm.of(request).filter());
        return CsvDownload.of("audit.csv", COLUMNS, page -> audit.records(access, filter, page)
                .map(AuditController::cells));
    }

    private static List<String> cells(AuditRecord record) {
        var by = Actors.cells(record.actor());
        return List.of(
                record.at().toString(),
                record.actor().kind().name(),
                Objects.requireNonNullElse(record.actor().id(), ""),
                by.getFirst(),
                by.getLast(),
                record.action(),
                record.subject(),
                AuditDetail.of(record).stream().map(AuditWords::text).collect(joining("; ")));
    }

    private static Listing.Empty nothing(AuditForm form) {
        return form.narrows()
                ? new Listing.Empty(
                        "Nothing was recorded that matches",
                        "Check how the subject is written, as records have it, or choose other days. Records are kept for"
                                + " a limited time.",
                        "/audit",
                        "Clear the filter")
                : new Listing.Empty(
                        "Nothing was recorded in the last seven days",
                        "What people and programs do is recorded here: sign-ins, changes, files that are taken. Choose"
                                + " earlier days, or a subject or person.",
                        "/audit",
                        "Look again");
    }
}
