package io.menuboard.graphql.bad;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A request as it is sent. */
public final class BadRequest {
    private final String line;
    private final byte[] bytes;
    private final boolean changes;

    private BadRequest(String line, byte[] bytes, boolean changes) {
        this.line = line;
        this.bytes = bytes;
        this.changes = changes;
    }

    static BadRequest of(String line, String headers, byte[] body, boolean changes) {
        var head = (line + "\r\n" + headers + "\r\n").getBytes(UTF_8);
        var bytes = new byte[head.length + body.length];
        System.arraycopy(head, 0, bytes, 0, head.length);
        System.arraycopy(body, 0, bytes, head.length, body.length);
        return new BadRequest(line, bytes, changes);
    }

    /** The first line. */
    public String line() {
        return line;
    }

    /** Whether it may ask for a change: a mutation, or a form. */
    public boolean changes() {
        return changes;
    }

    byte[] bytes() {
        return bytes;
    }

    /** All of it, for people. */
    public String text() {
        return new String(bytes, UTF_8);
    }
}
