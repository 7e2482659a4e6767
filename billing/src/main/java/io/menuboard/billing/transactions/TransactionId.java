package io.menuboard.billing.transactions;

import io.menuboard.kernel.Ids;

/**
 * The sender's id of a transaction; one id is one transaction, for ever.
 *
 * @param value 1 to 64 characters as {@link Ids} allows; anything else is refused with
 *     {@link io.menuboard.kernel.InvalidInput} {@code INVALID_ID} on field {@code transaction}
 */
public record TransactionId(String value) {
    public TransactionId {
        Ids.check("transaction", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
