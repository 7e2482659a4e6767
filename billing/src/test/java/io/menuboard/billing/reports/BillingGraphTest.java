package io.menuboard.billing.reports;

import static io.menuboard.billing.reports.BillingServer.now;
import static io.menuboard.billing.reports.BillingServer.sale;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.billing.transactions.CommissionRule;
import io.menuboard.billing.transactions.CommissionRules;
import io.menuboard.billing.transactions.RecordTransaction;
import io.menuboard.billing.transactions.Rounding;
import io.menuboard.graphql.GraphQlServer;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.YearMonth;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Billing as a graph: one value for one id, found again by it, and read together. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BillingGraphTest {
    private static final int MANY = 50;

    private final BillingServer billing = new BillingServer(Duration.ofHours(5));
    private final MemoryFiles files = (MemoryFiles) billing.server.bean(ReportFiles.class);

    @SuppressWarnings("NullAway.Init") // by JUnit
    private ReportRun run;

    /** Fifty sales by a rule of a tenth, reported, and reported again when it is a fifth. */
    @BeforeAll
    void report() {
        rule("0.10");
        billing.recorded(IntStream.range(0, MANY)
                .mapToObj(i -> sale("sale " + i, "acme", "10.00", "standard"))
                .toArray(RecordTransaction[]::new));
        billing.past.setTime(now().minus(Duration.ofHours(3)));
        var first = billing.past.report(BillingServer.STAFF);
        rule("0.20");
        run = billing.past.reportAgain(BillingServer.STAFF, first.id());
    }

    private void rule(String rate) {
        billing.server
                .bean(CommissionRules.class)
                .put(BillingServer.STAFF, new CommissionRule("standard", new BigDecimal(rate), Rounding.HALF_UP));
    }

    @AfterAll
    void stop() {
        billing.close();
    }

    @Test
    void findsWhatHasAnIdByItAgain() {
        var ids = List.of(
                "BillableTransaction#sale 7",
                "Agency#acme",
                "CommissionRule#standard",
                "ReportRun#" + run.id(),
                "BillableTransaction#sale 50",
                "Agency#bolt",
                "CommissionRule#",
                "CommissionRule#none",
                "ReportRun#acme",
                "ReportRun#202001010000-202001010015");

        var found =
                billing.server.data("query($ids: [ID!]!) { nodes(ids: $ids) { id __typename } }", Map.of("ids", ids));

        assertThat(found.path("nodes").findValuesAsText("id")).isEqualTo(ids.subList(0, 4));
        assertThat(data("""
                {
                  billableTransaction(id: "BillableTransaction#sale 7") { key agency { id key } product { id } customer }
                  agency(id: "Agency#acme") { key }
                  commissionRule(id: "CommissionRule#standard") { key }
                  reportRun(id: "ReportRun#%s") { key startedBy { kind name source } }
                }
                """.formatted(run.id()))).hasToString("""
                {"billableTransaction":{"key":"sale 7","agency":{"id":"Agency#acme","key":"acme"},\
                "product":{"id":"Product#HAMBURGER"},"customer":"customer 7"},"agency":{"key":"acme"},\
                "commissionRule":{"key":"standard"},"reportRun":{"key":"%s",\
                "startedBy":{"kind":"USER","name":"grace","source":"PAGE"}}}""".formatted(run.id()));
    }

    /** What was recorded belongs to the transaction, what is paid to the line. */
    @Test
    void aTransactionSaysTheSameWhereverItIs() {
        var shares = "agencyShare { amount } houseShare { amount } commissionRate";
        var answer = data("""
                {
                  billableTransaction(id: "sale 7") { %1$s report { line { %1$s transaction { %1$s } } } }
                  node(id: "BillableTransaction#sale 7") { ... on BillableTransaction { %1$s } }
                  reportRun(id: "%2$s") { agencyLines(agency: "acme", first: 1) { nodes {
                    %1$s amount { amount currency } rounding commissionRule { key rate } transaction { %1$s }
                  } } }
                }
                """.formatted(shares, run.id()));

        var recorded = "{\"agencyShare\":{\"amount\":\"1.00\"},\"houseShare\":{\"amount\":\"9.00\"},"
                + "\"commissionRate\":\"0.1\"}";
        assertThat(answer.path("node")).hasToString(recorded);
        assertThat(answer.at("/billableTransaction/report/line/transaction")).hasToString(recorded);
        assertThat(answer.at("/billableTransaction/agencyShare/amount").asText())
                .isEqualTo("1.00");
        assertThat(answer.at("/billableTransaction/report/line/agencyShare/amount")
                        .asText())
                .isEqualTo("2.00");
        assertThat(answer.at("/reportRun/agencyLines/nodes/0")).hasToString("""
                {"agencyShare":{"amount":"2.00"},"houseShare":{"amount":"8.00"},"commissionRate":"0.2",\
                "amount":{"amount":"10.00","currency":"EUR"},"rounding":"HALF_UP",\
                "commissionRule":{"key":"standard","rate":"0.2"},"transaction":%s}""".formatted(recorded));
    }

    /** A quarter hour of the table, a run and a part of it, and a ledger: each once. */
    @Test
    void readsTheReportsOfManyTransactionsTogether() {
        var before = files.reads();
        var few = cost(5);
        var filesOfFew = files.reads() - before;
        var many = cost(MANY);

        assertThat(filesOfFew).isEqualTo(1);
        assertThat(files.reads() - before).isEqualTo(2);
        assertThat(many.at("/data/billableTransactions/nodes")).hasSize(MANY).allSatisfy(transaction -> {
            assertThat(transaction.at("/report/line/agencyShare/amount").asText())
                    .isEqualTo("2.00");
            assertThat(transaction.path("reporting").asText()).isEqualTo("REPORTED");
        });
        assertThat(requests(many)).isEqualTo(requests(few)).isLessThan(25);
    }

    private static int requests(JsonNode answer) {
        return answer.at("/extensions/cost/tableRequests").asInt();
    }

    private JsonNode cost(int transactions) {
        var query =
                "{ billableTransactions(agency: \"acme\", %s, first: %d) { nodes { reporting commissionRule { rate } "
                                .formatted(lastDay(), transactions)
                        + "report { run { key task { id } } line { agencyShare { amount } transaction { key } } } } } }";
        return billing.server
                .post(GraphQlServer.json(Map.of("query", query, "extensions", Map.of("cost", true))))
                .join()
                .body();
    }

    private static String lastDay() {
        return "from: \"%s\", to: \"%s\"".formatted(now().minus(Duration.ofDays(1)), now());
    }

    /** However many fields ask for them. */
    @Test
    void findsTwentyFourStatementsByTheirIdsAndRefusesMoreBeforeItReadsAny() {
        var most = statements(12);
        var more = statements(13);

        assertThat(most.at("/data/a")).hasSize(12).noneMatch(JsonNode::isNull);
        assertThat(most.at("/data/b")).hasSize(12).noneMatch(JsonNode::isNull);
        assertThat(more.at("/data/a")).hasSize(13).allMatch(JsonNode::isNull);
        assertThat(more.at("/data/b")).hasSize(12).allMatch(JsonNode::isNull);
        assertThat(more.path("errors").findValuesAsText("code"))
                .as("one for each that is not given")
                .hasSize(25)
                .containsOnly("TOO_MANY_STATEMENTS");
        assertThat(requests(more)).isZero();
    }

    /** So many months of this century, and twelve of the one before. */
    private JsonNode statements(int months) {
        var query = "query($a: [ID!]!, $b: [ID!]!) { a: nodes(ids: $a) { id } b: nodes(ids: $b) { id } }";
        var variables = Map.of("a", months(YearMonth.of(2024, 1), months), "b", months(YearMonth.of(1999, 1), 12));
        return billing.server
                .post(GraphQlServer.json(
                        Map.of("query", query, "variables", variables, "extensions", Map.of("cost", true))))
                .join()
                .body();
    }

    private static List<String> months(YearMonth first, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "AgencyStatement#acme#" + first.plusMonths(i))
                .toList();
    }

    @Test
    void whatIsNotThereIsNull() {
        assertThat(data("""
                {
                  a: billableTransactions(agency: "nobody", %1$s) { nodes { id } }
                  b: agencyStatements(agency: "nobody", from: "2026-01", to: "2026-01") { month }
                  c: agency(id: "nobody") { key }
                  d: reportRun(id: "%2$s") {
                    agencyLines(agency: "nobody") { nodes { late } }
                    agencyTotals(version: 3) { nodes { version } }
                    first: agencyTotals(version: 1) { nodes { version agency { key } run { key } } }
                  }
                  e: billableTransaction(id: "nothing") { id }
                }
                """.formatted(lastDay(), run.id()))).hasToString("""
                {"a":null,"b":null,"c":null,"d":{"agencyLines":null,"agencyTotals":null,"first":{"nodes":[\
                {"version":1,"agency":{"key":"acme"},"run":{"key":"%s"}}]}},"e":null}""".formatted(run.id()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "billableTransactions(agency: \"acme\", from: \"2026-01-01T00:00:00Z\", to: \"2026-02-01T00:00:01Z\")",
                "billableTransactions(agency: \"acme\", from: \"2026-01-01T00:00:00Z\", to: \"2026-01-01T00:00:00Z\")",
                "agencyStatements(agency: \"acme\", from: \"2024-01\", to: \"2026-01\")",
                "agencyStatements(agency: \"acme\", from: \"2026-02\", to: \"2026-01\")",
                "reconciliation(from: \"2026-01-01T00:00:00Z\", to: \"2026-01-02T00:00:01Z\")",
                "reconciliation(from: \"2026-01-01T00:00:00Z\", to: \"2026-01-01T00:00:00Z\")"
            })
    void refusesLongRanges(String field) {
        var refused = billing.server.execute("{ " + field + " { __typename } }");

        assertThat(refused.code()).isIn("INVALID_RANGE", "INVALID_MONTHS");
        assertThat(refused.argument()).isEqualTo("to");
    }

    @Test
    void listsTheLastMonthThatThereIsToo() {
        var answer = data("""
                {
                  billableTransactions(agency: "acme", from: "9999-12-31T00:00:00Z", to: "9999-12-31T23:59:59.9Z") { nodes { id } }
                  one: billableTransactions(agency: "acme", from: "9999-12-31T23:59:59.5Z", to: "9999-12-31T23:59:59.9Z") { nodes { id } }
                  agencyStatements(agency: "acme", from: "9999-12", to: "9999-12") { month reports { nodes { version } } }
                }
                """);

        assertThat(answer).hasToString("""
                {"billableTransactions":{"nodes":[]},"one":{"nodes":[]},\
                "agencyStatements":[{"month":"9999-12","reports":{"nodes":[]}}]}""");
    }

    /** As by a client that did not hear the first answer. */
    @Test
    void asksForARunOnceHoweverOftenItAsks() {
        var from = data("{ billingCheckpoint { reportedUntil } }")
                .at("/billingCheckpoint/reportedUntil")
                .asText();
        var selected = "{ run { key latestVersion } isNew errors { code path } }";
        var run = "mutation { runBilling(input: {from: \"%s\"}) %s }";

        var first = data(run.formatted(from, selected)).path("runBilling");
        var again = data(run.formatted(from, selected)).path("runBilling");
        var elsewhere = data(run.formatted("2020-01-01T00:00:00Z", selected)).path("runBilling");
        var within = data(run.formatted("2020-01-01T00:01:00Z", selected)).path("runBilling");

        assertThat(first.path("isNew").asBoolean()).isTrue();
        assertThat(again.path("isNew").asBoolean()).isFalse();
        assertThat(again.path("run")).isEqualTo(first.path("run"));
        assertThat(List.of(elsewhere, within))
                .allSatisfy(refused -> assertThat(refused).hasToString("""
                {"run":null,"isNew":null,"errors":[{"code":"INVALID_FROM","path":["input","from"]}]}"""));
        var version = "mutation { runBillingAgain(input: {id: \"%s\", version: %d}) %s }";
        assertThat(data(version.formatted(this.run.id(), 1, selected)).path("runBillingAgain"))
                .hasToString("{\"run\":{\"key\":\"%s\",\"latestVersion\":2},\"isNew\":false,\"errors\":[]}"
                        .formatted(this.run.id()));
        assertThat(data(version.formatted(this.run.id(), 3, selected)).path("runBillingAgain"))
                .hasToString("""
                        {"run":null,"isNew":null,"errors":[{"code":"INVALID_VERSION","path":["input","version"]}]}""");
        assertThat(data(version.formatted("acme", 1, selected)).path("runBillingAgain"))
                .hasToString(
                        "{\"run\":null,\"isNew\":null,\"errors\":[{\"code\":\"INVALID_RUN\",\"path\":[\"input\",\"id\"]}]}");
    }

    private JsonNode data(String document) {
        return billing.server.data(document);
    }
}
