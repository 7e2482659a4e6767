package io.menuboard.billing.reports;

import static io.menuboard.billing.reports.BillingServer.now;
import static io.menuboard.billing.reports.BillingServer.sale;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.billing.transactions.CommissionRule;
import io.menuboard.billing.transactions.CommissionRules;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.Rounding;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.GraphQlServer.Answer;
import io.menuboard.querydb.RecordingMeter;
import java.math.BigDecimal;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The graph as a partner of one agency sees it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BillingScopesOverGraphQlTest {
    private static final String PARTNER = "PARTNER AGENCY#acme";

    /** Every field that says something about an agency; {@code %1$s} is the agency, {@code %2$s} a transaction of it. */
    private static final String ABOUT_ONE = """
            {
              billableTransaction(id: "%2$s") { id key customer amount { amount } recordedBy { name } report { run { lines } } }
              billableTransactions(agency: "%1$s", RANGE, first: 2) { totalCount { count } pageInfo { hasNextPage endCursor } nodes { key } }
              agency(id: "%1$s") { key statements(from: "MONTH", to: "MONTH") { totals { amount { amount } } }
                transactions(RANGE) { nodes { key } } }
              agencyStatements(agency: "%1$s", from: "MONTH", to: "MONTH") { id totals { lines } }
              reportRun(id: "RUN") { agencyLines(agency: "%1$s", first: 1) { pageInfo { hasNextPage } nodes { transactionKey } }
                first: agencyLines(agency: "%1$s", version: 1) { nodes { late } } }
              nodes(ids: ["Agency#%1$s", "BillableTransaction#%2$s", "AgencyStatement#%1$s#MONTH"]) { id }
              one: node(id: "AgencyStatement#%1$s#MONTH") { id }
            }
            """;

    private final BillingServer billing =
            new BillingServer(Duration.ofHours(5), Map.of(HeaderPrincipals.SETTING, true));

    @SuppressWarnings("NullAway.Init") // by JUnit
    private ReportRun run;

    @BeforeAll
    void report() {
        var rules = billing.server.bean(CommissionRules.class);
        rules.put(BillingServer.STAFF, new CommissionRule("secret rate", new BigDecimal("0.10"), Rounding.HALF_UP));
        billing.recorded(
                sale("ours 1", "acme", "10.00", "secret rate"),
                sale("ours 2", "acme", "20.00", "secret rate"),
                sale("theirs 1", "bolt", "777.00", "secret rate"),
                sale("theirs 2", "bolt", "77.00", "secret rate"));
        billing.past.setTime(now().minus(Duration.ofHours(3)));
        run = billing.past.reportAgain(
                BillingServer.STAFF, billing.past.report(BillingServer.STAFF).id());
    }

    @AfterAll
    void stop() {
        billing.close();
    }

    private Answer ask(String grant, String document) {
        return billing.server.send(HttpRequest.newBuilder(billing.server.graphQl())
                .header("Content-Type", "application/json")
                .header(HeaderPrincipals.GRANT, grant)
                .POST(BodyPublishers.ofString(GraphQlServer.json(Map.of("query", filled(document))))));
    }

    private String filled(String document) {
        return document.replace("RANGE", "from: \"%s\", to: \"%s\"".formatted(now().minus(Duration.ofHours(23)), now()))
                .replace(
                        "MONTH",
                        Quarter.of(now().minus(Duration.ofHours(5))).month().toString())
                .replace("RUN", run.id().toString());
    }

    private JsonNode data(String document) {
        return ask(PARTNER, document).data();
    }

    @Test
    void whatIsOfAnotherAgencyIsAsWhatIsNotThere() {
        var theirs = ask(PARTNER, ABOUT_ONE.formatted("bolt", "theirs 1")).text();
        var nobodys = ask(PARTNER, ABOUT_ONE.formatted("none", "nothing 1")).text();

        assertThat(theirs).isEqualTo(nobodys).doesNotContain("errors").doesNotContain("777");
        assertThat(ask(PARTNER, ABOUT_ONE.formatted("acme", "ours 1"))
                        .data()
                        .at("/agency/key")
                        .asText())
                .isEqualTo("acme");
    }

    @Test
    void aPartnerFindsItsOwn() {
        var own = data(ABOUT_ONE.formatted("acme", "ours 1"));

        assertThat(own.at("/billableTransaction/amount/amount").asText()).isEqualTo("10.00");
        assertThat(own.at("/billableTransaction/recordedBy").isNull()).isTrue();
        assertThat(own.at("/billableTransaction/report/run/lines").asInt()).isEqualTo(2);
        assertThat(own.at("/billableTransactions/totalCount/count").asInt()).isEqualTo(2);
        assertThat(own.at("/reportRun/agencyLines/nodes")).hasSize(1);
        assertThat(own.at("/nodes")).hasSize(3).noneMatch(JsonNode::isNull);
    }

    /** What an agency has in a run is an item of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"lines", "lateLines", "agencies", "totals { lines }"})
    void aListOfRunsReadsWhatAnAgencyHasInThemWhereThatIsAskedFor(String field) {
        var meter = billing.server.bean(RecordingMeter.class);
        var before = batchReads(meter);

        var without = data("{ reportRuns { nodes { key committedAt } } }").at("/reportRuns/nodes/0");

        assertThat(without.path("key").asText()).isEqualTo(run.id().toString());
        assertThat(without.path("committedAt").asText()).isNotEmpty();
        assertThat(batchReads(meter)).isEqualTo(before);
        var one = data("{ reportRun(id: \"RUN\") { %s } }".formatted(field)).path("reportRun");
        assertThat(data("{ reportRuns { nodes { %s } } }".formatted(field)).at("/reportRuns/nodes/0"))
                .isEqualTo(one);
        assertThat(data("{ reportRuns { edges { node { ... on ReportRun { %s } } } } }".formatted(field))
                        .at("/reportRuns/edges/0/node"))
                .isEqualTo(one);
    }

    private static long batchReads(RecordingMeter meter) {
        return meter.usages().stream()
                .filter(usage -> usage.operation().equals("getBatch"))
                .count();
    }

    /** Whatever is asked of runs and lists, there is nothing of others in the answer. */
    @Test
    void listsAndRunsHaveNothingOfOthers() {
        var answer = ask(PARTNER, """
                {
                  agencies { totalCount { count } pageInfo { hasNextPage hasPreviousPage } nodes { key } }
                  last: agencies(last: 1) { pageInfo { hasNextPage hasPreviousPage } nodes { key } }
                  reportRuns { nodes { ...run } }
                  reportRun(id: "RUN") { ...run }
                  node(id: "ReportRun#RUN") { ... on ReportRun { ...run } }
                  billingCheckpoint { reportedUntil intervalMinutes overdueSeconds }
                  commissionRule(id: "secret rate") { key rate }
                  rule: node(id: "CommissionRule#secret rate") { id }
                  billableTransaction(id: "ours 1") { commissionRule { key } report { run { ...run } line { commissionRule { key } } } }
                }
                fragment run on ReportRun {
                  key status version latestVersion startedBy { kind name source } lines lateLines agencies committedAt
                  totals { lines lateLines amount { amount } agencyShare { amount } houseShare { amount } }
                  agencyTotals { pageInfo { hasNextPage } nodes { version agency { key } totals { amount { amount } } } }
                  first: agencyTotals(version: 1, first: 1) { pageInfo { hasNextPage } nodes { agency { key } } }
                }
                """);

        // An instant may have any digits.
        assertThat(answer.text().replaceAll("\"committedAt\":\"[^\"]*\"", ""))
                .doesNotContain("bolt", "theirs", "777", "854", "884", "grace", "secret", "errors");
        var data = answer.data();
        assertThat(data.path("agencies")).hasToString("""
                {"totalCount":{"count":1},"pageInfo":{"hasNextPage":false,"hasPreviousPage":false},"nodes":[{"key":"acme"}]}""");
        assertThat(data.path("node")).isEqualTo(data.path("reportRun"));
        assertThat(data.at("/reportRuns/nodes/0")).isEqualTo(data.path("reportRun"));
        assertThat(data.at("/billableTransaction/report/run")).isEqualTo(data.path("reportRun"));
        assertThat(data.at("/reportRun/lines").asInt()).isEqualTo(2);
        assertThat(data.at("/reportRun/agencies").asInt()).isEqualTo(1);
        assertThat(data.at("/reportRun/totals/0/amount/amount").asText()).isEqualTo("30.00");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{ commissionRules { nodes { key } } }", "{ reconciliation(RANGE) { ingestedCount } }"})
    void whatIsOfAllAgenciesIsDenied(String document) {
        var denied = ask(PARTNER, document);

        assertThat(denied.code()).isEqualTo("PERMISSION_DENIED");
        assertThat(denied.error().path("message").asText()).contains("BILLING_READ");
        assertThat(ask("PARTNER ALL", document).text()).doesNotContain("errors");
    }

    @Test
    void aCursorOfAllAgenciesLeadsNowhereElse() {
        var cursor = ask("BILLING ALL", "{ agencies(first: 1) { pageInfo { endCursor } } }")
                .data()
                .at("/agencies/pageInfo/endCursor")
                .asText();

        assertThat(ask(PARTNER, "{ agencies(after: \"%s\") { nodes { key } } }".formatted(cursor))
                        .text())
                .doesNotContain("bolt");
        assertThat(ask(PARTNER, "{ agencies(before: \"zzz\", last: 9) { nodes { key } } }")
                        .data())
                .hasToString("{\"agencies\":{\"nodes\":[{\"key\":\"acme\"}]}}");
    }
}
