package io.menuboard.webadmin.webhooks;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.webhooks.CreateWebhookResult;
import io.menuboard.pricing.webhooks.Webhook;
import io.menuboard.pricing.webhooks.Webhooks;
import io.menuboard.webadmin.ui.Actors;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.Views;
import io.menuboard.webadmin.ui.lists.ListKind;
import io.menuboard.webadmin.ui.lists.Listing;
import io.menuboard.webadmin.ui.lists.Lists;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The list of webhooks, and the way to register one. */
@RequiresPermission(Permission.WEBHOOKS_MANAGE)
@Controller("/webhooks")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class WebhooksController {
    private static final ListKind LIST = ListKind.of("webhooks/list", "webhook", "webhooks");
    private static final Listing.Empty NOTHING = new Listing.Empty(
            "No webhooks yet",
            "A webhook tells a partner who cannot keep a connection of each price that changes, by a signed request.",
            "/webhooks/new",
            "Register a webhook");

    private static final List<String> COLUMNS = List.of(
            "id", "name", "url", "stores", "events", "status", "by", "through", "createdAt", "failingSince", "offAt");

    private final Webhooks webhooks;
    private final Lists lists;
    private final Views views;

    WebhooksController(Webhooks webhooks, Lists lists, Views views) {
        this.webhooks = webhooks;
        this.lists = lists;
        this.views = views;
    }

    @Get
    HttpResponse<?> list(HttpRequest<?> request, Access access, @Nullable String did) {
        var notice = WebhookAction.DELETE.path().equals(did) ? WebhookAction.DELETE.done() : null;
        return lists.page(request, LIST, WebhookWords.list(), Link.to("webhooks", "list.csv"))
                .show(
                        page -> webhooks.list(access, page),
                        content -> new WebhooksPage(
                                notice,
                                webhooks.hasKey(),
                                content.listing(NOTHING),
                                content.rows(WebhooksPage.Row::of)));
    }

    /** Says how many stores a webhook is told of, and not which: as the list, it is for some who may not read their prices. */
    @Get(uri = "/list.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(Access access) {
        return CsvDownload.of(
                "webhooks.csv", COLUMNS, page -> webhooks.list(access, page).map(WebhooksController::cells));
    }

    private static List<String> cells(Webhook webhook) {
        var settings = webhook.settings();
        var by = Actors.cells(webhook.createdBy());
        var off = webhook.off();
        return List.of(
                webhook.id().value(),
                webhook.name(),
                settings.url().toString(),
                WebhookWords.stores(settings),
                WebhookWords.events(settings),
                WebhookWords.status(webhook).label(),
                by.getFirst(),
                by.getLast(),
                webhook.createdAt().toString(),
                Objects.toString(webhook.failingSince(), ""),
                off == null ? "" : off.at().toString());
    }

    @Get("/new")
    HttpResponse<?> form() {
        return form(WebhookForm.empty(), null);
    }

    /**
     * Answers with the secret itself, as nothing can show it again: no redirect, which would have to keep it. The form makes one
     * webhook however often it is sent.
     */
    @Post
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> create(Access access, @Body @Nullable Map<String, String> body) {
        var form = WebhookForm.of(body);
        try {
            return switch (webhooks.create(access, form.settings(), form.key())) {
                case CreateWebhookResult.Created(var made) -> views.page("webhooks/secret", WebhookSecretPage.of(made));
                case CreateWebhookResult.Replayed(var before) ->
                    Redirect.to(WebhookWords.link(before.id()).with(WebhookWords.DID, WebhookController.AGAIN));
                case CreateWebhookResult.KeyReused _ -> sentBefore(form, "IDEMPOTENCY_KEY_REUSED");
            };
        } catch (InvalidInput e) {
            return e.field().equals("idempotencyKey")
                    ? sentBefore(form, e.code())
                    : form(form, e).status(HttpStatus.BAD_REQUEST);
        }
    }

    private HttpResponse<?> sentBefore(WebhookForm form, String code) {
        var refusal = InvalidInput.sentence(
                code, "", "This form has registered a webhook already. Send it again to register this one too");
        return form(form.again(), refusal).status(HttpStatus.CONFLICT);
    }

    private MutableHttpResponse<?> form(WebhookForm form, @Nullable InvalidInput refused) {
        return views.page("webhooks/form", WebhookFormPage.of(null, form, refused));
    }
}
