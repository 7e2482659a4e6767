package io.menuboard.pricing.packs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.current.MenuPlan;
import java.io.IOException;
import java.io.OutputStream;

/** Writes packs as JSON, item by item. Amounts are strings, so that no reader makes doubles of them. */
final class PackJson {
    private static final JsonFactory JSON = new JsonFactory();

    private PackJson() {}

    static void write(MenuPlan plan, OutputStream out) throws IOException {
        try (var json = JSON.createGenerator(out)) {
            json.writeStartObject();
            json.writeNumberField("format", PricePacks.FORMAT);
            json.writeStringField("store", plan.store().id().value());
            json.writeStringField("timeZone", plan.store().timeZone().getId());
            json.writeStringField("channel", plan.channel().value());
            json.writeObjectFieldStart("revisions");
            for (var revision : plan.revisions().entrySet()) {
                json.writeNumberField(revision.getKey(), revision.getValue());
            }
            json.writeEndObject();
            json.writeStringField("validFrom", plan.from().toString());
            json.writeStringField("validUntil", plan.until().toString());
            json.writeArrayFieldStart("items");
            for (var item : plan.items()) {
                item(json, item);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
    }

    private static void item(JsonGenerator json, MenuPlan.Item item) throws IOException {
        json.writeStartObject();
        switch (item.subject()) {
            case PriceSubject.Product(var product) -> json.writeStringField("product", product.value());
            case PriceSubject.Swap(var combo, var option) -> {
                json.writeStringField("combo", combo.value());
                json.writeStringField("option", option.value());
            }
        }
        json.writeArrayFieldStart("prices");
        for (var step : item.steps()) {
            json.writeStartObject();
            json.writeStringField("startsAt", step.startsAt().toString());
            json.writeStringField("effectiveDate", step.date().toString());
            var price = step.price();
            json.writeStringField(
                    "amount", price == null ? null : price.amount().amount().toPlainString());
            json.writeStringField(
                    "currency", price == null ? null : price.amount().currency().getCurrencyCode());
            json.writeStringField(
                    "channel", price == null ? null : price.channel().value());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
