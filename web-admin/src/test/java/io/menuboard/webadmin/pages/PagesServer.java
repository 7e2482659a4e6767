package io.menuboard.webadmin.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import io.menuboard.context.ContextServer;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.messaging.BackgroundService;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.TableDefinition;
import io.menuboard.querydb.requests.Workload;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.util.SupplierUtil;
import io.micronaut.inject.qualifiers.Qualifiers;
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
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/** Pages and the contexts behind them on a free port, on a table of their own. */
public final class PagesServer {
    /** Has everything that {@link PagesFactory} gives. */
    static final String ENVIRONMENT = "pages";

    /** Makes it {@link PriceSample#NOW} for ever, for what is about prices. Tasks need time, and expire by a real one. */
    public static final String STANDING_CLOCK = "standing-clock";

    /** Has a {@code MovingClock}, far ahead, which stands until a test moves it. */
    public static final String MOVING_CLOCK = "moving-clock";

    /** Keeps reports, opens no report run by itself, and has {@link PagesFactory.HeldRuns}. */
    public static final String REPORTS = "reports";

    /** Gives up every recount of favorites. */
    public static final String FAILING_RECOUNTS = "failing-recounts";

    /** Has a bus on which events are published, {@link PagesFactory.Bus}. */
    public static final String EVENT_BUS = "event-bus";

    /** When a server starts by its own clock, which goes on from there. */
    static final Instant BEGIN = Instant.parse("2036-06-17T12:07:00Z");

    static final String CHANGES_QUEUE = "menuboard.queues.changes-url";
    static final String DUE_QUEUE = "menuboard.queues.due-url";

    /** Header of the token of a form. */
    public static final String TOKEN = "X-CSRF-TOKEN";

    private final HttpClient http = HttpClient.newHttpClient();
    private final Supplier<String> formCookie = SupplierUtil.memoized(this::newFormCookie);
    private final EmbeddedServer server;

    private PagesServer(EmbeddedServer server) {
        this.server = server;
    }

    /**
     * Starts one on an empty table.
     *
     * @param environments beside {@link #ENVIRONMENT}
     */
    public static PagesServer start(String table, String... environments) {
        return start(table, Map.of(), environments);
    }

    /** As {@link #start(String, String...)}, with further settings. */
    public static PagesServer start(String table, Map<String, Object> properties, String... environments) {
        LocalTables.create(LocalDynamoDb.shared(), TableDefinition.menuboard(table));
        // What is late on a busy machine is no fault; tests of the deadline have their own.
        var all = new HashMap<String, Object>(Map.of("menuboard.sign-in", false, "menuboard.admin.deadline", "60s"));
        all.putAll(properties);
        all.put("micronaut.server.port", -1);
        all.put(ContextServer.TABLE, table);
        var server = ApplicationContext.run(
                EmbeddedServer.class,
                all,
                Stream.concat(Stream.of(ContextServer.BASE, ENVIRONMENT), Stream.of(environments))
                        .toArray(String[]::new));
        var services = server.getApplicationContext().getBeansOfType(BackgroundService.class);
        Workload.BACKGROUND.run(() -> services.forEach(BackgroundService::start));
        return new PagesServer(server);
    }

    /**
     * The one with {@link PriceSample} in its table. Pages of prices only read, so all tests share it. Started at the first
     * call, never stopped.
     */
    public static PagesServer shared() {
        return Shared.INSTANCE;
    }

    /** Stops it, its beans and its background services. */
    public void stop() {
        server.getApplicationContext().close();
        http.close();
    }

    /** By its clock. */
    public Instant now() {
        return bean(Clock.class).instant();
    }

    /** A singleton of its context. */
    public <T> T bean(Class<T> type) {
        return server.getApplicationContext().getBean(type);
    }

    /** The one of those singletons that has that name. */
    public <T> T bean(Class<T> type, String name) {
        return server.getApplicationContext().getBean(type, Qualifiers.byName(name));
    }

    /** The same path on its port. */
    public URI address(String path) {
        return server.getURI().resolve(path);
    }

    /** Text as a part of an address. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    /** As a browser follows a link. */
    public Answer get(String path) {
        return send(path, Map.of());
    }

    /** As htmx asks for what has changed. */
    public Answer htmx(String path) {
        return send(path, Map.of("HX-Request", "true"));
    }

    /** As a browser sends a form; answers are not followed. */
    public Answer post(String path, Map<String, String> fields) {
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
    public Answer upload(String path, Map<String, String> fields, String file, String content) {
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

    /** With those headers beside what a browser says it accepts. */
    public Answer send(String path, Map<String, String> headers) {
        var request =
                HttpRequest.newBuilder(address(path)).header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
        headers.forEach(request::setHeader);
        return send(request);
    }

    /**
     * Whatever it is; answers are not followed. As a browser does, it sends with what may change something the token of a form,
     * and the cookie that belongs to it.
     */
    public Answer send(HttpRequest.Builder request) {
        var made = request.build();
        if (!made.method().equals("GET")
                && made.headers().firstValue("Authorization").isEmpty()) {
            var cookie = made.headers().firstValue("Cookie").orElseGet(() -> {
                request.header("Cookie", formCookie.get());
                return formCookie.get();
            });
            request.header(TOKEN, formToken(cookie));
        }
        return sendAsItIs(request);
    }

    /** A token for forms that a browser with that cookie sends. */
    public String formToken(String cookie) {
        return sendAsItIs(HttpRequest.newBuilder(address("/sign-in"))
                        .header("Accept", "text/html")
                        .header("Cookie", cookie))
                .html()
                .select("form[action=/sign-in] input[name=csrfToken]")
                .attr("value");
    }

    private String newFormCookie() {
        return get("/sign-in").header("Set-Cookie").replaceFirst(";.*", "");
    }

    /** With nothing added; answers are not followed. */
    public Answer sendAsItIs(HttpRequest.Builder request) {
        try {
            return new Answer(http.send(request.build(), BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An answer of the server. */
    public record Answer(HttpResponse<String> http) {
        /** Of HTTP. */
        public int status() {
            return http.statusCode();
        }

        /** Its first value, or nothing. */
        public String header(String name) {
            return http.headers().firstValue(name).orElse("");
        }

        /** Without a byte order mark, as readers of files take it. */
        public String body() {
            return http.body().startsWith("\uFEFF") ? http.body().substring(1) : http.body();
        }

        /** As another request for the same would have it, whose forms have other tokens. */
        public String bodyWithoutTokens() {
            return body().replaceAll("(csrfToken\"? ?(value=\"|=))[\\w-]+", "$1");
        }

        /** Its elements know the address that they came from. */
        public Document html() {
            return Jsoup.parse(http.body(), http.uri().toString());
        }
    }

    private static final class Shared {
        static final PagesServer INSTANCE = start("pages", STANDING_CLOCK);

        static {
            PriceSample.save(INSTANCE::bean);
        }
    }
}
