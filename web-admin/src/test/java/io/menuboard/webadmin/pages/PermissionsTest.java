package io.menuboard.webadmin.pages;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Grant;
import io.menuboard.access.Permission;
import io.menuboard.access.Role;
import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.webadmin.pages.PagesServer.Answer;
import io.micronaut.web.router.Router;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every route of the pages is for those who have its permission, and closed to all others. */
class PermissionsTest {
    /** By permission, what it opens. */
    private static final List<String> TABLE = """
            PRICES_READ GET /stores /stores.csv /stores/{store} /stores/{store}/prices.csv /stores/{store}/swaps
            PRICES_READ GET /stores/{store}/swaps.csv /stores/{store}/changes /stores/{store}/changes.csv
            PRICES_READ GET /stores/{store}/products/{product} /stores/{store}/products/{product}/timeline.csv
            PRICES_READ GET /price-packs/{store}/{channel} /price-packs/{store}/{channel}/{name}
            PRICES_READ GET /products /products/{product} /products/{product}/prices.csv
            PRICES_READ GET /prices/history /prices/history.csv /changes /changes.csv /changes/calendar
            PRICES_READ GET /changes/calendar.csv /changes/{id} /changes/{id}/lines.csv
            PRICES_READ GET /imports /imports/list.csv /imports/{id} /imports/{id}/rejected.csv
            PRICES_DRAFT GET /changes/new /changes/new/csv /changes/new/template.csv
            PRICES_DRAFT GET /changes/{id}/{action:apply|preview|cancel|reschedule|retry|undo}
            PRICES_DRAFT POST /changes/new /changes/new/csv /changes/new/chosen
            PRICES_DRAFT POST /changes/{id}/{action:apply|preview|cancel|reschedule|retry|undo|request-approval}
            PRICES_APPROVE GET /changes/approvals /changes/{id}/{action:approve|reject}
            PRICES_APPROVE POST /changes/{id}/{action:approve|reject}
            PRICES_APPLY POST /imports
            TASKS_READ GET /tasks /tasks.csv /tasks/{id} /tasks/{id}/history.csv /tasks/bulk/{id}
            TASKS_READ GET /tasks/bulk/{id}/outcomes.csv /tasks/workers /tasks/workers.csv /tasks/workers/{worker}
            TASKS_OPERATE GET /tasks/bulk /tasks/{id}/{action:cancel|retry|reassign|clone}
            TASKS_OPERATE POST /tasks/bulk /tasks/{id}/{action:cancel|retry|reassign|clone}
            BILLING_READ GET /billing /billing/runs.csv /billing/runs/{run} /billing/runs/{run}/files/{file}
            BILLING_READ GET /billing/runs/{run}/agencies/{agency}
            BILLING_READ GET /billing/runs/{run}/agencies/{agency}/{file:report\\.csv|report\\.json}
            BILLING_READ GET /billing/agencies /billing/agencies.csv /billing/agencies/{agency}
            BILLING_READ GET /billing/agencies/{agency}/months.csv /billing/agencies/{agency}/{month}
            BILLING_READ GET /billing/agencies/{agency}/{month}/statement.csv
            BILLING_READ GET /billing/agencies/{agency}/{month}/transactions
            BILLING_READ GET /billing/agencies/{agency}/{month}/transactions.csv
            BILLING_READ GET /billing/transactions /billing/transactions/{id} /billing/rules /billing/rules.csv
            BILLING_READ GET /billing/reconciliation /billing/reconciliation.csv
            BILLING_RUN GET /billing/rules/new /billing/rules/confirm /billing/run-now /billing/interval
            BILLING_RUN GET /billing/runs/{run}/again
            BILLING_RUN POST /billing/rules /billing/run-now /billing/interval /billing/runs/{run}/again
            BILLING_RECORD GET /billing/record /billing/record/template.csv
            BILLING_RECORD POST /billing/record
            RANKINGS_READ GET /favorites /favorites/ranking.csv
            MARKS_READ GET /favorites/users /favorites/users/{user} /favorites/users/{user}/marks.csv
            MARKS_READ GET /favorites/restaurants /favorites/restaurants/{restaurant}
            MARKS_READ GET /favorites/restaurants/{restaurant}/marks.csv
            OPERATIONS_READ GET /favorites/recounts /favorites/recounts.csv /favorites/recounts/{id}
            OPERATIONS_READ GET /favorites/recounts/{id}/drifts.csv /operations /dead-letters
            OPERATIONS_ACT GET /favorites/recounts/new /operations/price-events /dead-letters/{queue}/redrive
            OPERATIONS_ACT POST /favorites/recounts /operations/price-events /operations/price-events/edit
            OPERATIONS_ACT POST /operations/price-events/confirm /dead-letters/{queue}/redrive
            ACCOUNTS_MANAGE GET /users /users.csv /users/new /users/{id}
            ACCOUNTS_MANAGE GET /users/{id}/{action:rename|roles|password|disable|enable|sessions}
            ACCOUNTS_MANAGE POST /users /users/{id}/{action:rename|roles|password|disable|enable|sessions}
            ACCOUNTS_MANAGE POST /users/{id}/sessions/{session}/end
            AUDIT_READ GET /audit /audit.csv
            WEBHOOKS_MANAGE GET /webhooks/list.csv
            WEBHOOKS_MANAGE GET /webhooks /webhooks/new /webhooks/{id} /webhooks/{id}/edit /webhooks/{id}/test
            WEBHOOKS_MANAGE GET /webhooks/{id}/{action:rotate|off|on|redeliver|delete}
            WEBHOOKS_MANAGE POST /webhooks /webhooks/{id}/edit /webhooks/{id}/test
            WEBHOOKS_MANAGE POST /webhooks/{id}/{action:rotate|off|on|redeliver|delete}
            ACCOUNTS_MANAGE GET /tokens /tokens.csv /tokens/new /tokens/{id}/revoke
            ACCOUNTS_MANAGE POST /tokens /tokens/{id}/revoke
            """.lines().toList();

    /** They decide by themselves, show nothing that is not public, or are of these tests. */
    private static final Set<String> OPEN = Set.of(
            "GET /assets/{version}/{name}",
            "GET /price-packs/keys.json",
            "GET /graphql",
            "POST /graphql",
            "GET /graphql/stream",
            "POST /graphql/stream",
            "GET /graphql/ws",
            "GET /",
            "GET /sign-in",
            "POST /sign-in",
            "GET /account",
            "GET /account/password",
            "POST /account/password",
            "POST /account/sessions/{session}/end",
            "POST /account/sign-out",
            "GET /broken",
            "POST /broken",
            "GET /broken/template",
            "GET /broken/unanswered",
            "POST /broken/unanswered");

    private static final List<String> PARTS = List.of(
            "/stores",
            "/products",
            "/changes",
            "/billing",
            "/favorites",
            "/imports",
            "/tasks",
            "/operations",
            "/webhooks",
            "/audit",
            "/users");

    /** What records of the audit trail are about. */
    private static final List<String> SUBJECTS = List.of(
            "STORE#DE-0001",
            "STORE-DATA#DE-0001",
            "CHANGESET#X",
            "IMPORT#X",
            "PRICE-EVENTS",
            "TASK#X",
            "QUEUE#X",
            "BILLING",
            "BILLRUN#X",
            "COMMISSION-RULE#X",
            "FAVORITES#X",
            "RECOUNT#X",
            "ACCOUNT#X",
            "TOKEN#X",
            "WEBHOOK#X",
            "ADDRESS#X",
            "DOWNLOAD#X");

    /** Pages with links and forms that lead elsewhere. */
    private static final List<String> PAGES = Stream.concat(
                    PARTS.stream(),
                    Stream.of(
                            "/changes/calendar",
                            "/stores/DE-0001",
                            "/stores/DE-0001/swaps",
                            "/stores/DE-0001/changes",
                            "/stores/DE-0001/products/COFFEE",
                            "/products/COFFEE?channel=KIOSK",
                            "/prices/history?store=DE-0001&product=COFFEE",
                            "/tasks?status=PENDING",
                            "/tasks?status=DEAD",
                            "/tasks/workers",
                            "/billing/agencies",
                            "/billing/rules",
                            "/favorites/recounts",
                            "/audit?first=100"))
            .toList();

    private static final Set<String> UPLOADS = Set.of("/imports", "/changes/new/csv", "/billing/record");

    private static final PagesServer server = PagesServer.start(
            "permissions", Map.of(HeaderPrincipals.SETTING, true), PagesServer.REPORTS, PagesServer.EVENT_BUS);

    @BeforeAll
    static void save() {
        PriceSample.save(server::bean);
        var trail = server.bean(AuditTrail.class);
        SUBJECTS.forEach(subject -> trail.record(AccountsSample.STAFF.actor(), subject, "changed", Map.of()));
    }

    @AfterAll
    static void stop() {
        server.stop();
    }

    record Route(Permission permission, String method, String template) {
        String path() {
            return template.replaceAll("\\{\\w+:([a-z.\\\\]+)\\|.*}", "$1")
                    .replace("\\", "")
                    .replace("{month}", "2026-03")
                    .replaceAll("\\{\\w+}", "X-1");
        }

        @Override
        public String toString() {
            return method + " " + template;
        }
    }

    static Stream<Route> routes() {
        return TABLE.stream().flatMap(line -> {
            var words = line.split(" ", -1);
            return Arrays.stream(words).skip(2).map(path -> new Route(Permission.valueOf(words[0]), words[1], path));
        });
    }

    @Test
    void coversEveryRouteThatThereIs() {
        var known = Stream.concat(routes().map(Route::toString), OPEN.stream()).collect(toSet());

        var routes = server.bean(Router.class)
                .uriRoutes()
                .map(route -> route.getHttpMethodName() + " " + route.getUriMatchTemplate())
                .filter(route -> !route.startsWith("HEAD "))
                .collect(toSet());

        assertThat(routes).isEqualTo(known);
    }

    @ParameterizedTest
    @MethodSource("routes")
    void answersWhoMayAndRefusesAllOthers(Route route) {
        assertThat(send(route).status()).isEqualTo(403);
        for (var role : Role.values()) {
            var answer = send(route, Grant.of(role));

            if (role.permissions().contains(route.permission())) {
                assertThat(answer.status()).as("%s", role).isNotEqualTo(403).isLessThan(500);
            } else {
                assertThat(answer.status()).as("%s", role).isEqualTo(403);
            }
        }
    }

    private static Answer send(Route route, Grant... grants) {
        var type = UPLOADS.contains(route.template())
                ? "multipart/form-data; boundary=form"
                : "application/x-www-form-urlencoded";
        var body = UPLOADS.contains(route.template()) ? "--form--\r\n" : "";
        var request = HttpRequest.newBuilder(server.address(route.path())).header("Accept", "text/html");
        Arrays.stream(grants).forEach(grant -> request.header(HeaderPrincipals.GRANT, grant.text()));
        return server.send(
                route.method().equals("GET")
                        ? request.GET()
                        : request.header("Content-Type", type).POST(BodyPublishers.ofString(body)));
    }

    @Test
    void saysWhatIsMissing() {
        var page = server.send("/operations", Map.of(HeaderPrincipals.GRANT, "VIEWER ALL"));

        assertThat(page.status()).isEqualTo(403);
        assertThat(page.html().title()).startsWith("You may not do that");
        assertThat(page.html().select("main").text()).contains("It takes the permission OPERATIONS_READ");
        assertThat(page.html().select("main a").attr("href")).isEqualTo("/");
    }

    /** Every role for everything, and each that can be limited for a part. */
    static Stream<Grant> grants() {
        return Stream.concat(
                Arrays.stream(Role.values()).map(Grant::of),
                Stream.of(
                                "VIEWER STORES#DE-0001",
                                "PRICING_EDITOR STORES#DE-0001",
                                "PRICING_APPROVER STORES#DE-0001",
                                "WORKER WORKER#printer-2",
                                "PARTNER AGENCY#acme",
                                "FAVORITES_CLIENT USER#user-2")
                        .map(Grant::parse));
    }

    @ParameterizedTest
    @MethodSource("grants")
    void leadsWhereTheGrantMayGoAndNowhereElse(Grant given) {
        var grant = Map.of(HeaderPrincipals.GRANT, given.text());

        var shown = server.send("/users", grant)
                .html()
                .select("nav[aria-label=Main] a")
                .eachAttr("href");

        assertThat(shown).isNotEmpty();
        for (var part : PARTS) {
            assertThat(server.send(part, grant).status() != 403).as(part).isEqualTo(shown.contains(part));
        }
        assertThat(server.send("/users", grant).html().select(".brand").attr("href"))
                .isEqualTo(shown.getFirst());
        var start = server.send("/", grant);
        assertThat(start.status()).isEqualTo(303);
        assertThat(start.header("Location")).isEqualTo(shown.getFirst());
        assertThat(start.header("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void leadsWhoMayGoNowhereToTheirAccount() {
        var start = server.send("/", Map.of(HeaderPrincipals.ID, "grace"));

        assertThat(start.status()).isEqualTo(303);
        assertThat(start.header("Location")).isEqualTo("/account");
    }

    @ParameterizedTest
    @MethodSource("grants")
    void offersNothingThatIsRefused(Grant given) {
        var grant = Map.of(HeaderPrincipals.GRANT, given.text());
        var tried = new HashSet<String>();
        for (var page : PAGES) {
            var answer = server.send(page, grant);
            if (answer.status() == 403) {
                continue;
            }
            assertThat(answer.status()).as(page).isEqualTo(200);
            var main = answer.html().expectFirst("main");
            for (var href : main.select("a[href^=/]").eachAttr("href")) {
                if (tried.add(href)) {
                    assertThat(server.send(href, grant).status())
                            .as(page + " leads to " + href)
                            .isNotEqualTo(403);
                }
            }
            for (var form : main.select("form[action]")) {
                var method = form.attr("method").toUpperCase(Locale.ROOT);
                var route = new Route(Permission.PRICES_READ, method, form.attr("action"));
                if (tried.add(route.toString())) {
                    assertThat(send(route, given).status())
                            .as(page + " sends to " + route)
                            .isNotEqualTo(403);
                }
            }
        }
    }

    @Test
    void leadsEverywhereWhoeverMayDoEverything() {
        var all = HttpRequest.newBuilder(server.address("/stores")).header("Accept", "text/html");
        Arrays.stream(Role.values())
                .forEach(role ->
                        all.header(HeaderPrincipals.GRANT, Grant.of(role).text()));

        assertThat(server.send(all).html().select("nav[aria-label=Main] a").eachAttr("href"))
                .isEqualTo(PARTS);
    }

    @Test
    void leavesWhoeverActsInHistory() {
        var asked = server.send(HttpRequest.newBuilder(server.address("/favorites/recounts"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header(HeaderPrincipals.GRANT, "OPERATOR ALL")
                .POST(BodyPublishers.ofString("mode=CHECK")));

        var recount = server.send(
                asked.header("Location").replaceFirst("[?].*", ""), Map.of(HeaderPrincipals.GRANT, "OPERATOR ALL"));

        assertThat(recount.html().text()).contains("grace");
    }
}
