package io.menuboard.instances;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.menuboard.local.aws.LocalAws;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** A process that runs a jar of Menuboard, as an instance beside others. */
final class JarInstance implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();

    private final Process process;
    private final CompletableFuture<URI> address = new CompletableFuture<>();
    private final ConcurrentLinkedQueue<String> complaints = new ConcurrentLinkedQueue<>();

    private JarInstance(Path jar, Map<String, String> environment) throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java");
        var builder = new ProcessBuilder(java.toString(), "-XX:TieredStopAtLevel=1", "-jar", jar.toString());
        builder.environment().clear();
        builder.environment().putAll(environment);
        process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Thread.ofVirtual().start(this::readLog);
    }

    /**
     * Starts one on a free port.
     *
     * @param settings environment variables
     */
    static JarInstance start(Path jar, LocalAws aws, Map<String, String> settings) throws IOException {
        var environment = aws.environment();
        aws.properties()
                .forEach((name, value) -> environment.put(
                        name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_'), value.toString()));
        environment.put("MICRONAUT_SERVER_PORT", "-1");
        environment.put("MENUBOARD_SIGN_IN", "false");
        environment.putAll(settings);
        return new JarInstance(jar, environment);
    }

    /** Reads its log, of which each line is a JSON object, until it is gone. */
    private void readLog() {
        try (var log = process.inputReader(UTF_8)) {
            for (var line = log.readLine(); line != null; line = log.readLine()) {
                var entry = JSON.readTree(line);
                var message = entry.path("formattedMessage").asText();
                if (!entry.path("level").asText().equals("INFO")) {
                    complaints.add(line);
                    System.err.println(line);
                } else if (message.contains("Server Running: ")) {
                    address.complete(URI.create(message.substring(message.indexOf("http"))));
                }
            }
        } catch (IOException e) {
            if (process.isAlive()) {
                complaints.add(e.toString());
            }
        }
    }

    /** Waits until it serves. */
    URI address() {
        return address.orTimeout(1, TimeUnit.MINUTES).join();
    }

    /**
     * Has it answer a GraphQL operation.
     *
     * @return the data
     * @throws IllegalStateException where there is an error in the answer
     */
    JsonNode ask(String document, Map<String, ?> variables) {
        try {
            var body = JSON.writeValueAsString(Map.of("query", document, "variables", variables));
            var answer = send(HttpRequest.newBuilder(address().resolve("/graphql"))
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(body)));
            var json = JSON.readTree(answer.body());
            if (answer.statusCode() != 200 || json.has("errors")) {
                throw new IllegalStateException(answer.statusCode() + " " + answer.body() + " to " + body);
            }
            return json.path("data");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The status with which it answers for a page. */
    int status(String page) {
        return send(HttpRequest.newBuilder(address().resolve(page))).statusCode();
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return HTTP.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** What it has logged so far above the level INFO. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** Ends it between two instructions of whatever it does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Asks it to end, and waits until it has. */
    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
