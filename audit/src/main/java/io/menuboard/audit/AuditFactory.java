package io.menuboard.audit;

import io.menuboard.graphql.GraphQlModule;
import io.menuboard.querydb.audit.AuditTrail;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/** Wires the audit trail's readers. */
@Factory
final class AuditFactory {
    @Singleton
    Audit audit(AuditTrail trail) {
        return new Audit(trail);
    }

    @Singleton
    GraphQlModule auditGraphQl(Audit audit) {
        return new AuditGraphQl(audit);
    }
}
