package io.menuboard.webadmin;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.imports.ImportFile;
import io.menuboard.pricing.imports.ImportKind;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Part;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.multipart.CompletedFileUpload;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** New change sets, from a form or from a file. */
@Controller("/changes/new")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class NewChangeController {
    /** Rows that work with the sample of the local environment, and elsewhere once somebody has put their own ids in. */
    private static final String TEMPLATE = String.join(",", ImportKind.CHANGES.columns()) + "\r\n"
            + "DE-0001,ALL,HAMBURGER,,,SET,2.49,,\r\n"
            + "DE-0001,ALL,COLA-SMALL,,,PERCENT,,5,9\r\n"
            + "DE-0001,ALL,,MENU-HAMBURGER,FRIES-LARGE,ADD,0.10,,\r\n";

    private final ChangeSets sets;
    private final ImportRunner runner;
    private final AdminConfig config;
    private final Views views;

    NewChangeController(ChangeSets sets, ImportRunner runner, AdminConfig config, Views views) {
        this.sets = sets;
        this.runner = runner;
        this.config = config;
        this.views = views;
    }

    /**
     * @param like the id of a set that the form is filled in from; otherwise it is what the address says itself
     * @param edit the same of a draft whose place the new one takes
     */
    @Get
    HttpResponse<?> form(HttpRequest<?> request, @Nullable String like, @Nullable String edit) {
        var edits = edit != null && !edit.isBlank();
        var from = edits ? edit : like;
        if (from == null || from.isBlank()) {
            var form = NewChangeForm.prefilled(request.getParameters());
            return views.page("changes/new", NewChangePage.of(form, FormKey.fresh(), null));
        }
        var id = new ChangeSetId(from);
        var set = sets.find(id).orElseThrow(() -> NotFound.changeSet(id));
        var filled = LikeForm.of(set, sets.rules(id), edits);
        return views.page("changes/new", NewChangePage.of(filled.form(), FormKey.fresh(), filled));
    }

    @Post
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> draft(@Body @Nullable Map<String, String> body) {
        var fields = Objects.requireNonNullElse(body, Map.<String, String>of());
        var form = NewChangeForm.of(fields);
        var key = Objects.requireNonNullElseGet(fields.get("key"), FormKey::fresh);
        var replaces = Objects.requireNonNullElse(fields.get("replaces"), "");
        var problems = form.problems();
        if (!problems.all().isEmpty()) {
            return form(form, key, replaces, problems, null).status(HttpStatus.BAD_REQUEST);
        }
        try {
            var replaced = replaces.isEmpty() ? null : new ChangeSetId(replaces);
            return draft(
                    form.draft(),
                    key,
                    replaced,
                    existing -> form(form, FormKey.fresh(), replaces, Problems.NONE, existing));
        } catch (InvalidInput e) {
            return form(form, key, replaces, Problems.of(ChangeMoment.problem(e)), null)
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get("/csv")
    HttpResponse<?> fileForm() {
        return fileForm(ChangeAbout.EMPTY, Problems.NONE);
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
            @Part("name") @Nullable String name,
            @Part("reason") @Nullable String reason,
            @Part("when") @Nullable String when,
            @Part("date") @Nullable String date,
            @Part("time") @Nullable String time,
            @Part("file") @Nullable CompletedFileUpload upload)
            throws IOException {
        var fields = new HashMap<String, String>();
        put(fields, "name", name);
        put(fields, "reason", reason);
        put(fields, "when", when);
        put(fields, "date", date);
        put(fields, "time", time);
        var about = ChangeAbout.of(fields);
        var checks = new ArrayList<Supplier<? extends @Nullable Object>>(List.of(() -> chosen(upload)));
        checks.addAll(about.checks(List.of(NewChangeForm.RIGHT)));
        var problems = Problems.of(checks);
        if (!problems.all().isEmpty()) {
            return fileForm(about, problems).status(HttpStatus.BAD_REQUEST);
        }
        var folder = Files.createTempDirectory("menuboard-changes");
        try {
            var called = about.imported();
            var files = new ArrayList<ImportFile>();
            ImportsController.keep(ImportKind.CHANGES, upload, folder, files);
            var actor = new Actor(Actor.Kind.USER, config.actor(), Actor.Source.CSV);
            var begun = runner.start(
                    UploadFilter.place(request), files, called, actor, () -> ImportsController.delete(folder));
            return HttpResponse.seeOther(
                    URI.create(Link.to("imports", begun.id().value()).toString()));
        } catch (InvalidInput e) {
            ImportsController.delete(folder);
            return fileForm(about, Problems.of(ChangeMoment.problem(e))).status(HttpStatus.BAD_REQUEST);
        } catch (IOException e) {
            ImportsController.delete(folder);
            throw e;
        }
    }

    private static CompletedFileUpload chosen(@Nullable CompletedFileUpload upload) {
        if (upload == null
                || upload.getFilename() == null
                || upload.getFilename().isEmpty()) {
            throw new InvalidInput("NO_FILE", "file", "file must be chosen");
        }
        return upload;
    }

    private static void put(Map<String, String> fields, String name, @Nullable String value) {
        if (value != null) {
            fields.put(name, value);
        }
    }

    /** @param replaced a draft that is cancelled once there is the new one; or null */
    private HttpResponse<?> draft(
            DraftChangeSet draft,
            String key,
            @Nullable ChangeSetId replaced,
            Function<String, MutableHttpResponse<?>> keyReused) {
        var actor = new Actor(Actor.Kind.USER, config.actor(), Actor.Source.PAGE);
        return switch (sets.draft(draft, key, actor)) {
            case ChangeSetResult.Done(var set) -> {
                var page = ChangeWords.link(set.id());
                if (replaced != null && !replaced.equals(set.id())) {
                    sets.discard(replaced, actor);
                    page = page.with(ChangeController.REPLACED, replaced.value());
                }
                yield HttpResponse.seeOther(URI.create(page.toString()));
            }
            case ChangeSetResult.KeyReused(var existing, var _) ->
                keyReused.apply(ChangeWords.link(existing).toString()).status(HttpStatus.CONFLICT);
            case ChangeSetResult.Stale _,
                    ChangeSetResult.Suspicious _,
                    ChangeSetResult.NotAllowed _,
                    ChangeSetResult.NotFound _ ->
                throw new IllegalStateException("a draft is not refused for what a set is");
        };
    }

    private MutableHttpResponse<?> form(
            NewChangeForm form, String key, String replaces, Problems problems, @Nullable String existing) {
        return views.page("changes/new", NewChangePage.of(form, key, replaces, problems, existing));
    }

    private MutableHttpResponse<?> fileForm(ChangeAbout about, Problems problems) {
        return views.page("changes/file", ChangeFilePage.of(about, problems));
    }
}
