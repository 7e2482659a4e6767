package io.menuboard.webadmin.changes;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.changes.ChangeSetAction;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSetLines;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.webadmin.ui.FormKey;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problems;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.Views;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** New change sets from a form. */
@RequiresPermission(Permission.PRICES_DRAFT)
@Controller("/changes/new")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class NewChangeController {
    private final ChangeSetDrafts drafts;
    private final ChangeSets sets;
    private final ChangeSetLines lines;
    private final Views views;

    NewChangeController(ChangeSetUseCases changes, Views views) {
        this.drafts = changes.drafts();
        this.sets = changes.sets();
        this.lines = changes.lines();
        this.views = views;
    }

    /**
     * @param like the id of a set that the form is filled in from; otherwise it is what the address says itself
     * @param edit the same of a draft whose place the new one takes
     */
    @Get
    HttpResponse<?> form(HttpRequest<?> request, Access access, @Nullable String like, @Nullable String edit) {
        var edits = edit != null && !edit.isBlank();
        var from = edits ? edit : like;
        if (from == null || from.isBlank()) {
            var form = NewChangeForm.prefilled(request.getParameters()::getAll);
            return views.page("changes/new", NewChangePage.of(form, FormKey.fresh(), null));
        }
        var id = new ChangeSetId(from);
        var set = sets.find(access, id).orElseThrow(() -> ChangeWords.notFound(id));
        var filled =
                LikeForm.of(set, lines.rules(access, id), edits && ChangeWords.isEditable(sets.allowed(access, set)));
        return views.page("changes/new", NewChangePage.of(filled.form(), FormKey.fresh(), filled));
    }

    /** Fills in the form from prices that were chosen in a list, which may be more than an address has room for. */
    @Post("/chosen")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> chosen(@Body @Nullable Map<String, Object> body) {
        var fields = Objects.requireNonNullElse(body, Map.<String, Object>of());
        var form = NewChangeForm.prefilled(name -> switch (fields.get(name)) {
            case null -> List.of();
            case Collection<?> values -> values.stream().map(String::valueOf).toList();
            case Object value -> List.of(value.toString());
        });
        return views.page("changes/new", NewChangePage.of(form, FormKey.fresh(), null));
    }

    @Post
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> draft(Access access, @Body @Nullable Map<String, String> body) {
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
                    access,
                    form.draft(),
                    key,
                    replaced,
                    existing -> form(form, FormKey.fresh(), replaces, Problems.NONE, existing));
        } catch (InvalidInput e) {
            return form(form, key, replaces, Problems.of(ChangeMoment.problem(e)), null)
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    /** @param replaced a draft that is cancelled once there is the new one; or null */
    private HttpResponse<?> draft(
            Access access,
            DraftChangeSet draft,
            String key,
            @Nullable ChangeSetId replaced,
            Function<String, MutableHttpResponse<?>> keyReused) {
        if (replaced != null) {
            sets.find(access, replaced).ifPresent(before -> sets.require(access, ChangeSetAction.PREVIEW, before));
        }
        return switch (drafts.draft(access, draft, key)) {
            case ChangeSetResult.Done(var set, var _) -> {
                var page = ChangeWords.link(set.id());
                if (replaced != null && !replaced.equals(set.id())) {
                    sets.discard(access, replaced);
                    page = page.with(ChangeController.REPLACED, replaced.value());
                }
                yield Redirect.to(page);
            }
            case ChangeSetResult.KeyReused(var existing, var _) ->
                keyReused.apply(ChangeWords.link(existing).toString()).status(HttpStatus.CONFLICT);
            case ChangeSetResult.Stale _,
                    ChangeSetResult.Suspicious _,
                    ChangeSetResult.NeedsApproval _,
                    ChangeSetResult.NotAllowed _,
                    ChangeSetResult.NotFound _ ->
                throw new IllegalStateException("a draft is not refused for what a set is");
        };
    }

    private MutableHttpResponse<?> form(
            NewChangeForm form, String key, String replaces, Problems problems, @Nullable String existing) {
        return views.page("changes/new", NewChangePage.of(form, key, replaces, problems, existing));
    }
}
