package io.menuboard.billing.reports;

import static io.menuboard.billing.reports.BillingServer.now;
import static io.menuboard.billing.reports.BillingServer.sale;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.billing.transactions.CommissionRule;
import io.menuboard.billing.transactions.CommissionRules;
import io.menuboard.billing.transactions.Rounding;
import io.menuboard.graphql.Readme;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What {@code billing.graphqls} promises, over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BillingOverGraphQlTest {
    private final BillingServer billing = new BillingServer(Duration.ofHours(5));

    @AfterAll
    void stop() {
        billing.close();
    }

    @Test
    void theTransactionsOfTheReadmeAreRecordedOnce() {
        var section = "Bill your partners";
        var body = Readme.bodies(section).getFirst();

        var first = billing.server.post(body).join().data();
        var again = billing.server.post(body).join().data();
        var asked = billing.server.data(Readme.query(section));

        assertThat(first.at("/recordTransactions/outcomes").findValuesAsText("isNew"))
                .containsExactly("true", "true");
        assertThat(again.at("/recordTransactions/outcomes").findValuesAsText("isNew"))
                .containsExactly("false", "false");
        assertThat(asked.at("/billableTransaction/productKey").asText()).isEqualTo("HAMBURGER");
        assertThat(asked.at("/billableTransaction/houseShare/amount").asText()).isEqualTo("8.41");
        assertThat(asked.at("/billingCheckpoint/intervalMinutes").asInt()).isEqualTo(60);
    }

    /** Each has something to say. */
    @Test
    void everyFieldGivesWhatItIsFor() {
        var fields = billing.fields;
        billing.server
                .bean(CommissionRules.class)
                .put(BillingServer.STAFF, new CommissionRule("standard", new BigDecimal("0.15"), Rounding.HALF_EVEN));
        billing.recorded(sale("past 1", "acme", "9.99", "standard"));
        billing.past.setTime(now().minus(Duration.ofHours(4)));
        var first = billing.past.report(BillingServer.STAFF);
        // What is recorded late is a late line of the next report.
        billing.past.setTime(now().minus(Duration.ofHours(5)));
        billing.recorded(sale("past 2", "acme", "1.00", "standard"));
        billing.past.setTime(now().minus(Duration.ofHours(3)));
        var second = billing.past.report(BillingServer.STAFF);

        fields.query("billingCheckpoint");
        fields.mutate("setBillingInterval", "input: {minutes: 60}");
        fields.mutate("setBillingInterval", "input: {minutes: 61}");
        fields.mutate("setCommissionRule", "input: {id: \"reduced\", rate: \"0.05\"}");
        fields.mutate("setCommissionRule", "input: {id: \"reduced\", rate: \"1.05\"}");
        fields.query("commissionRule(id: \"reduced\")");
        fields.query("commissionRules(first: 1)");
        everyFieldOfWhatComesIn();
        var explained = fields.query("billableTransaction(id: \"past 2\")");
        assertThat(explained.at("/report/run/key").asText())
                .isEqualTo(second.id().toString());
        assertThat(explained.at("/report/line/late").asBoolean()).isTrue();
        fields.query("agency(id: \"acme\")");
        fields.query("agencies(first: 1)");
        fields.query("reportRun(id: \"%s\")".formatted(first.id()));
        fields.query("reportRuns(last: 1)");
        var range = "from: \"%s\", to: \"%s\"".formatted(now().minus(Duration.ofDays(1)), now());
        fields.query("billableTransactions(agency: \"acme\", %s, first: 1)".formatted(range));
        var month = YearMonth.from(now().atOffset(ZoneOffset.UTC));
        var months = "from: \"%s\", to: \"%s\"".formatted(month.minusMonths(1), month);
        var statements = fields.query("agencyStatements(agency: \"acme\", %s)".formatted(months));
        assertThat(statements).hasSize(2);
        var ids = statements.findValuesAsText("id");
        assertThat(billing.server.data("""
                                { nodes(ids: ["AgencyStatement#acme#%s", "AgencyStatement#unknown#%s", "AgencyStatement#acme#no", "AgencyStatement#acme", "AgencyStatement#acme#+999999999-12"]) {
                                  id ... on AgencyStatement { month } } }
                                """.formatted(month, month)).path("nodes"))
                .hasToString("[{\"id\":\"AgencyStatement#acme#%s\",\"month\":\"%s\"},null,null,null,null]"
                        .formatted(month, month));
        assertThat(ids).contains("AgencyStatement#acme#" + month);
        var nested = billing.server.data("""
                {
                  reportRun(id: "%s") {
                    agencyLines(agency: "acme", first: 1) {
                      edges { cursor node { late transactionKey transaction { key } } }
                      nodes { late } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
                    }
                  }
                  agency(id: "acme") { transactions(%s) { nodes { key } } statements(%s) { month } }
                }
                """.formatted(first.id(), range, months));
        assertThat(nested.at("/reportRun/agencyLines/nodes")).hasSize(1);
        assertThat(nested.at("/agency/transactions/nodes").findValuesAsText("key"))
                .contains("past 1", "past 2", "t1");
        assertThat(nested.at("/agency/statements").findValuesAsText("month"))
                .containsExactly(month.minusMonths(1).toString(), month.toString());
        var reconciled = fields.query("reconciliation(from: \"%s\", to: \"%s\")"
                .formatted(first.id().from().start(), first.id().to().start()));
        assertThat(reconciled).isNotEmpty();
        assertThat(reconciled).allMatch(quarter -> quarter.path("agrees").asBoolean());
        fields.mutate("runBilling", "input: {from: \"2020-01-01T00:00:00Z\"}");
        var started = fields.mutate("runBilling", "input: {}");
        assertThat(started.at("/run/key").asText()).startsWith(second.id().to().label());
        fields.query("billingCheckpoint");
        fields.mutate("runBillingAgain", "input: {id: \"%s\"}".formatted(first.id()));
        var unknown = fields.mutate("runBillingAgain", "input: {id: \"202001010000-202001010015\"}");
        assertThat(unknown.at("/errors/0/code").asText()).isEqualTo("NOT_FOUND");

        assertThat(fields.unanswered("billing.graphqls"))
                .isSubsetOf(
                        "RecordTransactionsPayload.errors",
                        "RecordTransactionsError.code",
                        "RecordTransactionsError.message",
                        "RecordTransactionsError.path",
                        "Agency.transactions",
                        "Agency.statements",
                        "BillableTransaction.corrects",
                        "ReportLine.transaction",
                        "ReportRun.agencyLines",
                        "ReportLineConnection.edges",
                        "ReportLineConnection.nodes",
                        "ReportLineConnection.pageInfo",
                        "ReportLineEdge.cursor",
                        "ReportLineEdge.node");
    }

    private void everyFieldOfWhatComesIn() {
        var input =
                "{key: \"%s\", agency: \"acme\", product: \"FRIES\", customer: \"c\", amount: \"%s\", currency: \"EUR\","
                        + " occurredAt: \"2026-11-01T10:00:00Z\", %s}";
        var own = "commissionRate: \"0.1\", corrects: \"past 1\"";

        assertThat(recorded(input.formatted("t1", "-3.00", own)).path("isNew").asBoolean())
                .isTrue();
        var conflict = recorded(input.formatted("t1", "-4.00", own));
        assertThat(conflict.at("/errors/0/code").asText()).isEqualTo("KEY_TAKEN");
        assertThat(conflict.path("transaction").isNull()).isTrue();
        assertThat(conflict.at("/existingTransaction/amount/amount").asText()).isEqualTo("-3.00");
        var refused = recorded(input.formatted("t2", "1", "commissionRule: \"none\""));
        assertThat(refused.at("/errors/0/code").asText()).isEqualTo("UNKNOWN_RULE");
        assertThat(refused.at("/errors/0/path")).hasToString("[\"input\",\"transactions\",\"0\",\"commissionRule\"]");
        recorded(input.formatted("t3", "1", "commissionRule: \"CommissionRule#reduced\""));
        var tooMany = billing.server.data("mutation { recordTransactions(input: {transactions: "
                + Stream.generate(() -> input.formatted("t4", "1", own))
                        .limit(21)
                        .toList()
                + "}) { outcomes { isNew } errors { code path } } }");
        assertThat(tooMany.path("recordTransactions")).hasToString("""
                        {"outcomes":null,"errors":[\
                        {"code":"TOO_MANY_TRANSACTIONS","path":["input","transactions"]}]}""");
        var corrected = billing.fields.query("billableTransaction(id: \"t1\")");
        assertThat(corrected.at("/recordedBy/source").asText()).isEqualTo("GRAPHQL");
        assertThat(billing.server
                        .data("{ billableTransaction(id: \"t1\") { corrects { key corrects { key } } } }")
                        .at("/billableTransaction/corrects"))
                .hasToString("{\"key\":\"past 1\",\"corrects\":null}");
    }

    private JsonNode recorded(String input) {
        return billing.fields
                .mutate("recordTransactions", "input: {transactions: [" + input + "]}")
                .at("/outcomes/0");
    }
}
