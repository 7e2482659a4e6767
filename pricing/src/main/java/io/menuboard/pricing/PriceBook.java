package io.menuboard.pricing;

/** Stores, and what the table has of their prices: versions, history and audit records. */
public record PriceBook(
        Stores stores, DynamoPriceVersions versions, DynamoPriceHistory history, DynamoPriceAudit audit) {}
