package io.menuboard.graphql.bad;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A client of HTTP/1.1 that sends what it is given, right or wrong, on one connection after the other. */
public final class Connection implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 30_000;

    private final String host;
    private final int port;
    private @Nullable Socket socket;
    private @Nullable InputStream in;

    public Connection(String host, int port) {
        this.host = host;
        this.port = port;
    }

    /**
     * What came back.
     *
     * @param status 0 where the connection was closed without an answer
     * @param took until the answer began, which is all of it but for a download: that takes as long as its list is
     */
    public record Answer(int status, String text, Duration took) {}

    /** Sends it, and waits for the answer. Sent again only where the server had closed the connection before. */
    public Answer send(BadRequest request) {
        var begin = System.nanoTime();
        var wasUsed = socket != null;
        try {
            return attempt(request, begin);
        } catch (Closed _) {
            disconnect();
            return wasUsed ? send(request) : noAnswer(begin);
        } catch (IOException _) {
            disconnect();
            return noAnswer(begin);
        }
    }

    private static Answer noAnswer(long begin) {
        return new Answer(0, "", Duration.ofNanos(System.nanoTime() - begin));
    }

    /** The server has closed the connection, and has answered nothing. */
    private static final class Closed extends IOException {
        private static final long serialVersionUID = 1;
    }

    private Answer attempt(BadRequest request, long begin) throws IOException {
        var to = socket;
        if (to == null) {
            to = new Socket(host, port);
            to.setSoTimeout(TIMEOUT_MILLIS);
            to.setTcpNoDelay(true);
            socket = to;
            in = new BufferedInputStream(to.getInputStream());
        }
        var from = in;
        if (from == null) {
            throw new IllegalStateException("no stream");
        }
        try {
            to.getOutputStream().write(request.bytes());
            from.mark(1);
            if (from.read() < 0) {
                throw new Closed();
            }
            from.reset();
        } catch (SocketException _) {
            throw new Closed();
        }
        int status;
        Map<String, String> headers;
        do {
            status = Integer.parseInt(line(from).split(" ", -1)[1]);
            headers = headers(from);
        } while (status == 100);
        var took = Duration.ofNanos(System.nanoTime() - begin);
        var body = request.line().startsWith("HEAD ") || status == 204 || status == 304
                ? new byte[0]
                : body(from, headers);
        if (headers.getOrDefault("connection", "").equalsIgnoreCase("close")
                || status == 101
                || (!headers.containsKey("content-length") && !headers.containsKey("transfer-encoding"))) {
            disconnect();
        }
        return new Answer(status, new String(body, UTF_8), took);
    }

    private static Map<String, String> headers(InputStream in) throws IOException {
        var headers = new TreeMap<String, String>();
        for (var line = line(in); !line.isEmpty(); line = line(in)) {
            var colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return headers;
    }

    private static byte[] body(InputStream in, Map<String, String> headers) throws IOException {
        if (headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked")) {
            var all = new ByteArrayOutputStream();
            for (var size = Integer.parseInt(line(in), 16); size > 0; size = Integer.parseInt(line(in), 16)) {
                all.write(in.readNBytes(size));
                line(in);
            }
            line(in);
            return all.toByteArray();
        }
        return in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
    }

    private static String line(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        for (var b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException();
            }
            line.write(b);
        }
        return line.toString(ISO_8859_1).stripTrailing();
    }

    private void disconnect() {
        var old = socket;
        socket = null;
        in = null;
        try {
            if (old != null) {
                old.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        disconnect();
    }
}
