package io.menuboard.app.limits;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Address of a client, as clients are told apart by it: with IPv6 the network, of which each has a whole one (RFC 6177). */
record ClientAddress(String text) {
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;
    private static final int NETWORK_BYTES = 8;

    /** An IPv4 address, or the {@code /64} of an IPv6 one. */
    static ClientAddress of(InetAddress address) {
        var bytes = address.getAddress();
        if (bytes.length == IPV6_BYTES) {
            Arrays.fill(bytes, NETWORK_BYTES, IPV6_BYTES, (byte) 0);
        }
        return new ClientAddress(NetUtil.bytesToIpAddress(bytes));
    }

    /** The same of a text; what is no address, as a header may have it, all counts as one. */
    static ClientAddress of(@Nullable String text) {
        var bytes = text == null ? null : NetUtil.createByteArrayFromIpAddressString(text.strip());
        if (bytes == null || (bytes.length != IPV4_BYTES && bytes.length != IPV6_BYTES)) {
            return new ClientAddress("unknown");
        }
        try {
            return of(InetAddress.getByAddress(bytes));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four or sixteen bytes are an address", e);
        }
    }
}
