package io.menuboard.webadmin.accounts;

import static io.menuboard.webadmin.pages.AccountsSample.NEW_PASSWORD;
import static io.menuboard.webadmin.pages.AccountsSample.PASSWORD;
import static io.menuboard.webadmin.pages.AccountsSample.STAFF;
import static io.menuboard.webadmin.pages.AccountsSample.userPage;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.access.Scope;
import io.menuboard.access.http.ClientAddress;
import io.menuboard.accounts.Account;
import io.menuboard.accounts.AccountId;
import io.menuboard.accounts.Accounts;
import io.menuboard.accounts.Sessions;
import io.menuboard.accounts.SignInResult;
import io.menuboard.accounts.SignIns;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.webadmin.pages.AccountsSample;
import io.menuboard.webadmin.pages.ListPages;
import io.menuboard.webadmin.pages.PagesServer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server sends about users, and what it does with them. What holds for every page is in {@code PagesTest}. */
class UserPagesTest {
    private static final String SCRIPT = "<script>alert(1)</script>";
    private static final String IMAGE = "\"><img src=x onerror=alert(1)>";
    private static final AccountsSample SAMPLE = AccountsSample.shared();

    /** Changed by tests, each of which has users of its own. */
    private static final PagesServer server = AccountsSample.emptyServer("user-pages");

    private static final AccountId ROOT =
            AccountsSample.add(server, "root", "Root", PASSWORD, Set.of(Grant.of(Role.ADMINISTRATOR)));

    @AfterAll
    static void stop() {
        server.stop();
    }

    @Test
    void listsUsersByUsernameBothWays() {
        ListPages.assertPagesBothWays(SAMPLE.server(), "/users?first=16");
        ListPages.assertAddressFollows(SAMPLE.server(), "/users?first=16");
        ListPages.assertLinksLeadSomewhere(SAMPLE.server(), SAMPLE.pages());

        var rows = SAMPLE.server().get("/users").html().select("tbody tr").eachText();
        assertThat(rows.getFirst())
                .isEqualTo("ada Ada Lovelace Viewer for the stores DE-0001, DE-0002 Billing Administrator Active");
        assertThat(rows).anyMatch(row -> row.startsWith("attack") && row.endsWith("Operator Must change password"));
        assertThat(rows).contains("nobody Without a password No roles No password", "was-here Left No roles Disabled");
    }

    @Test
    void exportsAllUsers() {
        var csv = SAMPLE.server().get("/users.csv");

        assertThat(csv.body().lines())
                .hasSize(1 + 4 + AccountsSample.MANY)
                .anyMatch(line -> line.contains(
                        "ada,Ada Lovelace,ADMINISTRATOR ALL; BILLING ALL; VIEWER STORES#DE-0001#DE-0002" + ",Active"));
        assertThat(csv.header("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void invitesToAddTheFirstUser() {
        var empty = AccountsSample.emptyServer("no-users");

        assertThat(empty.get("/users").html().select(".empty a").attr("href")).isEqualTo("/users/new");
        assertThat(empty.get("/tokens").html().select(".empty a").attr("href")).isEqualTo("/tokens/new");
        empty.stop();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/users", "/users/new", "/users/nobody", "/tokens", "/tokens/new", "/tokens/x/revoke"})
    void letsNobodyKeepThosePages(String page) {
        assertThat(server.get(page).header("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void addsAUserWhoMustChangeThePassword() {
        var answer = server.post(
                "/users",
                Map.of(
                        "username", "grace",
                        "name", "Grace Hopper",
                        "password", PASSWORD,
                        "role-VIEWER", "yes",
                        "role-OPERATOR", "yes"));

        assertThat(answer.status()).isEqualTo(303);
        var page = server.get(answer.header("Location")).html();
        assertThat(page.select(".alert-success").text()).contains("The user is added");
        assertThat(page.select("h1").text()).isEqualTo("grace");
        var added = find("grace");
        assertThat(added.grants()).isEqualTo(Set.of(Grant.of(Role.VIEWER), Grant.of(Role.OPERATOR)));
        assertThat(added.mustChangePassword()).isTrue();
        assertThat(server.bean(SignIns.class).signIn("grace", PASSWORD, ClientAddress.of("192.0.2.7"), "", null, null))
                .isInstanceOf(SignInResult.SignedIn.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
                    a b    | Somebody | correct horse battery | VIEWER | username | 400
                    ''     | Somebody | correct horse battery | VIEWER | username | 400
                    refused| a#b      | correct horse battery | VIEWER | name     | 400
                    refused| ''       | correct horse battery | VIEWER | name     | 400
                    refused| Somebody | short                 | VIEWER | password | 400
                    refused| Somebody | ''                    | VIEWER | password | 400
                    refused| Somebody | passwordpassword      | VIEWER | password | 400
                    refused| Somebody | correct horse battery | ROOT   | roles    | 400
                    ROOT   | Somebody | correct horse battery | VIEWER | username | 409
                    """)
    void saysBesideTheFieldWhatIsWrongAndAddsNobody(
            String username, String name, String password, String role, String field, int status) {
        var before = usernames();

        var answer = server.post(
                "/users", Map.of("username", username, "name", name, "password", password, "role-" + role, "yes"));

        assertThat(answer.status()).isEqualTo(status);
        var html = answer.html();
        assertThat(html.expectFirst("#" + field + "-error").text()).isNotBlank();
        assertThat(html.select(".field-error").eachText().stream().filter(text -> !text.isBlank()))
                .hasSize(1);
        assertThat(html.expectFirst("#username").val()).isEqualTo(username);
        assertThat(html.expectFirst("#password").hasAttr("value")).isFalse();
        assertThat(usernames()).isEqualTo(before);
    }

    @Test
    void namesEverythingThatIsWrongAtOnce() {
        var html = server.post("/users", Map.of("role-ROOT", "yes")).html();

        assertThat(html.expectFirst("#username-error").text()).isNotBlank();
        assertThat(html.expectFirst("#name-error").text()).isNotBlank();
        assertThat(html.expectFirst("#roles-error").text()).isNotBlank();
        assertThat(server.send(HttpRequest.newBuilder(server.address("/users"))
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .POST(BodyPublishers.noBody()))
                        .status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {SCRIPT, IMAGE})
    void showsMarkupInNamesAsText(String name) {
        var username = "markup-" + name.length();
        var refused = server.post("/users", Map.of("username", name, "name", name, "password", "short"));
        var added = server.post("/users", Map.of("username", username, "name", name, "password", PASSWORD));
        var id = find(username).id();

        assertThat(refused.status()).isEqualTo(400);
        assertThat(added.status()).isEqualTo(303);
        for (var body : List.of(
                refused.body(),
                server.get("/users").body(),
                server.get(userPage(id)).body(),
                server.get(userPage(id) + "/rename").body(),
                server.get(userPage(id) + "/disable").body())) {
            assertThat(body).contains("alert(1)").doesNotContain("<script>alert", "<img src=x");
        }
    }

    @Test
    void aFormAddsOneUserHoweverOftenItIsSent() {
        var key = server.get("/users/new").html().expectFirst("input[name=key]").val();
        var form = Map.of("key", key, "username", "twice", "name", "Twice", "password", PASSWORD, "role-VIEWER", "yes");

        var first = server.post("/users", form);
        var again = server.post("/users", form);
        var changed = new HashMap<>(form);
        changed.put("username", "thrice");
        var other = server.post("/users", changed);

        assertDone(first, "The user is added.");
        assertThat(again.status()).isEqualTo(303);
        assertThat(again.header("Location")).isEqualTo(first.header("Location"));
        assertThat(server.bean(AuditTrail.class)
                        .bySubject("ACCOUNT#" + find("twice").id(), PageRequest.forward(100, null))
                        .nodes())
                .hasSize(1);
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.html().expectFirst("#username-error").text()).contains("Send it again to add this one too");
        assertThat(usernames()).contains("twice").doesNotContain("thrice");
        changed.put("key", other.html().expectFirst("input[name=key]").val());
        assertThat(server.post("/users", changed).status()).isEqualTo(303);
    }

    @Test
    void aFormWhoseUsernameWasTakenAddsAnotherOne() {
        add("taken", Set.of());
        var form = new HashMap<>(Map.of("key", "form-taken", "username", "taken", "name", "A", "password", PASSWORD));

        var refused = server.post("/users", form);
        form.put("username", "free");
        form.put("key", refused.html().expectFirst("input[name=key]").val());

        assertThat(refused.status()).isEqualTo(409);
        assertDone(server.post("/users", form), "The user is added.");
    }

    @Test
    void showsWhatAUserMayDoAndWhereItIsSignedIn() {
        var html = SAMPLE.server().get(userPage(SAMPLE.active())).html();

        assertThat(html.select("main").text())
                .contains("Viewer for the stores DE-0001, DE-0002", "For this part only.", "Records transactions");
        assertThat(html.select("table[aria-label^=Sessions] tbody tr").eachText())
                .hasSize(2)
                .allMatch(row -> row.contains("Firefox on Linux") && row.contains("192.0.2.7"));
        assertThat(html.select("table[aria-label^=Sign-ins] tbody tr").eachText())
                .hasSize(2)
                .allMatch(row -> row.endsWith("192.0.2.7 Firefox on Linux Signed in"));
        assertThat(html.select("#audit-trail").attr("href")).isEqualTo("/audit?subject=ACCOUNT%23" + SAMPLE.active());
        assertThat(html.select("#enable")).isEmpty();
    }

    @Test
    void saysWhereThereIsNoSuchUser() {
        for (var page : List.of("/users/01JD8X0000000000007Q3FK2ZB", "/users/01JD8X0000000000007Q3FK2ZB/disable")) {
            assertThat(server.get(page).status()).isEqualTo(404);
            assertThat(server.get(page).html().text()).contains("There is no user with the id", "All users");
        }
        assertThat(server.post("/users/01JD8X0000000000007Q3FK2ZB/rename", Map.of("name", "x"))
                        .status())
                .isEqualTo(404);
        assertThat(server.get("/users/nobody").status()).isEqualTo(400);
        assertThat(server.get(userPage(ROOT) + "/delete").status()).isEqualTo(404);
    }

    @Test
    void renames() {
        var id = add("renamed", Set.of());

        var refused = server.post(userPage(id) + "/rename", Map.of("name", "a#b"));
        var done = server.post(userPage(id) + "/rename", Map.of("name", "  Another name "));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.html().expectFirst("#name").val()).isEqualTo("a#b");
        assertThat(refused.html().expectFirst("#name-error").text()).isNotBlank();
        assertDone(done, "The user is renamed.");
        assertThat(find("renamed").name()).isEqualTo("Another name");
    }

    @Test
    void changesRolesAndWhatTheyAreLimitedToAndKeepsThoseOfALaterVersion() {
        var acme = new Grant(Role.PARTNER, new Scope.Only(Scope.Kind.AGENCY, "acme"));
        var bolt = new Grant(Role.PARTNER, new Scope.Only(Scope.Kind.AGENCY, "bolt & sons"));
        var id = add("roles", Set.of(Grant.of(Role.VIEWER), acme, bolt));
        var key = new Key("ACCOUNT#" + id, "META");
        var unknown = "SOMMELIER CELLAR#7";
        server.bean(QueryDb.class)
                .update(
                        Update.of(key).set("grants", List.of("VIEWER ALL", acme.text(), bolt.text(), unknown)),
                        _ -> true);
        var form = server.get(userPage(id) + "/roles").html();
        var before = form.expectFirst("input[name=before]").val();
        assertThat(before).contains("acme\nbolt & sons");

        var done = server.post(
                userPage(id) + "/roles",
                Map.of(
                        "before", before.replace("\n", "\r\n"), // as browsers send it
                        "role-BILLING", "yes",
                        "role-PARTNER", "yes",
                        "only-PARTNER", " acme\r\n\r\n",
                        "role-PRICING_EDITOR", "yes",
                        "only-PRICING_EDITOR", "DE-0001\nDE-0002"));

        assertThat(form.select("#role-VIEWER").hasAttr("checked")).isTrue();
        assertThat(form.select("#only-VIEWER").val()).isEmpty();
        assertThat(form.select("#only-PARTNER").val()).isEqualTo("acme\nbolt & sons");
        assertThat(form.select("#only-BILLING")).isEmpty();
        assertDone(done, "The roles are changed.");
        var stores = new Grant(Role.PRICING_EDITOR, new Scope.Stores(Set.of("DE-0001", "DE-0002")));
        assertThat(find("roles").grants()).isEqualTo(Set.of(Grant.of(Role.BILLING), acme, stores));
        assertThat(server.get(userPage(id)).html().select("main").text())
                .contains(
                        "Partner for the agency acme",
                        "Pricing editor for the stores DE-0001, DE-0002",
                        "And 1 role of a newer version");
        assertThat(server.bean(QueryDb.class)
                        .get(key, Consistency.STRONG)
                        .orElseThrow()
                        .strings("grants"))
                .contains(unknown);

        var again = server.post(
                userPage(id) + "/roles",
                Map.of(
                        "before",
                        before,
                        "role-BILLING",
                        "yes",
                        "role-PARTNER",
                        "yes",
                        "only-PARTNER",
                        "acme",
                        "role-PRICING_EDITOR",
                        "yes",
                        "only-PRICING_EDITOR",
                        "DE-0001\nDE-0002"));
        assertThat(again.header("Location")).endsWith("?did=roles");

        var late = server.post(userPage(id) + "/roles", Map.of("before", before, "role-OPERATOR", "yes"));
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.html().select(".alert-error").text()).contains("Somebody else has changed the roles");
        assertThat(late.html().select("#role-BILLING").hasAttr("checked")).isTrue();
        assertThat(find("roles").grants()).isEqualTo(Set.of(Grant.of(Role.BILLING), acme, stores));
    }

    @Test
    void saysThatThereAreRolesOfALaterVersionWhereThereAreNoOthers() {
        var id = add("sommelier", Set.of());
        assertThat(server.get(userPage(id)).html().text()).doesNotContain("of a newer version");

        server.bean(QueryDb.class)
                .update(
                        Update.of(new Key("ACCOUNT#" + id, "META"))
                                .set("grants", List.of("SOMMELIER ALL", "SOMMELIER CELLAR#7")),
                        _ -> true);

        assertThat(server.get(userPage(id))
                        .html()
                        .select("section[aria-labelledby=roles-title]")
                        .text())
                .contains("2 roles of a newer version")
                .doesNotContain("No roles", "And");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    role-ROOT    |              |      | roles
                    role-BILLING | only-BILLING | acme | roles
                    role-PARTNER | only-PARTNER | a#b  | only-PARTNER
                    role-BILLING | only-PARTNER | acme | only-PARTNER
                    """)
    void saysBesideTheFieldWhatIsWrongWithRolesAndChangesNone(
            String role, @Nullable String only, @Nullable String ids, String field) {
        var username = "limits-" + role.hashCode() + "-" + field.hashCode();
        var id = add(username, Set.of(Grant.of(Role.VIEWER)));
        var fields = new HashMap<>(Map.of(role, "yes"));
        if (only != null && ids != null) {
            fields.put(only, ids);
        }

        var answer = server.post(userPage(id) + "/roles", fields);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.html().expectFirst("#" + field + "-error").text()).isNotBlank();
        assertThat(answer.html().select("#only-PARTNER").val()).isEqualTo(field.equals("roles") ? "" : ids);
        assertThat(find(username).grants()).isEqualTo(Set.of(Grant.of(Role.VIEWER)));
    }

    @Test
    void resetsThePasswordAndEndsSessions() {
        var id = add("forgetful", Set.of());
        AccountsSample.signIn(server, "forgetful", PASSWORD, null);

        var refused = server.post(userPage(id) + "/password", Map.of("password", "forgetful"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.html().expectFirst("#password-error").text()).isNotBlank();
        assertThat(sessions(id)).hasSize(1);

        var form = Map.of("before", before(id, "password"), "password", NEW_PASSWORD);
        assertDone(server.post(userPage(id) + "/password", form), "The password is reset.");
        assertThat(sessions(id)).isEmpty();
        var again = server.post(userPage(id) + "/password", form);
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.html().select(".alert-error").text()).contains("The password was changed meanwhile");
        assertThat(find("forgetful").mustChangePassword()).isTrue();
        AccountsSample.signIn(server, "forgetful", NEW_PASSWORD, null);
    }

    @Test
    void asksBeforeItDisablesAndEnablesAgain() {
        var id = add("leaving", Set.of());
        AccountsSample.signIn(server, "leaving", PASSWORD, null);

        var question = server.get(userPage(id) + "/disable").html();
        assertThat(question.select("h1").text()).isEqualTo("Disable leaving?");
        assertThat(question.text()).contains("tokens that the user made and webhooks that the user registered go on");
        assertThat(question.select("button.button-danger").text()).isEqualTo("Disable the user");
        assertThat(find("leaving").disabled()).isFalse();

        assertDone(server.post(userPage(id) + "/disable", Map.of()), "The user is disabled");
        assertThat(find("leaving").disabled()).isTrue();
        assertThat(server.get(userPage(id)).html().text()).contains("Signed in nowhere.");
        assertDone(server.post(userPage(id) + "/enable", Map.of()), "The user is enabled.");
        assertThat(find("leaving").disabled()).isFalse();
        assertThat(server.get(userPage(id) + "?did=disable").html().select(".alert-success"))
                .as("what is not so any more")
                .isEmpty();
    }

    @Test
    void aFormToEnableLetsNobodyInWhoWasDisabledAgain() {
        var id = add("dismissed", Set.of());
        server.post(userPage(id) + "/disable", Map.of());
        var form = Map.of("before", before(id, "enable"));
        assertDone(server.post(userPage(id) + "/enable", form), "The user is enabled.");
        assertThat(server.post(userPage(id) + "/enable", form).status())
                .as("sent twice")
                .isEqualTo(303);
        server.post(userPage(id) + "/disable", Map.of());

        var late = server.post(userPage(id) + "/enable", form);

        assertThat(late.status()).isEqualTo(409);
        assertThat(late.html().select(".alert-error").text())
                .contains("Nothing was changed", "Somebody else has disabled the user again");
        assertThat(find("dismissed").disabled()).isTrue();
        assertDone(
                server.post(userPage(id) + "/enable", Map.of("before", before(id, "enable"))), "The user is enabled.");
    }

    @Test
    void aFormOfRolesGivesNoneBackThatWereTakenAwaySince() {
        var id = add("demoted", Set.of(Grant.of(Role.VIEWER)));
        var form = Map.of("before", before(id, "roles"), "role-OPERATOR", "yes");
        assertDone(server.post(userPage(id) + "/roles", form), "The roles are changed.");
        var taken = Map.of("before", before(id, "roles"), "role-VIEWER", "yes");
        assertDone(server.post(userPage(id) + "/roles", taken), "The roles are changed.");

        var late = server.post(userPage(id) + "/roles", form);

        assertThat(late.status()).isEqualTo(409);
        assertThat(find("demoted").grants()).isEqualTo(Set.of(Grant.of(Role.VIEWER)));
    }

    /** What a form knows of the user that it is about. */
    private static String before(AccountId id, String action) {
        return server.get(userPage(id) + "/" + action)
                .html()
                .expectFirst("input[name=before]")
                .val();
    }

    @Test
    void keepsTheLastAdministrator() {
        for (var action : List.of("disable", "roles")) {
            var answer = server.post(userPage(ROOT) + "/" + action, Map.of());

            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.html().select(".alert-error").text())
                    .contains("Nothing was changed", "the last user who can sign in and manage users");
        }
        assertThat(find("root").disabled()).isFalse();
        assertThat(find("root").grants()).isEqualTo(Set.of(Grant.of(Role.ADMINISTRATOR)));
    }

    @Test
    void endsOneSessionWithoutTellingItsSecret() {
        var id = add("visitor", Set.of());
        var first = AccountsSample.signIn(server, "visitor", PASSWORD, null).begun();
        var second = AccountsSample.signIn(server, "visitor", PASSWORD, null).begun();
        var page = server.get(userPage(id));
        var forms = page.html().select("form[action*=/sessions/]").eachAttr("action");

        assertThat(forms).hasSize(2);
        assertThat(page.body()).doesNotContain(first.secret(), second.secret());
        assertThat(server.post(userPage(id) + "/sessions/" + first.secret() + "/end", Map.of())
                        .status())
                .isEqualTo(409);
        assertThat(sessions(id)).hasSize(2);
        assertDone(server.post(forms.getFirst(), Map.of()), "The session has ended.");
        assertThat(sessions(id)).hasSize(1);
        var again = server.post(forms.getFirst(), Map.of());
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.html().select(".alert-error").text()).contains("has ended already");
    }

    @Test
    void showsSoManySessionsAndSaysThatThereAreMore() {
        var id = add("scripted", Set.of());
        var now = server.now();
        var sessions = IntStream.rangeClosed(0, Sessions.MOST_LISTED)
                .mapToObj(i -> Item.at(new Key("ACCOUNT#" + id, "SESSION#1#%064x".formatted(i)))
                        .type("session")
                        .number("credentialVersion", 1)
                        .number("createdAt", now.toEpochMilli())
                        .string("address", "192.0.2.7")
                        .string("userAgent", "")
                        .ttl(now.plus(Duration.ofHours(1)))
                        .build())
                .map(item -> new Save(item, SaveMode.INIT))
                .toList();
        server.bean(QueryDb.class).saveBatch(sessions).orThrow();

        var page = server.get(userPage(id)).html();

        assertThat(page.select("form[action*=/sessions/]")).hasSize(200);
        assertThat(page.text()).contains("More than 200 sessions; only 200 of them are shown.");
        assertThat(page.select("#sessions").text()).isEqualTo("End all sessions");
        server.bean(QueryDb.class).delete(sessions.getFirst().item().key());
        assertThat(server.get(userPage(id)).html().text()).doesNotContain("More than 200 sessions");
    }

    @Test
    void endsAllSessions() {
        var id = add("everywhere", Set.of());
        var session = AccountsSample.signIn(server, "everywhere", PASSWORD, null)
                .begun()
                .session();
        AccountsSample.signIn(server, "everywhere", PASSWORD, null);

        assertDone(server.post(userPage(id) + "/sessions", Map.of()), "All sessions have ended.");

        assertThat(sessions(id)).isEmpty();
        assertThat(server.bean(Sessions.class).current(session.key())).isEmpty();
    }

    private static void assertDone(PagesServer.Answer answer, String notice) {
        assertThat(answer.status()).isEqualTo(303);
        assertThat(server.get(answer.header("Location"))
                        .html()
                        .select(".alert-success")
                        .text())
                .contains(notice);
    }

    private static AccountId add(String username, Set<Grant> grants) {
        return AccountsSample.add(server, username, "Somebody", PASSWORD, grants);
    }

    private static List<?> sessions(AccountId id) {
        return server.bean(Sessions.class).list(STAFF, id).sessions();
    }

    private static Account find(String username) {
        return all().stream()
                .filter(account -> account.username().value().equals(username))
                .findFirst()
                .flatMap(account -> server.bean(Accounts.class).find(STAFF, account.id()))
                .orElseThrow();
    }

    private static List<String> usernames() {
        return all().stream().map(account -> account.username().value()).toList();
    }

    private static List<Account> all() {
        return server.bean(Accounts.class)
                .list(STAFF, PageRequest.forward(100, null))
                .nodes();
    }
}
