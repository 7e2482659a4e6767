package io.menuboard.webadmin.forms;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.webadmin.pages.PagesServer;
import io.menuboard.webadmin.pages.PagesServer.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a page of another site can make a browser send is refused, and what pages of this one make it send is not. */
@Timeout(60)
class FormTokensTest {
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String UPLOAD = "multipart/form-data; boundary=form";
    private static final PagesServer server = PagesServer.start("form-tokens");

    @AfterAll
    static void stop() {
        server.stop();
    }

    /** A browser: its cookie, and a token of a form that it was shown. */
    private record Browser(String cookie, String token) {
        static Browser open() {
            var page = server.get("/favorites/recounts/new");
            var cookie = page.header("Set-Cookie").replaceFirst(";.*", "");
            return new Browser(
                    cookie, page.html().select("input[name=csrfToken]").attr("value"));
        }
    }

    private static Answer send(String path, Map<String, String> headers, String body) {
        var request = HttpRequest.newBuilder(server.address(path)).header("Accept", "text/html");
        headers.forEach(request::header);
        return server.sendAsItIs(request.POST(BodyPublishers.ofString(body)));
    }

    private static Answer sendForm(Browser browser, String token) {
        return send(
                "/favorites/recounts",
                Map.of("Cookie", browser.cookie, "Content-Type", FORM),
                "mode=CHECK&csrfToken=" + token);
    }

    private static int recounts() {
        return server.get("/favorites/recounts").html().select("tbody tr").size();
    }

    @Test
    void aFormOfAPageIsTaken() {
        var browser = Browser.open();

        assertThat(sendForm(browser, browser.token).status()).isEqualTo(303);
        assertThat(sendForm(browser, browser.token).status())
                .as("a page that the browser kept")
                .isEqualTo(303);
    }

    @Test
    void theCookieIsForThisSiteAlone() {
        assertThat(server.get("/favorites/recounts/new").header("Set-Cookie"))
                .startsWith("menuboard-form=")
                .contains("SameSite=Lax", "Path=/")
                .containsIgnoringCase("HttpOnly");
        assertThat(server.get("/stores").header("Set-Cookie"))
                .as("no form, no cookie")
                .isEmpty();
    }

    @Test
    void aFormWithoutItsTokenIsRefusedAndChangesNothing() {
        var browser = Browser.open();
        var other = Browser.open();
        var before = recounts();

        var refused = sendForm(browser, "");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.html().title()).startsWith("This form is out of date");
        assertThat(refused.html().select("main").text()).contains("Nothing was changed", "load the page again");
        assertThat(refused.html().select("main a").attr("href")).isEqualTo("/favorites");
        var last = browser.token.endsWith("A") ? "E" : "A";
        for (var token : new String[] {
            other.token,
            browser.token.substring(1),
            browser.token.substring(0, 63) + last,
            "%21",
            "A".repeat(64),
            browser.token + browser.token
        }) {
            assertThat(sendForm(browser, token).status()).as(token).isEqualTo(403);
        }
        var withoutCookie = send("/favorites/recounts", Map.of("Content-Type", FORM), "csrfToken=" + browser.token);
        assertThat(withoutCookie.status()).isEqualTo(403);
        assertThat(recounts()).isEqualTo(before);
    }

    /** As after a new session, for which the token of the page before is none. */
    @Test
    void aFormOfAPageThatIsOutOfDateIsSentOnceMoreFromTheOneThatSaysSo() {
        var browser = Browser.open();
        var outOfDate = Browser.open().token;
        var sent = "mode=CHECK&restaurant=%22%3E&a=1&a=2&reason=&csrfToken=" + outOfDate;

        var refused = send(
                "/favorites/recounts",
                Map.of("Cookie", browser.cookie, "Content-Type", FORM, "Sec-Fetch-Site", "same-origin"),
                sent);

        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.html().select("main").text()).contains("What you typed is still here");
        var form = refused.html().expectFirst("main form");
        assertThat(form.attr("action")).isEqualTo("/favorites/recounts");
        assertThat(form.select("input:not([name=csrfToken])").eachAttr("name"))
                .containsExactly("mode", "restaurant", "a", "a", "reason");
        assertThat(form.select("input:not([name=csrfToken])").eachAttr("value"))
                .containsExactly("CHECK", "\">", "1", "2", "");
        var token = form.select("input[name=csrfToken]").attr("value");
        assertThat(token).isNotEqualTo(outOfDate);
        assertThat(sendForm(browser, token).status()).isEqualTo(303);
    }

    @Test
    void nothingIsKeptOfAFormThatMayBeAnotherSitesOrHasAPassword() {
        var browser = Browser.open();
        var headers = Map.of("Cookie", browser.cookie, "Content-Type", FORM);
        for (var site : List.of("", "none", "cross-site")) {
            var from = new HashMap<>(headers);
            if (!site.isEmpty()) {
                from.put("Sec-Fetch-Site", site);
                from.put("Origin", "http://" + server.address("/").getAuthority());
            }
            assertThat(send("/favorites/recounts", from, "mode=CHECK").html().select("main form"))
                    .as(site)
                    .isEmpty();
        }
        var own = new HashMap<>(headers);
        own.put("Origin", "http://" + server.address("/").getAuthority());
        assertThat(send("/favorites/recounts", own, "mode=CHECK").html().select("main form"))
                .hasSize(1);
        own.put("Origin", "http://evil.example");
        assertThat(send("/favorites/recounts", own, "mode=CHECK").html().select("main form"))
                .isEmpty();
        own.put("Sec-Fetch-Site", "same-origin");
        var password = send("/sign-in", own, "username=ada&password=correct");
        assertThat(password.status()).isEqualTo(403);
        assertThat(password.html().select("main form")).isEmpty();
    }

    @Test
    void aCookieThatWeDidNotMakeIsNone() {
        for (var cookie : new String[] {"menuboard-form=", "menuboard-form=a", "menuboard=a.1.b", "x=y"}) {
            var page = server.send("/favorites/recounts/new", Map.of("Cookie", cookie));
            var browser = new Browser(
                    cookie, page.html().select("input[name=csrfToken]").attr("value"));

            assertThat(page.header("Set-Cookie")).as(cookie).startsWith("menuboard-form=");
            assertThat(sendForm(browser, browser.token).status()).as(cookie).isEqualTo(403);
        }
    }

    @Test
    void programsSendTheTokenInAHeader() {
        var browser = Browser.open();
        var headers =
                new HashMap<>(Map.of("Cookie", browser.cookie, "X-CSRF-TOKEN", browser.token, "Content-Type", FORM));

        assertThat(send("/favorites/recounts", headers, "mode=CHECK").status()).isEqualTo(303);
        headers.put("X-CSRF-TOKEN", "");
        assertThat(send("/favorites/recounts", headers, "csrfToken=" + browser.token)
                        .status())
                .isEqualTo(403);
    }

    @Test
    void theTokenIsInTheAddressOfFormsWithFilesAlone() {
        var browser = Browser.open();
        var query = "?csrfToken=" + browser.token;

        var upload = send("/imports" + query, Map.of("Cookie", browser.cookie, "Content-Type", UPLOAD), "--form--\r\n");
        var form = send(
                "/favorites/recounts" + query, Map.of("Cookie", browser.cookie, "Content-Type", FORM), "mode=CHECK");

        assertThat(upload.status()).isNotEqualTo(403).isLessThan(500);
        assertThat(form.status()).isEqualTo(403);
    }

    @Test
    void aFileIsRefusedBeforeAnyOfItArrives() throws IOException {
        var request = "POST /imports HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nContent-Type: " + UPLOAD
                + "\r\nContent-Length: 100000000\r\n\r\n--form\r\n";
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address("/").getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));

            var answer = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);

            assertThat(answer).isEqualTo("HTTP/1.1 403");
        }
    }

    @Test
    void whoeverSendsATokenOfTheirOwnNeedsNone() {
        assertThat(send(
                                "/favorites/recounts",
                                Map.of("Authorization", "Bearer mb_x", "Content-Type", FORM),
                                "mode=CHECK")
                        .status())
                .isEqualTo(303);
        assertThat(send(
                                "/favorites/recounts",
                                Map.of("Authorization", "Basic dTpw", "Content-Type", FORM),
                                "mode=CHECK")
                        .status())
                .as("browsers send passwords for a proxy by themselves")
                .isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=%", "%zz=1", "csrfToken=%ff%"})
    void whatIsNoFormHasNoToken(String body) {
        var browser = Browser.open();

        assertThat(send("/favorites/recounts", Map.of("Cookie", browser.cookie, "Content-Type", FORM), body)
                        .status())
                .isEqualTo(403);
    }

    @Test
    void theFormToSignInHasATokenToo() {
        var refused = send("/sign-in", Map.of("Content-Type", FORM), "username=ada&password=correct");

        assertThat(refused.status()).isEqualTo(403);
    }
}
