package io.menuboard.webadmin.prices;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.webadmin.pages.PagesServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server sends about stores, prices and products. What holds for every page is in {@code PagesTest}. */
class PricesPagesTest {
    static final List<String> LISTS = List.of(
            "/stores",
            "/stores?search=boutique&first=16",
            "/stores/DE-0001?product=BURGER",
            "/stores/DE-0001/swaps",
            "/products/COFFEE");

    private final PagesServer server = PagesServer.shared();

    @Test
    void showsEachStoreWithItsOwnClockAndCurrency() {
        var row = row(server.get("/stores?search=tokyo").html(), "JP-0001");

        assertThat(row.text()).isEqualTo("東京 新宿 JP-0001 Tokyo, Japan Fri 22:05 Asia/Tokyo JPY Open");
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
                    /stores/DE-0001?at=yesterday            | at      | Must be a date and time of the years 1 to 9999, such as 2026-03-01T06:00
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
        assertThat(server.get(list.select("a[href*=.csv]").attr("href")).status())
                .isEqualTo(200);
        assertThat(server.get(timeline.html().select("a[href*=.csv]").attr("href"))
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
        assertThat(delivery.select(".figures").text()).contains("Next change €3.30 from 2026-06-01, in 86 days");
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
    void exportsTheWholeFilteredListOfStores() {
        var answer = server.get("/stores.csv?search=boutique");

        assertThat(answer.header("Content-Type")).startsWith("text/csv");
        assertThat(answer.header("Content-Disposition")).isEqualTo("attachment; filename=\"stores.csv\"");
        assertThat(answer.body().lines())
                .hasSize(1 + PriceSample.MANY.size())
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
        var export = server.get(page).html().select("a[href*=.csv]").attr("href");

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
