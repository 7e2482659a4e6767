package io.menuboard.pricing;

import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.access.Scope;
import io.menuboard.kernel.Actor;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Random;
import java.util.Set;

/** The use cases on a test's own table, wired as {@link PricingFactory} does. */
public record PricingFixture(QueryDb db, Stores stores, Pricing pricing) {
    /** Tests that show more the longer they run take minutes with {@code -Dsoak=full}. */
    public static final boolean FULL_SOAK = "full".equals(System.getProperty("soak"));

    /** Of whoever may do everything. */
    public static final Access EVERYTHING = Access.ofSystem("menuboard", Actor.Source.COMMAND_LINE);

    static final Instant NOW = Instant.parse("2026-06-15T12:00:00Z");

    /** Of somebody who reads and changes prices and stores, of these stores alone. */
    public static Access limitedTo(Collection<String> stores) {
        var grant = new Grant(Role.PRICING_EDITOR, new Scope.Stores(Set.copyOf(stores)));
        return new Access(new Principal("u1", Actor.Kind.USER, "grace", Set.of(grant)), Actor.Source.GRAPHQL);
    }

    static PricingFixture on(FreshTable table) {
        var clock = Clock.fixed(NOW, ZoneOffset.UTC);
        var db = table.queryDb(clock);
        var stores = stores(db, clock);
        return new PricingFixture(db, stores, pricing(db, stores, clock));
    }

    public static DynamoPriceVersions versions(QueryDb db) {
        return new DynamoPriceVersions(db, Duration.ofDays(35));
    }

    public static DynamoPriceHistory history(QueryDb db, Duration keptFor) {
        return new DynamoPriceHistory(db, keptFor);
    }

    public static DynamoPriceAudit audit(AuditTrail audit) {
        return new DynamoPriceAudit(audit);
    }

    public static PriceHistory history(DynamoPriceHistory stored, Stores stores) {
        return new PriceHistory(stored, stores);
    }

    public static Stores stores(QueryDb db, Clock clock) {
        var audit = new AuditTrail(db, clock, new Random(5), new AuditTrail.Settings(1, Duration.ofDays(30)));
        return new Stores(new DynamoStores(db, audit), versions(db), clock, Duration.ofMinutes(1));
    }

    public static Pricing pricing(QueryDb db, Stores stores, Clock clock) {
        return new Pricing(stores, prices(db, stores, clock), clock);
    }

    private static DynamoPrices prices(QueryDb db, Stores stores, Clock clock) {
        return new DynamoPrices(
                db, stores, versions(db), history(db, Duration.ofDays(1_095)), clock, Consistency.EVENTUAL);
    }
}
