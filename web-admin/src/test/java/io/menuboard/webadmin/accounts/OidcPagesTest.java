package io.menuboard.webadmin.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jwt.JWTClaimsSet;
import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.access.Scope;
import io.menuboard.accounts.Account;
import io.menuboard.accounts.Accounts;
import io.menuboard.accounts.oidc.OpenIdConnect;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.webadmin.accounts.StandInIssuer.Signing;
import io.menuboard.webadmin.pages.AccountsSample;
import io.menuboard.webadmin.pages.PagesServer;
import io.menuboard.webadmin.pages.PagesServer.Answer;
import io.micronaut.web.router.Router;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** From the sign-in page to an issuer and back, as a browser goes. */
class OidcPagesTest {
    private static final String GRANTS = """
            pricing-berlin: PRICING_EDITOR STORES#DE-0001#DE-0002
            viewers: VIEWER ALL
            admins: ADMINISTRATOR ALL
            """;
    private static final PageRequest PAGE = PageRequest.forward(100, null);

    private static final StandInIssuer issuer = StandInIssuer.start();
    private static final PagesServer server = PagesServer.start("oidc", settings(issuer));

    private final PagesBrowser browser = new PagesBrowser(server);

    @AfterAll
    static void stop() {
        server.stop();
        issuer.close();
    }

    @BeforeEach
    void letIn() {
        issuer.letIn("ada-1", "Ada Lovelace", "ada", "viewers");
    }

    private static Map<String, Object> settings(StandInIssuer issuer) {
        return Map.of(
                "menuboard.sign-in",
                true,
                "menuboard.accounts.hash-memory-kib",
                64,
                "menuboard.accounts.hash-iterations",
                1,
                "menuboard.oidc.issuer",
                issuer.address(),
                "menuboard.oidc.client-id",
                StandInIssuer.CLIENT,
                "menuboard.oidc.client-secret",
                StandInIssuer.SECRET,
                "menuboard.oidc.name",
                "Example ID",
                "menuboard.oidc.roles-claim",
                "realm_access.roles",
                "menuboard.oidc.grants",
                GRANTS);
    }

    @Test
    void leadsThereAndBackToWhereThePersonWantedToGo() {
        var page = browser.get("/sign-in?to=%2Fstores%3Fsearch%3Da%2520b").html();
        var link = page.select("#issuer");
        assertThat(link.text()).isEqualTo("Sign in with Example ID");
        assertThat(page.select("#password")).isNotEmpty();

        var there = browser.get(link.attr("href"));
        assertThat(there.status()).isEqualTo(303);
        assertThat(there.header("Location")).startsWith(issuer.address() + "/authorize?");
        assertThat(there.header("Cache-Control")).isEqualTo("no-store");
        assertThat(there.header("Set-Cookie"))
                .containsIgnoringCase("HttpOnly")
                .contains("menuboard-issuer=", "SameSite=Lax", "Path=/", "Max-Age=600");
        var back = issuer.follow(browser, there.header("Location"));
        assertThat(back.toString())
                .startsWith(server.address("/oauth/callback?code=").toString());
        var in = browser.get(path(back));

        assertThat(in.status()).isEqualTo(303);
        assertThat(in.header("Location")).isEqualTo("/stores?search=a%20b");
        assertThat(in.header("Cache-Control")).isEqualTo("no-store");
        assertThat(browser.cookies().keySet()).containsExactly("menuboard");
        assertThat(browser.get("/stores").html().select("form.viewer a").text()).isEqualTo("Ada Lovelace");
    }

    @Test
    void givesWhatTheRolesOfTheIssuerAreFor() {
        issuer.letIn("grace-1", "Grace Hopper", "grace", "pricing-berlin", "unknown");
        assertThat(signIn().header("Location")).isEqualTo("/");
        assertThat(account("grace").grants())
                .containsExactly(new Grant(Role.PRICING_EDITOR, new Scope.Stores(Set.of("DE-0001", "DE-0002"))));
        assertThat(browser.get("/users").status()).isEqualTo(403);

        issuer.letIn("grace-1", "Grace Hopper", "grace", "admins");
        signIn();
        assertThat(browser.get("/users").status()).isEqualTo(200);
        assertThat(account("grace").grants()).containsExactly(Grant.of(Role.ADMINISTRATOR));

        issuer.letIn("grace-1", "Grace Hopper", "grace");
        var other = new PagesBrowser(server);
        assertThat(problem(other, signIn(other))).contains("Example ID knows you, but gives you no role in Menuboard");
        assertThat(other.cookies()).isEmpty();
        assertThat(account("grace").grants()).isEmpty();
    }

    @Test
    void showsOnThePagesOfUsersWhereTheyComeFrom() {
        issuer.letIn("root-1", "Root", "root", "admins");
        signIn();
        var user = "/users/" + account("root").id();

        var page = browser.get(user).html();

        assertThat(page.select("main").text())
                .contains("Active", issuer.address(), "Known there as root-1", "Name and roles are what");
        assertThat(page.select("#rename, #roles, #password")).isEmpty();
        assertThat(page.select("#disable")).isNotEmpty();
        var renamed = browser.post(user + "/rename", "name=Boss");
        assertThat(renamed.status()).isEqualTo(409);
        assertThat(renamed.html().text()).contains("not kept here, but where the user signs in");
        assertThat(browser.get("/account").html().select("a[href=/account/password]"))
                .isEmpty();
        assertThat(browser.post("/account/password", "old=&password=correct+horse+battery")
                        .html()
                        .text())
                .contains("Is not kept here: you sign in elsewhere");
    }

    @Test
    void takesNoAccountOfThatName() {
        AccountsSample.add(server, "hopper", "Hopper", AccountsSample.PASSWORD, Set.of(Grant.of(Role.ADMINISTRATOR)));
        issuer.letIn("hopper-1", "Hopper", "hopper", "viewers");

        signIn();

        assertThat(browser.get("/users").status()).isEqualTo(403);
        assertThat(account("hopper").identity()).isNull();
    }

    @Test
    void letsNobodyInWhoIsDisabledHere() {
        issuer.letIn("left-1", "Left", "left", "viewers");
        signIn();
        var left = account("left");
        server.bean(Accounts.class).disable(AccountsSample.STAFF, left.id());

        assertThat(problem(browser, signIn())).contains("Your account in Menuboard is disabled");
        assertThat(browser.get("/stores").header("Location")).startsWith("/sign-in");
        assertThat(server.bean(AuditTrail.class)
                        .bySubject("ACCOUNT#" + left.id(), PAGE)
                        .nodes())
                .extracting("action")
                .contains("account created", "signed in", "account disabled", "sign-in failed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/sign-in"})
    void goesOnlyWhereThisSiteIs(String to) {
        var there = browser.get("/oauth/login?to=" + PagesServer.encoded(to));

        assertThat(browser.get(path(issuer.follow(browser, there.header("Location"))))
                        .header("Location"))
                .isEqualTo("/");
    }

    @Test
    void believesNoCookieAboutWhereToGo() {
        var back = begun();
        var cookie = browser.cookies().getOrDefault("menuboard-issuer", "");
        browser.cookies()
                .put("menuboard-issuer", cookie.replaceFirst("[^.]*$", "Ly9ldmlsLmV4YW1wbGU")); // "//evil.example"

        assertThat(browser.get(path(back)).header("Location")).isEqualTo("/");
    }

    @Test
    void takesAnAnswerOnce() {
        var back = begun();
        var kept = Map.copyOf(browser.cookies());
        browser.get(path(back));

        assertThat(problem(browser, browser.get(path(back)))).contains("has been used already");
        var thief = new PagesBrowser(server);
        thief.cookies().putAll(kept);
        assertThat(problem(thief, thief.get(path(back)))).contains("has been used already");
        assertThat(thief.cookies()).isEmpty();
    }

    @Test
    void takesAnAnswerOnlyInTheBrowserThatAsked() {
        var back = begun();
        var other = new PagesBrowser(server);

        assertThat(problem(other, other.get(path(back)))).contains("begun in another window");
        other.get("/oauth/login");
        assertThat(problem(other, other.get(path(back)))).contains("begun in another window");
        assertThat(other.cookies()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"code=&state=x", "code=%20&state=x", "code=a&state=", "state=x", ""})
    void takesNoAnswerThatIsNone(String answer) {
        begun();

        assertThat(problem(browser, browser.get("/oauth/callback?" + answer))).contains("begun in another window");
        assertThat(browser.cookies()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    access_denied           | You did not sign in with Example ID
                    temporarily_unavailable | Example ID does not answer
                    invalid_scope           | What Example ID answered cannot be trusted
                    """)
    void saysWhatTheIssuerRefused(String error, String message) {
        issuer.refusing(error);

        assertThat(problem(browser, signIn())).contains(message);
        assertThat(browser.cookies()).isEmpty();
    }

    static Stream<Arguments> falseClaims() {
        return Stream.of(
                changed("nonce", set -> set.claim("nonce", "x".repeat(43))),
                changed("no nonce", set -> set.claim("nonce", null)),
                changed("audience", set -> set.audience("somebody-else")),
                changed("issuer", set -> set.issuer("https://evil.example")),
                changed("no subject", set -> set.subject(null)),
                changed("expired", set -> set.expirationTime(in(Duration.ofMinutes(-6)))),
                changed("no expiry", set -> set.expirationTime(null)),
                changed("issued later", set -> set.issueTime(in(Duration.ofMinutes(6)))));
    }

    private static Arguments changed(String what, UnaryOperator<JWTClaimsSet.Builder> change) {
        return Arguments.argumentSet(what, change);
    }

    private static Date in(Duration time) {
        return Date.from(Instant.now().plus(time));
    }

    @ParameterizedTest
    @MethodSource("falseClaims")
    void believesNoFalseClaims(UnaryOperator<JWTClaimsSet.Builder> change) {
        issuer.claiming(set -> change.apply(new JWTClaimsSet.Builder(set)).build());

        assertThat(problem(browser, signIn())).contains("cannot be trusted");
        assertThat(browser.cookies()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(value = Signing.class, mode = EnumSource.Mode.EXCLUDE, names = "SIGNED")
    void believesNobodyElse(Signing signing) {
        issuer.signing(signing);

        assertThat(problem(browser, signIn())).contains("cannot be trusted");
        assertThat(browser.cookies()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {-4, 4})
    void letsClocksDifferByFiveMinutes(int minutes) {
        var time = Duration.ofMinutes(minutes);
        issuer.claiming(set -> new JWTClaimsSet.Builder(set)
                .issueTime(in(time))
                .expirationTime(in(time.plusSeconds(30)))
                .build());

        assertThat(signIn().header("Location")).isEqualTo("/");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /token                            | <html>
                    /token                            | {"access_token":"X","token_type":"Bearer"}
                    /token                            | {"access_token":"X","token_type":"Bearer","id_token":"x.y.z"}
                    /keys                             | <html>
                    /.well-known/openid-configuration | <html>
                    """)
    void saysThatTheIssuerDoesNotAnswer(String path, String answer) {
        assertSaidThatTheIssuerDoesNotAnswer(path, answer);
    }

    /** At once, because each takes all the time that an issuer has. */
    @Test
    void saysSoWhereverTheIssuerSendsNothing() throws Exception {
        var paths = List.of("/token", "/keys", "/.well-known/openid-configuration");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var said = paths.stream()
                    .map(path -> threads.submit(() -> assertSaidThatTheIssuerDoesNotAnswer(path, "")))
                    .toList();

            for (var one : said) {
                one.get();
            }
        }
    }

    private static void assertSaidThatTheIssuerDoesNotAnswer(String path, String answer) {
        try (var other = StandInIssuer.start()) {
            other.letIn("ada-1", "Ada Lovelace", "ada", "viewers");
            other.breaking(path, answer);
            var there = PagesServer.start("oidc-" + Integer.toHexString((path + answer).hashCode()), settings(other));
            var visitor = new PagesBrowser(there);
            var before = System.nanoTime();

            var said = problem(visitor, visitor.signIn(other));

            assertThat(said).contains("does not answer");
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(15));
            other.letIn("ada-1", "Ada Lovelace", "ada", "viewers");
            assertThat(visitor.signIn(other).header("Location")).isEqualTo("/");
            there.stop();
        }
    }

    @Test
    void startsWithoutTheIssuerAndGoesOnWithoutIt() {
        var other = StandInIssuer.start();
        var address = settings(other);
        other.close();
        var there = PagesServer.start("oidc-down", address);
        var visitor = new PagesBrowser(there);

        assertThat(problem(visitor, visitor.get("/oauth/login"))).contains("Example ID does not answer");

        AccountsSample.add(there, "ada", "Ada", AccountsSample.PASSWORD, Set.of(Grant.of(Role.VIEWER)));
        var form = Map.of("username", "ada", "password", AccountsSample.PASSWORD);
        assertThat(there.post("/sign-in", form).header("Location")).isEqualTo("/account/password");
        there.stop();
    }

    @Test
    void oneNetworkCannotKeepAllOthersOutWithAnswersThatItMadeUp() {
        var other = StandInIssuer.start();
        var settings = new HashMap<>(settings(other));
        settings.put("micronaut.server.client-address-header", "X-Client");
        var there = PagesServer.start("oidc-places", settings);
        var ada = Map.of("X-Client", "192.0.2.1");
        there.send("/oauth/login", ada);
        var described = other.asked.get();
        other.breaking("/token", "");
        var made = "x".repeat(43);
        var eve = Map.of("X-Client", "192.0.2.2", "Cookie", "menuboard-issuer=" + (made + ".").repeat(3));
        var answered = new AtomicInteger();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var i = 0; i < 16; i++) {
                threads.execute(() -> {
                    there.send("/oauth/callback?code=x&state=" + made, eve);
                    answered.incrementAndGet();
                });
            }
            await().until(() -> other.asked.get() - described + answered.get() >= 16);

            assertThat(there.send("/oauth/login", ada).header("Location")).startsWith(other.address());
            assertThat(there.send("/oauth/login", eve).header("Location")).contains("failed=unavailable");
            assertThat(there.send("/oauth/callback?code=x&state=y", eve).header("Location"))
                    .contains("failed=stale");
            other.close();
        }
        there.stop();
    }

    @Test
    void remembersKeysAndTakesNewOnes() {
        signIn();
        var asked = issuer.keysAsked.get();
        signIn();
        assertThat(issuer.keysAsked).hasValue(asked);

        issuer.changeKey();

        assertThat(signIn().header("Location")).isEqualTo("/");
        assertThat(issuer.keysAsked).hasValue(asked + 1);
    }

    @Test
    void namesItsCookiesForTlsUnderEveryOtherName() {
        var there = RawRequest.send(
                server.address("/"),
                "GET /oauth/login HTTP/1.1\r\nHost: prices.example.com\r\nConnection: close\r\n\r\n");

        assertThat(there)
                .contains("redirect_uri=https%3A%2F%2Fprices.example.com%2Foauth%2Fcallback")
                .containsIgnoringCase("set-cookie: __Host-menuboard-issuer=")
                .containsIgnoringCase("secure");
    }

    @Test
    void takesNoPasswordsWhereTheIssuerIsTheOnlyWay() {
        var settings = new HashMap<>(settings(issuer));
        settings.put("menuboard.oidc.passwords", false);
        var there = PagesServer.start("oidc-alone", settings);
        AccountsSample.add(there, "ada", "Ada", AccountsSample.PASSWORD, Set.of(Grant.of(Role.VIEWER)));

        assertThat(there.get("/sign-in").html().select("#password")).isEmpty();
        assertThat(there.get("/sign-in").html().select("#issuer")).isNotEmpty();
        var answer = there.post("/sign-in", Map.of("username", "ada", "password", AccountsSample.PASSWORD));
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.header("Set-Cookie")).isEmpty();
        there.stop();
    }

    @Test
    void isNotThereWithoutAnIssuer() {
        var settings = Map.<String, Object>of("menuboard.sign-in", true);
        var there = PagesServer.start("oidc-off", settings);

        assertThat(there.bean(Router.class).uriRoutes().map(route -> route.getUriMatchTemplate()
                        .toString()))
                .contains("/sign-in")
                .noneMatch(route -> route.startsWith("/oauth"));
        assertThat(there.get("/oauth/login").status()).isEqualTo(404);
        assertThat(there.get("/oauth/callback?code=a&state=b").status()).isEqualTo(404);
        assertThat(there.get("/sign-in?failed=stale").html().select("#issuer, .alert-error"))
                .isEmpty();
        assertThatThrownBy(() -> there.bean(OpenIdConnect.class)).hasMessageContaining("No bean");
        there.stop();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
                    menuboard.oidc.client-id     | -                   | menuboard.oidc.client-id must be set
                    menuboard.oidc.client-secret | -                   | menuboard.oidc.client-secret must be set
                    menuboard.oidc.grants        | -                   | menuboard.oidc.grants must be set
                    menuboard.oidc.grants        | viewers: KING ALL   | menuboard.oidc.grants has
                    menuboard.oidc.issuer        | http://id.example   | must be an address with https
                    menuboard.oidc.issuer        | id.example          | must be an address with https
                    """)
    void startsWithNoSettingsThatAreWrong(String setting, String value, String message) {
        var settings = new HashMap<>(settings(issuer));
        if (value == null) {
            settings.remove(setting);
        } else {
            settings.put(setting, value);
        }
        var table = "oidc-" + setting.replaceAll("\\W", "-") + (value == null ? 0 : value.length());

        assertThatThrownBy(() -> PagesServer.start(table.toLowerCase(Locale.ROOT), settings))
                .hasStackTraceContaining(message);
    }

    /** Up to the answer of the issuer, which the browser has not followed. */
    private URI begun() {
        return issuer.follow(browser, browser.get("/oauth/login").header("Location"));
    }

    private Answer signIn() {
        return signIn(browser);
    }

    private static Answer signIn(PagesBrowser visitor) {
        return visitor.signIn(issuer);
    }

    /** What the sign-in page says that an answer leads to. */
    private static String problem(PagesBrowser visitor, Answer answer) {
        assertThat(answer.status()).isEqualTo(303);
        assertThat(answer.header("Location")).startsWith("/sign-in?");
        return visitor.get(answer.header("Location"))
                .html()
                .select(".alert-error")
                .text();
    }

    private static Account account(String username) {
        return server.bean(Accounts.class).list(AccountsSample.STAFF, PAGE).nodes().stream()
                .filter(account -> account.username().value().equals(username))
                .findFirst()
                .orElseThrow();
    }

    private static String path(URI address) {
        return address.getRawPath() + "?" + address.getRawQuery();
    }
}
