package io.menuboard.pricing;

import static java.util.stream.Collectors.joining;

import io.menuboard.querydb.Write;
import io.menuboard.querydb.audit.AuditTrail;
import java.util.List;
import java.util.Map;

/** Audit records of prices, to be written with what they record; three write units each. */
public final class DynamoPriceAudit {
    private final AuditTrail audit;

    DynamoPriceAudit(AuditTrail audit) {
        this.audit = audit;
    }

    /** Record of prices that a change set changed. */
    public Write changed(
            Attribution by, StoreId store, Channel channel, EffectiveDate date, List<PriceSubject> subjects) {
        return write(
                by,
                store,
                "prices changed",
                Map.of(
                        "changeSet", by.changeSet().value(),
                        "channel", channel.value(),
                        "effectiveDate", date.toString(),
                        "reason", by.reason(),
                        "prices", subjects.stream().map(PriceSubject::toString).collect(joining(", "))));
    }

    /** Record of so many first prices that a change set loaded. */
    public Write loaded(Attribution by, StoreId store, Channel channel, int prices) {
        return counted(by, store, channel, "prices loaded", prices);
    }

    /** Record of so many loaded prices that a change set removed. */
    public Write unloaded(Attribution by, StoreId store, Channel channel, int prices) {
        return counted(by, store, channel, "loaded prices removed", prices);
    }

    private Write counted(Attribution by, StoreId store, Channel channel, String action, int prices) {
        return write(
                by,
                store,
                action,
                Map.of(
                        "changeSet", by.changeSet().value(),
                        "channel", channel.value(),
                        "reason", by.reason(),
                        "prices", Integer.toString(prices)));
    }

    private Write write(Attribution by, StoreId store, String action, Map<String, String> details) {
        return audit.write(by.actor(), "STORE#" + store, action, details);
    }
}
