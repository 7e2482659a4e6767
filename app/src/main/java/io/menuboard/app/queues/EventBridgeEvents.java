package io.menuboard.app.queues;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.menuboard.kernel.Money;
import io.menuboard.pricing.events.PriceEvents;
import io.menuboard.pricing.events.PriceUpdated;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;

/** Publishes on an EventBridge bus. Amounts are decimal strings, so that no consumer makes doubles of them. */
final class EventBridgeEvents implements PriceEvents {
    static final String SOURCE = "menuboard.pricing";
    static final String PRICE_UPDATED = "PriceUpdated";

    private static final JsonMapper JSON = new JsonMapper();

    private final EventBridgeClient events;
    private final EventsConfig config;

    EventBridgeEvents(EventBridgeClient events, EventsConfig config) {
        this.events = events;
        this.config = config;
    }

    @Override
    public void publish(PriceUpdated event) {
        var answer = events.putEvents(request -> request.entries(PutEventsRequestEntry.builder()
                .eventBusName(config.bus())
                .source(SOURCE)
                .detailType(PRICE_UPDATED)
                .detail(detail(event))
                .build()));
        if (answer.failedEntryCount() > 0) {
            throw new NotPublished(event.id(), answer.entries().getFirst().errorCode());
        }
    }

    private static String detail(PriceUpdated event) {
        var detail = JSON.createObjectNode()
                .put("id", event.id())
                .put("store", event.store().value())
                .put("channel", event.channel().value())
                .put("type", event.type())
                .put("product", event.product())
                .put("effectiveAt", event.effectiveAt().toString())
                .put("sequence", event.sequence());
        put(detail, "before", event.before());
        put(detail, "after", event.after());
        return detail.put("changeSet", event.changeSet()).toString();
    }

    private static void put(ObjectNode detail, String name, @Nullable Money money) {
        if (money == null) {
            detail.putNull(name);
        } else {
            detail.putObject(name)
                    .put("amount", money.amount().toPlainString())
                    .put("currency", money.currency().getCurrencyCode());
        }
    }

    /** The bus took the request and refused the event; another attempt may fare better. */
    static final class NotPublished extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotPublished(String id, String code) {
            super("event " + id + " was not published: " + code);
        }
    }
}
