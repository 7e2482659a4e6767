package io.menuboard.app.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server sends, whatever the browser makes of it. */
class PagesTest {
    /** Every kind of page, in every state that looks different; the others are on servers of their own. */
    static final List<String> PAGES = Stream.of(
                    pagesOfPrices().stream(),
                    TaskPagesTest.PAGES.stream()
                            .map(page ->
                                    TaskSample.shared().server().address(page).toString()),
                    ChangePagesTest.PAGES.stream()
                            .map(page ->
                                    ChangeSample.shared().server().address(page).toString()),
                    BillingPagesTest.PAGES.stream().map(page -> BillingSample.shared()
                            .server()
                            .address(page)
                            .toString()),
                    FavoritesPagesTest.PAGES.stream().map(page -> FavoritesSample.shared()
                            .server()
                            .address(page)
                            .toString()))
            .flatMap(pages -> pages)
            .toList();

    private static List<String> pagesOfPrices() {
        return List.of(
                "/stores?first=16",
                "/stores?search=zzz",
                "/stores?search=!",
                "/stores?after=forged",
                "/stores/DE-0001?product=BURGER&at=2026-02-01T12:00&first=16",
                "/stores/DE-0001?channel=NONE",
                "/stores/DE-0001/swaps",
                "/stores/%3D1%2B1",
                "/stores/DE-0001/products/COFFEE",
                "/stores/DE-0001/products/DAILY?last=16",
                "/stores/TR-0001/products/BIGMAC",
                "/stores/DE-0001/products/NOTHING",
                "/products",
                "/products/COFFEE?first=16",
                "/dead-letters",
                "/operations/price-events",
                "/stores/nowhere");
    }

    static final List<String> LISTS = List.of(
            "/stores",
            "/stores?search=boutique&first=16",
            "/stores/DE-0001?product=BURGER",
            "/stores/DE-0001/swaps",
            "/products/COFFEE");

    private final PagesServer server = PagesServer.shared();

    @Test
    void beginsWithTheStores() {
        var answer = server.get("/");

        assertThat(answer.status()).isEqualTo(303);
        assertThat(answer.header("Location")).isEqualTo("/stores");
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

    @Test
    void showsEachStoreWithItsOwnClockAndCurrency() {
        var row = row(server.get("/stores?search=tokyo").html(), "JP-0001");

        assertThat(row.text()).isEqualTo("東京 新宿 JP-0001 Tokyo, Japan Fri 22:05 Asia/Tokyo JPY Open");
    }

    @ParameterizedTest
    @FieldSource("PAGES")
    void runsNothingThatIsNotServedFromHere(String page) {
        var answer = server.get(page);

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
    void offersFilesThatASpreadsheetShowsAsTheyAreMeant(String page) {
        for (var file :
                server.get(page).html().select("a[download][href*=.csv]:not([href*=/files/], [href*=/report.csv])")) {
            var csv = server.get(file.attr("abs:href"));

            assertThat(csv.status()).isEqualTo(200);
            assertThat(csv.http().body()).as("Excel takes it for UTF-8").startsWith("\uFEFF");
            assertThat(csv.body())
                    .as("no names of Java's types and fields, and one name for who did it")
                    .doesNotContainPattern("[A-Za-z]\\[[a-z]+=")
                    .doesNotContainPattern("^[^\r]*(actor|source|(?<!undone)By)\\b");
        }
    }

    @ParameterizedTest
    @FieldSource("PAGES")
    void hasOneHeadingAndOneMainPartForTheSkipLink(String page) {
        var html = server.get(page).html();

        assertThat(html.select("h1")).hasSize(1);
        assertThat(html.select("main#main")).hasSize(1);
        assertThat(html.expectFirst("body > *").text()).isEqualTo("Skip to content");
        assertThat(html.select("[id]").eachAttr("id")).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @FieldSource("LISTS")
    void sendsHtmxThePartOfTheSameTemplateThatChanges(String list) {
        var page = server.get(list);
        var fragment = server.htmx(list);

        var live = fragment.html().body();
        live.select("[hx-swap-oob]").remove();
        assertThat(live.children().outerHtml())
                .isEqualTo(page.html().expectFirst("#live").children().outerHtml());
        assertThat(fragment.body()).doesNotContain("<html", "<h1");
        assertThat(fragment.header("HX-Push-Url")).isEqualTo(list);
        assertThat(fragment.header("Vary")).contains("HX-Request");
    }

    @Test
    void sendsTheWholePageWhereHtmxGoesBackInHistory() {
        var answer = server.send("/stores", Map.of("HX-Request", "true", "HX-History-Restore-Request", "true"));

        assertThat(answer.html().select("h1").text()).isEqualTo("Stores");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/stores?first=32",
                "/stores?search=boutique&first=32",
                "/stores/DE-0001",
                "/products/COFFEE?first=16",
                "/stores/DE-0001/products/DAILY?last=256"
            })
    void pagesForwardAndBackThroughTheSameRows(String list) {
        var forward = walk(list, html -> html.select("a[rel=next]").attr("href"));
        var back = walk(
                forward.getLast().address(), html -> html.select("a[rel=prev]").attr("href"));

        assertThat(forward).hasSizeGreaterThan(2);
        assertThat(back.reversed().stream().flatMap(page -> page.rows().stream()))
                .containsExactlyElementsOf(
                        forward.stream().flatMap(page -> page.rows().stream()).toList())
                .doesNotHaveDuplicates();
    }

    @Test
    void keepsTheNumberOfRowsFromPageToPage() {
        var second = server.get(
                server.get("/stores?first=16").html().select("a[rel=next]").attr("href"));
        var back = server.get(second.html().select("a[rel=prev]").attr("href"));

        assertThat(second.html().select("tbody tr")).hasSize(16);
        assertThat(second.html().select("#size option[selected]").text()).isEqualTo("16");
        assertThat(back.html().select("tbody tr")).hasSize(16);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /stores?search=!                        | search  | Must contain a letter or a digit
                    /stores/DE-0001?product=a%23b           | product | Must not contain '#'
                    /stores/DE-0001?channel=a%23b           | channel | Must not contain '#'
                    /stores/DE-0001?at=yesterday            | at      | Must be a date and time from 1970 on, such as 2026-03-01T06:00
                    /stores/DE-0001/swaps?combo=a%23b       | combo   | Must not contain '#'
                    /products/COFFEE?channel=a%23b          | channel | Must not contain '#'
                    /products?product=a%23b                 | product | Must not contain '#'
                    """)
    void saysBesideTheFieldWhatIsWrongWithIt(String page, String field, String rule) {
        var answer = server.get(page);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.html().select("#" + field + "-error").text()).isEqualTo(rule);
        assertThat(answer.html().select("#" + field).attr("aria-invalid")).isEqualTo("true");
        assertThat(answer.html().select("#" + field).attr("aria-describedby")).isEqualTo(field + "-error");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /stores?after=forged                                | after
                    /stores/DE-0001?before=forged                       | before
                    /stores?first=0                                     | first
                    /stores?first=2049                                  | first
                    /stores?first=many                                  | first
                    /stores?first=1&last=1                              | last
                    /products/COFFEE?last=-1                            | last
                    /stores/DE-0001/products/COFFEE?after=forged        | after
                    """)
    void saysAboveTheListWhichPartOfTheAddressIsWrongAndHowToGoOn(String page, String field) {
        var answer = server.get(page);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.html().select("[role=alert]").text()).contains(field);
        var wayOn = answer.html().select("main a:contains(from its beginning)").attr("href");
        assertThat(server.get(wayOn).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "/stores/nowhere, There is no store nowhere.",
        "/stores/nowhere/products/COFFEE, There is no store nowhere.",
        "/nothing/here, Nothing is at this address."
    })
    void saysWhatDoesNotExist(String page, String what) {
        var answer = server.get(page);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.html().select("h1").text()).isEqualTo("Not found");
        assertThat(answer.html().select("main").text()).contains(what);
        assertThat(answer.html().select("main a").attr("href")).isEqualTo("/stores");
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
    void answersProgramsThatWantNoHtmlInJson() {
        var answer = server.send("/nothing/here", Map.of("Accept", "application/json"));

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.header("Content-Type")).contains("json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/stores?search=%3Cscript%3Ealert('pwned')%3C/script%3E",
                "/stores/%3D1%2B1",
                "/stores/DE-0001?product=%22%3E%3Cscript%3Ealert('pwned')%3C/script%3E",
                "/stores/DE-0001?at=%22%3E%3Cscript%3Ealert('pwned')%3C/script%3E",
                "/stores/DE-0001?channel=%22%3E%3Cscript%3Ealert('pwned')%3C/script%3E",
                "/stores/%3D1%2B1/products/%3Cscript%3Ealert('pwned')%3C%2Fscript%3E",
                "/products/%3Cscript%3Ealert('pwned')%3C%2Fscript%3E",
                "/stores/%3Cscript%3Ealert('pwned')%3C%2Fscript%3E"
            })
    void showsHostileTextAsText(String page) {
        for (var answer : List.of(server.get(page), server.htmx(page))) {
            assertThat(answer.body()).doesNotContain("<script>");
            assertThat(answer.html().select("script:not([src])")).isEmpty();
        }
        assertThat(server.get(page).html().wholeText() + server.get(page).html().select("input"))
                .contains("pwned");
    }

    @Test
    void reachesStoresAndProductsWithEveryIdByTheirLinks() {
        var list = server.get("/stores?search=strange").html();
        var store = server.get(list.select("td a").attr("href"));
        var timeline = server.get(store.html().select("td a").attr("href"));
        var product = server.get(
                timeline.html().select(".lead a:contains(every store)").attr("href"));

        assertThat(store.html().select("h1").text()).isEqualTo("Strange id");
        assertThat(timeline.html().select("h1").text()).isEqualTo("50/50 & more?");
        assertThat(product.html().select("h1").text()).isEqualTo("50/50 & more?");
        assertThat(server.get(list.select("a[download]").attr("href")).status()).isEqualTo(200);
        assertThat(server.get(timeline.html().select("a[download]").attr("href"))
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                                     | en | €2.95  | 2026-02-01
                    2025-09-01T05:59 | en | €2.90  | 2025-03-01
                    2025-09-01T06:00 | en | €3.10  | 2025-09-01 06:00
                    2027-01-01T00:00 | en | €3.50  | 2026-12-24
                                     | de | 2,95 € | 2026-02-01
                                     | *! | €2.95  | 2026-02-01
                    """)
    void showsThePricesOfAMomentAsItsReaderWritesThem(String at, String language, String amount, String since) {
        var address = "/stores/DE-0001?product=COFFEE" + (at == null ? "" : "&at=" + at);

        var cells =
                server.send(address, Map.of("Accept-Language", language)).html().select("tbody td");

        assertThat(cells.eachText())
                .map(text -> text.replace('\u00a0', ' '))
                .containsExactly("COFFEE", amount, since, "Change this price of COFFEE");
    }

    @ParameterizedTest
    @ValueSource(strings = {";;", ",", "de,;", ";,de"})
    void ignoresLanguagesThatNameNone(String languages) {
        for (var path : List.of("/stores", "/graphql?query=%7B__typename%7D", "/nothing")) {
            var plain = server.get(path);

            var answer = server.send(path, Map.of("Accept-Language", languages));

            assertThat(answer.status()).as(path).isEqualTo(plain.status());
            assertThat(answer.body()).as(path).isEqualTo(plain.body());
        }
    }

    @Test
    void showsWhatAPriceIsWhatItWasAndWhatItWillBe() {
        var html = server.get("/stores/DE-0001/products/COFFEE").html();

        assertThat(html.select(".figure").eachText()).containsExactly("€2.95", "€3.30");
        assertThat(html.select(".figures").text()).contains("from 2026-06-01, in 86 days", "+€0.35 (+11.9%)");
        assertThat(rows(html))
                .containsExactly(
                        "2026-12-24 Planned €3.50 +€0.20 +6.1%",
                        "2026-06-01 Planned €3.30 +€0.35 +11.9%",
                        "2026-02-01 In effect €2.95 -€0.15 -4.8%",
                        "2025-09-01 06:00 €3.10 +€0.20 +6.9%",
                        "2025-03-01 €2.90");
    }

    @Test
    void comparesTheOldestPriceOfAPageWithTheOneOnTheNextPage() {
        var all = rows(server.get("/stores/DE-0001/products/COFFEE").html());

        var page = rows(server.get("/stores/DE-0001/products/COFFEE?last=2").html());

        assertThat(page).isEqualTo(all.subList(0, 2));
    }

    @Test
    void saysWhereAPriceComesFromThatTheChannelHasNot() {
        var kiosk = server.get("/stores/DE-0001/products/COFFEE?channel=KIOSK").html();
        var delivery =
                server.get("/stores/DE-0001/products/COFFEE?channel=DELIVERY").html();

        assertThat(kiosk.select(".figures").text()).contains("€2.80").doesNotContain("channel ALL");
        assertThat(delivery.select(".figures").text())
                .contains("€2.95", "Channel DELIVERY has no price of its own: this is the one of channel ALL.");
    }

    @Test
    void drawsAPriceThatChangedItsCurrencyAndItsOrderOfMagnitude() {
        var chart = server.get("/stores/TR-0001/products/BIGMAC").html().expectFirst("figure");

        assertThat(chart.select(".chart-break-label").text()).isEqualTo("JPY → TRY");
        assertThat(chart.select("figcaption").text()).contains("Logarithmic scale", "the line breaks");
        assertThat(chart.select("svg[role=img] > title").text()).isEqualTo("Price of BIGMAC at Ankara Kızılay");
        assertThat(chart.select("svg[role=img] > desc").text())
                .contains("2003-04-01 to 2003-04-01: lowest ¥3,750,000", "highest TRY 190.00");
    }

    @Test
    void drawsTheLatestPricesWhereThereAreTooMany() {
        var chart = server.get("/stores/DE-0001/products/DAILY").html().expectFirst("figure");

        assertThat(chart.select("figcaption").text()).contains("Only the latest 500 prices are drawn.");
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

    @Test
    void exportsTheWholeFilteredListOfStores() {
        var answer = server.get("/stores.csv?search=boutique");

        assertThat(answer.header("Content-Type")).startsWith("text/csv");
        assertThat(answer.header("Content-Disposition")).isEqualTo("attachment; filename=\"stores.csv\"");
        assertThat(answer.body().lines())
                .hasSize(1 + Sample.MANY.size())
                .startsWith("id,name,street,city,region,postalCode,country,timeZone,currency,status")
                .contains("FR-0007,Boutique 7,,Paris,,,FR,Europe/Paris,EUR,OPEN");
    }

    @Test
    void exportsNothingThatASpreadsheetWouldRun() {
        assertThat(server.get("/stores.csv?search=1").body()).contains("'=1+1,").doesNotContain("\n=");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /stores/DE-0001?product=BURGER          | 141 | DE-0001,ALL,BURGER-001,,,2026-01-01,1.90,EUR
                    /stores/DE-0001/swaps                   | 4   | DE-0001,ALL,,MENU-CLASSIC,SALAD,2026-01-01,0.90,EUR
                    /products/COFFEE                        | 75  | JP-0001,ALL,COFFEE,,,2025-07-01,450,JPY
                    /stores/DE-0001/products/DAILY          | 601 | DE-0001,ALL,DAILY,,,2024-06-02,6.01,EUR
                    """)
    void exportsTheWholeListAsAFileThatTheImportReads(String page, int lines, String line) {
        var export = server.get(page).html().select("a[download]").attr("href");

        assertThat(server.get(export).body().lines())
                .hasSize(lines)
                .startsWith("store,channel,product,combo,option,effectiveDate,amount,currency")
                .contains(line);
    }

    @Test
    void refusesAnExportAsItRefusesTheList() {
        assertThat(server.get("/stores.csv?search=!").status()).isEqualTo(400);
        assertThat(server.get("/stores/nowhere/prices.csv").status()).isEqualTo(404);
    }

    private List<Walked> walk(String start, Function<Document, String> onward) {
        var pages = new ArrayList<Walked>();
        for (var address = start; !address.isEmpty(); ) {
            var html = server.get(address).html();
            pages.add(new Walked(address, rows(html)));
            address = onward.apply(html);
        }
        return pages;
    }

    private static Element row(Document html, String id) {
        return html.expectFirst("tbody tr:contains(" + id + ")");
    }

    private static List<String> rows(Document html) {
        return html.select("tbody tr").eachText();
    }

    private record Walked(String address, List<String> rows) {}
}
