package io.menuboard.webadmin.webhooks;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.webhooks.Webhook;
import io.menuboard.pricing.webhooks.WebhookAnswer;
import io.menuboard.pricing.webhooks.WebhookDeliveries;
import io.menuboard.pricing.webhooks.WebhookId;
import io.menuboard.pricing.webhooks.Webhooks;
import io.menuboard.tasks.Task;
import io.menuboard.webadmin.ui.ActionOutcome;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.Views;
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
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One webhook: what it is told of, its deliveries, and what can be done with it. */
@RequiresPermission(Permission.WEBHOOKS_MANAGE)
@Controller("/webhooks/{id}")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class WebhookController {
    /** Its form was sent before. */
    static final String AGAIN = "again";

    private static final String EDITED = "edit";
    private static final int LATEST = 25;

    private final Webhooks webhooks;
    private final WebhookDeliveries deliveries;
    private final Views views;

    WebhookController(Webhooks webhooks, WebhookDeliveries deliveries, Views views) {
        this.webhooks = webhooks;
        this.deliveries = deliveries;
        this.views = views;
    }

    @Get
    HttpResponse<?> show(Access access, String id, @Nullable String did) {
        var shown = read(access, id);
        return show(access, shown, ActionOutcome.done(did == null ? null : notice(did, shown.webhook())), null);
    }

    @Get("/edit")
    HttpResponse<?> form(Access access, String id) {
        var webhook = requireToEdit(access, id);
        return form(webhook, WebhookForm.of(webhook), null);
    }

    @Post("/edit")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> edit(Access access, String id, @Body @Nullable Map<String, String> body) {
        var webhook = requireToEdit(access, id);
        var form = WebhookForm.of(body);
        try {
            return webhooks.update(access, webhook.id(), form::settings)
                    .<HttpResponse<?>>map(changed -> did(changed, EDITED))
                    .orElseThrow(() -> WebhookWords.notFound(id));
        } catch (InvalidInput e) {
            if (e.field().equals("webhook")) {
                throw e;
            }
            if (e.code().equals(WebhookForm.CHANGED)) {
                var now = requireToEdit(access, id);
                return form(now, WebhookForm.of(now), e).status(HttpStatus.CONFLICT);
            }
            return form(webhook, form, e).status(HttpStatus.BAD_REQUEST);
        }
    }

    /** Answers with what came of it, which nothing keeps. Reads nothing after that, as it may take all the time that a page has. */
    @Post("/test")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> test(Access access, String id) throws InterruptedException {
        var shown = read(access, id);
        var answer = deliveries.test(access, shown.webhook().id()).orElseThrow(() -> WebhookWords.notFound(id));
        return show(access, shown, ActionOutcome.NONE, answer);
    }

    /** Where a browser goes that opens the address of a test again. */
    @Get("/test")
    HttpResponse<?> tested(String id) {
        return Redirect.to(Link.to("webhooks", id));
    }

    /** Asks before it acts. */
    @Get("/{action:rotate|off|on|redeliver|delete}")
    HttpResponse<?> ask(Access access, String id, String action) {
        return ask(WebhookAction.of(action).orElseThrow(), require(access, id), null);
    }

    @Post("/{action:rotate|off|on|redeliver|delete}")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> act(Access access, String id, String action) {
        var asked = WebhookAction.of(action).orElseThrow();
        var webhook = require(access, id);
        try {
            return act(access, asked, webhook);
        } catch (InvalidInput e) {
            return ask(asked, webhook, e.getMessage()).status(HttpStatus.CONFLICT);
        }
    }

    private HttpResponse<?> act(Access access, WebhookAction action, Webhook webhook) {
        var id = webhook.id();
        return switch (action) {
            case ROTATE ->
                webhooks.rotate(access, id)
                        .<HttpResponse<?>>map(made -> views.page("webhooks/secret", WebhookSecretPage.of(made)))
                        .orElseGet(() -> Redirect.to(WebhookWords.link(id)));
            case ON, OFF -> {
                webhooks.activate(access, id, action == WebhookAction.ON);
                yield did(webhook, action.path());
            }
            case REDELIVER -> {
                var count = deliveries.redeliver(access, id).orElse(0);
                yield did(webhook, action.path() + "-" + count);
            }
            case DELETE -> {
                webhooks.delete(access, id);
                yield Redirect.to(WebhookWords.list().with(WebhookWords.DID, action.path()));
            }
        };
    }

    private static HttpResponse<?> did(Webhook webhook, String what) {
        return Redirect.to(WebhookWords.link(webhook.id()).with(WebhookWords.DID, what));
    }

    /** All that its page reads. */
    private record Shown(Webhook webhook, List<Task> latest, Instant now) {}

    private Shown read(Access access, String id) {
        var webhook = require(access, id);
        return new Shown(webhook, deliveries.latest(access, webhook.id(), LATEST), webhooks.now());
    }

    private MutableHttpResponse<?> show(
            Access access, Shown shown, ActionOutcome outcome, @Nullable WebhookAnswer test) {
        return views.page(
                "webhooks/show", WebhookPage.of(shown.webhook(), shown.latest(), access, outcome, test, shown.now()));
    }

    private MutableHttpResponse<?> form(Webhook webhook, WebhookForm form, @Nullable InvalidInput refused) {
        return views.page("webhooks/form", WebhookFormPage.of(webhook, form, refused));
    }

    private MutableHttpResponse<?> ask(WebhookAction action, Webhook webhook, @Nullable String refusal) {
        return views.page("webhooks/action", WebhookActionPage.of(action, webhook, refusal));
    }

    private Webhook require(Access access, String id) {
        return webhooks.find(access, new WebhookId(id)).orElseThrow(() -> WebhookWords.notFound(id));
    }

    /** Its form has all that it is told of. */
    private Webhook requireToEdit(Access access, String id) {
        var webhook = require(access, id);
        if (!Webhooks.mayUpdate(access, webhook)) {
            access.requireForAll(Permission.PRICES_READ);
        }
        return webhook;
    }

    private static @Nullable String notice(String did, Webhook webhook) {
        var redelivered = WebhookAction.REDELIVER.path() + "-";
        if (did.startsWith(redelivered)) {
            return redelivered(did.substring(redelivered.length()));
        }
        return switch (did) {
            case AGAIN ->
                "That form was sent before. Its secret was shown then, unless the answer got lost, and cannot be shown again: if nobody has it, rotate it.";
            case EDITED -> "The webhook is changed.";
            default -> WebhookAction.of(did).map(action -> action.said(webhook)).orElse(null);
        };
    }

    private static @Nullable String redelivered(String count) {
        return switch (count) {
            case "0" ->
                "None of the latest " + WebhookDeliveries.MOST_REDELIVERED
                        + " deliveries is dead, so none is sent again. Older ones are retried on the page Tasks.";
            case "1" -> "1 delivery is sent again.";
            default ->
                count.matches("[1-9]\\d{0,3}")
                        ? Counts.of(Integer.parseInt(count)) + " deliveries are sent again."
                        : null;
        };
    }
}
