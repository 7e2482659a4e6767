package io.menuboard.webadmin.billing;

import static io.menuboard.webadmin.billing.SampleTimes.minute;
import static io.menuboard.webadmin.pages.BillingSample.agency;
import static io.menuboard.webadmin.pages.BillingSample.lines;
import static io.menuboard.webadmin.pages.BillingSample.transaction;
import static io.menuboard.webadmin.pages.PagesServer.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.webadmin.pages.BillingSample;
import io.menuboard.webadmin.pages.PagesServer;
import org.junit.jupiter.api.Test;

/** Pages of an agency: its lines, months and statements. */
class AgencyPagesTest {
    private static final BillingSample SAMPLE = BillingSample.shared();

    private final PagesServer server = SAMPLE.server();

    @Test
    void downloadsWhatAnAgencyHasUnderItsName() {
        var reports = lines(SAMPLE.first(), BillingSample.SLASHED);

        var csv = server.get(reports + "/report.csv?version=1");
        var json = server.get(reports + "/report.json");

        assertThat(csv.header("Content-Disposition"))
                .isEqualTo("attachment; filename=\"" + SAMPLE.first()
                        + "-v1-_A_B_c_d_e__100___Z_rich___.csv\"; filename*=UTF-8''" + SAMPLE.first()
                        + "-v1-%3DA_B%3Fc%3Dd%26e%20%22100%25%22%20Z%C3%BCrich%20%E6%9D%B1%E4%BA%AC.csv");
        assertThat(csv.body().lines()).hasSize(2).anyMatch(line -> line.startsWith("order-4,\"'=A/B"));
        assertThat(json.header("Content-Type")).startsWith("application/json");
        assertThat(json.body()).contains("\"order-4\"", "\"version\":2");
    }

    @Test
    void showsLinesWithTheLateOneMarkedAndEachWithItsTransaction() {
        var html = server.get(lines(SAMPLE.second(), BillingSample.ACME) + "?first=256")
                .html();

        assertThat(html.select("#live tbody tr")).hasSize(BillingSample.MANY);
        assertThat(html.select("#live tbody tr").getLast().text())
                .startsWith("late-1 Late, of " + minute(SAMPLE, 45).replace(" UTC", ""))
                .endsWith("€5.00 10% €0.50");
        assertThat(html.select(".badge-warn")).hasSize(1);
        assertThat(html.select("#live tbody tr").getLast().select("a").attr("href"))
                .isEqualTo(transaction("late-1"));
    }

    @Test
    void searchingForAnAgencyLeadsToItsPage() {
        var found = server.get("/billing/agencies?agency=" + encoded(BillingSample.SLASHED.value()));

        assertThat(found.status()).isEqualTo(303);
        assertThat(server.get(found.header("Location")).html().select("h1").text())
                .isEqualTo(BillingSample.SLASHED.value());
        assertThat(server.get("/billing/agencies?agency=nobody")
                        .html()
                        .select("#agency-error")
                        .text())
                .isEqualTo("There is no agency nobody: nothing was ever recorded for it.");
    }

    @Test
    void showsTheMonthsOfAnAgencyInAPictureAndInNumbers() {
        var html =
                server.get(agency(BillingSample.ACME) + "?to=" + SAMPLE.month()).html();

        assertThat(html.select("figure svg[role=img] > title").eachText())
                .containsExactly("Agency’s share by month, EUR", "Agency’s share by month, USD");
        assertThat(html.select("figure desc").getFirst().text())
                .startsWith("A bar for each month. Highest: €1,120.74 in ");
        assertThat(html.select("rect")).hasSize(2);
        assertThat(html.select("tbody tr")).hasSize(13);
        assertThat(html.select("tbody tr").getFirst().text()).endsWith("152 1 €11,190.00 €10,069.26 €1,120.74");
        assertThat(html.select("tbody tr").getLast().text()).endsWith("Nothing");
        assertThat(server.get(html.select("a[href*=.csv]").attr("href")).body().lines())
                .hasSize(14)
                .contains("acme," + SAMPLE.month() + ",EUR,152,1,11190.00,1120.74,10069.26");
    }

    @Test
    void aStatementHasTheReportsOfItsMonth() {
        var html = server.get(SAMPLE.month(BillingSample.ACME)).html();

        assertThat(html.select("table[aria-label^=Totals] tbody tr").eachText())
                .containsExactly("EUR 152 1 €11,190.00 €10,069.26 €1,120.74", "USD 1 0 $100.00 $80.00 $20.00");
        assertThat(html.select("#live tbody tr")).hasSize(3);
        assertThat(html.select("#live tbody .cell-main a").eachAttr("href"))
                .containsExactly(
                        lines(SAMPLE.first(), BillingSample.ACME),
                        lines(SAMPLE.first(), BillingSample.ACME),
                        lines(SAMPLE.second(), BillingSample.ACME));
        assertThat(server.get(html.select("a[href*=.csv]").attr("href")).body().lines())
                .hasSize(4)
                .startsWith("agency,month,run,from,to,version,currency,lines,lateLines,amount,agencyShare,houseShare");
    }

    @Test
    void listsWhatArrivedForAnAgencyInAMonth() {
        var html =
                server.get(SAMPLE.month(BillingSample.ACME) + "/transactions").html();

        assertThat(html.select("#live tbody tr").getFirst().text()).startsWith("waiting-1 HAMBURGER customer <7>");
        var csv = server.get(html.select("a[href*=.csv]").attr("href")).body();
        assertThat(csv.lines())
                .hasSize(1 + BillingSample.MANY + 4)
                .anyMatch(line -> line.startsWith(
                        "\"refund/1 \"\"?\",acme,HAMBURGER,customer <7>,EUR,-2.40,0.15,,HALF_UP,-0.36,-2.04,"));
    }
}
