package io.menuboard.pricing.webhooks;

import io.menuboard.kernel.InvalidInput;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Decides where messages may go: to the public Internet only, over TLS. Otherwise whoever registers a webhook could have this
 * server send requests into its own network. Thread-safe.
 *
 * @see <a href="https://cheatsheetseries.owasp.org/cheatsheets/Server_Side_Request_Forgery_Prevention_Cheat_Sheet.html">OWASP,
 *     Server-Side Request Forgery Prevention</a>
 */
final class Destinations {
    /** Ends as no name of the public Internet does, so some resolver may take it for an address. */
    private static final Pattern ADDRESS = Pattern.compile("(.*\\.)?(\\d+|0x[0-9a-f]*)\\.?");

    private final HostNames names;
    private final boolean allowPrivate;

    /** @param allowPrivate also to private addresses, and without TLS to this machine; for tests and local environments */
    Destinations(HostNames names, boolean allowPrivate) {
        this.names = names;
        this.allowPrivate = allowPrivate;
    }

    /** Resolves names of hosts, and addresses in whatever spelling. */
    @FunctionalInterface
    interface HostNames {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    /** Nothing may be sent there. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        Refused(String reason) {
            super(reason);
        }

        /** Why, for people. */
        String reason() {
            return String.valueOf(getMessage());
        }
    }

    /** Refuses, with {@link InvalidInput} {@code INVALID_URL} on {@code url}, what needs no name server to be refused. */
    void check(WebhookSettings settings) {
        var host = settings.host();
        if (!settings.url().getScheme().equals("https") && !allowPrivate) {
            throw new InvalidInput("INVALID_URL", "url", "must begin with https://");
        }
        if (host.equals("localhost")
                || host.endsWith(".localhost")
                || host.contains(":")
                || ADDRESS.matcher(host).matches()) {
            try {
                addresses(settings);
            } catch (Refused e) {
                throw InvalidInput.sentence("INVALID_URL", "url", e.reason());
            } catch (UnknownHostException _) {
                throw new InvalidInput("INVALID_URL", "url", "must have the name of a host that there can be");
            }
        }
    }

    /** Addresses to connect to, in this order, and to no others. */
    List<InetAddress> addresses(WebhookSettings settings) throws Refused, UnknownHostException {
        var addresses = names.resolve(settings.host());
        if (!allowPrivate && !Arrays.stream(addresses).allMatch(PublicAddresses::has)) {
            // Which address it is, is none of a partner's business.
            throw new Refused("the host has an address that is not of the public Internet");
        }
        if (settings.url().getScheme().equals("http")
                && !(allowPrivate && Arrays.stream(addresses).allMatch(InetAddress::isLoopbackAddress))) {
            throw new Refused("only https is allowed");
        }
        return List.of(addresses);
    }
}
