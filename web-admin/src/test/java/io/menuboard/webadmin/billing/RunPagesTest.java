package io.menuboard.webadmin.billing;

import static io.menuboard.webadmin.billing.SampleTimes.minute;
import static io.menuboard.webadmin.pages.BillingSample.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.billing.reports.MemoryFiles;
import io.menuboard.billing.reports.ReportFiles;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.RecordTransaction;
import io.menuboard.querydb.RecordingMeter;
import io.menuboard.webadmin.pages.BillingSample;
import io.menuboard.webadmin.pages.PagesServer;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.stream.IntStream;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of report runs: what is reported, and in which versions. */
class RunPagesTest {
    private static final int AGENCIES = 64;
    private static final BillingSample SAMPLE = BillingSample.shared();

    private final PagesServer server = SAMPLE.server();

    @Test
    void showsHowFarReportsAreAndThatTheyAreOverdue() {
        var html = server.get("/billing").html();

        assertThat(html.select(".facts").text())
                .contains(
                        "Everything is reported up to " + minute(SAMPLE, 120),
                        "Next run due " + minute(SAMPLE, 195),
                        "1 hour");
        assertThat(html.select("[role=alert] .alert-title").text()).isEqualTo("Billing is overdue");
        assertThat(server.get(html.select("#alarm-task").attr("href"))
                        .html()
                        .select("h1")
                        .text())
                .isEqualTo("menuboard.billing");
    }

    @Test
    void listsRunsLatestFirstWithTheProgressOfTheOneThatIsBeingMade() {
        var rows = server.get("/billing").html().select("tbody tr");

        assertThat(rows.eachText()).hasSize(3);
        assertThat(rows.get(1).text()).contains(" 1 1 150 1 €11,180.00 €1,118.00 Committed");
        assertThat(rows.get(2).text()).contains(" 2 3 5 0 €19.99", "¥450", "$100.00", "€3.74", "Committed");
        await().untilAsserted(() -> assertThat(server.get("/billing")
                        .html()
                        .select("tbody tr")
                        .getFirst()
                        .text())
                .contains("12,000 lines", "Running"));
        assertThat(server.get("/billing").html().select("#live > [hx-get]").attr("hx-get"))
                .isEqualTo("/billing");
    }

    @Test
    void exportsEveryRunWithItsTotals() {
        var csv = server.get("/billing/runs.csv");

        assertThat(csv.header("Content-Disposition")).isEqualTo("attachment; filename=\"runs.csv\"");
        assertThat(csv.body().lines())
                .hasSize(6)
                .startsWith("run,from,to,status,version,startedAt,by,committedAt,agencies,currency,lines,"
                        + "lateLines,amount,agencyShare,houseShare")
                .anyMatch(line -> line.startsWith(SAMPLE.second() + ",")
                        && line.endsWith(",1,EUR,150,1,11180.00,1118.00,10062.00"))
                .anyMatch(line -> line.startsWith(SAMPLE.open() + ",") && line.endsWith(",,,,,,,,"));
    }

    @Test
    void showsARunThatIsBeingMadeAndAsksAgain() {
        await().untilAsserted(() -> assertThat(server.get(run(SAMPLE.open()))
                        .html()
                        .select(".progress-label")
                        .text())
                .contains("12,000 lines"));
        var html = server.get(run(SAMPLE.open())).html();

        assertThat(html.select("[data-summary]").text()).startsWith("Version 1 is being made.");
        assertThat(html.select("#live > [hx-get]").attr("hx-get")).isEqualTo(run(SAMPLE.open()));
        assertThat(html.select("noscript a").attr("href")).isEqualTo(run(SAMPLE.open()));
        assertThat(html.select(".empty-title").text()).isEqualTo("Nothing is reported yet");
        assertThat(html.select("a[href*=.csv], a[href*=.json], a[href$=/again]"))
                .isEmpty();
        assertThat(server.get(html.select("#fact-Task").attr("href"))
                        .html()
                        .select(".facts a")
                        .eachAttr("href"))
                .contains(run(SAMPLE.open()));
    }

    @Test
    void showsWhatEachAgencyHasAndWhatIsDifferentFromTheVersionBefore() {
        var html = server.get(run(SAMPLE.first())).html();

        assertThat(html.select("[data-summary]").getFirst().text())
                .isEqualTo("Version 2 counts; the ones before can still be read.");
        assertThat(html.select("table[aria-label=Totals by currency] tbody tr").eachText())
                .containsExactly(
                        "EUR 3 0 €19.99 €16.25 €3.74", "JPY 1 0 ¥450 ¥450 ¥0", "USD 1 0 $100.00 $80.00 $20.00");
        assertThat(html.select("table[aria-label=What each agency has] tbody tr")
                        .eachText())
                .hasSize(4)
                .anyMatch(row -> row.startsWith("acme 2 0 €10.00 €7.26 €2.74 +€1.24 "))
                .anyMatch(row -> row.startsWith("acme 1 0 $100.00 $80.00 $20.00 None "));
        assertThat(html.select("table[aria-labelledby=versions] tbody tr").eachText())
                .hasSize(2)
                .anyMatch(row -> row.startsWith("Version 2 ") && row.endsWith("Counts"))
                .anyMatch(row -> row.startsWith("Version 1 ") && row.endsWith("Superseded"));
    }

    @Test
    void readsWhatManyAgenciesHadInTheVersionBeforeTogether() {
        var fresh = BillingSample.emptyServer("billing-many-agencies");
        var begin = Quarter.of(fresh.now().minus(Duration.ofHours(2))).start();
        var past = BillingSample.past(fresh, begin.plus(Duration.ofMinutes(15)));
        BillingSample.record(
                past,
                IntStream.range(0, AGENCIES)
                        .mapToObj(
                                i -> BillingSample.sale("t" + i, new AgencyId("agency " + i), "9.00 EUR", "0.1", null))
                        .toArray(RecordTransaction[]::new));
        past.setTime(begin.plus(Duration.ofMinutes(75)));
        var id = past.report(BillingSample.STAFF).id();
        past.reportAgain(BillingSample.STAFF, id);
        var meter = fresh.bean(RecordingMeter.class);
        var shown = new ArrayList<Element>();

        meter.during(() ->
                shown.addAll(fresh.get(run(id)).html().select("table[aria-label=What each agency has] tbody tr")));

        assertThat(shown).hasSize(AGENCIES).allMatch(row -> row.text().contains(" 1 0 €9.00 €8.10 €0.90 None "));
        // Background work reads now and then.
        assertThat(meter.usages().stream().filter(usage -> usage.operation().equals("get")))
                .hasSizeLessThan(AGENCIES / 4);
        fresh.stop();
    }

    @Test
    void showsAVersionThatDoesNotCountAsWhatItIs() {
        var html = server.get(run(SAMPLE.first()) + "?version=1").html();

        assertThat(html.select(".alert-warning").text()).contains("version 1, which does not count");
        assertThat(html.select("table[aria-label=Totals by currency] tbody tr")
                        .getFirst()
                        .text())
                .isEqualTo("EUR 3 0 €19.99 €17.49 €2.50");
        assertThat(html.select("th:contains(Difference)")).isEmpty();
        assertThat(html.select("a[href*=.csv], a[href*=.json]").eachAttr("href"))
                .isNotEmpty()
                .allMatch(link -> link.endsWith("version=1") || link.contains("difference.csv"));
    }

    @ParameterizedTest
    @CsvSource({
        "ledger.csv,text/csv",
        "summary.csv,text/csv",
        "summary.json,application/json",
        "manifest.json,application/json",
        "difference.csv,text/csv"
    })
    void downloadsFilesUnderNamesThatSayRunAndVersion(String file, String type) {
        var download = server.get(run(SAMPLE.first()) + "/files/" + file);

        assertThat(download.status()).isEqualTo(200);
        assertThat(download.header("Content-Type")).startsWith(type);
        assertThat(download.header("Content-Disposition"))
                .startsWith("attachment; filename=\"" + SAMPLE.first() + "-v2-" + file + "\"");
        assertThat(download.body()).contains("acme");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/files/ledger.csv", "/agencies/acme/report.csv"})
    void whoAsksForHeadersAloneDownloadsNothingAndLeavesNothingOpen(String file) {
        var path = run(SAMPLE.first()) + file;

        var head = server.sendAsItIs(
                HttpRequest.newBuilder(server.address(path + "?by=head")).HEAD());

        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("Content-Disposition")).startsWith("attachment;");
        assertThat(server.get(path + "?by=get").status()).isEqualTo(200);
        await().untilAsserted(() -> assertThat(((MemoryFiles) server.bean(ReportFiles.class)).unclosed())
                .noneMatch(name ->
                        name.endsWith(".csv") && name.contains(SAMPLE.first().toString())));
        assertThat(server.get("/audit?action=downloaded&subject=" + PagesServer.encoded("DOWNLOAD#" + path))
                        .html()
                        .select("tbody tr")
                        .eachText())
                .anyMatch(row -> row.contains("by: get"))
                .noneMatch(row -> row.contains("by: head"));
    }

    @Test
    void writesAmountsAsTheReaderDoes() {
        var html = server.send(run(SAMPLE.first()), Map.of("Accept-Language", "de-DE"))
                .html();

        assertThat(html.select("table[aria-label=Totals by currency]").text()).contains("19,99 €");
    }
}
