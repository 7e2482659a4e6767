package io.menuboard.webadmin.billing;

import static io.menuboard.webadmin.billing.SampleTimes.minute;
import static io.menuboard.webadmin.pages.BillingSample.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.billing.reports.RunId;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.webadmin.pages.BillingSample;
import io.menuboard.webadmin.pages.PagesServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Actions on report runs: run now, make again, set the interval. */
class RunActionPagesTest {
    @Test
    void runsNowAfterAQuestionThatSaysWhatWouldBeClosed() {
        var fresh = BillingSample.emptyServer("billing-run-now");
        var begin = Quarter.of(fresh.now().minus(Duration.ofHours(2)));
        var past = BillingSample.past(fresh, begin.start().plus(Duration.ofMinutes(15)));
        BillingSample.record(past, BillingSample.sale("t1", BillingSample.ACME, "1.00 EUR", "0.1", null));
        assertThat(fresh.get("/billing").html().select(".empty-title").text())
                .isEqualTo("Nothing has been reported yet");

        var question = fresh.get("/billing/run-now").html();
        var form = question.expectFirst("main form[method=post]");
        var shown = form.select("input[name=run]").attr("value");
        var shorter = shown.substring(0, shown.indexOf('-') + 1)
                + Quarter.parse("run", shown.substring(0, shown.indexOf('-')))
                        .plus(1)
                        .label();
        var outdated = fresh.post(form.attr("action"), Map.of("run", shorter));
        var answer = fresh.post(form.attr("action"), Map.of("run", shown));

        assertThat(form.select(".facts dd").getFirst().text())
                .startsWith(minute(begin.start()).replace(" UTC", ""));
        // Not up to now: what is closed ends some minutes ago, with a quarter hour.
        var end = RunId.parse(shown).to().start();
        assertThat(end).isBefore(fresh.now().minus(Duration.ofMinutes(15)));
        assertThat(question.select(".lead").text()).startsWith("What came in before " + minute(end) + " is reported");
        // Were it asked to close more than was shown.
        assertThat(outdated.status()).isEqualTo(409);
        assertThat(outdated.html().select("input[name=run]").attr("value")).isEqualTo(shown);
        assertThat(outdated.html().select("[role=alert]").text()).contains("Look once more");
        assertThat(answer.status()).isEqualTo(303);
        await().untilAsserted(() -> assertThat(fresh.get(answer.header("Location"))
                        .html()
                        .select("[data-summary]")
                        .text())
                .startsWith("Everything of this range is reported."));
        assertThat(fresh.get("/billing/run-now").html().select("h1").text()).isEqualTo("Nothing can be run now");
        assertThat(fresh.post("/billing/run-now", Map.of()).status()).isEqualTo(409);
        // As often as it is sent, also where the first answer was lost.
        assertThat(fresh.post("/billing/run-now", Map.of("run", shown)).header("Location"))
                .startsWith("/billing/runs/" + shown.substring(0, shown.indexOf('-')));
    }

    @Test
    void saysThatARunGoesOnByItselfWhoseTaskWasCancelled() {
        var sample = BillingSample.start("billing-cancelled");
        var page = run(sample.open());
        var task = sample.server().get(page).html().select("#fact-Task").attr("href");

        sample.server().post(task + "/cancel", Map.of());

        assertThat(sample.server()
                        .get(page)
                        .html()
                        .select("[data-summary]")
                        .getFirst()
                        .text())
                .startsWith("Version 1 is held up: its task was cancelled. Another one takes its place within");
        sample.server().stop();
    }

    @Test
    void makesOneMoreVersionHoweverOftenTheFormIsSent() {
        var sample = BillingSample.start("billing-again");
        var fresh = sample.server();
        var question = fresh.get(run(sample.second()) + "/again").html();
        var form = Map.of("latest", question.select("input[name=latest]").attr("value"));

        var done = fresh.post(run(sample.second()) + "/again", form);
        var again = fresh.post(run(sample.second()) + "/again", form);

        assertThat(question.select("h1").text()).isEqualTo("Make version 2?");
        assertThat(question.select(".effect").text()).startsWith("150 lines are worked out again.");
        assertThat(done.header("Location")).isEqualTo(run(sample.second()) + "?did=again");
        assertThat(again.header("Location")).isEqualTo(run(sample.second()) + "?did=running");
        assertThat(fresh.post(run(sample.second()) + "/again", Map.of("latest", "0"))
                        .status())
                .isEqualTo(409);
        var html = fresh.get(done.header("Location")).html();
        assertThat(html.select(".alert-success").text()).contains("Another version is on its way");
        assertThat(html.select("table[aria-labelledby=versions] tbody tr").eachText())
                .hasSize(2)
                .anyMatch(row -> row.startsWith("Version 2") && row.endsWith("Being made"))
                .anyMatch(row -> row.startsWith("Version 1") && row.endsWith("Counts"));
        assertThat(html.select("table[aria-label=Totals by currency] tbody").text())
                .startsWith("EUR 150");
        assertThat(fresh.get(run(sample.second()) + "/again").status()).isEqualTo(409);
    }

    @Test
    void makesNoVersionWhereTheFormIsSentOnceMoreAfterTheFirstWasGivenUp() {
        var sample = BillingSample.start("billing-given-up");
        var fresh = sample.server();
        var question = fresh.get(run(sample.second()) + "/again").html();
        var form = Map.of("latest", question.select("input[name=latest]").attr("value"));
        fresh.post(run(sample.second()) + "/again", form);
        BillingSample.past(fresh, fresh.now()).giveUp(sample.second());

        var late = fresh.post(run(sample.second()) + "/again", form);

        assertThat(late.status()).isEqualTo(409);
        assertThat(late.html()
                        .select("table[aria-labelledby=versions] tbody tr")
                        .eachText())
                .hasSize(2)
                .anyMatch(row -> row.startsWith("Version 2") && row.endsWith("Given up"));
        var next = fresh.get(run(sample.second()) + "/again").html();
        assertThat(next.select("h1").text()).isEqualTo("Make version 3?");
        assertThat(fresh.post(
                                run(sample.second()) + "/again",
                                Map.of(
                                        "latest",
                                        next.select("input[name=latest]").attr("value")))
                        .header("Location"))
                .endsWith("?did=again");
        fresh.stop();
    }

    @Test
    void setsHowMuchARunCovers() {
        var fresh = BillingSample.emptyServer("billing-interval");

        for (var wrong : List.of("", "20", "0", "1455", "an hour", "99999999999")) {
            var refused = fresh.post("/billing/interval", Map.of("interval", wrong));

            assertThat(refused.status()).as(wrong).isEqualTo(400);
            assertThat(refused.html().select("#interval-error").text()).startsWith("Must be ");
            assertThat(refused.html().select("#interval").attr("value")).isEqualTo(wrong);
        }
        var done = fresh.post("/billing/interval", Map.of("interval", "90"));

        assertThat(fresh.get(done.header("Location"))
                        .html()
                        .select(".alert-success")
                        .text())
                .isEqualTo("A run covers 1 h 30 min from now on.");
        assertThat(fresh.get("/billing/interval").html().select("#interval").attr("value"))
                .isEqualTo("90");
    }

    @Test
    void saysWhatToConfigureWhereReportsHaveNowhereToBeKept() {
        var without = PagesServer.start("billing-none");

        var html = without.get("/billing").html();

        assertThat(html.select("main").text()).contains("MENUBOARD_FILES_BUCKET");
        assertThat(html.select(".site-nav a[aria-current]").text()).isEqualTo("Billing");
        assertThat(without.get("/billing/rules").status()).isEqualTo(404);
    }
}
