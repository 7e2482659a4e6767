package io.menuboard.webadmin.pages;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor;
import io.menuboard.local.aws.LocalQueues;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSetLines;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Change sets in every state that the pages must cope with, over the stores and prices of {@link PriceSample}, on a server of
 * their own that has dead letters too.
 *
 * @param draft raises coffee in every French store and beyond reason in Berlin, and names a store that is not
 * @param scheduled in two time zones, on that day
 * @param applied of a hostile name
 * @param undone whose undo is applied
 * @param cancelled a draft that was given up
 * @param failed which a set that was drafted later had overtaken before it was applied
 * @param day in the month after the next one
 * @param due the queue of due batches, which is consumed; that of changes has a hostile dead letter, and is not
 */
public record ChangeSample(
        PagesServer server,
        ChangeSetId draft,
        ChangeSetId scheduled,
        ChangeSetId applied,
        ChangeSetId undone,
        ChangeSetId cancelled,
        ChangeSetId failed,
        LocalDate day,
        LocalQueues.Queue due) {
    /** Of tests that change what others list. */
    public static final String LOCK = "sample of changes";

    public static final Access GRACE = new Access(Principal.withEveryRole("grace"), Actor.Source.PAGE);

    /** More than a page of sets. */
    public static final int MANY = 20;

    /** Made at the first call, never stopped. */
    public static ChangeSample shared() {
        return Shared.INSTANCE;
    }

    /** One of its own, on a table of that name, which is never stopped: for tests whose sets others must not list. */
    public static ChangeSample start(String table) {
        var changes = LocalQueues.shared().fresh();
        var due = LocalQueues.shared().fresh();
        var server = PagesServer.start(
                table, Map.of(PagesServer.CHANGES_QUEUE, changes.url(), PagesServer.DUE_QUEUE, due.url()));
        bury(changes, "{\"note\": \"" + PriceSample.ATTACK + "\"}");
        PriceSample.save(server::bean);
        var drafts = server.bean(ChangeSetDrafts.class);
        var sets = server.bean(ChangeSets.class);
        var day = LocalDate.ofInstant(server.bean(Pricing.class).now(), ZoneOffset.UTC)
                .plusMonths(2)
                .withDayOfMonth(15);
        IntStream.range(0, MANY)
                .forEach(number ->
                        draft(drafts, "Set %d".formatted(number), null, rule("1.10", "BURGER-001", "DE-0001")));
        var cancelled = draft(drafts, "Never mind", null, rule("1.10", "BURGER-001", "DE-0001"));
        done(sets.cancel(GRACE, cancelled.id()));
        var never = day.plusMonths(3);
        var overtaken = draft(drafts, "Slow to decide", never, rule("5.10", "BURGER-005", "DE-0001"));
        apply(sets, draft(drafts, "Quick to decide", never, rule("5.20", "BURGER-005", "DE-0001")));
        var failed = apply(sets, overtaken);
        var undone = apply(sets, draft(drafts, "Too early", null, rule("2.10", "BURGER-002", "DE-0001")));
        apply(sets, done(drafts.draftUndo(GRACE, undone.id(), "a week too early", null)));
        var applied = apply(sets, draft(drafts, PriceSample.ATTACK, null, rule("3.40", "BURGER-003", "DE-0001")));
        var scheduled = apply(
                sets,
                draft(
                        drafts,
                        "Next season",
                        day,
                        rule("3.60", "COFFEE", "DE-0001"),
                        rule("500", "COFFEE", "JP-0001"),
                        rule("4.20", "BURGER-004", "DE-0001")));
        var french = Stream.concat(PriceSample.MANY.stream().map(Store::id).map(StoreId::value), Stream.of("nowhere"))
                .toArray(String[]::new);
        var draft = draft(
                drafts,
                "Coffee for all",
                null,
                rule("3.50", "COFFEE", french),
                rule("99.00", "DAILY", "DE-0001"),
                rule("450", "COFFEE", "JP-0001"));
        return new ChangeSample(
                server, draft.id(), scheduled.id(), applied.id(), undone.id(), cancelled.id(), failed.id(), day, due);
    }

    /** Puts a message where it would be after it had failed too often. */
    public static void bury(LocalQueues.Queue queue, String body) {
        LocalQueues.shared().client().sendMessage(request -> request.queueUrl(queue.deadUrl())
                .messageBody(body));
    }

    public YearMonth month() {
        return YearMonth.from(day);
    }

    public ChangeSets sets() {
        return server.bean(ChangeSets.class);
    }

    public ChangeSetDrafts drafts() {
        return server.bean(ChangeSetDrafts.class);
    }

    public ChangeSetLines lines() {
        return server.bean(ChangeSetLines.class);
    }

    /** A new draft that a test may do with what it likes. */
    public ChangeSet draft(String name, @Nullable LocalDate day, String amount, String product) {
        return draft(drafts(), name, day, rule(amount, product, "DE-0001"));
    }

    public static ChangeRule rule(String amount, String product, String... stores) {
        return new ChangeRule(
                new StoreSelection.Listed(Stream.of(stores).map(StoreId::new).toList()),
                List.of(new PriceSubject.Product(new ProductId(product))),
                List.of(Channel.ALL),
                new PriceOperation.SetTo(new BigDecimal(amount), null),
                null);
    }

    private static ChangeSet draft(ChangeSetDrafts drafts, String name, @Nullable LocalDate day, ChangeRule... rules) {
        var date = day == null ? null : EffectiveDate.startOf(day);
        return done(drafts.draft(GRACE, new DraftChangeSet(name, "costs rose", date, List.of(rules)), null));
    }

    public static ChangeSet apply(ChangeSets sets, ChangeSet draft) {
        return done(sets.applyAccepted(GRACE, draft.id(), String.valueOf(draft.token())));
    }

    private static ChangeSet done(ChangeSetResult result) {
        if (result instanceof ChangeSetResult.Done(var set, var _)) {
            return set;
        }
        throw new IllegalStateException("not done: " + result);
    }

    /** Addresses of every kind of page of changes, in every state that looks different. */
    public List<String> pages() {
        return List.of(
                "/changes?first=16",
                "/changes?after=forged",
                "/changes?status=SCHEDULED&by=grace",
                "/changes?status=ODD",
                page(draft()) + "?first=16",
                page(draft()) + "?finding=SUSPICIOUS",
                page(draft()) + "?finding=CONFLICT",
                page(draft()) + "/apply",
                page(scheduled()),
                page(scheduled()) + "/reschedule",
                page(scheduled()) + "/cancel",
                page(applied()) + "?did=apply",
                page(applied()) + "/undo",
                page(undone()),
                page(cancelled()),
                page(failed()),
                page(failed()) + "/retry",
                "/changes/new",
                "/changes/new?store=DE-0001&product=COFFEE&product=TEA&channel=KIOSK",
                "/changes/new/csv",
                "/changes/approvals",
                "/changes/calendar",
                "/changes/calendar?month=" + month(),
                "/changes/calendar?month=" + month() + "&day=" + day(),
                "/changes/calendar?month=never",
                "/stores/DE-0001/changes",
                "/stores/FR-0001/changes",
                "/prices/history",
                "/prices/history?store=DE-0001&product=BURGER-003",
                "/prices/history?store=nowhere&product=BURGER-003",
                "/prices/history?store=DE-0001&combo=MENU-CLASSIC&option=SALAD",
                "/dead-letters",
                "/dead-letters/changes/redrive",
                "/changes/nonsense");
    }

    public static String page(ChangeSetId set) {
        return "/changes/" + set;
    }

    private static final class Shared {
        static final ChangeSample INSTANCE = start("change-pages");
    }
}
