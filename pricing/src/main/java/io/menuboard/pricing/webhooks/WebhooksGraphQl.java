package io.menuboard.pricing.webhooks;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.graphql.SchemaParts.NodeReader;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.UserError;
import io.menuboard.pricing.PricingInput;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.Stores;
import io.menuboard.querydb.requests.Concurrently;
import io.menuboard.tasks.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code webhooks.graphqls} to use cases. */
final class WebhooksGraphQl implements GraphQlModule {
    private static final String WEBHOOK = "Webhook";
    private static final String KEY = "idempotencyKey";
    private static final int LISTS_AT_ONCE = 8;
    private static final String TESTS_END = WebhooksGraphQl.class.getName() + ".testsEnd";
    private static final Duration ALL_TESTS = Duration.ofSeconds(10);

    private final Webhooks webhooks;
    private final WebhookDeliveries deliveries;
    private final Stores stores;

    WebhooksGraphQl(Webhooks webhooks, WebhookDeliveries deliveries, Stores stores) {
        this.webhooks = webhooks;
        this.deliveries = deliveries;
        this.stores = stores;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.definitions("webhooks");
        parts.query("webhook", args -> webhooks.find(args.access(), id(args)).orElse(null));
        parts.query("webhooks", args -> webhooks.list(args.access(), args.page()));
        parts.mutation("createWebhook", this::create);
        parts.mutation("updateWebhook", this::update);
        parts.mutation("deleteWebhook", this::delete);
        parts.mutation("rotateWebhookSecret", this::rotate);
        parts.mutation("testWebhook", args -> args.await(() -> test(args)));
        parts.mutation("redeliverWebhook", this::redeliver);
        parts.node(
                        WEBHOOK,
                        Webhook.class,
                        webhook -> webhook.id().value(),
                        NodeReader.of(WebhookId::new, webhooks::findAll, webhook -> webhook.id()
                                .value()))
                .field("key", Webhook::id)
                .field("url", webhook -> webhook.settings().url().toString())
                .field("allStores", webhook -> webhook.settings().stores() instanceof StoreSelection.All)
                .batch("stores", this::stores)
                .field("events", webhook -> List.copyOf(webhook.settings().events()))
                .field("active", Webhook::isActive)
                .field("offReason", webhook -> ofOff(webhook, Webhook.Off::reason))
                .field("offDetails", webhook -> ofOff(webhook, Webhook.Off::details))
                .field("switchedOffAt", webhook -> ofOff(webhook, Webhook.Off::at))
                .field("failingAt", Webhook::failingSince)
                .field("oldSecretEndsAt", Webhook::oldSecretUntil)
                .batch("deliveries", (all, args) -> {
                    var page = args.page();
                    var access = args.access();
                    return Concurrently.map(LISTS_AT_ONCE, all, webhook -> deliveries.list(access, webhook.id(), page));
                });
        parts.object("CreateWebhookPayload", CreatePayload.class)
                .reference(
                        "existingWebhook",
                        WEBHOOK,
                        payload -> payload.existing() == null
                                ? null
                                : payload.existing().value());
        parts.object("WebhookDelivery", TaskId.class)
                .field("submittedAt", TaskId::submittedAt)
                .field("taskKey", TaskId::value)
                .reference("task", "Task", TaskId::value);
    }

    private static <T> @Nullable T ofOff(Webhook webhook, Function<Webhook.Off, T> part) {
        return webhook.off() == null ? null : part.apply(webhook.off());
    }

    /** Those that whoever asks may see, of all webhooks together. */
    private List<List<Store>> stores(List<Webhook> all, Arguments args) {
        var ids = new LinkedHashSet<StoreId>();
        all.forEach(webhook -> ids.addAll(listed(webhook.settings())));
        var found = stores.findAll(args.access(), ids);
        return all.stream()
                .map(webhook -> listed(webhook.settings()).stream()
                        .filter(found::containsKey)
                        .map(found::get)
                        .toList())
                .toList();
    }

    private static List<StoreId> listed(WebhookSettings settings) {
        return settings.stores() instanceof StoreSelection.Listed(var ids) ? ids : List.of();
    }

    private static WebhookId id(Arguments args) {
        return new WebhookId(args.key("id", WEBHOOK));
    }

    /** Answer of {@code rotateWebhookSecret}. */
    record SecretPayload(
            @Nullable Webhook webhook, @Nullable String secret, List<UserError> errors) {

        /** Without the secret. */
        @Override
        public String toString() {
            return "SecretPayload[" + webhook + ", " + errors + "]";
        }
    }

    /**
     * Answer of {@code createWebhook}.
     *
     * @param existing webhook that the idempotency key belongs to, where it belongs to another request
     */
    record CreatePayload(
            @Nullable Webhook webhook,
            @Nullable String secret,
            @Nullable WebhookId existing,
            @Nullable Boolean isNew,
            List<UserError> errors) {

        static CreatePayload of(CreateWebhookResult result) {
            return switch (result) {
                case CreateWebhookResult.Created(var made) ->
                    new CreatePayload(made.webhook(), made.secret(), null, true, List.of());
                case CreateWebhookResult.Replayed(var before) ->
                    new CreatePayload(before, null, null, false, List.of());
                case CreateWebhookResult.KeyReused(var existing, var rule) ->
                    new CreatePayload(
                            null,
                            null,
                            existing,
                            null,
                            UserError.list("IDEMPOTENCY_KEY_REUSED", KEY + " " + rule, "input", KEY));
            };
        }

        /** Without the secret. */
        @Override
        public String toString() {
            return "CreatePayload[" + webhook + ", " + existing + ", " + errors + "]";
        }
    }

    private CreatePayload create(Arguments args) {
        var settings = new WebhookSettings(
                args.text("name"),
                WebhookSettings.url(args.text("url")),
                selection(args),
                events(args.get("events", List.of())));
        return CreatePayload.of(webhooks.create(args.access(), settings, args.find(KEY)));
    }

    /** Answer of mutations of one webhook. */
    record WebhookPayload(
            @Nullable Webhook webhook, @Nullable Integer redelivered, List<UserError> errors) {}

    private WebhookPayload update(Arguments args) {
        var id = id(args);
        List<String> events = args.find("events");
        String url = args.find("url");
        var hasStores = args.find("stores") != null || args.get("allStores", false);
        var updated = webhooks.update(
                args.access(),
                id,
                before -> new WebhookSettings(
                        args.get("name", before.name()),
                        url == null ? before.url() : WebhookSettings.url(url),
                        hasStores ? selection(args) : before.stores(),
                        events == null ? before.events() : events(events)));
        Boolean active = args.find("active");
        if (active != null && updated.isPresent()) {
            updated = webhooks.activate(args.access(), id, active);
        }
        return updated.map(webhook -> new WebhookPayload(webhook, null, List.of()))
                .orElseGet(() -> new WebhookPayload(null, null, notFound()));
    }

    /** Answer of {@code deleteWebhook}. */
    record DeletePayload(@Nullable WebhookId deletedKey, List<UserError> errors) {}

    private DeletePayload delete(Arguments args) {
        var id = id(args);
        return webhooks.delete(args.access(), id)
                ? new DeletePayload(id, List.of())
                : new DeletePayload(null, notFound());
    }

    private SecretPayload rotate(Arguments args) {
        return webhooks.rotate(args.access(), id(args))
                .map(made -> new SecretPayload(made.webhook(), made.secret(), List.of()))
                .orElseGet(() -> new SecretPayload(null, null, notFound()));
    }

    /** Answer of {@code testWebhook}. */
    record TestPayload(
            @Nullable Integer status,
            @Nullable Integer milliseconds,
            @Nullable String refusal,
            List<UserError> errors) {

        /** An error where nothing was sent. */
        static TestPayload of(WebhookAnswer answer) {
            return switch (answer) {
                case WebhookAnswer.Answered(var status, var time) ->
                    new TestPayload(status, (int) time.toMillis(), null, List.of());
                case WebhookAnswer.Unanswered(var reason) -> new TestPayload(null, null, reason, List.of());
                case WebhookAnswer.Refused(var reason) -> notSent("INVALID_URL", reason);
                case WebhookAnswer.Unsigned(var reason) -> notSent("NO_KEY", reason);
            };
        }

        private static TestPayload notSent(String code, String reason) {
            return new TestPayload(
                    null, null, null, UserError.list(code, "nothing was sent: " + reason, "input", "id"));
        }
    }

    /** The request's deadline stands still meanwhile, and a request may have hundreds. */
    private TestPayload test(Arguments args) {
        long end = args.shared(TESTS_END, () -> System.nanoTime() + ALL_TESTS.toNanos());
        if (System.nanoTime() - end >= 0) {
            return TestPayload.notSent(
                    "TOO_MANY_TESTS",
                    "the tests of one request have " + ALL_TESTS.toSeconds() + " seconds together: test fewer at once");
        }
        try {
            return deliveries
                    .test(args.access(), id(args))
                    .map(TestPayload::of)
                    .orElseGet(() -> new TestPayload(null, null, null, notFound()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new CancellationException("the client went away while a webhook was tested");
        }
    }

    private WebhookPayload redeliver(Arguments args) {
        var id = id(args);
        var redelivered = deliveries.redeliver(args.access(), id);
        return redelivered.isEmpty()
                ? new WebhookPayload(null, null, notFound())
                : new WebhookPayload(webhooks.find(args.access(), id).orElse(null), redelivered.getAsInt(), List.of());
    }

    private static List<UserError> notFound() {
        return UserError.list("NOT_FOUND", "there is no such webhook", "input", "id");
    }

    private static Set<WebhookEvent> events(List<String> names) {
        var events = EnumSet.noneOf(WebhookEvent.class);
        names.forEach(name -> events.add(WebhookEvent.valueOf(name)));
        return events;
    }

    private static StoreSelection selection(Arguments args) {
        var isListed = args.find("stores") != null;
        boolean all = args.get("allStores", false);
        if (all == isListed) {
            throw InvalidInput.sentence(
                    "INVALID_STORES", "stores", "exactly one of stores and allStores must be given");
        }
        if (all) {
            return new StoreSelection.All();
        }
        var ids = new ArrayList<StoreId>();
        for (var id : args.keys("stores", PricingInput.STORE)) {
            ids.add(Arguments.named("stores." + ids.size(), () -> new StoreId(id)));
        }
        return new StoreSelection.Listed(ids);
    }
}
