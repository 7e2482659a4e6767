package io.menuboard.webadmin.billing;

import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.billing.reports.ReportRuns;
import io.menuboard.webadmin.ui.Views;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;

/** Page of billing where reports have nowhere to be kept: how to change that. */
@RequiresPermission(Permission.BILLING_READ)
@Controller("/billing")
@Produces(MediaType.TEXT_HTML)
@Requires(missingBeans = ReportRuns.class)
final class NoBillingController {
    private final Views views;

    NoBillingController(Views views) {
        this.views = views;
    }

    @Get
    HttpResponse<?> show() {
        return views.page("billing/none", new NoBillingPage());
    }
}
