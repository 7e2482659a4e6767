package io.menuboard.webadmin.billing;

import static io.menuboard.webadmin.billing.SampleTimes.field;
import static io.menuboard.webadmin.pages.PagesServer.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.webadmin.pages.BillingSample;
import io.menuboard.webadmin.pages.PagesServer;
import org.junit.jupiter.api.Test;

/** The page that compares what came in with what is reported. */
class ReconciliationPageTest {
    private static final BillingSample SAMPLE = BillingSample.shared();

    private final PagesServer server = SAMPLE.server();

    @Test
    void agreesWhereEverythingThatCameInIsReported() {
        var html = server.get("/billing/reconciliation?from=" + field(SAMPLE, 0) + "&to=" + field(SAMPLE, 180))
                .html();

        assertThat(html.select("section[aria-label=Summary]").text())
                .startsWith("All agree Every closed quarter hour has in its reports exactly what came in.")
                .contains("Came in 156", "Reported 155", "Quarter hours still open 4");
        assertThat(html.select("tbody tr")).hasSize(12);
        assertThat(html.select("tbody tr.row-bad")).isEmpty();
        assertThat(html.select("#q" + SAMPLE.quarter(15)).text()).contains(" 5 €19.99", "Agrees");
        assertThat(html.select("a[rel=prev]").attr("href")).contains("from=" + encoded(field(SAMPLE, -180)));
    }

    @Test
    void showsTheLastDayByDefault() {
        assertThat(server.get("/billing/reconciliation").html().select("tbody tr"))
                .hasSize(96);
    }

    @Test
    void saysInWordsWhereWhatIsReportedIsNotWhatCameIn() {
        var sample = BillingSample.start("billing-differs");
        sample.miscount();
        var differs = sample.server();

        var html = differs.get("/billing/reconciliation?from=" + field(sample, 0) + "&to=" + field(sample, 180))
                .html();

        assertThat(html.select("section[aria-label=Summary] .badge-bad").text()).isEqualTo("1 differs");
        assertThat(html.select("section[aria-label=Summary]").text())
                .contains("In 1 of 12 quarter hours, what is reported is not what came in.");
        var row = html.expectFirst("tbody tr.row-bad");
        assertThat(row.select(".badge-bad").text()).isEqualTo("Differs");
        assertThat(html.select("section[aria-label=Summary] a").attr("href")).isEqualTo("#" + row.id());
        assertThat(differs.get(html.select("a[href*=.csv]").attr("href")).body().lines())
                .anyMatch(line -> line.contains(",true,false,EUR,"));
    }
}
