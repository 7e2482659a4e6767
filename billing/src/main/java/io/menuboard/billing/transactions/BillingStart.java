package io.menuboard.billing.transactions;

/** The beginning of reports, which must not be after the first transaction. */
@FunctionalInterface
public interface BillingStart {
    /** Makes reports begin with what is recorded now, unless they have begun. */
    void begin();
}
