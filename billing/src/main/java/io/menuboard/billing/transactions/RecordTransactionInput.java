package io.menuboard.billing.transactions;

import io.menuboard.graphql.GlobalId;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Currency;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code RecordTransactionInput} to {@link RecordTransaction}. */
record RecordTransactionInput(Map<String, Object> fields) {

    /** Throws {@link InvalidInput} naming field and rule. */
    RecordTransaction command() {
        return new RecordTransaction(
                as("key", () -> new TransactionId(text("key"))),
                new AgencyId(key("agency", BillingInput.AGENCY)),
                key("product", "Product"),
                text("customer"),
                new Money(
                        (BigDecimal) Objects.requireNonNull(fields.get("amount")),
                        Money.currencyOf(
                                ((Currency) Objects.requireNonNull(fields.get("currency"))).getCurrencyCode())),
                (Instant) Objects.requireNonNull(fields.get("occurredAt")),
                (BigDecimal) fields.get("commissionRate"),
                fields.get("commissionRule") == null ? null : key("commissionRule", BillingInput.COMMISSION_RULE),
                corrects());
    }

    private @Nullable TransactionId corrects() {
        return fields.get("corrects") == null
                ? null
                : as("corrects", () -> new TransactionId(key("corrects", BillingInput.TRANSACTION)));
    }

    /** Of what an {@code ID} names. */
    private String key(String name, String type) {
        return GlobalId.keyOf(type, name, text(name));
    }

    private String text(String name) {
        return String.valueOf(fields.get(name));
    }

    /** The value's own name for the field may differ from the input's. */
    private static <T> T as(String field, Supplier<T> value) {
        try {
            return value.get();
        } catch (InvalidInput e) {
            throw e.renamed(field);
        }
    }
}
