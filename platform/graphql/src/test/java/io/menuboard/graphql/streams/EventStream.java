package io.menuboard.graphql.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.menuboard.graphql.GraphQlServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A client of Server-Sent Events that reads what it is asked to. */
public final class EventStream implements AutoCloseable {
    private final HttpResponse<InputStream> response;
    private final BufferedReader lines;

    private EventStream(HttpResponse<InputStream> response) {
        this.response = response;
        this.lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8));
    }

    public static EventStream post(HttpClient http, GraphQlServer server, String document, String... headers) {
        return send(
                http,
                HttpRequest.newBuilder(server.graphQl())
                        .header("Content-Type", "application/json")
                        .header("Accept", "text/event-stream")
                        .POST(BodyPublishers.ofString(GraphQlServer.json(Map.of("query", document)))),
                headers);
    }

    public static EventStream send(HttpClient http, HttpRequest.Builder request, String... headers) {
        if (headers.length > 0) {
            request.headers(headers);
        }
        return new EventStream(
                http.sendAsync(request.build(), BodyHandlers.ofInputStream()).join());
    }

    public int status() {
        return response.statusCode();
    }

    /** Empty where there is none. */
    public String header(String name) {
        return response.headers().firstValue(name).orElse("");
    }

    /** The next line; null after the last one. */
    public @Nullable String line() {
        try {
            return lines.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next event as its lines, without comments; null after the last one. */
    public @Nullable String event() {
        var event = new StringBuilder();
        for (var line = line(); line != null; line = line()) {
            if (line.startsWith(":")) {
                continue;
            }
            if (!line.isEmpty()) {
                event.append(line).append('\n');
            } else if (!event.isEmpty()) {
                return event.toString();
            }
        }
        return null;
    }

    /** All that is left. */
    public String rest() {
        var rest = new StringBuilder();
        for (var line = line(); line != null; line = line()) {
            rest.append(line).append('\n');
        }
        return rest.toString();
    }

    @Override
    public void close() {
        try {
            response.body().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
