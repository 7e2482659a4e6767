package io.menuboard.webadmin.changes;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeLine;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetApprovals;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSetLines;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSetStatus;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.Finding;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskReads;
import io.menuboard.webadmin.changes.ChangeQuestions.Visit;
import io.menuboard.webadmin.ui.ActionOutcome;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.FormKey;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.NotFound;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.lists.ListKind;
import io.menuboard.webadmin.ui.lists.ListPage;
import io.menuboard.webadmin.ui.lists.Listing;
import io.menuboard.webadmin.ui.lists.Lists;
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
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One change set: what it would change or has changed, and what a person can do with it. */
@RequiresPermission(Permission.PRICES_READ)
@Controller("/changes/{id}")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class ChangeController {
    private static final Access OWN_TASKS = Access.ofSystem("pages", Actor.Source.PAGE);

    /** Says on the page after an action what was done. */
    static final String DID = "did";

    /** The id of the draft whose place this set has taken. */
    static final String REPLACED = "replaced";

    private static final String FINDING = "finding";
    private static final ListKind LINES =
            ListKind.of("changes/show", "price", "prices").refreshed();
    private static final Listing.Empty ONLY_FIRST_PRICES = new Listing.Empty(
            "Nothing but first prices",
            "They are the first ones that their stores have, and listed below.",
            "#first-prices",
            "Go to the first prices");

    private final ChangeSetDrafts drafts;
    private final ChangeSets sets;
    private final ChangeSetLines setLines;
    private final ChangeSetApprovals approvals;
    private final Stores stores;
    private final TaskReads tasks;
    private final Lists lists;
    private final ChangeQuestions questions;
    private final ChangeFirstPrices firstPrices;

    ChangeController(
            ChangeSetUseCases changes,
            Stores stores,
            TaskReads tasks,
            Lists lists,
            ChangeQuestions questions,
            ChangeFirstPrices firstPrices) {
        this.drafts = changes.drafts();
        this.sets = changes.sets();
        this.setLines = changes.lines();
        this.approvals = changes.approvals();
        this.stores = stores;
        this.tasks = tasks;
        this.lists = lists;
        this.questions = questions;
        this.firstPrices = firstPrices;
    }

    /** Asks again by itself while something is being done with the set. */
    @Get
    HttpResponse<?> show(
            HttpRequest<?> request, Access access, String id, @Nullable String did, @Nullable String replaced) {
        var visit = new Visit(request, access);
        var set = require(access, id);
        if (replaced != null) {
            return show(visit, set, replaced(access, new ChangeSetId(replaced)));
        }
        var notice = Optional.ofNullable(did).flatMap(ChangeAction::of).map(action -> action.said(set, task(set)));
        return show(visit, set, ActionOutcome.done(notice.orElse(null)));
    }

    private ActionOutcome replaced(Access access, ChangeSetId draft) {
        return sets.find(access, draft)
                .map(before -> before.status() == ChangeSetStatus.CANCELLED
                        ? ActionOutcome.done("Edited. The draft as it was before is cancelled.")
                        : ActionOutcome.refused("The set that was edited is no draft any more, and stays as it is: "
                                + ChangeWords.badge(before.status()).label().toLowerCase(Locale.ROOT)
                                + ". This is another draft."))
                .orElse(ActionOutcome.NONE);
    }

    @Get(uri = "/lines.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> lines(Access access, String id, @Nullable String finding) {
        var set = require(access, id);
        var asked = finding(finding);
        return CsvDownload.of(
                "changes-" + id + ".csv",
                ChangeCsv.LINE_COLUMNS,
                page -> setLines.lines(access, set.id(), asked, page).map(ChangeCsv::row),
                () -> setLines.firstPrices(access, set.id(), asked).map(ChangeCsv::row));
    }

    /** Asks before it acts, where the set allows that; otherwise the set itself. */
    @RequiresPermission(Permission.PRICES_DRAFT)
    @Get("/{action:apply|preview|cancel|reschedule|retry|undo}")
    HttpResponse<?> ask(HttpRequest<?> request, Access access, String id, String action) {
        var asked = asked(action, access);
        var set = require(access, id);
        var visit = new Visit(request, access);
        sets.require(access, asked.action(), set);
        if (!isOffered(access, asked, set)) {
            return refused(visit, set, asked.refusal(set, task(set)));
        }
        var token = Objects.requireNonNullElse(set.token(), "");
        var sent = new ChangeActionPage.Sent(FormKey.fresh(), token, ChangeMoment.EMPTY, "");
        return questions.ask(visit, asked, set, sent, null);
    }

    @RequiresPermission(Permission.PRICES_DRAFT)
    @Post("/{action:apply|preview|cancel|reschedule|retry|undo|request-approval}")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> act(
            HttpRequest<?> request, Access access, String id, String action, @Body @Nullable Map<String, String> body) {
        var asked = asked(action, access);
        var visit = new Visit(request, access);
        var fields = Objects.requireNonNullElse(body, Map.<String, String>of());
        var sent = new ChangeActionPage.Sent(
                Objects.requireNonNullElseGet(fields.get("key"), FormKey::fresh),
                Objects.requireNonNullElse(fields.get("token"), ""),
                ChangeMoment.of(fields),
                Objects.requireNonNullElse(fields.get("reason"), "").strip());
        // What cancels without a question does so whatever the set has become.
        if (asked == ChangeAction.PREVIEW
                || (asked == ChangeAction.CANCEL && fields.containsKey(ChangeActionPage.ASKED))) {
            var unseen = unseen(visit, asked, require(access, id), sent, fields);
            if (unseen != null) {
                return unseen;
            }
        }
        try {
            return switch (act(access, asked, new ChangeSetId(id), sent, fields.containsKey("suspicious"))) {
                case ChangeSetResult.Done(var set, var _) ->
                    Redirect.to(ChangeWords.link(set.id()).with(DID, asked.path()));
                case ChangeSetResult.Stale(var set) ->
                    refused(visit, set, "Prices are not what this preview saw. Preview again, and look once more.");
                case ChangeSetResult.Suspicious(var set) ->
                    questions
                            .ask(
                                    visit,
                                    asked,
                                    set,
                                    sent,
                                    new Problem(
                                            "suspicious",
                                            "prices that look like mistakes must be meant",
                                            "Say that they are meant, or draft another set without them"))
                            .status(HttpStatus.CONFLICT);
                case ChangeSetResult.NeedsApproval(var set, var _) ->
                    refused(visit, set, asked.refusal(set, task(set)));
                case ChangeSetResult.NotAllowed(var set, var rule) ->
                    refused(visit, set, isOffered(access, asked, set) ? sentence(rule) : asked.refusal(set, task(set)));
                case ChangeSetResult.KeyReused(var existing, var _) ->
                    refused(
                            visit,
                            require(access, existing.value()),
                            "This form was sent before, and drafted this set.");
                case ChangeSetResult.NotFound(var missing) -> throw ChangeWords.notFound(missing);
            };
        } catch (InvalidInput e) {
            if (NotFound.is(e)) {
                throw e;
            }
            return questions
                    .ask(visit, asked, require(access, id), sent, ChangeMoment.problem(e))
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    /** The answer where the set is not what was seen of it, and the action would do something else to it; otherwise null. */
    private @Nullable HttpResponse<?> unseen(
            Visit visit, ChangeAction asked, ChangeSet set, ChangeActionPage.Sent sent, Map<String, String> fields) {
        sets.require(visit.access(), asked.action(), set);
        if (!isOffered(visit.access(), asked, set)) {
            return null;
        }
        if (asked == ChangeAction.PREVIEW
                && !sent.token().isEmpty()
                && set.token() != null
                && !sent.token().equals(set.token())) {
            return refused(visit, set, "It was previewed since. Look at what it would change now.");
        }
        return fields.getOrDefault(ChangeActionPage.ASKED, "").equals(asked.state(set))
                ? null
                : questions
                        .refuse(
                                visit,
                                asked,
                                set,
                                sent,
                                "The set is not as you saw it any more. Read what follows now.")
                        .status(HttpStatus.CONFLICT);
    }

    private static ChangeAction asked(String action, Access access) {
        var asked = ChangeAction.of(action).orElseThrow();
        access.require(asked.permission());
        return asked;
    }

    private ChangeSetResult act(
            Access access, ChangeAction action, ChangeSetId id, ChangeActionPage.Sent sent, boolean suspicious) {
        return switch (action) {
            case APPLY ->
                suspicious ? sets.applyAccepted(access, id, sent.token()) : sets.apply(access, id, sent.token());
            case PREVIEW -> drafts.preview(access, id);
            case CANCEL -> sets.cancel(access, id);
            case RESCHEDULE -> sets.reschedule(access, id, sent.moment().effectiveDate());
            case RETRY -> drafts.draftRetry(access, id, sent.key());
            case UNDO -> drafts.draftUndo(access, id, sent.reason(), sent.key());
            case REQUEST_APPROVAL -> approvals.request(access, id, sent.token());
            case APPROVE -> approvals.approve(access, id, sent.token());
            case REJECT -> approvals.reject(access, id, sent.token(), sent.reason());
        };
    }

    /** Of {@code changeSet must …}, which names the field of an API. */
    private static String sentence(String rule) {
        return rule.replaceFirst("^changeSet ", "The change set ") + ".";
    }

    private HttpResponse<?> refused(Visit visit, ChangeSet set, String why) {
        return show(visit, set, ActionOutcome.refused(why)).status(HttpStatus.CONFLICT);
    }

    private MutableHttpResponse<?> show(Visit visit, ChangeSet set, ActionOutcome outcome) {
        var asked = Objects.requireNonNullElse(visit.request().getParameters().get(FINDING), "");
        try {
            return show(visit, set, outcome, finding(asked));
        } catch (InvalidInput e) {
            return lists.page(visit.request(), LINES, ChangeWords.link(set.id()), export(set, null))
                    .<ChangeLine>refuse(e, content -> view(visit, set, outcome, null, content));
        }
    }

    private MutableHttpResponse<?> show(Visit visit, ChangeSet set, ActionOutcome outcome, @Nullable Finding finding) {
        var list = ChangeWords.link(set.id()).with(FINDING, finding == null ? null : finding.name());
        return lists.page(visit.request(), LINES, list, export(set, finding))
                .show(
                        page -> setLines.lines(visit.access(), set.id(), finding, page),
                        content -> view(visit, set, outcome, finding, content));
    }

    private static Link export(ChangeSet set, @Nullable Finding finding) {
        return Link.to("changes", set.id().value(), "lines.csv").with(FINDING, finding == null ? null : finding.name());
    }

    private ChangePage view(
            Visit visit,
            ChangeSet set,
            ActionOutcome outcome,
            @Nullable Finding finding,
            ListPage.Content<ChangeLine> content) {
        var task = task(set);
        var lines = content.page().nodes();
        var first = content.isRefused()
                ? null
                : firstPrices.of(visit, set, finding, export(set, finding)).orElse(null);
        var listing =
                content.listing(() -> first == null ? nothing(visit.access(), set, task, finding) : ONLY_FIRST_PRICES);
        var known = stores(visit.access(), lines);
        var amounts = Amounts.of(visit.request());
        return ChangePage.of(
                visit.access(),
                set,
                task,
                sets.allowed(visit.access(), set),
                approvals
                        .standing(visit.access(), set)
                        .map(standing -> ApprovalPanel.of(standing, approvers(visit, set, standing)))
                        .orElse(null),
                outcome,
                content.here(),
                ChangePage.Lines.of(
                        set, finding, listing, content.rows(line -> ChangeLineRow.of(line, known, amounts))),
                first);
    }

    private List<String> approvers(Visit visit, ChangeSet set, ChangeSetApprovals.Standing standing) {
        return standing.isOpen()
                ? approvals.approvers(visit.access(), List.of(set)).getFirst()
                : List.of();
    }

    private boolean isOffered(Access access, ChangeAction action, ChangeSet set) {
        return action.isOffered(access, set, sets.allowed(access, set), task(set));
    }

    private @Nullable Task task(ChangeSet set) {
        return set.task() == null ? null : tasks.find(OWN_TASKS, set.task()).orElse(null);
    }

    private Map<StoreId, Store> stores(Access access, List<ChangeLine> lines) {
        return stores.findAll(access, lines.stream().map(ChangeLine::store).collect(Collectors.toSet()));
    }

    /** Null for all. */
    private static @Nullable Finding finding(@Nullable String asked) {
        if (asked == null || asked.isEmpty()) {
            return null;
        }
        return Stream.of(Finding.values())
                .filter(finding -> finding.name().equals(asked))
                .findFirst()
                .orElseThrow(() -> new InvalidInput(
                        "INVALID_FINDING",
                        FINDING,
                        "must be one of "
                                + Stream.of(Finding.values()).map(Finding::name).collect(Collectors.joining(", "))));
    }

    private static Listing.Empty nothing(Access access, ChangeSet set, @Nullable Task task, @Nullable Finding finding) {
        if (finding != null) {
            return new Listing.Empty(
                    "No line is “" + ChangeWords.badge(finding).label().toLowerCase(Locale.ROOT) + "”",
                    "Lines with another finding may be there.",
                    ChangeWords.link(set.id()).toString(),
                    "Show all lines");
        }
        if (ChangeWords.isBeingPreviewed(set, task)) {
            return new Listing.Empty(
                    "Not previewed yet",
                    "Every price that is found is listed here in a moment.",
                    ChangeWords.link(set.id()).toString(),
                    "Look again");
        }
        var drafts = access.may(Permission.PRICES_DRAFT);
        var another = set.undoes() == null && set.retries() == null
                ? ChangeWords.another(set.id())
                : Link.to("changes", "new");
        return new Listing.Empty(
                "No matching prices",
                "No store was found that it could be for, so it would change nothing.",
                (drafts ? another : Link.to("changes")).toString(),
                drafts ? "Draft another one" : "All change sets");
    }

    private ChangeSet require(Access access, String id) {
        var setId = new ChangeSetId(id);
        return sets.find(access, setId).orElseThrow(() -> ChangeWords.notFound(setId));
    }
}
