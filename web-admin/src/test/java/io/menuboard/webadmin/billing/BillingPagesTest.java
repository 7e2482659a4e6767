package io.menuboard.webadmin.billing;

import static io.menuboard.webadmin.pages.BillingSample.agency;
import static io.menuboard.webadmin.pages.BillingSample.lines;
import static io.menuboard.webadmin.pages.BillingSample.run;
import static io.menuboard.webadmin.pages.BillingSample.transaction;
import static io.menuboard.webadmin.pages.PagesServer.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.billing.transactions.Quarter;
import io.menuboard.tasks.TasksInstance;
import io.menuboard.webadmin.pages.BillingSample;
import io.menuboard.webadmin.pages.ListPages;
import io.menuboard.webadmin.pages.PagesServer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** What the server sends about billing. What holds for every page is in {@code PagesTest}. */
class BillingPagesTest {
    private static final BillingSample SAMPLE = BillingSample.shared();

    /** Whose address follows what is shown. */
    static final List<String> LISTS = List.of(
            "/billing/agencies?first=16",
            lines(SAMPLE.second(), BillingSample.ACME) + "?first=16",
            lines(SAMPLE.first(), BillingSample.ACME) + "?version=1",
            SAMPLE.month(BillingSample.ACME) + "?first=16",
            SAMPLE.month(BillingSample.ACME) + "/transactions?first=16",
            "/billing/rules?first=16");

    /** Which ask again by themselves while a run is being made. */
    static final List<String> LIVE = List.of("/billing", run(SAMPLE.first()), run(SAMPLE.open()));

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

    @ParameterizedTest
    @FieldSource("LISTS")
    void sendsHtmxThePartOfTheSameTemplateThatChanges(String list) {
        ListPages.assertAddressFollows(server, list);
    }

    @ParameterizedTest
    @FieldSource("LIVE")
    void sendsHtmxTheSamePartWhereAPageAsksAgain(String page) {
        ListPages.assertAddressStays(server, page);
    }

    @Test
    void pagesForwardAndBackThroughTheSameRows() {
        for (var list : List.of(
                lines(SAMPLE.second(), BillingSample.ACME) + "?first=64",
                SAMPLE.month(BillingSample.ACME) + "/transactions?first=64",
                "/billing?first=1",
                run(SAMPLE.first()) + "?first=1",
                run(SAMPLE.first()) + "?version=1&first=1",
                SAMPLE.month(BillingSample.ACME) + "?first=1",
                "/billing/agencies?first=1",
                "/billing/rules?first=1")) {
            ListPages.assertPagesBothWays(server, list);
        }
    }

    @Test
    void everyLinkLeadsSomewhere() {
        ListPages.assertLinksLeadSomewhere(server, SAMPLE.pages());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /billing?after=forged                                 | after
                    /billing?first=2049                                   | first
                    /billing/agencies?before=forged                       | before
                    /billing/rules?last=0                                 | last
                    """)
    void saysAboveTheListWhichPartOfTheAddressIsWrong(String page, String field) {
        var answer = server.get(page);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.html().select(".alert-error").text()).contains(field);
    }

    @Test
    void refusesCursorsOfOtherListsOnEveryPage() {
        for (var page : List.of(
                run(SAMPLE.first()),
                lines(SAMPLE.second(), BillingSample.ACME),
                SAMPLE.month(BillingSample.ACME) + "/transactions")) {
            assertThat(server.get(page + "?after=forged").status()).as(page).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /billing/agencies?agency=a%23b                                                              | agency         | Must not contain '#'
                    /billing/transactions?transaction=                                                          | transaction    | Must not be blank
                    /billing/agencies/acme?to=2026-13                                                           | to             | Must be a month from 1970 on, such as 2026-03
                    /billing/reconciliation?from=yesterday                                                      | from           | Must be a date and time from 1970 on, such as 2026-03-01T06:00
                    /billing/reconciliation?from=2026-03-02T00:00&to=2026-03-01T00:00                           | to             | Must be later than from
                    /billing/reconciliation?from=2026-03-01T00:00&to=2026-03-02T00:01                           | to             | Must be at most 24 hours after from
                    /billing/rules/confirm?commissionRule=&commissionRate=0.1&rounding=DOWN                     | commissionRule | Must not be blank
                    /billing/rules/confirm?commissionRule=a&commissionRate=1e-1&rounding=DOWN                   | commissionRate | Must be a number such as 0.15 or 0,15
                    /billing/rules/confirm?commissionRule=a&commissionRate=1.1&rounding=DOWN                    | commissionRate | Must be a share of 0 to 1 with at most 6 decimals, such as 0.15 for fifteen percent
                    /billing/rules/confirm?commissionRule=standard&commissionRate=0.1&rounding=UP               | rounding       | Must be one of HALF_UP, HALF_EVEN, DOWN
                    """)
    void saysBesideTheFieldWhatIsWrongWithIt(String page, String field, String rule) {
        var answer = server.get(page);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.html().select("#" + field + "-error").text()).isEqualTo(rule);
        assertThat(answer.html().select("#" + field).attr("aria-invalid")).isEqualTo("true");
    }

    @Test
    void saysWhatIsNotThere() {
        for (var missing : List.of(
                "/billing/runs/202601010000-202601010100",
                run(SAMPLE.first()) + "?version=3",
                run(SAMPLE.open()) + "/again",
                run(SAMPLE.open()) + "/files/ledger.csv",
                run(SAMPLE.first()) + "/files/secrets.txt",
                run(SAMPLE.first()) + "/files/difference.csv?version=1",
                lines(SAMPLE.second(), BillingSample.HOSTILE),
                lines(SAMPLE.second(), BillingSample.HOSTILE) + "/report.csv",
                "/billing/agencies/nobody",
                "/billing/agencies/nobody/2026-11",
                "/billing/transactions/nothing",
                "/billing/rules/new?commissionRule=nothing")) {
            var answer = server.get(missing);

            assertThat(answer.status()).as(missing).isEqualTo(404);
            assertThat(missing).startsWith(answer.html().select("main a").attr("href"));
        }
        for (var wrong : List.of(
                "/billing/runs/today",
                run(SAMPLE.first()) + "?version=0",
                run(SAMPLE.first()) + "?version=x",
                agency(BillingSample.ACME) + "/november",
                "/billing/reconciliation.csv?from=x")) {
            assertThat(server.get(wrong).status()).as(wrong).isEqualTo(400);
        }
    }

    @Test
    void showsHowFarReportsAreAndThatTheyAreOverdue() {
        var html = server.get("/billing").html();

        assertThat(html.select(".facts").text())
                .contains("Everything is reported up to " + minute(120), "Next run due " + minute(195), "1 hour");
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
        await(() -> assertThat(server.get("/billing")
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
        await(() -> assertThat(server.get(run(SAMPLE.open()))
                        .html()
                        .select("[data-summary]")
                        .text())
                .startsWith("Version 1 is being made."));
        var html = server.get(run(SAMPLE.open())).html();

        assertThat(html.select(".progress-label").text()).contains("12,000 lines");
        assertThat(html.select("#live > [hx-get]").attr("hx-get")).isEqualTo(run(SAMPLE.open()));
        assertThat(html.select("noscript meta[http-equiv=refresh]")).hasSize(1);
        assertThat(html.select(".empty-title").text()).isEqualTo("Nothing is reported yet");
        assertThat(html.select("a[download], a[href$=/again]")).isEmpty();
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
    void showsAVersionThatDoesNotCountAsWhatItIs() {
        var html = server.get(run(SAMPLE.first()) + "?version=1").html();

        assertThat(html.select(".alert-warning").text()).contains("version 1, which does not count");
        assertThat(html.select("table[aria-label=Totals by currency] tbody tr")
                        .getFirst()
                        .text())
                .isEqualTo("EUR 3 0 €19.99 €17.49 €2.50");
        assertThat(html.select("th:contains(Difference)")).isEmpty();
        assertThat(html.select("a[download]").eachAttr("href"))
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
                .startsWith("late-1 Late, of " + minute(45).replace(" UTC", ""))
                .endsWith("€5.00 10% €0.50");
        assertThat(html.select(".badge-warn")).hasSize(1);
        assertThat(html.select("#live tbody tr").getLast().select("a").attr("href"))
                .isEqualTo(transaction("late-1"));
    }

    @Test
    void writesAmountsAsTheReaderDoes() {
        var html = server.send(run(SAMPLE.first()), Map.of("Accept-Language", "de-DE"))
                .html();

        assertThat(html.select("table[aria-label=Totals by currency]").text()).contains("19,99 €");
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
        assertThat(server.get(html.select("a[download]").attr("href")).body().lines())
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
        assertThat(server.get(html.select("a[download]").attr("href")).body().lines())
                .hasSize(4)
                .startsWith("agency,month,run,from,to,version,currency,lines,lateLines,amount,agencyShare,houseShare");
    }

    @Test
    void listsWhatArrivedForAnAgencyInAMonth() {
        var html =
                server.get(SAMPLE.month(BillingSample.ACME) + "/transactions").html();

        assertThat(html.select("#live tbody tr").getFirst().text()).startsWith("waiting-1 HAMBURGER customer <7>");
        var csv = server.get(html.select("a[download]").attr("href")).body();
        assertThat(csv.lines())
                .hasSize(1 + BillingSample.MANY + 4)
                .anyMatch(line -> line.startsWith(
                        "\"refund/1 \"\"?\",acme,HAMBURGER,customer <7>,EUR,-2.40,0.15,,HALF_UP,-0.36,-2.04,"));
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
                        "Quarter hour of arrival " + minute(15).replace(" UTC", ""),
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
                .contains("Not reported yet", "the next one is due at " + minute(195));
        assertThat(late.select("tbody tr").text()).contains("Late");
    }

    @Test
    void agreesWhereEverythingThatCameInIsReported() {
        var html = server.get("/billing/reconciliation?from=" + field(0) + "&to=" + field(180))
                .html();

        assertThat(html.select("section[aria-label=Summary]").text())
                .startsWith("All agree Every closed quarter hour has in its reports exactly what came in.")
                .contains("Came in 156", "Reported 155", "Quarter hours still open 4");
        assertThat(html.select("tbody tr")).hasSize(12);
        assertThat(html.select("tbody tr.row-bad")).isEmpty();
        assertThat(html.select("#q" + SAMPLE.quarter(15)).text()).contains(" 5 €19.99", "Agrees");
        assertThat(html.select("a[rel=prev]").attr("href")).contains("from=" + encoded(field(-180)));
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
        assertThat(differs.get(html.select("a[download]").attr("href")).body().lines())
                .anyMatch(line -> line.contains(",true,false,EUR,"));
    }

    @Test
    void runsNowAfterAQuestionThatSaysWhatWouldBeClosed() {
        var fresh = BillingSample.emptyServer("billing-run-now");
        var begin = beginOfOneRun(TasksInstance.of(fresh::bean).reads().now());
        var past = BillingSample.past(fresh, begin.start().plus(Duration.ofMinutes(15)));
        BillingSample.record(past, BillingSample.sale("t1", BillingSample.ACME, "1.00 EUR", "0.1", null));
        assertThat(fresh.get("/billing").html().select(".empty-title").text())
                .isEqualTo("Nothing has been reported yet");

        var question = fresh.get("/billing/run-now").html();
        var form = question.expectFirst("main form[method=post]");
        var answer = fresh.post(form.attr("action"), Map.of());

        assertThat(form.select(".facts dd").getFirst().text())
                .startsWith(minute(begin.start()).replace(" UTC", ""));
        assertThat(answer.status()).isEqualTo(303);
        await(() -> assertThat(fresh.get(answer.header("Location"))
                        .html()
                        .select("[data-summary]")
                        .text())
                .startsWith("Everything of this range is reported."));
        assertThat(fresh.get("/billing/run-now").html().select("h1").text()).isEqualTo("Nothing can be run now");
        assertThat(fresh.post("/billing/run-now", Map.of()).header("Location")).isEqualTo("/billing/run-now");
    }

    /** Some quarter hours ago, or fewer where a month has begun since, as no run is of two months. */
    private static Quarter beginOfOneRun(Instant now) {
        var closed = Quarter.of(now.minus(Quarter.LENGTH));
        var month = Quarter.of(closed.month());
        var begin = closed.plus(-6);
        return begin.compareTo(month) < 0 && month.compareTo(closed) < 0 ? month : begin;
    }

    @Test
    void makesOneMoreVersionHoweverOftenTheFormIsSent() {
        var sample = BillingSample.start("billing-again");
        var fresh = sample.server();
        var question = fresh.get(run(sample.second()) + "/again").html();
        var made = question.select("input[name=made]").attr("value");

        var done = fresh.post(run(sample.second()) + "/again", Map.of("made", made));
        var again = fresh.post(run(sample.second()) + "/again", Map.of("made", made));

        assertThat(question.select("h1").text()).isEqualTo("Make version 2?");
        assertThat(question.select(".effect").text()).startsWith("150 lines are worked out again.");
        assertThat(done.header("Location")).isEqualTo(run(sample.second()) + "?did=again");
        assertThat(again.status()).isEqualTo(409);
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
    void putsARuleAfterItSaidWhatWouldChange() {
        var fresh = BillingSample.emptyServer("billing-rules");
        assertThat(fresh.get("/billing/rules").html().select(".empty-title").text())
                .isEqualTo("No commission rules yet");

        var added = put(
                fresh,
                "/billing/rules/confirm?commissionRule=50%25%20%26%20more&commissionRate=0.5&rounding=HALF_EVEN");
        var question = fresh.get(
                "/billing/rules/confirm?commissionRule=50%25%20%26%20more&commissionRate=0.125&rounding=DOWN");
        var changed = put(
                fresh,
                question.http().uri().getRawPath() + "?" + question.http().uri().getRawQuery());

        assertThat(added.select(".alert-success").text()).startsWith("The rule 50% & more counts");
        assertThat(question.html().select(".effect").text()).isEqualTo("50% becomes 12.5%.");
        assertThat(changed.select("tbody tr").eachText())
                .containsExactly("50% & more Towards zero 0.125 12.5% Change 50% & more");
        assertThat(fresh.get("/billing/rules.csv").body().lines())
                .containsExactly("commissionRule,commissionRate,rounding", "50% & more,0.125,DOWN");
        assertThat(fresh.post(
                                "/billing/rules",
                                Map.of("commissionRule", "x", "commissionRate", "2", "rounding", "DOWN"))
                        .status())
                .isEqualTo(400);
    }

    private static Document put(PagesServer server, String question) {
        var form = server.get(question).html().expectFirst("main form[method=post]");
        var fields = new HashMap<String, String>();
        form.select("input[type=hidden]").forEach(input -> fields.put(input.attr("name"), input.attr("value")));
        return server.get(server.post(form.attr("action"), fields).header("Location"))
                .html();
    }

    @Test
    void saysWhatToConfigureWhereReportsHaveNowhereToBeKept() {
        var without = PagesServer.start("billing-none");

        var html = without.get("/billing").html();

        assertThat(html.select("main").text()).contains("MENUBOARD_FILES_BUCKET");
        assertThat(html.select(".site-nav a[aria-current]").text()).isEqualTo("Billing");
        assertThat(without.get("/billing/rules").status()).isEqualTo(404);
    }

    /** So many minutes after the sample's begin, as pages write it. */
    private static String minute(int minutes) {
        return minute(SAMPLE.quarter(minutes).start());
    }

    private static String minute(Instant instant) {
        return instant.toString().replace('T', ' ').substring(0, 16) + " UTC";
    }

    /** The same, as date-time fields send it. */
    private static String field(int minutes) {
        return field(SAMPLE, minutes);
    }

    private static String field(BillingSample sample, int minutes) {
        return sample.quarter(minutes).start().toString().substring(0, 16);
    }

    private static void await(ThrowingRunnable assertion) {
        Awaitility.await().untilAsserted(assertion);
    }
}
