package io.menuboard.webadmin.imports;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.imports.ImportKind;
import io.menuboard.webadmin.changes.ChangeAbout;
import io.menuboard.webadmin.changes.ChangeMoment;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.FormKey;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Problems;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.Views;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** New change sets from a file. */
@RequiresPermission(Permission.PRICES_DRAFT)
@Controller("/changes/new")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class ChangeFileController {
    /** Rows that work with the sample of the local environment, and elsewhere once somebody has put their own ids in. */
    private static final String TEMPLATE = String.join(",", ImportKind.CHANGES.columns()) + "\r\n"
            + "DE-0001,ALL,HAMBURGER,,,SET,2.49,,\r\n"
            + "DE-0001,ALL,COLA-SMALL,,,PERCENT,,5,9\r\n"
            + "DE-0001,ALL,,MENU-HAMBURGER,FRIES-LARGE,ADD,0.10,,\r\n";

    private final ImportRunner runner;
    private final Views views;

    ChangeFileController(ImportRunner runner, Views views) {
        this.runner = runner;
        this.views = views;
    }

    @Get("/csv")
    HttpResponse<?> form() {
        return form(ChangeAbout.EMPTY, Problems.NONE);
    }

    @Get(uri = "/template.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<String> template() {
        return CsvDownload.of("changes.csv", TEMPLATE);
    }

    /** Takes a file and goes on with it in the background: the import says which rows are wrong, and leads to the draft. */
    @Upload(Upload.Bound.FILE)
    @Post("/csv")
    @Consumes(MediaType.MULTIPART_FORM_DATA)
    HttpResponse<?> draftFile(
            HttpRequest<?> request,
            Access access,
            @Part("name") @Nullable String name,
            @Part("reason") @Nullable String reason,
            @Part("when") @Nullable String when,
            @Part("date") @Nullable String date,
            @Part("time") @Nullable String time,
            @Part("key") @Nullable String key,
            @Part("file") @Nullable CompletedFileUpload upload) {
        var fields = new HashMap<String, String>();
        put(fields, "name", name);
        put(fields, "reason", reason);
        put(fields, "when", when);
        put(fields, "date", date);
        put(fields, "time", time);
        var about = ChangeAbout.of(fields);
        var checks = new ArrayList<Supplier<? extends @Nullable Object>>(List.of(() -> chosen(upload)));
        checks.addAll(about.checks());
        var problems = Problems.of(checks);
        if (!problems.all().isEmpty()) {
            return form(about, problems).status(HttpStatus.BAD_REQUEST);
        }
        try {
            var begun = runner.start(
                    access.through(Actor.Source.CSV),
                    UploadFilter.place(request),
                    List.of(new UploadedFiles.Field(ImportKind.CHANGES, upload)),
                    about.imported(),
                    Objects.requireNonNullElseGet(key, FormKey::fresh));
            return Redirect.to(Link.to("imports", begun.id().value()));
        } catch (InvalidInput e) {
            return form(about, Problems.of(problem(e))).status(HttpStatus.BAD_REQUEST);
        }
    }

    private static Problem problem(InvalidInput refused) {
        return refused.field().equals(ImportKind.CHANGES.label())
                ? Problem.of(refused.renamed("file"))
                : ChangeMoment.problem(refused);
    }

    private static CompletedFileUpload chosen(@Nullable CompletedFileUpload upload) {
        if (upload == null
                || upload.getFilename() == null
                || upload.getFilename().isEmpty()) {
            throw new InvalidInput("NO_FILE", "file", "must be chosen");
        }
        return upload;
    }

    private static void put(Map<String, String> fields, String name, @Nullable String value) {
        if (value != null) {
            fields.put(name, value);
        }
    }

    private MutableHttpResponse<?> form(ChangeAbout about, Problems problems) {
        return views.page("changes/file", ChangeFilePage.of(about, problems));
    }
}
