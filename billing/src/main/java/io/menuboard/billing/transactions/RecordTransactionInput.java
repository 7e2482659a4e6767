package io.menuboard.billing.transactions;

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
                as("id", () -> new TransactionId(text("id"))),
                new AgencyId(text("agency")),
                text("product"),
                text("customer"),
                new Money(
                        (BigDecimal) Objects.requireNonNull(fields.get("amount")),
                        Money.currencyOf(
                                ((Currency) Objects.requireNonNull(fields.get("currency"))).getCurrencyCode())),
                (Instant) Objects.requireNonNull(fields.get("occurredAt")),
                (BigDecimal) fields.get("commissionRate"),
                (String) fields.get("commissionRule"),
                corrects());
    }

    private @Nullable TransactionId corrects() {
        return fields.get("corrects") == null ? null : as("corrects", () -> new TransactionId(text("corrects")));
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
