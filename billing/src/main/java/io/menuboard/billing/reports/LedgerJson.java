package io.menuboard.billing.reports;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.menuboard.kernel.Money;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The JSON files of a run. Amounts and rates are strings, so that no reader makes doubles of them. */
final class LedgerJson {
    private static final JsonFactory JSON = new JsonFactory();

    private LedgerJson() {}

    /** Writes fields of an object. */
    @FunctionalInterface
    interface Fields {
        void write(JsonGenerator json) throws IOException;
    }

    static byte[] object(Fields fields) {
        var bytes = new ByteArrayOutputStream();
        try (var json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("memory has no faults", e);
        }
        return bytes.toByteArray();
    }

    static byte[] line(LedgerLine line) {
        var transaction = line.transaction();
        return object(json -> {
            json.writeStringField("transaction", transaction.id().value());
            json.writeStringField("product", transaction.product());
            json.writeStringField("customer", transaction.customer());
            json.writeStringField("currency", transaction.amount().currency().getCurrencyCode());
            amount(json, "amount", transaction.amount());
            json.writeStringField(
                    "commissionRate", transaction.commission().rate().toPlainString());
            text(json, "commissionRule", transaction.commission().rule());
            json.writeStringField(
                    "rounding", transaction.commission().rounding().name());
            amount(json, "agencyShare", transaction.agencyShare());
            amount(json, "houseShare", transaction.houseShare());
            json.writeStringField("occurredAt", transaction.occurredAt().toString());
            text(json, "corrects", transaction.corrects());
            json.writeBooleanField("late", line.late());
            json.writeStringField("quarterHour", transaction.place().quarter().label());
            json.writeNumberField("shard", transaction.place().shard());
            json.writeStringField("place", transaction.place().sortKey());
        });
    }

    static void run(JsonGenerator json, RunFiles files) throws IOException {
        json.writeStringField("run", files.run().toString());
        json.writeStringField("from", files.run().from().start().toString());
        json.writeStringField("to", files.run().to().start().toString());
        json.writeNumberField("version", files.version());
    }

    /** An array of objects, one for each currency. */
    static void totals(JsonGenerator json, Collection<Totals> totals) throws IOException {
        json.writeArrayFieldStart("totals");
        for (var each : totals) {
            json.writeStartObject();
            json.writeStringField("currency", each.currency().getCurrencyCode());
            json.writeNumberField("lines", each.lines());
            json.writeNumberField("lateLines", each.lateLines());
            json.writeStringField("amount", each.amount().toPlainString());
            json.writeStringField("agencyShare", each.agencyShare().toPlainString());
            json.writeStringField("houseShare", each.houseShare().toPlainString());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    static void part(JsonGenerator json, LedgerPart part) throws IOException {
        for (var partition : new TreeMap<>(part.partitions()).entrySet()) {
            var totals = partition.getValue().totals();
            json.writeStartObject();
            json.writeStringField("quarterHour", part.quarter().label());
            json.writeNumberField("shard", partition.getKey());
            json.writeBooleanField("late", part.late());
            json.writeNumberField("count", totals.count());
            json.writeObjectFieldStart("sums");
            for (var sum : new TreeMap<>(totals.sums()).entrySet()) {
                json.writeStringField(sum.getKey(), sum.getValue().toPlainString());
            }
            json.writeEndObject();
            json.writeStringField("sha256", partition.getValue().sha256());
            json.writeEndObject();
        }
    }

    static void files(JsonGenerator json, Map<String, String> sha256ByName) throws IOException {
        json.writeArrayFieldStart("files");
        for (var file : new TreeMap<>(sha256ByName).entrySet()) {
            json.writeStartObject();
            json.writeStringField("name", file.getKey());
            json.writeStringField("sha256", file.getValue());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void amount(JsonGenerator json, String name, Money money) throws IOException {
        json.writeStringField(name, money.amount().toPlainString());
    }

    private static void text(JsonGenerator json, String name, @Nullable Object value) throws IOException {
        json.writeStringField(name, value == null ? null : value.toString());
    }
}
