package io.menuboard.webadmin.pages;

import static io.menuboard.webadmin.pages.MarkupPayloads.SHORT;
import static io.menuboard.webadmin.pages.MarkupPayloads.joined;
import static io.menuboard.webadmin.pages.PagesServer.encoded;

import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.accounts.Accounts;
import io.menuboard.accounts.Tokens;
import io.menuboard.accounts.Username;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.CommissionRule;
import io.menuboard.billing.transactions.CommissionRules;
import io.menuboard.billing.transactions.RecordTransaction;
import io.menuboard.billing.transactions.Rounding;
import io.menuboard.favorites.Favorites;
import io.menuboard.favorites.RestaurantId;
import io.menuboard.favorites.UserId;
import io.menuboard.kernel.Actor;
import io.menuboard.local.aws.LocalQueues;
import io.menuboard.pricing.Address;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreStatus;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetApprovals;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.webhooks.Webhooks;
import io.menuboard.querydb.coordination.TableClock;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.TasksInstance;
import io.menuboard.tasks.WorkerId;
import io.menuboard.tasks.claims.ClaimTasks;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * {@link MarkupPayloads} in every text that people and clients give, on a server of their own.
 *
 * @param lists addresses of lists that show them
 * @param records addresses of what shows one text of them each, with that text
 */
public record PayloadsSample(PagesServer server, List<String> lists, Map<String, String> records) {
    private static final Access STAFF = new Access(Principal.withEveryRole("grace"), Actor.Source.PAGE);
    private static final TaskType FAILING = new TaskType("failing");

    /** The product whose prices a second person approves. */
    private static final String TO_BE_APPROVED = "Q";

    private static final int AGENCIES = 40;

    /** There can be 200. */
    private static final int TYPES = 190;

    /** Parameters that pages say again, each before its value. */
    public static final List<String> ECHOES = List.of(
            "/stores?search=",
            "/stores/S0?product=",
            "/stores/S0?channel=",
            "/products?product=",
            "/prices/history?store=S0&product=",
            "/changes/new?product=",
            "/changes/calendar?month=",
            "/tasks?type=",
            "/favorites/users?user=",
            "/billing/transactions?agency=",
            "/audit?person=",
            "/sign-in?back=");

    public static PayloadsSample start() {
        var due = LocalQueues.shared().fresh();
        var settings = Map.<String, Object>of(
                "menuboard.webhooks.key",
                AccountsSample.WEBHOOKS_KEY,
                "menuboard.pricing.changes.approval-products",
                TO_BE_APPROVED,
                PagesServer.DUE_QUEUE,
                due.url());
        var server = PagesServer.start("payloads", settings, PagesServer.REPORTS);
        var records = new LinkedHashMap<String, String>();
        stores(server, records);
        changes(server, records);
        rejections(server, records);
        tasks(server, records);
        accounts(server);
        webhooks(server, records);
        favorites(server);
        billing(server, records);
        joined(2_000).forEach(body -> ChangeSample.bury(due, body));
        var rejected =
                server.upload("/imports", Map.of(), "stores", storesFile()).header("Location");
        var lists = List.of(
                "/stores?first=2048",
                "/changes?first=2048",
                "/tasks?first=2048",
                "/tasks/workers?first=2048",
                "/users?first=2048",
                "/tokens?first=2048",
                "/webhooks?first=2048",
                "/favorites/users/" + encoded("fan") + "?first=2048",
                "/imports",
                rejected + "?first=2048",
                "/changes/approvals?first=2048",
                "/billing/agencies?first=2048",
                "/billing/rules?first=2048",
                "/dead-letters",
                "/audit?first=2048");
        return new PayloadsSample(server, lists, records);
    }

    private static void stores(PagesServer server, Map<String, String> records) {
        var names = joined(200);
        var stores = new ArrayList<Store>();
        for (var i = 0; i < names.size(); i++) {
            var address = new Address(
                    names.get(i),
                    names.get((i + 1) % names.size()),
                    names.get((i + 2) % names.size()),
                    names.get((i + 3) % names.size()),
                    "DE");
            stores.add(new Store(
                    new StoreId("S" + i),
                    names.get(i),
                    address,
                    ZoneId.of("Europe/Berlin"),
                    Currency.getInstance("EUR"),
                    StoreStatus.OPEN));
            records.put("/stores/S" + i, names.get(i));
        }
        server.bean(Stores.class).save(STAFF, stores);
    }

    private static void changes(PagesServer server, Map<String, String> records) {
        var names = joined(200);
        var reasons = joined(500);
        for (var i = 0; i < names.size(); i++) {
            var draft = new DraftChangeSet(
                    names.get(i), reasons.get(i % reasons.size()), null, List.of(ChangeSample.rule("1", "P", "S0")));
            var set = done(server.bean(ChangeSetDrafts.class).draft(STAFF, draft, null));
            records.put("/changes/" + set.id(), reasons.get(i % reasons.size()));
            records.put("/changes/" + set.id() + "/cancel", names.get(i));
        }
    }

    /** What a second person says against a set; each third one waits for that still. */
    private static void rejections(PagesServer server, Map<String, String> records) {
        var approvals = server.bean(ChangeSetApprovals.class);
        var texts = joined(200);
        for (var i = 0; i < texts.size(); i++) {
            var draft = new DraftChangeSet(
                    texts.get(i), "costs rose", null, List.of(ChangeSample.rule("1", TO_BE_APPROVED, "S0")));
            var set = done(server.bean(ChangeSetDrafts.class).draft(person("ada"), draft, null));
            var token = Objects.requireNonNull(set.token());
            done(approvals.request(person("ada"), set.id(), token));
            if (i % 3 > 0) {
                done(approvals.reject(person("bob"), set.id(), token, texts.get(i)));
            }
            records.put("/changes/" + set.id(), texts.get(i));
        }
    }

    private static ChangeSet done(ChangeSetResult result) {
        return ((ChangeSetResult.Done) result).set();
    }

    private static Access person(String id) {
        var grants = Principal.withEveryRole(id).grants();
        return new Access(new Principal(id, Actor.Kind.USER, id, grants), Actor.Source.PAGE);
    }

    private static void billing(PagesServer server, Map<String, String> records) {
        var rules = server.bean(CommissionRules.class);
        SHORT.forEach(
                payload -> rules.put(STAFF, new CommissionRule(payload, new BigDecimal("0.1"), Rounding.HALF_UP)));
        BillingSample.record(
                BillingSample.past(server, server.now()),
                SHORT.stream()
                        .map(payload -> BillingSample.sale(payload, new AgencyId(payload), "1.00 EUR", null, payload))
                        .toArray(RecordTransaction[]::new));
        SHORT.forEach(payload -> records.put(BillingSample.transaction(payload), payload));
        // These read a year.
        SHORT.stream()
                .limit(AGENCIES)
                .forEach(payload -> records.put(BillingSample.agency(new AgencyId(payload)), payload));
    }

    private static void tasks(PagesServer server, Map<String, String> records) {
        var tasks = TasksInstance.of(server::bean);
        var texts = joined(500);
        tasks.submission()
                .submit(
                        STAFF,
                        texts.stream()
                                .map(text -> SubmitTask.of(FAILING, Json.of(Map.of("note", text))))
                                .toList());
        tasks.submission()
                .submit(
                        STAFF,
                        SHORT.stream()
                                .limit(TYPES)
                                .map(payload -> SubmitTask.of(new TaskType(payload), Json.EMPTY))
                                .toList());
        for (var number = 0; number < texts.size(); number++) {
            var worker = new WorkerId(SHORT.get(number));
            var claim = new ClaimTasks(worker, List.of(FAILING), 1, Duration.ofSeconds(10), Duration.ofHours(1));
            var task = tasks.protocol().claim(STAFF, claim).getFirst();
            var error = texts.get(number);
            tasks.protocol().fail(STAFF, task.id(), task.leaseToken(), error, false);
            records.put("/tasks/" + task.id(), error);
        }
    }

    private static void accounts(PagesServer server) {
        var tomorrow = server.bean(TableClock.class).instant().plus(Duration.ofDays(1));
        var grants = Set.of(Grant.of(Role.VIEWER));
        for (var i = 0; i < SHORT.size(); i++) {
            server.bean(Tokens.class).create(STAFF, SHORT.get(i), grants, tomorrow);
            server.bean(Accounts.class).create(STAFF, new Username("user-" + i), SHORT.get(i), null, grants);
        }
    }

    private static void webhooks(PagesServer server, Map<String, String> records) {
        for (var payload : SHORT.subList(0, Math.min(SHORT.size(), Webhooks.MOST))) {
            records.put("/webhooks/" + AccountsSample.webhook(server, payload) + "/delete", payload);
        }
    }

    private static void favorites(PagesServer server) {
        for (var payload : SHORT) {
            server.bean(Favorites.class).favorite(STAFF, new UserId("fan"), new RestaurantId(payload));
        }
    }

    /** No row has a time zone, so that each is rejected as it is. */
    private static String storesFile() {
        var file = new StringBuilder("id,name,timeZone,currency\n");
        IntStream.range(0, MarkupPayloads.ALL.size()).forEach(row -> file.append("R" + row + ",\"")
                .append(MarkupPayloads.ALL.get(row).replace("\"", "\"\""))
                .append("\",,EUR\n"));
        return file.toString();
    }
}
