package io.menuboard.webadmin.billing;

import static io.menuboard.webadmin.pages.BillingSample.agency;
import static io.menuboard.webadmin.pages.BillingSample.lines;
import static io.menuboard.webadmin.pages.BillingSample.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.webadmin.pages.BillingSample;
import io.menuboard.webadmin.pages.ListPages;
import io.menuboard.webadmin.pages.PagesServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** Lists, links and refusals of every page of billing. What holds for every page is in {@code PagesTest}. */
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
                    /billing/reconciliation?from=yesterday                                                      | from           | Must be a date and time of the years 1 to 9999, such as 2026-03-01T06:00
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
}
