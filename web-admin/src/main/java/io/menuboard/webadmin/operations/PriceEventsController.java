package io.menuboard.webadmin.operations;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.events.PriceEventReplay;
import io.menuboard.pricing.events.ReplayPriceEventsResult;
import io.menuboard.pricing.webhooks.Webhook;
import io.menuboard.pricing.webhooks.WebhookId;
import io.menuboard.pricing.webhooks.Webhooks;
import io.menuboard.webadmin.ui.FormKey;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problem;
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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Has the events of price changes published again. The form is posted, because ids of stores can fill an address. */
@RequiresPermission(Permission.OPERATIONS_ACT)
@Controller("/operations/price-events")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class PriceEventsController {
    private final PriceEventReplay replay;
    private final Webhooks webhooks;
    private final Views views;

    PriceEventsController(PriceEventReplay replay, Webhooks webhooks, Views views) {
        this.replay = replay;
        this.webhooks = webhooks;
        this.views = views;
    }

    @Get
    HttpResponse<?> form(Access access) {
        return form(access, PriceEventsForm.EMPTY, null);
    }

    /** The form again, with what was sent. */
    @Post("/edit")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> edit(Access access, @Body @Nullable Map<String, String> fields) {
        return form(access, sent(fields), null);
    }

    /** Asks before it acts. */
    @Post("/confirm")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> ask(Access access, @Body @Nullable Map<String, String> fields) {
        var form = sent(fields);
        try {
            var command = form.command();
            replay.check(access, command);
            var page = PriceEventsConfirmationPage.of(form, command, receiver(access, form), FormKey.fresh());
            return views.page("operations/price-events-confirmation", page);
        } catch (InvalidInput e) {
            return form(access, form, Problem.of(e)).status(HttpStatus.BAD_REQUEST);
        }
    }

    @Post
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> start(Access access, @Body @Nullable Map<String, String> fields) {
        var form = sent(fields);
        try {
            var key = fields == null ? null : fields.get("key");
            return switch (replay.start(access, form.command(), key)) {
                case ReplayPriceEventsResult.Started(var task, var _) -> Redirect.to(Link.to("tasks", task.value()));
                case ReplayPriceEventsResult.KeyReused(var existing, var _) ->
                    form(
                                    access,
                                    form,
                                    Problem.of(new InvalidInput(
                                            "IDEMPOTENCY_KEY_REUSED",
                                            "key",
                                            "must be of this form; task " + existing + " has it")))
                            .status(HttpStatus.CONFLICT);
                // The form says why.
                case ReplayPriceEventsResult.NoEventBus() ->
                    form(access, form, null).status(HttpStatus.CONFLICT);
            };
        } catch (InvalidInput e) {
            return form(access, form, Problem.of(e)).status(HttpStatus.BAD_REQUEST);
        }
    }

    private MutableHttpResponse<?> form(Access access, PriceEventsForm form, @Nullable Problem problem) {
        return views.page(
                "operations/price-events", PriceEventsPage.of(form, replay.hasEventBus(), receivers(access), problem));
    }

    /** Webhooks that take events; none for who may not manage them. */
    private List<Webhook> receivers(Access access) {
        return access.may(Permission.WEBHOOKS_MANAGE)
                ? webhooks.list(access, PageRequest.forward(Webhooks.MOST, null)).nodes().stream()
                        .filter(Webhook::isActive)
                        .toList()
                : List.of();
    }

    /** Who gets the events, by a form that was checked. */
    private String receiver(Access access, PriceEventsForm form) {
        return form.webhook().isEmpty()
                ? "The event bus"
                : "Webhook "
                        + webhooks.find(access, new WebhookId(form.webhook()))
                                .map(Webhook::name)
                                .orElse(form.webhook());
    }

    private static PriceEventsForm sent(@Nullable Map<String, String> fields) {
        return PriceEventsForm.of(Objects.requireNonNullElse(fields, Map.of()));
    }
}
