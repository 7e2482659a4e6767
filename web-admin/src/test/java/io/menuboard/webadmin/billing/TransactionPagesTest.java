package io.menuboard.webadmin.billing;

import static io.menuboard.webadmin.billing.SampleTimes.minute;
import static io.menuboard.webadmin.pages.BillingSample.transaction;
import static io.menuboard.webadmin.pages.PagesServer.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.webadmin.pages.BillingSample;
import io.menuboard.webadmin.pages.PagesServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pages of a transaction, and the upload of files of them. */
class TransactionPagesTest {

    private static final BillingSample SAMPLE = BillingSample.shared();

    private final PagesServer server = SAMPLE.server();

    @Test
    void aFileOfTransactionsIsRecordedOnceAndTellsWhatIsWrong() {
        var template = server.get("/billing/record/template.csv")
                .body()
                .replace("standard", "none such")
                .replace("acme", "uploaded");

        var first = server.upload("/billing/record", Map.of(), "file", template).html();
        var again = server.upload("/billing/record", Map.of(), "file", template).html();

        assertThat(first.select(".alert-warning").text())
                .contains("3 rows read: 2 recorded, 0 recorded before, 1 not recorded.");
        assertThat(first.select("tbody tr").eachText())
                .singleElement()
                .asString()
                .contains("Row 3", "commissionRule", "none such", "UNKNOWN_RULE");
        assertThat(again.select(".alert-warning").text()).contains("0 recorded, 2 recorded before, 1 not recorded.");
        assertThat(server.get("/billing/transactions/refund-1001").status()).isEqualTo(200);
    }

    @Test
    void aFileThatIsNoneIsRefusedBesideItsField() {
        var other = server.upload("/billing/record", Map.of(), "file", "a,b\n1,2\n");
        var none = server.upload("/billing/record", Map.of(), "other", "");

        for (var answer : List.of(other, none)) {
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.html().select("#file-error").text()).isNotEmpty();
            assertThat(answer.html().select("#file").attr("aria-invalid")).isEqualTo("true");
        }
    }

    @Test
    void showsEverythingAboutATransaction() {
        var found = server.get("/billing/transactions?transaction=" + encoded(BillingSample.REFUND));
        var html = server.get(found.header("Location")).html();

        assertThat(html.select("h1").text()).isEqualTo(BillingSample.REFUND);
        assertThat(html.select(".lead").text()).isEqualTo("Refund of acme, recorded by till 7, through GraphQL.");
        assertThat(html.select(".figures").text()).contains("-€2.40", "-€0.36", "15%", "-€2.04");
        assertThat(html.select(".facts").text())
                .contains(
                        "Quarter hour of arrival " + minute(SAMPLE, 15).replace(" UTC", ""),
                        "Rounding of the agency’s share To the nearest, halves away from zero",
                        "Commission rule The transaction’s own");
        assertThat(html.select("a:contains(order-1)").attr("href")).isEqualTo(transaction("order-1"));
        assertThat(html.select("tbody tr").text()).endsWith("Show the lines 2 15% -€0.36");
    }

    @Test
    void saysWhichRuleGaveTheRateAndWhatTheReportThatCountsSays() {
        var html = server.get(transaction("order-1")).html();

        assertThat(html.select(".figures").text()).contains("€1.86", "15%");
        assertThat(html.select(".facts a:contains(standard)").attr("href"))
                .isEqualTo("/billing/rules/new?commissionRule=standard");
        assertThat(html.select("tbody tr").text()).endsWith("2 25% €3.10");
    }

    @Test
    void saysWhenATransactionWillBeReported() {
        var waiting = server.get(transaction(BillingSample.WAITING)).html();
        var late = server.get(transaction(BillingSample.LATE)).html();

        assertThat(waiting.select("section[aria-labelledby=reports]").text())
                .contains("Not reported yet", "the next one is due at " + minute(SAMPLE, 195));
        assertThat(late.select("tbody tr").text()).contains("Late");
    }
}
