package io.menuboard.app.queues;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.menuboard.access.Access;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.messaging.MessageHandler;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.batches.DueBatches;
import io.menuboard.pricing.batches.DueBatches.Due;
import io.menuboard.pricing.batches.PriceBatch;
import java.util.Optional;

/** Applies batches whose time has come. A message is {@code {"store":…,"channel":…,"effectiveDate":…}}. */
final class DueMessages implements MessageHandler {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final Access SYSTEM = Access.ofSystem("due batches", Actor.Source.SCHEDULER);

    private final DueBatches batches;

    DueMessages(DueBatches batches) {
        this.batches = batches;
    }

    /** The message that says that a batch is due. */
    static String body(PriceBatch batch) {
        return JSON.createObjectNode()
                .put("store", batch.store().value())
                .put("channel", batch.channel().value())
                .put("effectiveDate", batch.effectiveDate().toString())
                .toString();
    }

    @Override
    public Work read(String body) {
        var batch = batch(body);
        return () -> switch (batches.apply(SYSTEM, batch)) {
            case Due.Applied() -> Optional.empty();
            case Due.NotDueYet(var at) -> Optional.of(at);
        };
    }

    private static PriceBatch batch(String body) {
        try {
            var message = JSON.readTree(body);
            return new PriceBatch(
                    new StoreId(text(message, "store")),
                    new Channel(text(message, "channel")),
                    EffectiveDate.parse(text(message, "effectiveDate")));
        } catch (JsonProcessingException | InvalidInput e) {
            throw new IllegalArgumentException("a due batch has store, channel and effectiveDate", e);
        }
    }

    private static String text(JsonNode message, String name) {
        var value = message.path(name);
        if (!value.isTextual()) {
            throw new IllegalArgumentException("a due batch needs a text " + name + ", not " + value.getNodeType());
        }
        return value.textValue();
    }
}
