package io.menuboard.webadmin.billing;

import static io.menuboard.webadmin.pages.BillingSample.lines;
import static io.menuboard.webadmin.pages.BillingSample.run;
import static io.menuboard.webadmin.pages.PagesServer.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.webadmin.pages.BillingSample;
import io.menuboard.webadmin.pages.PagesServer;
import io.menuboard.webadmin.pages.PagesServer.Answer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of billing as a partner of one agency sees them. */
class PartnerPagesTest {
    private static final BillingSample SAMPLE =
            BillingSample.start("partner-pages", Map.of(HeaderPrincipals.SETTING, true));
    private static final Map<String, String> PARTNER = Map.of(HeaderPrincipals.GRANT, "PARTNER AGENCY#acme");
    private static final String FOREIGN = BillingSample.SLASHED.value();
    private static final int PAGES = 120;

    /**
     * What may spell anything: the end of a transaction's place, sixteen random digits of base 58; and the seconds at which something
     * was done.
     */
    private static final String RANDOM = "\\b[1-9A-HJ-NP-Za-km-z]{16}\\b|\\d\\d\\.\\d+Z";

    /** Of other agencies, of all of them together, and of who works in the house. */
    private static final List<String> SECRETS =
            List.of("order-3", "order-4", "9.99", "450", "JPY", "東京", "Zürich", "by grace", "till 7", "Agencies 3");

    private final PagesServer server = SAMPLE.server();

    private Answer get(String path) {
        return server.send(path, PARTNER);
    }

    /** Follows every link from the first page on. */
    @Test
    void everyLinkLeadsToAPageOfItsOwn() {
        var found = new HashSet<String>();
        var left = new ArrayDeque<>(List.of("/billing"));
        var seen = new ArrayList<String>();
        while (!left.isEmpty() && seen.size() < PAGES) {
            var path = left.remove();
            var answer = get(path);
            seen.add(path);

            assertThat(answer.status()).as(path).isLessThan(400);
            var isPage = answer.header("Content-Type").startsWith("text/html");
            var main = isPage ? answer.html().selectFirst("main") : null;
            var shown = main == null ? answer.body() : main.text();
            assertThat(shown.replaceAll(RANDOM, "")).as(path).doesNotContain(SECRETS);
            if (main != null) {
                assertThat(main.html()).as(path).doesNotContain("order-3", "order-4", "ledger.csv", "summary.");
                assertThat(main.select("form[method=post]")).as(path).isEmpty();
                Stream.concat(
                                main.select("a[href]").stream().map(link -> link.attr("href")),
                                main.select("form").stream().map(form -> form.attr("action")))
                        .filter(link -> !link.startsWith("#"))
                        .forEach(link -> {
                            assertThat(link).as(path).startsWith("/billing");
                            if (found.add(link)) {
                                left.add(link);
                            }
                        });
            }
        }
        assertThat(seen)
                .contains(
                        "/billing/agencies",
                        "/billing/transactions",
                        "/billing/runs.csv",
                        run(SAMPLE.first()),
                        run(SAMPLE.open()),
                        lines(SAMPLE.first(), BillingSample.ACME),
                        lines(SAMPLE.first(), BillingSample.ACME) + "/report.csv");
    }

    static Stream<String> aboutOneAgency() {
        return Stream.of(
                "/billing/agencies?agency=%s",
                "/billing/agencies/%s",
                "/billing/agencies/%s?to=2026-01",
                "/billing/agencies/%s/months.csv",
                "/billing/agencies/%s/" + SAMPLE.month(),
                "/billing/agencies/%s/" + SAMPLE.month() + "/statement.csv",
                "/billing/agencies/%s/" + SAMPLE.month() + "/transactions",
                "/billing/agencies/%s/" + SAMPLE.month() + "/transactions.csv",
                "/billing/agencies/%s/" + SAMPLE.month() + "/transactions?after=forged",
                run(SAMPLE.first()) + "/agencies/%s",
                run(SAMPLE.first()) + "/agencies/%s?version=1",
                run(SAMPLE.first()) + "/agencies/%s?after=forged",
                run(SAMPLE.first()) + "/agencies/%s/report.csv",
                run(SAMPLE.first()) + "/agencies/%s/report.json",
                run(SAMPLE.first()) + "/agencies/%s/report.json?version=1");
    }

    @ParameterizedTest
    @MethodSource("aboutOneAgency")
    void anotherAgencyIsAsOneThatThereIsNot(String path) {
        var theirs = get(path.replace("%s", encoded(FOREIGN)));
        var nobodys = get(path.replace("%s", "nobody"));

        assertThat(theirs.status()).isEqualTo(nobodys.status()).isEqualTo(404);
        assertThat(theirs.html().text().replace(FOREIGN, "nobody"))
                .isEqualTo(nobodys.html().text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/billing/transactions/%s", "/billing/transactions?transaction=%s"})
    void aTransactionOfAnotherAgencyIsAsOneThatThereIsNot(String path) {
        var theirs = get(path.replace("%s", "order-4"));
        var nobodys = get(path.replace("%s", "nothing"));

        assertThat(theirs.status()).isEqualTo(nobodys.status()).isEqualTo(404);
        assertThat(theirs.html().text().replace("order-4", "nothing"))
                .isEqualTo(nobodys.html().text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ledger.csv", "summary.csv", "summary.json", "manifest.json", "difference.csv"})
    void filesOfAllAgenciesAreNotThere(String file) {
        var theirs = get(run(SAMPLE.first()) + "/files/" + file);
        var nobodys = get(run(SAMPLE.first()) + "/files/none.csv");

        assertThat(theirs.status()).isEqualTo(nobodys.status()).isEqualTo(404);
        assertThat(theirs.html().text().replace(file, "none.csv"))
                .isEqualTo(nobodys.html().text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/billing/reconciliation",
                "/billing/reconciliation.csv",
                "/billing/rules",
                "/billing/rules.csv",
                "/billing/rules/new",
                "/billing/run-now",
                "/billing/interval",
                "/billing/record"
            })
    void whatIsOfAllAgenciesIsDenied(String path) {
        assertThat(get(path).status()).isEqualTo(403);
    }

    @Test
    void aRunHasTheTotalsOfTheAgency() {
        var page = get(run(SAMPLE.first())).html();

        assertThat(page.select("table[aria-label=Totals by currency] tbody tr").eachText())
                .hasSize(2)
                .anyMatch(row -> row.startsWith("EUR 2 0 €10.00"));
        assertThat(page.select("#live form tbody tr").eachText()).isNotEmpty().allMatch(row -> row.startsWith("acme"));
        assertThat(get("/billing/runs.csv").body().lines())
                .filteredOn(line -> line.startsWith(SAMPLE.first().toString()))
                .hasSize(2)
                .anyMatch(line -> line.contains(",EUR,2,0,10.00,"));
        assertThat(server.send(run(SAMPLE.first()), Map.of(HeaderPrincipals.GRANT, "BILLING ALL"))
                        .html()
                        .select("#live form tbody tr")
                        .eachText())
                .anyMatch(row -> row.startsWith(FOREIGN));
    }

    /** Which task makes it is none of a partner's business, and so is whether that waits. */
    @Test
    void aRunThatIsOpenIsBeingMade() {
        var state = get(run(SAMPLE.open())).html().expectFirst("section[aria-label=State]");
        assertThat(state.select(".badge").text()).isEqualTo("Running");
        assertThat(state.select("[data-summary]").text()).isEqualTo("Version 1 is being made.");
        assertThat(get("/billing")
                        .html()
                        .select("table[aria-label^=Runs] tbody .badge")
                        .eachText())
                .startsWith("Running");
    }

    @Test
    void aRunWithLinesOfOthersOnlyIsNotSaidToHaveNone() {
        var page = server.send(run(SAMPLE.second()), Map.of(HeaderPrincipals.GRANT, "PARTNER AGENCY#nobody"))
                .html();

        assertThat(page.select(".empty-title").text()).isEqualTo("Nothing of yours came in");
        assertThat(page.select(".empty").text()).contains("No agency that you may see has a line in this run.");
    }
}
