package io.menuboard.webadmin.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.accounts.Account;
import io.menuboard.accounts.AccountResult;
import io.menuboard.accounts.Accounts;
import io.menuboard.accounts.Tokens;
import io.menuboard.accounts.Username;
import io.menuboard.webadmin.pages.PagesServer;
import io.menuboard.webadmin.pages.PagesServer.Answer;
import io.micronaut.web.router.Router;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignInPagesTest {
    private static final String FIRST = "correct horse battery";
    private static final String OWN = "staple battery horse";
    private static final Access ADMINISTRATOR = Access.ofCommandLine("test");
    private static final Set<String> OPEN = Set.of(
            "/price-packs/keys.json",
            "/assets/{version}/{name}",
            "/sign-in",
            "/broken",
            "/broken/template",
            "/broken/unanswered");
    private static final Pattern COOKIE = Pattern.compile("menuboard=([^;]*);.*");

    private static final Pattern FORM_COOKIE = Pattern.compile("(?i)set-cookie: (__Host-menuboard-form=[0-9a-f]{64});");
    private static final Pattern FORM_TOKEN = Pattern.compile("name=\"csrfToken\" value=\"([^\"]+)\"");

    private static final Map<String, Object> SETTINGS = Map.of(
            "menuboard.sign-in",
            true,
            "menuboard.administrator.password",
            FIRST,
            "menuboard.accounts.hash-memory-kib",
            64,
            "menuboard.accounts.hash-iterations",
            1);

    private static final PagesServer server =
            PagesServer.start("sign-in", SETTINGS, PagesServer.REPORTS, PagesServer.EVENT_BUS);

    @AfterAll
    static void stop() {
        server.stop();
    }

    static Stream<String> routes() {
        return server.bean(Router.class)
                .uriRoutes()
                .filter(route -> !OPEN.contains(route.getUriMatchTemplate().toString()))
                .map(route -> route.getHttpMethodName() + " "
                        + route.getUriMatchTemplate()
                                .toString()
                                .replaceAll("\\{\\w+:([a-z.\\\\]+)\\|.*}", "$1")
                                .replace("\\", "")
                                .replaceAll("\\{\\w+}", "X-1"))
                .distinct();
    }

    @Test
    void opensNoRouteToNobody() {
        var asked = routes().toList();

        assertThat(asked)
                .hasSizeGreaterThan(100)
                .contains("GET /stores", "GET /users", "POST /graphql", "POST /account/sign-out");
        for (var route : asked) {
            var words = route.split(" ", 2);
            var request = HttpRequest.newBuilder(server.address(words[1])).header("Accept", "text/html");
            var body = words[0].equals("GET") || words[0].equals("HEAD")
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString("a=b");
            var answer = server.send(request.method(words[0], body));
            if (answer.status() == 303) {
                assertThat(answer.header("Location")).as(route).startsWith("/sign-in");
            } else {
                assertThat(answer.status()).as(route).isEqualTo(401);
            }
        }
    }

    @Test
    void leadsToTheWayInAndBack() {
        var account = create("ada", Role.VIEWER);

        var asked = server.get("/stores?search=a%20b");

        assertThat(asked.status()).isEqualTo(303);
        assertThat(asked.header("Location")).isEqualTo("/sign-in?to=%2Fstores%3Fsearch%3Da%2520b");
        var form = server.get(asked.header("Location"));
        assertThat(form.header("Cache-Control")).isEqualTo("no-store");
        assertThat(form.html().select("nav")).isEmpty();
        var to = form.html().select("input[name=to]").attr("value");
        assertThat(to).isEqualTo("/stores?search=a%20b");
        var first = signIn("ada", FIRST, to);
        assertThat(first.header("Location")).isEqualTo("/account/password");
        assertThat(first.header("Set-Cookie")).containsIgnoringCase("HttpOnly").contains("SameSite=Lax", "Path=/");
        assertThat(page("/stores", cookie(first)).header("Location")).isEqualTo("/account/password");
        var cookie = changePassword(cookie(first));
        var stores = page("/stores", cookie);
        assertThat(stores.status()).isEqualTo(200);
        assertThat(stores.header("Cache-Control")).isEqualTo("no-store");
        assertThat(stores.html().select("form.viewer a").text()).isEqualTo("ada");
        assertThat(page("/users", cookie).status()).isEqualTo(403);
        assertThat(signIn("ada", OWN, to).header("Location")).isEqualTo(to);
        assertThat(account.hasPassword()).isTrue();
    }

    @Test
    void saysTheSameOfUnknownNamesAndWrongPasswords() {
        create("grace", Role.VIEWER);

        var wrong = signIn("grace", "wrong wrong wrong", "/stores");
        var unknown = signIn("nobody", "wrong wrong wrong", "/stores");

        assertThat(wrong.status()).isEqualTo(401);
        assertThat(wrong.header("Set-Cookie")).isEmpty();
        assertThat(unknown.status()).isEqualTo(401);
        assertThat(withoutToken(unknown)).isEqualTo(withoutToken(wrong).replace("grace", "nobody"));
    }

    private static String withoutToken(Answer answer) {
        return answer.body().replaceFirst("name=\"csrfToken\" value=\"[^\"]+\"", "");
    }

    @Test
    void throttlesGuessesAndSaysHowLong() {
        create("hopper", Role.VIEWER);
        for (var i = 0; i < 5; i++) {
            signIn("hopper", "wrong wrong wrong", "/stores");
        }

        var right = signIn("hopper", FIRST, "/stores");

        assertThat(right.status()).isEqualTo(429);
        assertThat(right.header("Retry-After")).isNotEmpty();
    }

    @Test
    void throttlesGuessesOfWhoeverChangesAPasswordAndSaysHowLong() {
        create("germain", Role.VIEWER);
        var cookie = cookie(signIn("germain", FIRST, "/stores"));
        var form = "old=wrong&password=" + PagesServer.encoded(OWN);

        // After five it has to wait for a second, and for twice as long each time that it comes too late for that.
        var refused = Stream.generate(() -> post("/account/password", cookie, form))
                .limit(20)
                .filter(answer -> answer.status() == 429)
                .findFirst();

        assertThat(refused).hasValueSatisfying(answer -> {
            assertThat(answer.header("Retry-After")).isNotEmpty();
            // Perhaps none of them was wrong: others of the same network may have taken all places.
            assertThat(answer.html().select("#old-error").text())
                    .startsWith("Was not looked at: too many attempts. Wait ");
        });
    }

    @Test
    void goesOnlyWhereThisSiteIs() {
        for (var to : new String[] {
            "https://evil.example/",
            "//evil.example",
            "/\\evil.example",
            "javascript:alert(1)",
            "",
            "/sign-in?to=/sign-in"
        }) {
            var form = server.get("/sign-in?to=" + PagesServer.encoded(to));

            assertThat(form.html().select("input[name=to]").attr("value"))
                    .as(to)
                    .isEqualTo("/");
        }
    }

    @Test
    void namesItsCookieForTlsUnderEveryOtherName() {
        create("turing", Role.VIEWER);
        // The client of the JDK sets Host by itself.
        var head = " /sign-in HTTP/1.1\r\nHost: prices.example.com\r\nConnection: close\r\n";
        var page = RawRequest.send(server.address("/sign-in"), "GET" + head + "\r\n");
        var cookie = FORM_COOKIE.matcher(page);
        var token = FORM_TOKEN.matcher(page);
        assertThat(cookie.find() && token.find()).isTrue();
        var form = "username=turing&password=" + PagesServer.encoded(FIRST) + "&csrfToken=" + token.group(1);

        var answer = RawRequest.send(
                server.address("/sign-in"),
                "POST" + head + "Cookie: " + cookie.group(1)
                        + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: " + form.length()
                        + "\r\n\r\n"
                        + form);

        assertThat(answer.toLowerCase(Locale.ROOT))
                .contains("set-cookie: __host-menuboard=")
                .contains("secure");
    }

    @ParameterizedTest
    @ValueSource(strings = {"7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "ZZZZZZZZZZZZZZZZZZZZZZZZZZ"})
    void aCookieThatWeDidNotMakeIsNone(String account) {
        var madeUp = account + ".1." + "0".repeat(64);

        assertThat(page("/sign-in", madeUp).status()).isEqualTo(200);
        assertThat(page("/stores", madeUp).header("Location")).startsWith("/sign-in");
    }

    @Test
    void endsSessionsElsewhereWithThePasswordAndHereByHand() {
        create("lovelace", Role.VIEWER);
        var elsewhere = cookie(signIn("lovelace", FIRST, "/stores"));
        var before = cookie(signIn("lovelace", FIRST, "/stores"));
        var here = changePassword(before);

        assertThat(page("/account", here).status()).isEqualTo(200);
        var version = here.split("\\.", -1)[1];
        assertThat(page("/account", before.replaceFirst("\\.[0-9]+\\.", "." + version + "."))
                        .header("Location"))
                .as("the session of before, with the version of now")
                .startsWith("/sign-in");
        assertThat(page("/account", elsewhere).header("Location")).startsWith("/sign-in");

        var third = cookie(signIn("lovelace", OWN, "/stores"));
        var account = page("/account", here).html();
        assertThat(account.html()).doesNotContain(third.split("\\.", -1)[2]);
        assertThat(account.select("form[action^=/account/sessions] button").text())
                .matches("Sign out .+, signed in since [0-9-]+ [0-9:]{8} UTC");
        var end = account.select("form[action^=/account/sessions]").attr("action");
        assertThat(post(end, here, "").header("Location")).isEqualTo("/account?did=ended");
        assertThat(page("/account", third).header("Location")).startsWith("/sign-in");
        var again = post(end, here, "");
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.html().select("h1").text()).isEqualTo("Your account");
        assertThat(again.html().select("[role=alert]").text())
                .isEqualTo("Nothing was changed That browser is signed out already.");

        var out = post("/account/sign-out", here, "");
        assertThat(out.header("Set-Cookie")).contains("Max-Age=0");
        assertThat(page("/account", here).header("Location")).startsWith("/sign-in");
    }

    @Test
    void endsTheSessionOfTheBrowserInWhichSomebodySignsInAgain() {
        create("noether", Role.VIEWER);
        var first = changePassword(cookie(signIn("noether", FIRST, "/stores")));

        var again = post("/sign-in", first, "username=noether&password=" + PagesServer.encoded(OWN));

        assertThat(page("/account", first).header("Location")).startsWith("/sign-in");
        assertThat(page("/account", cookie(again)).html().select("table[aria-label^=Browsers] tbody tr"))
                .hasSize(1);
    }

    @Test
    void refusesPasswordsThatDoNotFit() {
        create("hamilton", Role.VIEWER);
        var cookie = cookie(signIn("hamilton", FIRST, "/stores"));

        var wrong = post("/account/password", cookie, "old=wrong&password=" + PagesServer.encoded(OWN));
        var tooShort = post("/account/password", cookie, "old=" + PagesServer.encoded(FIRST) + "&password=short");

        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.html().select("#old-error").text()).isEqualTo("Is not your password");
        assertThat(tooShort.html().select("#password-error").text()).isEqualTo("Must have 12 to 128 characters");
        assertThat(page("/stores", cookie).header("Location")).isEqualTo("/account/password");
    }

    @Test
    void tellsWhoSendsAChangeOfPasswordAgainThatItMayBeDone() {
        create("franklin", Role.VIEWER);
        var here = cookie(signIn("franklin", FIRST, "/stores"));
        // One that this instance has not looked up, as another one does not know the first.
        var unknown = cookie(signIn("franklin", FIRST, "/stores"));
        changePassword(here);

        var form = "old=" + PagesServer.encoded(FIRST) + "&password=" + PagesServer.encoded(OWN);
        var again = List.of(post("/account/password", here, form), post("/account/password", unknown, form));

        assertThat(again.getLast().status()).isEqualTo(401);
        assertThat(again).allSatisfy(answer -> assertThat(answer.html().text())
                .doesNotContain("Nothing was changed")
                .doesNotContainIgnoringCase("is not your password")
                .containsIgnoringCase("if you sent")
                .contains("new password"));
    }

    @Test
    void tellsWhoHasToChooseAPasswordThatThatComesFirst() {
        create("meitner", Role.OPERATOR);
        var cookie = cookie(signIn("meitner", FIRST, "/stores"));

        var refused = post("/favorites/recounts", cookie, "mode=CHECK");

        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.html().title()).startsWith("Change your password first");
        assertThat(refused.html().select("main a[target=_blank]").attr("href")).isEqualTo("/account/password");
    }

    @Test
    void tellsFormsAndFragmentsThatTheSessionIsOver() {
        var form = post("/favorites/recounts", "X", "mode=CHECK");
        var fragment = server.send("/stores", Map.of("HX-Request", "true", "HX-Current-URL", "http://x/tasks?a=b"));

        assertThat(form.status()).isEqualTo(401);
        assertThat(form.html().title()).startsWith("You are signed out");
        assertThat(form.html().select("main a[target=_blank]").attr("href"))
                .isEqualTo("/sign-in?to=%2Ffavorites%2Frecounts");
        assertThat(fragment.status()).isEqualTo(401);
        assertThat(fragment.header("HX-Redirect")).isEqualTo("/sign-in?to=%2Ftasks%3Fa%3Db");
    }

    @Test
    void tellsFormsWithFilesThatTheyCannotBeSentAgain() {
        var form = server.send(HttpRequest.newBuilder(server.address("/imports"))
                .header("Accept", "text/html")
                .header("Cookie", "menuboard=X")
                .header("Content-Type", "multipart/form-data; boundary=b")
                .POST(BodyPublishers.ofString("--b--\r\n")));

        assertThat(form.status()).isEqualTo(401);
        assertThat(form.html().select("main").text())
                .contains("the files that you chose cannot be sent again from here");
    }

    @Test
    void takesTokensUntilTheyAreRevoked() {
        var tokens = server.bean(Tokens.class);
        var token = tokens.create(
                ADMINISTRATOR,
                "till",
                Set.of(Grant.of(Role.VIEWER)),
                server.now().plus(1, ChronoUnit.DAYS));

        var known = client("/stores.csv", "Bearer " + token.text());
        var forged = client("/stores.csv", "Bearer " + token.text().replaceFirst(".{4}$", "0000"));
        var other = client("/stores.csv", "Basic YTpi");

        assertThat(known.status()).isEqualTo(200);
        assertThat(forged.header("Location")).startsWith("/sign-in");
        assertThat(other.header("Location")).startsWith("/sign-in");
        tokens.revoke(ADMINISTRATOR, token.token().id());
        assertThat(client("/stores.csv", "Bearer " + token.text()).header("Location"))
                .startsWith("/sign-in");
    }

    @Test
    void letsInWhoSignedInHereBeforeWhateverStrangersTry() {
        create("boole", Role.VIEWER);
        var known = signIn("boole", FIRST, "/stores").http().headers().allValues("Set-Cookie").stream()
                .filter(cookie -> cookie.startsWith("menuboard-browser="))
                .findFirst()
                .orElseThrow();
        assertThat(known).contains("Max-Age=15552000", "Path=/", "SameSite=Lax").containsIgnoringCase("HttpOnly");
        for (var i = 0; i < 5; i++) {
            assertThat(signIn("boole", OWN, "/stores").status()).isEqualTo(401);
        }
        assertThat(signIn("boole", FIRST, "/stores").status()).isEqualTo(429);

        var form = server.get("/sign-in").header("Set-Cookie");
        var again = post(
                "/sign-in",
                String.join("; ", "none", form.replaceFirst(";.*", ""), known.replaceFirst(";.*", "")),
                "username=boole&password=" + PagesServer.encoded(FIRST));

        assertThat(again.header("Location")).isEqualTo("/account/password");
    }

    @Test
    void makesTheFirstAdministrator() {
        var answer = signIn("administrator", FIRST, "/stores");

        assertThat(answer.header("Location")).isEqualTo("/account/password");
    }

    @Test
    void isNotSwitchedOffWhereOthersCanReachIt() {
        var open = Map.<String, Object>of("menuboard.sign-in", false, "micronaut.server.host", "0.0.0.0");

        assertThatThrownBy(() -> PagesServer.start("sign-in-off", open))
                .hasStackTraceContaining("menuboard.sign-in=false opens everything to everybody");
    }

    private static Account create(String username, Role role) {
        var done = server.bean(Accounts.class)
                .create(ADMINISTRATOR, new Username(username), username, FIRST, Set.of(Grant.of(role)));
        return ((AccountResult.Done) done).account();
    }

    private static Answer signIn(String username, String password, String to) {
        return server.post("/sign-in", Map.of("username", username, "password", password, "to", to));
    }

    /** The cookie that then goes on. */
    private static String changePassword(String cookie) {
        var changed = post(
                "/account/password",
                cookie,
                "old=" + PagesServer.encoded(FIRST) + "&password=" + PagesServer.encoded(OWN));
        assertThat(changed.header("Location")).isEqualTo("/account?did=password");
        return cookie(changed);
    }

    private static String cookie(Answer answer) {
        var set = COOKIE.matcher(answer.header("Set-Cookie"));
        assertThat(set.matches()).as(answer.header("Set-Cookie")).isTrue();
        return set.group(1);
    }

    private static Answer page(String path, String cookie) {
        return server.send(path, Map.of("Cookie", "menuboard=" + cookie));
    }

    private static Answer client(String path, String authorization) {
        return server.send(path, Map.of("Authorization", authorization));
    }

    private static Answer post(String path, String cookie, String form) {
        return server.send(HttpRequest.newBuilder(server.address(path))
                .header("Accept", "text/html")
                .header("Cookie", "menuboard=" + cookie)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form)));
    }
}
