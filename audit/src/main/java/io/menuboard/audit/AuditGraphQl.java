package io.menuboard.audit;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.querydb.audit.AuditFilter;
import io.menuboard.querydb.audit.AuditRecord;
import java.time.LocalDate;

/** {@code audit.graphqls} to use cases. */
final class AuditGraphQl implements GraphQlModule {
    private final Audit audit;

    AuditGraphQl(Audit audit) {
        this.audit = audit;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.definitions("audit");
        parts.query("auditRecords", args -> audit.records(args.access(), filter(args), args.page()));
        parts.object("AuditRecord", AuditRecord.class)
                .field("doneAt", AuditRecord::at)
                .field("doneBy", AuditRecord::actor)
                .field("person", record -> record.actor().id())
                .field("details", AuditDetail::of);
    }

    private static AuditFilter filter(Arguments args) {
        var filter = args.object("filter");
        return Arguments.within(
                "filter",
                () -> new AuditFilter(
                        (LocalDate) filter.get("from"),
                        (LocalDate) filter.get("to"),
                        (String) filter.get("subject"),
                        (String) filter.get("person"),
                        (String) filter.get("action")));
    }
}
