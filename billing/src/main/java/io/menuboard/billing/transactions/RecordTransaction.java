package io.menuboard.billing.transactions;

import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Something sold, or a correction of it, that a partner has a share of.
 *
 * @param product 1 to 64 characters as {@link Ids} allows
 * @param customer as {@code product}
 * @param amount negative for a refund
 * @param occurredAt when it happened, whenever it is recorded, of the years 0001 to 9999 in UTC
 * @param commissionRate of this transaction, as {@link Commission#rate}; null where a rule says it
 * @param commissionRule id of a {@link CommissionRule}; null where the rate is given
 * @param corrects the transaction that this one corrects, of the same agency and currency; null for none
 */
public record RecordTransaction(
        TransactionId id,
        AgencyId agency,
        String product,
        String customer,
        Money amount,
        Instant occurredAt,
        @Nullable BigDecimal commissionRate,
        @Nullable String commissionRule,
        @Nullable TransactionId corrects) {

    /** Throws {@link InvalidInput} naming field and rule. */
    public RecordTransaction {
        Ids.check("product", product);
        Ids.check("customer", customer);
        var year = occurredAt.atOffset(ZoneOffset.UTC).getYear();
        if (year < 1 || year > 9999) {
            throw new InvalidInput("INVALID_INSTANT", "occurredAt", "must be in the years 0001 to 9999");
        }
        if ((commissionRate == null) == (commissionRule == null)) {
            throw new InvalidInput(
                    "COMMISSION_REQUIRED", "commissionRate", "or commissionRule must be given, one of the two");
        }
        if (commissionRate != null) {
            commissionRate = Commission.of(commissionRate).rate();
        } else {
            Ids.check("commissionRule", commissionRule);
        }
        if (id.equals(corrects)) {
            throw new InvalidInput("CORRECTS_ITSELF", "corrects", "must be another transaction than " + id + " itself");
        }
    }

    /** Equal for equal bodies, and for no others: SHA-256 of all fields, in base64 for URLs (RFC 4648, section 5). */
    String fingerprint() {
        var body = new StringBuilder();
        for (var field : new @Nullable Object[] {
            agency,
            product,
            customer,
            amount.amount().toPlainString(),
            amount.currency(),
            occurredAt,
            commissionRate == null ? null : commissionRate.toPlainString(),
            commissionRule,
            corrects
        }) {
            // Ids have no '#', so it ends a field.
            body.append(field == null ? "" : field).append('#');
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(body.toString()));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
