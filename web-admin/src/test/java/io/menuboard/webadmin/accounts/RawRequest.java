package io.menuboard.webadmin.accounts;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;

/** A request written by hand: with a {@code Host} that no client lets its caller choose. */
final class RawRequest {
    private RawRequest() {}

    /** All of the answer, as text. */
    static String send(URI server, String request) {
        try (var socket = new Socket(server.getHost(), server.getPort())) {
            socket.getOutputStream().write(request.getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
