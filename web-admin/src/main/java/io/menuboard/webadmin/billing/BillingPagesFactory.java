package io.menuboard.webadmin.billing;

import io.menuboard.access.Permission;
import io.menuboard.billing.reports.ReportRuns;
import io.menuboard.webadmin.tasks.OperationPage;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/** Wires the pages of billing. */
@Factory
final class BillingPagesFactory {

    @Singleton
    OperationPage reportRuns() {
        return OperationPage.of(
                ReportRuns.TYPE, "Report run", Permission.BILLING_READ, payload -> ReportRuns.runOf(payload)
                        .map(BillingWords::link));
    }
}
