package io.menuboard.billing.reports;

import static io.menuboard.billing.reports.BillingServer.now;
import static io.menuboard.billing.reports.BillingServer.sale;
import static org.assertj.core.api.Assertions.assertThat;

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

        assertThat(first.at("/recordTransactions/outcomes").findValuesAsText("status"))
                .containsExactly("RECORDED", "RECORDED");
        assertThat(again.at("/recordTransactions/outcomes").findValuesAsText("status"))
                .containsExactly("REPLAYED", "REPLAYED");
        assertThat(asked.at("/billableTransaction/houseShare/amount").asText()).isEqualTo("8.41");
        assertThat(asked.at("/billingCheckpoint/intervalMinutes").asInt()).isEqualTo(60);
    }

    /** Each has something to say. */
    @Test
    void everyFieldGivesWhatItIsFor() {
        var fields = billing.fields;
        billing.server
                .bean(CommissionRules.class)
                .put(new CommissionRule("standard", new BigDecimal("0.15"), Rounding.HALF_EVEN), BillingServer.STAFF);
        billing.recorded(sale("past 1", "acme", "9.99", "standard"));
        billing.past.setTime(now().minus(Duration.ofHours(4)));
        var first = billing.past.report(BillingServer.STAFF);
        // What is recorded late is a late line of the next report.
        billing.past.setTime(now().minus(Duration.ofHours(5)));
        billing.recorded(sale("past 2", "acme", "1.00", "standard"));
        billing.past.setTime(now().minus(Duration.ofHours(3)));
        var second = billing.past.report(BillingServer.STAFF);

        fields.query("billingCheckpoint");
        fields.mutate("setBillingInterval", "minutes: 60");
        fields.mutate("setBillingInterval", "minutes: 61");
        fields.mutate("putCommissionRule", "input: {id: \"reduced\", rate: \"0.05\"}");
        fields.mutate("putCommissionRule", "input: {id: \"reduced\", rate: \"1.05\"}");
        fields.query("commissionRule(id: \"reduced\")");
        fields.query("commissionRules(first: 1)");
        var input =
                "{id: \"t1\", agency: \"acme\", product: \"FRIES\", customer: \"c\", amount: \"%s\", currency: \"EUR\","
                        + " occurredAt: \"2026-11-01T10:00:00Z\", commissionRate: \"0.1\", corrects: \"past 1\"}";
        var recorded = fields.mutate("recordTransactions", "inputs: [" + input.formatted("-3.00") + "]");
        assertThat(recorded.at("/outcomes/0/status").asText()).isEqualTo("RECORDED");
        var conflict = fields.mutate("recordTransactions", "inputs: [" + input.formatted("-4.00") + "]");
        assertThat(conflict.at("/outcomes/0/status").asText()).isEqualTo("CONFLICT");
        assertThat(conflict.at("/outcomes/0/transaction/amount/amount").asText())
                .isEqualTo("-3.00");
        assertThat(conflict.at("/outcomes/0/given/amount/amount").asText()).isEqualTo("-4.00");
        var byRule =
                input.formatted("1").replace("t1", "t2").replace("commissionRate: \"0.1\"", "commissionRule: \"none\"");
        var refused = fields.mutate("recordTransactions", "inputs: [" + byRule + "]");
        assertThat(refused.at("/outcomes/0/errors/0/code").asText()).isEqualTo("UNKNOWN_RULE");
        assertThat(refused.at("/outcomes/0/errors/0/path")).hasToString("[\"inputs\",\"0\",\"commissionRule\"]");
        fields.mutate(
                "recordTransactions",
                "inputs: [" + byRule.replace("none", "reduced").replace("t2", "t3") + "]");
        var conflictByRule = fields.mutate(
                "recordTransactions",
                "inputs: [" + byRule.replace("none", "standard").replace("t2", "t3") + "]");
        assertThat(conflictByRule.at("/outcomes/0/given/commissionRule").asText())
                .isEqualTo("standard");
        var tooMany = billing.server.data("mutation { recordTransactions(inputs: "
                + Stream.generate(() -> input.formatted("1")).limit(21).toList()
                + ") { outcomes { status } errors { code path } } }");
        assertThat(tooMany.path("recordTransactions"))
                .hasToString(
                        "{\"outcomes\":[],\"errors\":[{\"code\":\"TOO_MANY_TRANSACTIONS\",\"path\":[\"inputs\"]}]}");
        fields.query("billableTransaction(id: \"t1\")");
        var explained = fields.query("billableTransaction(id: \"past 2\")");
        assertThat(explained.at("/reports/0/run/id").asText())
                .isEqualTo(second.id().toString());
        assertThat(explained.at("/reports/0/line/late").asBoolean()).isTrue();
        fields.query("agencies(first: 1)");
        fields.query("reportRun(id: \"%s\")".formatted(first.id()));
        fields.query("reportRuns(last: 1)");
        var month = YearMonth.from(now().atOffset(ZoneOffset.UTC));
        fields.query("billableTransactions(agency: \"acme\", month: \"%s\", first: 1)".formatted(month));
        var statements = fields.query(
                "agencyStatements(agency: \"acme\", from: \"%s\", to: \"%s\")".formatted(month.minusMonths(1), month));
        assertThat(statements).hasSize(2);
        var lines = billing.server.data("""
                {
                  reportRun(id: "%s") {
                    agencyLines(agency: "acme", first: 1) {
                      edges { cursor node { late transaction { id recordedBy } } }
                      nodes { late } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
                    }
                  }
                }
                """.formatted(first.id()));
        assertThat(lines.at("/reportRun/agencyLines/nodes")).hasSize(1);
        var reconciled = fields.query("reconciliation(from: \"%s\", to: \"%s\")"
                .formatted(first.id().from().start(), first.id().to().start()));
        assertThat(reconciled).isNotEmpty();
        assertThat(reconciled).allMatch(quarter -> quarter.path("agrees").asBoolean());
        var started = billing.server.data(
                "mutation { runBilling { run { id task status making } errors { code message path } } }");
        assertThat(started.at("/runBilling/run/id").asText())
                .startsWith(second.id().to().label());
        fields.query("billingCheckpoint");
        fields.mutate("runBillingAgain", "id: \"%s\"".formatted(first.id()));
        var unknown = fields.mutate("runBillingAgain", "id: \"202001010000-202001010015\"");
        assertThat(unknown.at("/errors/0/code").asText()).isEqualTo("NOT_FOUND");

        assertThat(fields.unanswered("billing.graphqls"))
                .isSubsetOf(
                        "RecordTransactionsPayload.errors",
                        "Mutation.runBilling",
                        "ReportLine.transaction",
                        "ReportRun.agencyLines",
                        "ReportLineConnection.edges",
                        "ReportLineConnection.nodes",
                        "ReportLineConnection.pageInfo",
                        "ReportLineEdge.cursor",
                        "ReportLineEdge.node");
    }
}
