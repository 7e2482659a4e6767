package io.menuboard.app.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.TableDefinition;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.Map;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/** The application on a free port. */
final class PagesServer {
    static final String ENVIRONMENT = "pages";

    /** Makes it {@link Sample#NOW} for ever, for what is about prices. Tasks need time, and expire by the real one. */
    static final String STANDING_CLOCK = "standing-clock";

    /** Opens no report run by itself, and has {@link PagesFactory.HeldRuns}. */
    static final String HELD_RUNS = "held-runs";

    /** Has a bus on which events are published, {@link PagesFactory.Bus}. */
    static final String EVENT_BUS = "event-bus";

    private final HttpClient http = HttpClient.newHttpClient();
    private final EmbeddedServer server;

    private PagesServer(EmbeddedServer server) {
        this.server = server;
    }

    /** Starts one on an empty table of its own. */
    static PagesServer start(String table, String... environments) {
        return start(table, Map.of(), environments);
    }

    /** As {@link #start(String, String...)}, with further settings. */
    static PagesServer start(String table, Map<String, Object> properties, String... environments) {
        LocalTables.create(LocalDynamoDb.shared(), TableDefinition.menuboard(table));
        var all = new HashMap<>(properties);
        all.put("micronaut.server.port", -1);
        all.put("menuboard.table-name", table);
        return new PagesServer(ApplicationContext.run(EmbeddedServer.class, all, environments));
    }

    /**
     * The one with {@link Sample} in its table. Pages of prices only read, so all tests share it. Started at the first
     * call, never stopped.
     */
    static PagesServer shared() {
        return Shared.INSTANCE;
    }

    <T> T bean(Class<T> type) {
        return server.getApplicationContext().getBean(type);
    }

    URI address(String path) {
        return server.getURI().resolve(path);
    }

    /** As a browser follows a link. */
    Answer get(String path) {
        return send(path, Map.of());
    }

    /** As htmx asks for what has changed. */
    Answer htmx(String path) {
        return send(path, Map.of("HX-Request", "true"));
    }

    /** As a browser sends a form; answers are not followed. */
    Answer post(String path, Map<String, String> fields) {
        var body = fields.entrySet().stream()
                .map(field ->
                        URLEncoder.encode(field.getKey(), UTF_8) + "=" + URLEncoder.encode(field.getValue(), UTF_8))
                .collect(joining("&"));
        return send(HttpRequest.newBuilder(address(path))
                .header("Accept", "text/html,*/*;q=0.8")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body)));
    }

    /** As a browser sends a form with a file. */
    Answer upload(String path, Map<String, String> fields, String file, String content) {
        var body = new StringBuilder();
        fields.forEach((name, value) -> body.append(
                "--form\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n".formatted(name, value)));
        body.append("--form\r\nContent-Disposition: form-data; name=\"%s\"; filename=\"changes.csv\"\r\n"
                        .formatted(file))
                .append("Content-Type: text/csv\r\n\r\n")
                .append(content)
                .append("\r\n--form--\r\n");
        return send(HttpRequest.newBuilder(address(path))
                .header("Accept", "text/html,*/*;q=0.8")
                .header("Content-Type", "multipart/form-data; boundary=form")
                .POST(BodyPublishers.ofString(body.toString())));
    }

    /** As a GraphQL client asks. */
    Answer graphQl(String document) {
        var body = "{\"query\":\"" + document.replace("\"", "\\\"").replace("\n", " ") + "\"}";
        return send(HttpRequest.newBuilder(address("/graphql"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
    }

    Answer send(String path, Map<String, String> headers) {
        var request =
                HttpRequest.newBuilder(address(path)).header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
        headers.forEach(request::setHeader);
        return send(request);
    }

    private Answer send(HttpRequest.Builder request) {
        try {
            return new Answer(http.send(request.build(), BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    record Answer(HttpResponse<String> http) {
        int status() {
            return http.statusCode();
        }

        String header(String name) {
            return http.headers().firstValue(name).orElse("");
        }

        /** Without a byte order mark, as readers of files take it. */
        String body() {
            return http.body().startsWith("\uFEFF") ? http.body().substring(1) : http.body();
        }

        Document html() {
            return Jsoup.parse(http.body(), http.uri().toString());
        }
    }

    private static final class Shared {
        static final PagesServer INSTANCE = start("pages", ENVIRONMENT, STANDING_CLOCK);

        static {
            Sample.save(INSTANCE);
        }
    }
}
