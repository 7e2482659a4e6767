package io.menuboard.app.billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.app.graphql.Readme;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The example of billing in the README does what it says. */
class ReadmeTest {
    private static final String SECTION = "Bill your partners";
    private static final Pattern QUERY = Pattern.compile("'query=([^']*)'");

    @Test
    void theTransactionsOfTheExampleAreRecordedOnce() {
        try (var billing = new BillingServer(Duration.ofHours(1))) {
            var body = Readme.bodies(SECTION).getFirst();
            var first = billing.server.post(body).join().data();
            var again = billing.server.post(body).join().data();
            var query = QUERY.matcher(Readme.section(SECTION));
            assertThat(query.find()).isTrue();
            var asked = billing.server.data(query.group(1));

            assertThat(first.at("/recordTransactions/outcomes").findValuesAsText("status"))
                    .containsExactly("RECORDED", "RECORDED");
            assertThat(again.at("/recordTransactions/outcomes").findValuesAsText("status"))
                    .containsExactly("REPLAYED", "REPLAYED");
            assertThat(asked.at("/billableTransaction/houseShare/amount").asText())
                    .isEqualTo("8.41");
            assertThat(asked.at("/billingCheckpoint/intervalMinutes").asInt()).isEqualTo(60);
        }
    }
}
