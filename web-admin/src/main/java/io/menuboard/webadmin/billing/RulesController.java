package io.menuboard.webadmin.billing;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.billing.reports.ReportRuns;
import io.menuboard.billing.transactions.CommissionRule;
import io.menuboard.billing.transactions.CommissionRules;
import io.menuboard.billing.transactions.Rounding;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.NotFound;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.Views;
import io.menuboard.webadmin.ui.lists.ListKind;
import io.menuboard.webadmin.ui.lists.Listing;
import io.menuboard.webadmin.ui.lists.Lists;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Commission rules: the list, and the way to add and change them. */
@RequiresPermission(Permission.BILLING_READ)
@Controller("/billing")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
@Requires(beans = ReportRuns.class)
final class RulesController {
    private static final ListKind LIST = ListKind.of("billing/rules", "rule", "rules");
    private static final String NONE = "No commission rules yet";
    private static final String WHAT_FOR =
            "A rule gives a rate a name, so that many transactions can have it, and one change counts for all.";
    private static final Listing.Empty NOTHING = new Listing.Empty(NONE, WHAT_FOR, "/billing/rules/new", "Add a rule");
    private static final Listing.Empty NOTHING_TO_READ = new Listing.Empty(NONE, WHAT_FOR, "/billing", "All runs");
    private static final String PUT = "put";

    private final CommissionRules rules;
    private final Lists lists;
    private final Views views;

    RulesController(CommissionRules rules, Lists lists, Views views) {
        this.rules = rules;
        this.lists = lists;
        this.views = views;
    }

    /** Address of the form that changes a rule. */
    static Link link(String rule) {
        return Link.to("billing", "rules", "new").with("commissionRule", rule);
    }

    /** Address of the form with these fields. */
    static Link form(RuleForm form) {
        return link(form.commissionRule())
                .with("commissionRate", form.commissionRate())
                .with("rounding", form.rounding());
    }

    @Get("/rules")
    HttpResponse<?> list(HttpRequest<?> request, Access access, @Nullable String put) {
        var may = BillingDoors.of(access);
        var notice = put == null || !exists(access, put)
                ? null
                : "The rule " + put + " counts for what is recorded from now on.";
        return lists.page(request, LIST, Link.to("billing", "rules"), Link.to("billing", "rules.csv"))
                .show(
                        page -> rules.list(access, page),
                        content -> new RulesPage(
                                notice,
                                may.run(),
                                content.listing(may.run() ? NOTHING : NOTHING_TO_READ),
                                content.rows(RulesPage.Row::of)));
    }

    private boolean exists(Access access, String rule) {
        Ids.check(PUT, rule);
        return rules.find(access, List.of(rule)).containsKey(rule);
    }

    @Get(uri = "/rules.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(Access access) {
        access.requireForAll(Permission.BILLING_READ);
        return CsvDownload.ofRows("rules.csv", BillingCsv.RULE_COLUMNS, page -> rules.list(access, page)
                .map(BillingCsv::rows));
    }

    /** The form: empty, of the rule that the address names, or with the fields that it has. */
    @RequiresPermission(Permission.BILLING_RUN)
    @Get("/rules/new")
    HttpResponse<?> form(
            Access access,
            @Nullable String commissionRule,
            @Nullable String commissionRate,
            @Nullable String rounding) {
        var id = Objects.requireNonNullElse(commissionRule, "").strip();
        if (id.isEmpty()) {
            var empty = new RuleForm("", "", Rounding.HALF_UP.name());
            return views.page("billing/rule", RulePage.of(empty, false, null));
        }
        Ids.check("commissionRule", id);
        var existing = rules.find(access, id);
        if (commissionRate == null) {
            var rule = existing.orElseThrow(
                    () -> NotFound.of("commissionRule", "There is no commission rule " + id + "."));
            return views.page("billing/rule", RulePage.of(RuleForm.of(rule), true, null));
        }
        var sent = new RuleForm(id, commissionRate, Objects.requireNonNullElse(rounding, ""));
        return views.page("billing/rule", RulePage.of(sent, existing.isPresent(), null));
    }

    /** Asks before it acts. */
    @RequiresPermission(Permission.BILLING_RUN)
    @Get("/rules/confirm")
    HttpResponse<?> ask(
            Access access,
            @Nullable String commissionRule,
            @Nullable String commissionRate,
            @Nullable String rounding) {
        var form = new RuleForm(text(commissionRule), text(commissionRate), text(rounding));
        try {
            var rule = form.rule();
            return ask(access, rule, null);
        } catch (InvalidInput e) {
            return refused(access, form, e);
        }
    }

    private MutableHttpResponse<?> ask(Access access, CommissionRule rule, @Nullable String refusal) {
        var before = rules.find(access, rule.id()).orElse(null);
        return views.page("billing/rule-confirmation", RuleConfirmationPage.of(rule, before, refusal));
    }

    /**
     * @param rateBefore what the rule said when the question was asked; empty for none
     * @param roundingBefore the same
     */
    @RequiresPermission(Permission.BILLING_RUN)
    @Post("/rules")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> put(
            Access access,
            @Nullable String commissionRule,
            @Nullable String commissionRate,
            @Nullable String rounding,
            @Nullable String rateBefore,
            @Nullable String roundingBefore) {
        var form = new RuleForm(text(commissionRule), text(commissionRate), text(rounding));
        try {
            var rule = form.rule();
            var before = text(rateBefore).isEmpty()
                    ? null
                    : new RuleForm(rule.id(), text(rateBefore), text(roundingBefore)).rule();
            if (!rules.replace(access, rule, before)) {
                return ask(access, rule, "Somebody has changed the rule since you were asked. Look once more.")
                        .status(HttpStatus.CONFLICT);
            }
            return Redirect.to(Link.to("billing", "rules").with(PUT, rule.id()));
        } catch (InvalidInput e) {
            return refused(access, form, e);
        }
    }

    private HttpResponse<?> refused(Access access, RuleForm form, InvalidInput why) {
        var existing = !why.field().equals("commissionRule")
                && rules.find(access, form.commissionRule()).isPresent();
        return views.page("billing/rule", RulePage.of(form, existing, Problem.of(why)))
                .status(HttpStatus.BAD_REQUEST);
    }

    private static String text(@Nullable String field) {
        return Objects.requireNonNullElse(field, "").strip();
    }
}
