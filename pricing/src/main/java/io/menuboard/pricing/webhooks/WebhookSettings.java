package io.menuboard.pricing.webhooks;

import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * What staff say about a webhook.
 *
 * @param name for people; 1 to 64 characters as {@link Ids} allows
 * @param url where messages are posted
 * @param stores listed ones, or all
 * @param events at least one
 */
public record WebhookSettings(String name, URI url, StoreSelection stores, Set<WebhookEvent> events) {
    /** Most characters of a URL. */
    public static final int MOST_URL = 1_000;

    private static final int HTTPS_PORT = 443;
    private static final int FIRST_FREE_PORT = 1_024;
    private static final int LAST_PORT = 65_535;

    /**
     * Throws {@link InvalidInput} {@code INVALID_ID} on {@code name}, {@code INVALID_URL}, {@code INVALID_STORES} or
     * {@code NO_EVENTS}.
     */
    public WebhookSettings {
        Ids.check("name", name);
        check(url);
        if (!(stores instanceof StoreSelection.Listed || stores instanceof StoreSelection.All)) {
            throw new InvalidInput("INVALID_STORES", "stores", "must be listed, or all");
        }
        if (events.isEmpty()) {
            throw new InvalidInput("NO_EVENTS", "events", "must name at least one event");
        }
        events = Set.copyOf(EnumSet.copyOf(events));
    }

    /** The URL of a text; throws {@link InvalidInput} {@code INVALID_URL} on {@code url} for what is none. */
    public static URI url(String text) {
        if (text.length() > MOST_URL) {
            throw invalid("must have at most " + MOST_URL + " characters");
        }
        try {
            return new URI(text);
        } catch (URISyntaxException _) {
            throw invalid("must be a URL, such as https://partner.example/prices");
        }
    }

    private static void check(URI url) {
        if (url.getScheme() == null || !Set.of("http", "https").contains(url.getScheme())) {
            throw invalid("must begin with https://");
        }
        if (url.getHost() == null) {
            throw invalid("must have the name of a host, such as https://partner.example/prices");
        }
        if (url.getRawUserInfo() != null) {
            throw invalid("must have no user name or password: every message is signed instead");
        }
        if (url.getRawFragment() != null) {
            throw invalid("must have no #, which is never sent");
        }
        var port = url.getPort();
        if (port != -1 && port != HTTPS_PORT && (port < FIRST_FREE_PORT || port > LAST_PORT)) {
            throw invalid("must have port 443, or one from " + FIRST_FREE_PORT + " on");
        }
    }

    private static InvalidInput invalid(String rule) {
        return new InvalidInput("INVALID_URL", "url", rule);
    }

    /** The host in lower case, without the brackets of an address. */
    String host() {
        var host = url.getHost().toLowerCase(Locale.ROOT);
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    boolean wants(WebhookEvent event, StoreId store) {
        return events.contains(event)
                && (!(stores instanceof StoreSelection.Listed(var listed)) || listed.contains(store));
    }
}
