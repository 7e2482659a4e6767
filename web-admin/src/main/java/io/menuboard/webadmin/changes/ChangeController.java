package io.menuboard.webadmin.changes;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeLine;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSetLines;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSetStatus;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.Finding;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskReads;
import io.menuboard.webadmin.ui.ActionOutcome;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.FormKey;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.NotFound;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.Views;
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
import java.util.BitSet;
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
    private static final String DID = "did";

    /** The id of the draft whose place this set has taken. */
    static final String REPLACED = "replaced";

    private static final String FINDING = "finding";
    private static final int SAMPLE = 10;
    private static final int FIRST_PRICES = 50;
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
    private final Stores stores;
    private final TaskReads tasks;
    private final Lists lists;
    private final Views views;

    ChangeController(ChangeSetUseCases changes, Stores stores, TaskReads tasks, Lists lists, Views views) {
        this.drafts = changes.drafts();
        this.sets = changes.sets();
        this.setLines = changes.lines();
        this.stores = stores;
        this.tasks = tasks;
        this.lists = lists;
        this.views = views;
    }

    /** Asks again by itself while something is being done with the set. */
    @Get
    HttpResponse<?> show(HttpRequest<?> request, String id, @Nullable String did, @Nullable String replaced) {
        var set = require(id);
        if (replaced != null) {
            return show(request, set, replaced(new ChangeSetId(replaced)));
        }
        var notice = Optional.ofNullable(did).flatMap(ChangeAction::of).map(action -> action.said(set));
        return show(request, set, ActionOutcome.done(notice.orElse(null)));
    }

    private ActionOutcome replaced(ChangeSetId draft) {
        return sets.find(draft)
                .map(before -> before.status() == ChangeSetStatus.CANCELLED
                        ? ActionOutcome.done("Edited. The draft as it was before is cancelled.")
                        : ActionOutcome.refused("The set that was edited is no draft any more, and stays as it is: "
                                + ChangeWords.badge(before.status()).label().toLowerCase(Locale.ROOT)
                                + ". This is another draft."))
                .orElse(ActionOutcome.NONE);
    }

    @Get(uri = "/lines.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> lines(String id, @Nullable String finding) {
        var set = require(id);
        var asked = finding(finding);
        var listed = new BitSet();
        return CsvDownload.of(
                "changes-" + id + ".csv",
                ChangeCsv.LINE_COLUMNS,
                page -> setLines.lines(set.id(), asked, page).map(line -> {
                    listed.set(line.number());
                    return ChangeCsv.row(line);
                }),
                () -> firstPrices(set, asked)
                        .filter(line -> !listed.get(line.number()))
                        .map(ChangeCsv::row));
    }

    /** Only files of prices load first ones, and only what puts such a set back removes them. */
    private Stream<ChangeLine> firstPrices(ChangeSet set, @Nullable Finding finding) {
        return set.summary() == null || (set.imported() == null && set.undoes() == null)
                ? Stream.empty()
                : setLines.firstPrices(set.id()).filter(line -> finding == null || line.finding() == finding);
    }

    /** Asks before it acts, where the set allows that; otherwise the set itself. */
    @RequiresPermission(Permission.PRICES_DRAFT)
    @Get("/{action:apply|cancel|reschedule|retry|undo}")
    HttpResponse<?> ask(HttpRequest<?> request, Access access, String id, String action) {
        var asked = asked(action, access);
        var set = require(id);
        if (!isOffered(asked, set)) {
            return refused(request, set, asked.refusal(set));
        }
        var token = Objects.requireNonNullElse(set.token(), "");
        var sent = new ChangeActionPage.Sent(FormKey.fresh(), token, ChangeMoment.EMPTY, "");
        return ask(request, asked, set, sent, null);
    }

    @RequiresPermission(Permission.PRICES_DRAFT)
    @Post("/{action:apply|preview|cancel|reschedule|retry|undo}")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> act(
            HttpRequest<?> request, Access access, String id, String action, @Body @Nullable Map<String, String> body) {
        var asked = asked(action, access);
        var fields = Objects.requireNonNullElse(body, Map.<String, String>of());
        var sent = new ChangeActionPage.Sent(
                Objects.requireNonNullElseGet(fields.get("key"), FormKey::fresh),
                Objects.requireNonNullElse(fields.get("token"), ""),
                ChangeMoment.of(fields),
                Objects.requireNonNullElse(fields.get("reason"), "").strip());
        try {
            return switch (act(asked, new ChangeSetId(id), sent, fields.containsKey("suspicious"), access.actor())) {
                case ChangeSetResult.Done(var set) ->
                    Redirect.to(ChangeWords.link(set.id()).with(DID, asked.path()));
                case ChangeSetResult.Stale(var set) ->
                    refused(request, set, "Prices are not what this preview saw. Preview again, and look once more.");
                case ChangeSetResult.Suspicious(var set) ->
                    ask(
                                    request,
                                    asked,
                                    set,
                                    sent,
                                    new Problem(
                                            "suspicious",
                                            "prices that look like mistakes must be meant",
                                            "Say that they are meant, or draft another set without them"))
                            .status(HttpStatus.CONFLICT);
                case ChangeSetResult.NotAllowed(var set, var rule) ->
                    refused(request, set, isOffered(asked, set) ? sentence(rule) : asked.refusal(set));
                case ChangeSetResult.KeyReused(var existing, var _) ->
                    refused(request, require(existing.value()), "This form was sent before, and drafted this set.");
                case ChangeSetResult.NotFound(var missing) -> throw ChangeWords.notFound(missing);
            };
        } catch (InvalidInput e) {
            if (NotFound.is(e)) {
                throw e;
            }
            return ask(request, asked, require(id), sent, ChangeMoment.problem(e))
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    private static ChangeAction asked(String action, Access access) {
        var asked = ChangeAction.of(action).orElseThrow();
        access.require(asked.permission());
        return asked;
    }

    private ChangeSetResult act(
            ChangeAction action, ChangeSetId id, ChangeActionPage.Sent sent, boolean suspicious, Actor actor) {
        return switch (action) {
            case APPLY ->
                suspicious ? sets.applyAccepted(id, sent.token(), actor) : sets.apply(id, sent.token(), actor);
            case PREVIEW -> drafts.preview(id, actor);
            case CANCEL -> sets.cancel(id, actor);
            case RESCHEDULE -> sets.reschedule(id, sent.moment().effectiveDate(), actor);
            case RETRY -> drafts.draftRetry(id, sent.key(), actor);
            case UNDO -> drafts.draftUndo(id, sent.reason(), sent.key(), actor);
        };
    }

    private MutableHttpResponse<?> ask(
            HttpRequest<?> request,
            ChangeAction action,
            ChangeSet set,
            ChangeActionPage.Sent sent,
            @Nullable Problem problem) {
        var lines = setLines.lines(set.id(), null, PageRequest.forward(SAMPLE, null))
                .nodes();
        var known = stores(lines);
        var amounts = Amounts.of(request);
        var sample = lines.stream()
                .map(line -> ChangeLineRow.of(line, known, amounts))
                .toList();
        return views.page("changes/action", ChangeActionPage.of(action, set, sent, problem, sample));
    }

    /** Of {@code changeSet must …}, which names the field of an API. */
    private static String sentence(String rule) {
        return rule.replaceFirst("^changeSet ", "The change set ") + ".";
    }

    private HttpResponse<?> refused(HttpRequest<?> request, ChangeSet set, String why) {
        return show(request, set, ActionOutcome.refused(why)).status(HttpStatus.CONFLICT);
    }

    private MutableHttpResponse<?> show(HttpRequest<?> request, ChangeSet set, ActionOutcome outcome) {
        var asked = Objects.requireNonNullElse(request.getParameters().get(FINDING), "");
        try {
            return show(request, set, outcome, finding(asked));
        } catch (InvalidInput e) {
            return lists.page(request, LINES, ChangeWords.link(set.id()), export(set, null))
                    .<ChangeLine>refuse(e, content -> view(request, set, outcome, null, content));
        }
    }

    private MutableHttpResponse<?> show(
            HttpRequest<?> request, ChangeSet set, ActionOutcome outcome, @Nullable Finding finding) {
        var list = ChangeWords.link(set.id()).with(FINDING, finding == null ? null : finding.name());
        return lists.page(request, LINES, list, export(set, finding))
                .show(
                        page -> setLines.lines(set.id(), finding, page),
                        content -> view(request, set, outcome, finding, content));
    }

    private static Link export(ChangeSet set, @Nullable Finding finding) {
        return Link.to("changes", set.id().value(), "lines.csv").with(FINDING, finding == null ? null : finding.name());
    }

    private ChangePage view(
            HttpRequest<?> request,
            ChangeSet set,
            ActionOutcome outcome,
            @Nullable Finding finding,
            ListPage.Content<ChangeLine> content) {
        var task = task(set);
        var lines = content.page().nodes();
        var first = content.isRefused() ? null : firstPrices(request, set, finding, lines);
        var listing = content.listing(() -> first == null ? nothing(set, finding) : ONLY_FIRST_PRICES);
        var known = stores(lines);
        var amounts = Amounts.of(request);
        return ChangePage.of(
                set,
                task,
                sets.allowed(set),
                outcome,
                content.here(),
                ChangePage.Lines.of(
                        set, finding, listing, content.rows(line -> ChangeLineRow.of(line, known, amounts))),
                first);
    }

    /** Null where there are none. */
    private ChangePage.@Nullable FirstPrices firstPrices(
            HttpRequest<?> request, ChangeSet set, @Nullable Finding finding, List<ChangeLine> listed) {
        var shown = listed.stream().map(ChangeLine::number).collect(Collectors.toSet());
        try (var all = firstPrices(set, finding)) {
            var first = all.filter(line -> !shown.contains(line.number()))
                    .limit(FIRST_PRICES + 1L)
                    .toList();
            if (first.isEmpty()) {
                return null;
            }
            var some = first.subList(0, Math.min(FIRST_PRICES, first.size()));
            var known = stores(some);
            var amounts = Amounts.of(request);
            return ChangePage.FirstPrices.of(
                    some.stream()
                            .map(line -> ChangeLineRow.of(line, known, amounts))
                            .toList(),
                    first.size() > FIRST_PRICES,
                    countOfFirstPrices(set, first.getFirst().finding()),
                    export(set, finding));
        }
    }

    /** Zero where listed lines are among those that were counted. */
    private int countOfFirstPrices(ChangeSet set, Finding finding) {
        var summary = set.summary();
        if (summary == null || summary.needsAcceptance() > 0) {
            return 0;
        }
        var listed = setLines.lines(set.id(), finding, PageRequest.forward(1, null));
        return listed.nodes().isEmpty() ? summary.count(finding) : 0;
    }

    private boolean isOffered(ChangeAction action, ChangeSet set) {
        return action.isOffered(set, sets.allowed(set), task(set));
    }

    private @Nullable Task task(ChangeSet set) {
        return set.task() == null ? null : tasks.find(OWN_TASKS, set.task()).orElse(null);
    }

    private Map<StoreId, Store> stores(List<ChangeLine> lines) {
        return stores.findAll(
                Access.ofSystem("change sets", Actor.Source.PAGE),
                lines.stream().map(ChangeLine::store).collect(Collectors.toSet()));
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

    private static Listing.Empty nothing(ChangeSet set, @Nullable Finding finding) {
        if (finding != null) {
            return new Listing.Empty(
                    "No line is “" + ChangeWords.badge(finding).label().toLowerCase(Locale.ROOT) + "”",
                    "Lines with another finding may be there.",
                    ChangeWords.link(set.id()).toString(),
                    "Show all lines");
        }
        return ChangeWords.isBeingPreviewed(set)
                ? new Listing.Empty(
                        "Not previewed yet",
                        "Every price that is found is listed here in a moment.",
                        ChangeWords.link(set.id()).toString(),
                        "Look again")
                : new Listing.Empty(
                        "No matching prices",
                        "No store was found that it could be for, so it would change nothing.",
                        (set.undoes() == null && set.retries() == null
                                        ? ChangeWords.another(set.id())
                                        : Link.to("changes", "new"))
                                .toString(),
                        "Draft another one");
    }

    private ChangeSet require(String id) {
        var setId = new ChangeSetId(id);
        return sets.find(setId).orElseThrow(() -> ChangeWords.notFound(setId));
    }
}
