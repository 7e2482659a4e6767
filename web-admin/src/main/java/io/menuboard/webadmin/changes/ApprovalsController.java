package io.menuboard.webadmin.changes;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetApprovals;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.webadmin.changes.ChangeQuestions.Visit;
import io.menuboard.webadmin.ui.FormKey;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.lists.ListKind;
import io.menuboard.webadmin.ui.lists.Listing;
import io.menuboard.webadmin.ui.lists.Lists;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Change sets that wait for a second person, and what that person says. */
@RequiresPermission(Permission.PRICES_APPROVE)
@Controller("/changes")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class ApprovalsController {
    private static final ListKind LIST = ListKind.of("changes/approvals", "change set", "change sets");
    private static final Listing.Empty NOTHING = new Listing.Empty(
            "Nothing waits for approval",
            "Change sets are listed here once somebody requests approval of their preview.",
            "/changes",
            "All change sets");

    private final ChangeSetUseCases changes;
    private final ChangeSetApprovals approvals;
    private final ChangeQuestions questions;
    private final Lists lists;

    ApprovalsController(ChangeSetUseCases changes, ChangeQuestions questions, Lists lists) {
        this.changes = changes;
        this.approvals = changes.approvals();
        this.questions = questions;
        this.lists = lists;
    }

    @Get("/approvals")
    HttpResponse<?> list(HttpRequest<?> request, Access access) {
        return lists.page(request, LIST, Link.to("changes", "approvals"), null)
                .show(page -> approvals.waiting(access, page), content -> {
                    var decidable = approvals.decidable(access, content.page().nodes());
                    return new ApprovalsPage(
                            content.listing(NOTHING),
                            content.rows(set -> ApprovalsPage.Row.of(set, decidable.contains(set.id()))));
                });
    }

    /** Asks who may decide, and tells everybody else why not. */
    @Get("/{id}/{action:approve|reject}")
    HttpResponse<?> ask(HttpRequest<?> request, Access access, String id, String action) {
        var asked = asked(action);
        var set = require(access, id);
        var sets = changes.sets();
        sets.require(access, asked.action(), set);
        var visit = new Visit(request, access);
        var sent = sent(token(set), "");
        return asked.isOffered(access, set, sets.allowed(access, set), null)
                ? questions.ask(visit, asked, set, sent, null)
                : refused(visit, asked, set, sent, asked.refusal(set, null));
    }

    @Post("/{id}/{action:approve|reject}")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> decide(
            HttpRequest<?> request, Access access, String id, String action, @Body @Nullable Map<String, String> body) {
        var asked = asked(action);
        var fields = Objects.requireNonNullElse(body, Map.<String, String>of());
        var token = Objects.requireNonNullElse(fields.get("token"), "");
        var reason = Objects.requireNonNullElse(fields.get("reason"), "").strip();
        var sent = sent(token, reason);
        var visit = new Visit(request, access);
        try {
            var set = new ChangeSetId(id);
            var result = asked == ChangeAction.APPROVE
                    ? approvals.approve(access, set, token)
                    : approvals.reject(access, set, token, reason);
            return switch (result) {
                case ChangeSetResult.Done(var done, var _) ->
                    Redirect.to(ChangeWords.link(done.id()).with(ChangeController.DID, asked.path()));
                case ChangeSetResult.Stale(var now) ->
                    refused(
                            visit,
                            asked,
                            now,
                            // The page shows the new preview, so the next answer is about that one.
                            sent(token(now), reason),
                            "It was previewed again since. Look at it once more.");
                case ChangeSetResult.NotAllowed(var now, var _) ->
                    refused(visit, asked, now, sent, asked.refusal(now, null));
                case ChangeSetResult.NotFound(var missing) -> throw ChangeWords.notFound(missing);
                case ChangeSetResult.Suspicious _, ChangeSetResult.NeedsApproval _, ChangeSetResult.KeyReused _ ->
                    throw new IllegalStateException("approval cannot end so: " + result);
            };
        } catch (InvalidInput e) {
            if (!e.field().equals("reason")) {
                throw e;
            }
            return questions
                    .ask(visit, asked, require(access, id), sent, Problem.of(e))
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    private HttpResponse<?> refused(
            Visit visit, ChangeAction action, ChangeSet set, ChangeActionPage.Sent sent, String why) {
        return questions.refuse(visit, action, set, sent, why).status(HttpStatus.CONFLICT);
    }

    private static ChangeActionPage.Sent sent(String token, String reason) {
        return new ChangeActionPage.Sent(FormKey.fresh(), token, ChangeMoment.EMPTY, reason);
    }

    /** Of the preview that its page shows; empty while it is being previewed. */
    private static String token(ChangeSet set) {
        return Objects.requireNonNullElse(set.token(), "");
    }

    private static ChangeAction asked(String action) {
        return ChangeAction.of(action).orElseThrow();
    }

    private ChangeSet require(Access access, String id) {
        var setId = new ChangeSetId(id);
        return changes.sets().find(access, setId).orElseThrow(() -> ChangeWords.notFound(setId));
    }
}
