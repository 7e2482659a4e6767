package io.menuboard.access.http;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Whether an instance is reached from its own machine alone. */
public final class Loopback {
    private Loopback() {}

    /**
     * True for a name or address that only this machine reaches. Resolves names, and may wait for that; false for one that is
     * blank or has no address.
     *
     * @param host {@code micronaut.server.host}
     */
    public static boolean is(String host) {
        try {
            return !host.isBlank() && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException _) {
            return false;
        }
    }
}
