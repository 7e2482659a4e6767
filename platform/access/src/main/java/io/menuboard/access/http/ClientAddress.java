package io.menuboard.access.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Address of a client.
 *
 * @param text the address itself, the same for all ways to write it; {@code unknown} for what is none
 * @param network as clients are told apart: an IPv4 address, or the {@code /64} of an IPv6 one, of which each has a whole one (RFC
 *     6177)
 */
public record ClientAddress(String text, String network) {
    private static final ClientAddress UNKNOWN = new ClientAddress("unknown", "unknown");
    private static final int IPV6_BYTES = 16;
    private static final int NETWORK_BYTES = 8;

    /** That of a connection. */
    public static ClientAddress of(InetAddress address) {
        var bytes = address.getAddress();
        // Not that of the argument, which may have the name of an interface behind it.
        var text = text(bytes);
        if (bytes.length < IPV6_BYTES) {
            return new ClientAddress(text, text);
        }
        Arrays.fill(bytes, NETWORK_BYTES, IPV6_BYTES, (byte) 0);
        return new ClientAddress(text, text(bytes) + "/64");
    }

    /** That of a text. What is no address, as a header may have it, all counts as one. */
    public static ClientAddress of(@Nullable String text) {
        if (text == null) {
            return UNKNOWN;
        }
        try {
            return of(InetAddress.ofLiteral(text.strip()));
        } catch (IllegalArgumentException _) {
            return UNKNOWN;
        }
    }

    private static String text(byte[] address) {
        try {
            return InetAddress.getByAddress(address).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four or sixteen bytes are an address", e);
        }
    }
}
