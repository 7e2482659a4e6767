package io.menuboard.webadmin.billing;

import static io.menuboard.webadmin.billing.SampleTimes.minute;
import static io.menuboard.webadmin.pages.BillingSample.transaction;
import static io.menuboard.webadmin.pages.PagesServer.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.billing.transactions.Quarter;
import io.menuboard.querydb.InterruptedClient;
import io.menuboard.webadmin.pages.BillingSample;
import io.menuboard.webadmin.pages.PagesServer;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

/** Pages of a transaction, and the upload of files of them. */
class TransactionPagesTest {

    private static final BillingSample SAMPLE = BillingSample.shared();

    private static final String HEADER =
            "transaction,agency,product,customer,currency,amount,commissionRate,occurredAt\n";

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
        var empty = server.upload("/billing/record", Map.of(), "file", HEADER);

        for (var answer : List.of(other, none, empty)) {
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

    /** Its quarter hour was closed and is behind the look-back. */
    @Test
    void doesNotSayThatATransactionIsNotReportedYetWhichNoReportWillHave() {
        var fresh = PagesServer.start("billing-missed", PagesServer.REPORTS);
        var begin = Quarter.of(fresh.now().minus(Duration.ofHours(3))).start();
        var past = BillingSample.past(fresh, begin.plus(Duration.ofMinutes(15)));
        BillingSample.record(past, BillingSample.sale("t1", BillingSample.ACME, "1.00 EUR", "0.1", null));
        past.setTime(begin.plus(Duration.ofMinutes(75)));
        past.report(BillingSample.STAFF);
        past.setTime(begin.plus(Duration.ofMinutes(16)));
        BillingSample.record(past, BillingSample.sale("t2", BillingSample.ACME, "1.00 EUR", "0.1", null));
        past.settle(Quarter.of(begin.plus(Duration.ofMinutes(60))));

        var reports = fresh.get(transaction("t2")).html().select("section[aria-labelledby=reports]");

        assertThat(reports.select(".badge-bad").text()).isEqualTo("In no report");
        assertThat(reports.text()).contains("Record it again under another id.").doesNotContain("Not reported yet");
        fresh.stop();
    }

    @Test
    void showsTheReportOfATransactionWhoseRunIsCommittedWhileThePageIsMade() {
        var fresh = PagesServer.start("billing-meanwhile", PagesServer.REPORTS, BeforeCheckpoint.ENVIRONMENT);
        var begin = Quarter.of(fresh.now().minus(Duration.ofHours(2))).start();
        var past = BillingSample.past(fresh, begin.plus(Duration.ofMinutes(15)));
        BillingSample.record(past, BillingSample.sale("t1", BillingSample.ACME, "1.00 EUR", "0.1", null));
        past.setTime(begin.plus(Duration.ofMinutes(75)));
        fresh.bean(BeforeCheckpoint.class).once(() -> past.report(BillingSample.STAFF));

        var reports = fresh.get(transaction("t1")).html().select("section[aria-labelledby=reports]");

        assertThat(reports.select("tbody tr").text()).endsWith("Show the lines 1 10% €0.10");
        assertThat(reports.text()).doesNotContain("Not reported yet", "Late");
        fresh.stop();
    }

    /** Does something before the checkpoint is read. */
    @Singleton
    @Requires(env = BeforeCheckpoint.ENVIRONMENT)
    static final class BeforeCheckpoint implements BeanCreatedEventListener<DynamoDbClient> {
        static final String ENVIRONMENT = "before-checkpoint";

        private final AtomicReference<@Nullable Runnable> task = new AtomicReference<>();

        void once(Runnable meanwhile) {
            task.set(meanwhile);
        }

        @Override
        public DynamoDbClient onCreated(BeanCreatedEvent<DynamoDbClient> event) {
            return InterruptedClient.before(BeforeCheckpoint::isCheckpoint, Integer.MAX_VALUE, event.getBean(), () -> {
                var meanwhile = task.getAndSet(null);
                if (meanwhile != null) {
                    meanwhile.run();
                }
            });
        }

        private static boolean isCheckpoint(DynamoDbRequest request) {
            return request instanceof GetItemRequest get && get.key().containsValue(AttributeValue.fromS("CHECKPOINT"));
        }
    }
}
