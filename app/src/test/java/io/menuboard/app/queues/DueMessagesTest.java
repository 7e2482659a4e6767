package io.menuboard.app.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.batches.DueBatches.Due;
import io.menuboard.pricing.batches.PriceBatch;
import java.time.Instant;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DueMessagesTest {
    private static final PriceBatch BATCH =
            new PriceBatch(new StoreId("1"), new Channel("Köln \"1\""), EffectiveDate.parse("2026-03-01T06:00"));

    @Test
    void aDueBatchIsAppliedOrPutOff() {
        var later = Instant.parse("2026-03-01T05:00:00Z");
        var applied = new ArrayList<PriceBatch>();
        var messages = new DueMessages((_, batch) -> {
            applied.add(batch);
            return applied.size() == 1 ? new Due.NotDueYet(later) : new Due.Applied();
        });
        var body = DueMessages.body(BATCH);

        assertThat(messages.read(body).perform()).contains(later);
        assertThat(messages.read(body).perform()).isEmpty();

        assertThat(applied).containsExactly(BATCH, BATCH);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null",
                "{\"store\":\"1\",\"channel\":\"ALL\"}",
                "{\"store\":1,\"channel\":\"ALL\",\"effectiveDate\":\"2026-03-01\"}",
                "{\"store\":\"a#b\",\"channel\":\"ALL\",\"effectiveDate\":\"2026-03-01\"}",
                "{\"store\":\"1\",\"channel\":\"ALL\",\"effectiveDate\":\"tomorrow\"}",
                "{\"store\":\"1\",\"channel\":\"ALL\",\"effectiveDate\":\"2026-03-01\"} {}"
            })
    void whatIsNoBatchIsNeverApplied(String body) {
        var messages = new DueMessages((_, _) -> {
            throw new AssertionError("applied");
        });

        assertThatIllegalArgumentException().isThrownBy(() -> messages.read(body));
    }
}
