package io.menuboard.webadmin.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.webhooks.Webhook;
import io.menuboard.pricing.webhooks.WebhookEvent;
import io.menuboard.pricing.webhooks.WebhookSettings;
import io.menuboard.webadmin.changes.NewChangeForm;
import io.menuboard.webadmin.ui.FormKey;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a webhook, as they are sent.
 *
 * @param key idempotency key
 * @param before stands for the settings that were shown when they were to be edited; empty for a new webhook
 * @param storesBy {@code ids} or {@code all}
 * @param stores ids, one per line; ignored for all
 */
record WebhookForm(
        String key, String before, String name, String url, String storesBy, String stores, Set<WebhookEvent> events) {
    /** Code of what is refused because somebody else has changed the settings since they were shown. */
    static final String CHANGED = "CHANGED_SINCE";

    private static final String IDS = "ids";
    private static final String ALL = "all";
    private static final String EVENT = "event-";

    static WebhookForm empty() {
        return new WebhookForm(FormKey.fresh(), "", "", "", IDS, "", EnumSet.of(WebhookEvent.PRICE_UPDATED));
    }

    static WebhookForm of(Webhook webhook) {
        var settings = webhook.settings();
        var isListed = settings.stores() instanceof StoreSelection.Listed;
        return new WebhookForm(
                FormKey.fresh(),
                mark(settings),
                settings.name(),
                settings.url().toString(),
                isListed ? IDS : ALL,
                settings.stores() instanceof StoreSelection.Listed(var ids)
                        ? ids.stream().map(StoreId::value).collect(joining("\n"))
                        : "",
                settings.events());
    }

    /** As it was sent; without a key, each time that it is sent makes a webhook. */
    static WebhookForm of(@Nullable Map<String, String> sent) {
        var fields = Objects.requireNonNullElse(sent, Map.<String, String>of());
        var events = EnumSet.noneOf(WebhookEvent.class);
        for (var event : WebhookEvent.values()) {
            if (fields.containsKey(field(event))) {
                events.add(event);
            }
        }
        return new WebhookForm(
                Objects.requireNonNullElseGet(fields.get("key"), FormKey::fresh),
                text(fields, "before"),
                text(fields, "name"),
                text(fields, "url"),
                text(fields, "storesBy"),
                text(fields, "stores"),
                events);
    }

    private static String text(Map<String, String> fields, String name) {
        return Objects.requireNonNullElse(fields.get(name), "").strip();
    }

    /** Name of the checkbox of an event. */
    static String field(WebhookEvent event) {
        return EVENT + event.name();
    }

    /** As it is, for another webhook. */
    WebhookForm again() {
        return new WebhookForm(FormKey.fresh(), before, name, url, storesBy, stores, events);
    }

    boolean isForAll() {
        return storesBy.equals(ALL);
    }

    /** @throws InvalidInput naming the field that is wrong */
    WebhookSettings settings() {
        return new WebhookSettings(name, WebhookSettings.url(url), selection(), events);
    }

    /**
     * What the settings become, from what they are by now; the same again is no error.
     *
     * @throws InvalidInput {@link #CHANGED}, or naming the field that is wrong
     */
    WebhookSettings settings(WebhookSettings now) {
        var settings = settings();
        if (!settings.equals(now) && !mark(now).equals(before)) {
            throw InvalidInput.sentence(
                    CHANGED,
                    "before",
                    "Somebody has changed the webhook since you were shown it, to what is here now. Make your change once more.");
        }
        return settings;
    }

    /** The same for the same settings, and for no others. */
    private static String mark(WebhookSettings settings) {
        var text = List.of(settings.name(), settings.url(), settings.stores(), EnumSet.copyOf(settings.events()));
        return UUID.nameUUIDFromBytes(text.toString().getBytes(UTF_8)).toString();
    }

    private StoreSelection selection() {
        return switch (storesBy) {
            case IDS -> new StoreSelection.Listed(NewChangeForm.each("stores", stores, StoreId::new));
            case ALL -> new StoreSelection.All();
            default -> throw new InvalidInput("INVALID_STORES", "stores", "must be listed, or all");
        };
    }
}
