package io.menuboard.webadmin;

import io.menuboard.pricing.ChangeFile;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.ChangeSetResult;
import io.menuboard.pricing.ChangeSets;
import io.menuboard.pricing.DraftChangeSet;
import io.menuboard.querydb.Actor;
import io.menuboard.querydb.InvalidInput;
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
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** New change sets, from a form or from a file. */
@Controller("/changes/new")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(TaskExecutors.BLOCKING)
final class NewChangeController {
    /** Rows that work with the sample of the local environment, and elsewhere once somebody has put their own ids in. */
    private static final String TEMPLATE = String.join(",", ChangeFile.COLUMNS) + "\r\n"
            + "DE-0001,ALL,HAMBURGER,,,SET,2.49,,\r\n"
            + "DE-0001,ALL,COLA-SMALL,,,PERCENT,,5,9\r\n"
            + "DE-0001,ALL,,MENU-HAMBURGER,FRIES-LARGE,ADD,0.10,,\r\n";

    private final ChangeSets sets;
    private final ChangeFile file;
    private final AdminConfig config;
    private final Views views;

    NewChangeController(ChangeSets sets, ChangeFile file, AdminConfig config, Views views) {
        this.sets = sets;
        this.file = file;
        this.config = config;
        this.views = views;
    }

    /** @param like the id of a set that the form is filled in from; otherwise it is what the address says itself */
    @Get
    HttpResponse<?> form(HttpRequest<?> request, @Nullable String like) {
        if (like == null || like.isBlank()) {
            var form = NewChangeForm.prefilled(request.getParameters());
            return views.page("changes/new", NewChangePage.of(form, newKey(), null));
        }
        var id = new ChangeSetId(like);
        var set = sets.find(id).orElseThrow(() -> NotFound.changeSet(id));
        var filled = LikeForm.of(set, sets.rules(id));
        return views.page("changes/new", NewChangePage.of(filled.form(), newKey(), filled));
    }

    @Post
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> draft(@Body @Nullable Map<String, String> body) {
        var fields = Objects.requireNonNullElse(body, Map.<String, String>of());
        var form = NewChangeForm.of(fields);
        var key = Objects.requireNonNullElseGet(fields.get("key"), NewChangeController::newKey);
        var problems = form.problems();
        if (!problems.all().isEmpty()) {
            return form(form, key, problems, null).status(HttpStatus.BAD_REQUEST);
        }
        try {
            return draft(
                    form.draft(), key, Actor.Source.PAGE, existing -> form(form, newKey(), Problems.NONE, existing));
        } catch (InvalidInput e) {
            return form(form, key, Problems.of(ChangeMoment.problem(e)), null).status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get("/csv")
    HttpResponse<?> fileForm() {
        return fileForm(ChangeAbout.EMPTY, newKey(), null, List.of(), null);
    }

    @Get(uri = "/template.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<String> template() {
        return CsvDownload.of("changes.csv", TEMPLATE);
    }

    @Post("/csv")
    @Consumes(MediaType.MULTIPART_FORM_DATA)
    HttpResponse<?> draftFile(
            @Part("key") @Nullable String sentKey,
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
        var key = Objects.requireNonNullElseGet(sentKey, NewChangeController::newKey);
        try {
            var read = read(upload);
            if (!read.wrong().isEmpty()) {
                return fileForm(about, key, null, read.wrong(), null).status(HttpStatus.BAD_REQUEST);
            }
            return draft(
                    about.draft(read.rules()),
                    key,
                    Actor.Source.CSV,
                    existing -> fileForm(about, newKey(), null, List.of(), existing));
        } catch (InvalidInput e) {
            return fileForm(about, key, inFile(e), List.of(), null).status(HttpStatus.BAD_REQUEST);
        }
    }

    private static void put(Map<String, String> fields, String name, @Nullable String value) {
        if (value != null) {
            fields.put(name, value);
        }
    }

    private ChangeFile.Read read(@Nullable CompletedFileUpload upload) throws IOException {
        if (upload == null
                || upload.getFilename() == null
                || upload.getFilename().isEmpty()) {
            throw new InvalidInput("NO_FILE", "file", "file must be chosen");
        }
        if (upload.getSize() == 0) {
            return file.read(InputStream.nullInputStream(), 0);
        }
        try (var in = upload.getInputStream()) {
            return file.read(in, upload.getSize());
        }
    }

    /** The form has one place for everything that is wrong with the file as a whole. */
    private static Problem inFile(InvalidInput refused) {
        return ChangeMoment.problem(
                refused.field().equals("header") || refused.field().equals("rules")
                        ? new InvalidInput(refused.code(), "file", refused.getMessage())
                        : refused);
    }

    private HttpResponse<?> draft(
            DraftChangeSet draft, String key, Actor.Source source, Function<String, MutableHttpResponse<?>> keyReused) {
        return switch (sets.draft(draft, key, new Actor(Actor.Kind.USER, config.actor(), source))) {
            case ChangeSetResult.Done(var set) ->
                HttpResponse.seeOther(URI.create(ChangeWords.link(set.id()).toString()));
            case ChangeSetResult.KeyReused(var existing, var _) ->
                keyReused.apply(ChangeWords.link(existing).toString()).status(HttpStatus.CONFLICT);
            case ChangeSetResult.Stale _,
                    ChangeSetResult.Suspicious _,
                    ChangeSetResult.NotAllowed _,
                    ChangeSetResult.NotFound _ ->
                throw new IllegalStateException("a draft is not refused for what a set is");
        };
    }

    /** Makes two submissions of one form one. */
    private static String newKey() {
        return "page-" + UUID.randomUUID();
    }

    private MutableHttpResponse<?> form(NewChangeForm form, String key, Problems problems, @Nullable String existing) {
        return views.page("changes/new", NewChangePage.of(form, key, problems, existing));
    }

    private MutableHttpResponse<?> fileForm(
            ChangeAbout about,
            String key,
            @Nullable Problem problem,
            List<ChangeFile.Wrong> wrong,
            @Nullable String existing) {
        return views.page("changes/file", ChangeFilePage.of(about, key, file, problem, wrong, existing));
    }
}
