package io.menuboard.app.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.menuboard.kernel.Money;
import io.menuboard.local.aws.LocalBus;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.events.PriceUpdated;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;

class EventBridgeEventsTest {
    private final LocalBus bus = new LocalBus();
    private final EventBridgeClient client = EventBridgeClient.builder()
            .endpointOverride(bus.endpoint())
            .region(LocalDynamoDb.REGION)
            .credentialsProvider(LocalDynamoDb.CREDENTIALS)
            .httpClientBuilder(ApacheHttpClient.builder())
            .build();
    private final EventBridgeEvents events = new EventBridgeEvents(client, new EventsConfig("prices"));

    @AfterEach
    void stop() {
        client.close();
        bus.close();
    }

    @Test
    void consumersGetExactAmountsAndWhatTheyAreIn() throws JsonProcessingException {
        events.publish(event(new Money(new BigDecimal("4.50"), Money.currencyOf("EUR"))));

        var detail = new JsonMapper().readTree("""
                {"id": "h1", "store": "DE-0001", "channel": "ALL", "type": "Base", "product": "BURGER",
                 "effectiveAt": "2026-03-01T06:00:00Z", "sequence": "2026-03-01T06:00:00.001000Z",
                 "before": {"amount": "4.50", "currency": "EUR"},
                 "after": null, "changeSet": "c1"}
                """);
        assertThat(bus.events())
                .containsExactly(new LocalBus.Event("prices", "menuboard.pricing", "PriceUpdated", detail));
    }

    @Test
    void anEventThatTheBusRefusesIsNotTakenForPublished() {
        bus.refuseNext(1);

        assertThatThrownBy(() -> events.publish(event(null)))
                .isInstanceOf(EventBridgeEvents.NotPublished.class)
                .hasMessage("event h1 was not published: InternalFailure");
        assertThat(bus.events()).isEmpty();
    }

    private static PriceUpdated event(@Nullable Money before) {
        return new PriceUpdated(
                "h1",
                new StoreId("DE-0001"),
                Channel.ALL,
                "Base",
                "BURGER",
                Instant.parse("2026-03-01T06:00:00Z"),
                "2026-03-01T06:00:00.001000Z",
                before,
                null,
                "c1");
    }
}
