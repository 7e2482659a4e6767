package io.menuboard.webadmin.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.webadmin.pages.PagesServer.Answer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server sends, whatever the browser makes of it. */
class PagesTest {
    static final List<String> PAGES = SamplePages.ADDRESSES;

    private static final Map<String, Answer> LOADED = new HashMap<>();

    private final PagesServer server = PagesServer.shared();

    @Test
    void beginsWithTheStores() {
        var answer = server.get("/");

        assertThat(answer.status()).isEqualTo(303);
        assertThat(answer.header("Location")).isEqualTo("/stores");
    }

    /** The address that the filter does have shows that its requests are noted. */
    @Test
    void sendsNoRequestThroughTheFilterOfMicronautViews() {
        var filtered = server.bean(PagesFactory.NotedViews.class).paths();

        assertThat(server.get("/stores").status()).isEqualTo(200);
        assertThat(server.htmx("/stores").status()).isEqualTo(200);
        assertThat(server.get("/assets/000000000000/menuboard.css").status()).isEqualTo(200);
        assertThat(server.get("/nothing/here").status()).isEqualTo(404);
        assertThat(server.get("/broken").status()).isEqualTo(500);
        assertThat(server.send("/nothing/here", Map.of("Accept", "application/json"))
                        .status())
                .isEqualTo(404);
        assertThat(graphQl("{ __typename }").body()).contains("\"Query\"");
        assertThat(filtered).isEmpty();
        server.get("/no/page/has/this/address");

        assertThat(filtered).containsExactly("/no/page/has/this/address");
        filtered.clear();
    }

    private Answer graphQl(String query) {
        return server.send(HttpRequest.newBuilder(server.address("/graphql"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"query\": \"" + query + "\"}")));
    }

    @Test
    void saysThatAnotherVersionWroteWhatThisOneCannotRead() {
        server.bean(QueryDb.class)
                .save(Item.at(new Key("STORE#XX-0009", "META")).type("store").build(), SaveMode.ANY);

        var answer = server.get("/stores/XX-0009");

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.html().select("main").text())
                .contains("Written by another version", "Nothing was changed")
                .doesNotContain("STORE#");
    }

    @ParameterizedTest
    @FieldSource("PAGES")
    void runsNothingThatIsNotServedFromHere(String page) {
        var answer = loaded(page);

        assertThat(answer.header("Content-Security-Policy"))
                .contains("default-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.header("Referrer-Policy")).isEqualTo("same-origin");
        assertThat(answer.html().select("[style], style, script:not([src]), [onclick]"))
                .isEmpty();
        assertThat(answer.html().select("script, link").eachAttr("abs:src"))
                .allMatch(source -> source.startsWith(
                        answer.http().uri().resolve("/assets/").toString()));
    }

    @ParameterizedTest
    @FieldSource("PAGES")
    void givesEveryFormThatChangesSomethingItsToken(String page) {
        for (var form : loaded(page).html().select("form[method=post]")) {
            if (form.attr("enctype").equals("multipart/form-data")) {
                assertThat(form.attr("action")).matches("[^?]+[?]csrfToken=[\\w-]{64}");
                assertThat(form.select("[formaction]")).isEmpty();
            } else {
                assertThat(form.select("input[type=hidden][name=csrfToken]").eachAttr("value"))
                        .singleElement()
                        .asString()
                        .matches("[\\w-]{64}");
            }
        }
        assertThat(loaded(page).html().select("[hx-post], [hx-put], [hx-patch], [hx-delete]"))
                .isEmpty();
    }

    @ParameterizedTest
    @FieldSource("PAGES")
    void offersFilesThatASpreadsheetShowsAsTheyAreMeant(String page) {
        for (var file : loaded(page).html().select("a[href~=^[^?]+[.]csv]:not([href*=/files/], [href*=/report.csv])")) {
            var csv = server.get(file.attr("abs:href"));

            assertThat(csv.status()).isEqualTo(200);
            assertThat(csv.header("Content-Disposition")).startsWith("attachment");
            assertThat(csv.http().body()).as("Excel takes it for UTF-8").startsWith("\uFEFF");
            assertThat(csv.body())
                    .as("no names of Java's types and fields, and one name for who did it")
                    .doesNotContainPattern("[A-Za-z]\\[[a-z]+=")
                    .doesNotContainPattern("^[^\r]*(actor|source|(?<!undone)By)\\b");
        }
    }

    @ParameterizedTest
    @FieldSource("PAGES")
    void leavesItToTheAnswerWhetherToSaveIt(String page) {
        // A browser saves whatever a link with this attribute is answered: also the page to sign in on, and errors.
        assertThat(loaded(page).html().select("a[download]")).isEmpty();
    }

    /** Nobody gets anywhere with a keyboard on a page that begins anew every second (WCAG 2.2, failure F41). */
    @ParameterizedTest
    @FieldSource("PAGES")
    void loadsAgainByALinkWhereNoScriptDoesIt(String page) {
        var html = loaded(page).html();

        assertThat(html.select("meta[http-equiv=refresh]")).isEmpty();
        assertThat(html.select("noscript a").eachAttr("href"))
                .isEqualTo(html.select("[data-refresh]").eachAttr("hx-get"));
    }

    @ParameterizedTest
    @FieldSource("PAGES")
    void hasOneHeadingAndOneMainPartForTheSkipLink(String page) {
        var html = loaded(page).html();

        assertThat(html.select("h1")).hasSize(1);
        assertThat(html.select("main#main")).hasSize(1);
        assertThat(html.expectFirst("body > *").text()).isEqualTo("Skip to content");
        assertThat(html.select("[id]").eachAttr("id")).doesNotHaveDuplicates();
    }

    @Test
    void sendsTheWholePageWhereHtmxGoesBackInHistory() {
        var answer = server.send("/stores", Map.of("HX-Request", "true", "HX-History-Restore-Request", "true"));

        assertThat(answer.html().select("h1").text()).isEqualTo("Stores");
    }

    @ParameterizedTest
    @CsvSource({
        "/stores/nowhere, There is no store nowhere., /stores",
        "/stores/nowhere/products/COFFEE, There is no store nowhere., /stores",
        "/webhooks/01JDZZZZZZZZZZZZZZZZZZZZZZ, There is no webhook, /webhooks",
        "/audit/nothing, Nothing is at this address., /audit",
        "/account/nothing, Nothing is at this address., /account",
        "/nothing/here, Nothing is at this address., /"
    })
    void saysWhatDoesNotExist(String page, String what, String way) {
        var answer = server.get(page);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.html().select("h1").text()).isEqualTo("Not found");
        assertThat(answer.html().select("main").text()).contains(what);
        assertThat(answer.html().select("main a").attr("href")).isEqualTo(way);
    }

    @Test
    void goesOnFromWhatDoesNotExistToItsListWithWhatWasTyped() {
        var store = server.get("/stores/nowhere/products/COFFEE").html();
        var transaction =
                BillingSample.shared().server().get("/billing/transactions/XYZ").html();
        var nothing = server.get("/nothing/here").html();

        assertThat(store.select("main form").attr("action")).isEqualTo("/stores");
        assertThat(store.select("main input[name=search]").attr("value")).isEqualTo("nowhere");
        assertThat(transaction.select("main a").attr("href")).isEqualTo("/billing/transactions");
        assertThat(transaction.select("main input[name=transaction]").attr("value"))
                .isEqualTo("XYZ");
        assertThat(server.get("/imports/0123456789abcdef")
                        .html()
                        .select("main a")
                        .attr("href"))
                .isEqualTo("/imports");
        assertThat(nothing.select("main form")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/broken", "/broken/template"})
    void hidesWhatWentWrongBehindAnErrorId(String page) {
        var answer = server.get(page);

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.header("Content-Type")).isEqualTo("text/html;charset=utf-8");
        assertThat(answer.html().select("main code").text()).matches("[0-9a-f-]{36}");
        assertThat(answer.body()).doesNotContain(PagesFactory.BUG_TEXT, "IllegalStateException");
    }

    @Test
    void asksForTheSameOnceMoreWhereSomethingWasAskedFor() {
        var again = server.get("/broken?search=a%20b&size=20").html().select("main a");

        assertThat(again.text()).isEqualTo("Try again");
        assertThat(again.attr("href")).isEqualTo("/broken?search=a%20b&size=20");
    }

    @Test
    void linksToNoEmptyFormWhereOneWasSent() {
        var answer = server.post("/broken", Map.of("reason", "costs rose"));

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.html().select("main a")).isEmpty();
        assertThat(answer.html().select("main").text()).contains("To send it again, reload this page.");
    }

    @ParameterizedTest
    @CsvSource({"/broken, 500", "/broken/unanswered, 503"})
    void saysOfAFormThatItMayHaveBeenDone(String page, int status) {
        var sent = server.post(page, Map.of("reason", "costs rose"));
        var asked = server.get(page);

        assertThat(List.of(sent.status(), asked.status())).containsOnly(status);
        assertThat(sent.html().select("main").text())
                .contains("What you asked for may have been done: look before you send it again.")
                .doesNotContain("Trying again");
        assertThat(asked.html().select("main").text()).contains("Trying again").doesNotContain("may have been done");
    }

    @Test
    void answersProgramsThatWantNoHtmlInJson() {
        var answer = server.send("/nothing/here", Map.of("Accept", "application/json"));

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.header("Content-Type")).contains("json");
    }

    @ParameterizedTest
    @ValueSource(strings = {";;", ",", "de,;", ";,de"})
    void ignoresLanguagesThatNameNone(String languages) {
        for (var path : List.of("/stores", "/nothing")) {
            var plain = server.get(path);

            var answer = server.send(path, Map.of("Accept-Language", languages));

            assertThat(answer.status()).as(path).isEqualTo(plain.status());
            assertThat(answer.body()).as(path).isEqualTo(plain.body());
        }
    }

    @Test
    void linksToNoPageThatDoesNotExist() {
        for (var link : server.get("/stores").html().select("nav[aria-label=Main] a")) {
            assertThat(server.get(link.attr("href")).status())
                    .as(link.attr("href"))
                    .isEqualTo(200);
        }
    }

    @Test
    void letsBrowsersKeepAssetsForEverAndNeverAnOldOne() {
        var style = server.get("/stores").html().select("link[rel=stylesheet]").attr("href");

        var asset = server.get(style);
        var ofAnotherRelease = server.get(style.replaceFirst("/assets/[0-9a-f]+/", "/assets/000000000000/"));

        assertThat(asset.header("Cache-Control")).isEqualTo("public, max-age=31536000, immutable");
        assertThat(asset.header("Content-Type")).startsWith("text/css");
        assertThat(ofAnotherRelease.body()).isEqualTo(asset.body());
        assertThat(ofAnotherRelease.header("Cache-Control")).isEqualTo("no-cache");
        assertThat(server.get("/assets/000000000000/../../application.yml").status())
                .isEqualTo(404);
    }

    /** Rendered once for all tests. */
    private static Answer loaded(String page) {
        return LOADED.computeIfAbsent(page, PagesServer.shared()::get);
    }
}
