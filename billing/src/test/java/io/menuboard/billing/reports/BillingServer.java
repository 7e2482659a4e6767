package io.menuboard.billing.reports;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.RecordTransaction;
import io.menuboard.billing.transactions.TransactionId;
import io.menuboard.context.ContextServer;
import io.menuboard.graphql.AskedFields;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Money;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.tasks.TasksInstance;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Billing and tasks, and what was recorded and reported before now. */
final class BillingServer implements AutoCloseable {
    static final Access STAFF = new Access(Principal.withEveryRole("grace"), Actor.Source.PAGE);

    final GraphQlServer server;
    final AskedFields fields;
    final BillingAt past;

    /** @param before how long before now the past begins */
    BillingServer(Duration before) {
        this(before, Map.of());
    }

    /** @param settings beside those of all */
    BillingServer(Duration before, Map<String, Object> settings) {
        server = ContextServer.start(with(settings));
        fields = new AskedFields(server);
        past = new BillingAt(
                server.bean(QueryDb.class),
                server.bean(AuditTrail.class),
                TasksInstance.of(server::bean),
                server.bean(ReportFiles.class),
                now().minus(before));
        past.begin();
    }

    private static Map<String, Object> with(Map<String, Object> settings) {
        var all = new HashMap<>(settings);
        all.putAll(Map.of(
                "menuboard.billing.max-record",
                20,
                "menuboard.graphql.max-cost",
                100_000_000,
                NoBillingJob.SETTING,
                true));
        return all;
    }

    static Instant now() {
        return Instant.now();
    }

    void recorded(RecordTransaction... commands) {
        past.billing().record(STAFF, List.of(commands));
    }

    static RecordTransaction sale(String id, String agency, String amount, String rule) {
        return new RecordTransaction(
                new TransactionId(id),
                new AgencyId(agency),
                "HAMBURGER",
                "customer 7",
                new Money(new BigDecimal(amount), Money.currencyOf("EUR")),
                now().minus(Duration.ofDays(2)),
                null,
                rule,
                null);
    }

    @Override
    public void close() {
        server.close();
    }
}
