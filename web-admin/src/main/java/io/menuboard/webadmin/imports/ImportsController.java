package io.menuboard.webadmin.imports;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.csv.CsvWriter;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.ImportId;
import io.menuboard.pricing.imports.ImportAbout;
import io.menuboard.pricing.imports.ImportFileStatus;
import io.menuboard.pricing.imports.ImportKind;
import io.menuboard.pricing.imports.ImportRejection;
import io.menuboard.pricing.imports.ImportStatus;
import io.menuboard.pricing.imports.Imports;
import io.menuboard.tasks.Json;
import io.menuboard.webadmin.ui.Actors;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.FormKey;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.NotFound;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.Views;
import io.menuboard.webadmin.ui.lists.ListKind;
import io.menuboard.webadmin.ui.lists.Listing;
import io.menuboard.webadmin.ui.lists.Lists;
import io.menuboard.webadmin.uploads.Upload;
import io.menuboard.webadmin.uploads.UploadFilter;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Part;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.multipart.CompletedFileUpload;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Uploads of stores and prices, and what became of them. */
@RequiresPermission(Permission.PRICES_READ)
@Controller("/imports")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class ImportsController {
    private static final ListKind LIST = ListKind.of("imports/list", "import", "imports");
    private static final List<String> COLUMNS = List.of(
            "import",
            "begun",
            "by",
            "through",
            "state",
            "files",
            "rows",
            "created",
            "changed",
            "unchanged",
            "rejected");

    private static final Listing.Empty NOTHING = new Listing.Empty(
            "Nothing has been imported yet", "Choose a file above to begin.", "#stores", "Choose a file");

    private static final Listing.Empty NOTHING_TO_READ =
            new Listing.Empty(NOTHING.title(), "What others import is listed here.", "/changes", "Price changes");

    private final Imports imports;
    private final ChangeSets sets;
    private final ImportRunner runner;
    private final Lists lists;
    private final Views views;

    ImportsController(Imports imports, ChangeSets sets, ImportRunner runner, Lists lists, Views views) {
        this.imports = imports;
        this.sets = sets;
        this.runner = runner;
        this.lists = lists;
        this.views = views;
    }

    @Get
    HttpResponse<?> list(HttpRequest<?> request, Access access) {
        return list(request, access, "", null);
    }

    @Get(uri = "/list.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(Access access) {
        return CsvDownload.of(
                "imports.csv", COLUMNS, page -> imports.list(access, page).map(ImportsController::cells));
    }

    /**
     * Takes one file or two and goes on with them in the background. Clients that accept JSON get the import's id, as
     * {@code import}, or {@code errors} with {@code code}, {@code field} and {@code message}.
     *
     * @param key who sends the same again with the same one is told of the same import
     */
    @Upload(Upload.Bound.FILES)
    @RequiresPermission(Permission.PRICES_APPLY)
    @Post(produces = {MediaType.TEXT_HTML, MediaType.APPLICATION_JSON})
    @Consumes(MediaType.MULTIPART_FORM_DATA)
    HttpResponse<?> upload(
            HttpRequest<?> request,
            Access access,
            @Part("stores") @Nullable CompletedFileUpload stores,
            @Part("prices") @Nullable CompletedFileUpload prices,
            @Part("reason") @Nullable String reason,
            @Part("key") @Nullable String key) {
        if (UploadedFiles.isChosen(stores)) {
            access.require(Permission.STORES_EDIT);
        }
        var isJson = request.accept().contains(MediaType.APPLICATION_JSON_TYPE);
        try {
            var begun = runner.start(
                    access.through(Actor.Source.CSV),
                    UploadFilter.place(request),
                    List.of(
                            new UploadedFiles.Field(ImportKind.STORES, stores),
                            new UploadedFiles.Field(ImportKind.PRICES, prices)),
                    ImportAbout.because(reason(reason)),
                    Objects.requireNonNullElseGet(key, FormKey::fresh));
            if (isJson) {
                return json(HttpStatus.ACCEPTED, Map.of("import", begun.id().value()));
            }
            return Redirect.to(Link.to("imports", begun.id().value()));
        } catch (InvalidInput e) {
            return isJson
                    ? json(
                            HttpStatus.BAD_REQUEST,
                            Map.of(
                                    "errors",
                                    List.of(Map.of("code", e.code(), "field", e.field(), "message", e.getMessage()))))
                    : list(request, access, Objects.requireNonNullElse(reason, ""), Problem.of(e))
                            .status(HttpStatus.BAD_REQUEST);
        }
    }

    private static HttpResponse<?> json(HttpStatus status, Map<String, Object> body) {
        return HttpResponse.status(status)
                .contentType(MediaType.APPLICATION_JSON_TYPE)
                .body(Json.of(body).text());
    }

    /** Null for a sentence that names the file. */
    private static @Nullable String reason(@Nullable String given) {
        return given == null || given.isBlank() ? null : given.strip();
    }

    /** Shows an import; asks again by itself while there is more to come. */
    @Get("/{id}")
    HttpResponse<?> show(HttpRequest<?> request, Access access, String id) {
        var status = require(access, id);
        try (var rejections = imports.rejections(access, status)) {
            var first = status.rejected() == 0
                    ? List.<ImportRejection>of()
                    : rejections.limit(ImportPage.SHOWN).toList();
            return views.refreshed(request, "imports/show", ImportPage.of(status, changeSet(access, status), first));
        }
    }

    private @Nullable ChangeSet changeSet(Access access, ImportStatus status) {
        return status.changeSet() == null
                ? null
                : sets.find(access, status.changeSet()).orElse(null);
    }

    /** Every rejection that is kept: at most {@code menuboard.import.max-kept-rejections}, some hundred bytes each. */
    @Get(uri = "/{id}/rejected.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<String> rejected(Access access, String id) throws IOException {
        var status = require(access, id);
        var text = new StringBuilder();
        try (var rejections = imports.rejections(access, status);
                var writer = new CsvWriter(text)) {
            writer.row(ImportRejection.COLUMNS);
            for (var all = rejections.iterator(); all.hasNext(); ) {
                writer.row(all.next().cells());
            }
        }
        return CsvDownload.of("rejected.csv", text.toString());
    }

    private MutableHttpResponse<?> list(
            HttpRequest<?> request, Access access, String reason, @Nullable Problem problem) {
        return lists.page(request, LIST, Link.to("imports"), Link.to("imports", "list.csv"))
                .show(
                        page -> imports.list(access, page),
                        content -> new ImportsPage(
                                content.listing(access.may(Permission.PRICES_APPLY) ? NOTHING : NOTHING_TO_READ),
                                content.rows(ImportsPage.Row::of),
                                ImportsPage.EXPECTED,
                                ImportsPage.Form.of(access, reason, problem)));
    }

    private ImportStatus require(Access access, String id) {
        return imports.find(access, new ImportId(id))
                .orElseThrow(() ->
                        NotFound.of("import", "There is no import " + id + "; they are listed for a limited time."));
    }

    private static List<String> cells(ImportStatus status) {
        var by = Actors.cells(status.actor());
        return List.of(
                status.id().value(),
                status.startedAt().toString(),
                by.getFirst(),
                by.getLast(),
                status.state().name(),
                String.join(
                        " ", status.files().stream().map(ImportFileStatus::name).toList()),
                Integer.toString(status.rows()),
                Integer.toString(status.created()),
                Integer.toString(status.changed()),
                Integer.toString(status.unchanged()),
                Integer.toString(status.rejected()));
    }
}
