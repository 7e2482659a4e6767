package io.menuboard.instances;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.TableDefinition;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The jar that goes into production, as the build has packaged it. */
class MenuboardJarIT {
    private static final Path JAR = Path.of(Objects.requireNonNull(
            System.getProperty("menuboard.jar"), "menuboard.jar must name the jar; Maven does that"));

    private static final Pattern NOT_FOR_PRODUCTION = Pattern.compile("^(software/amazon/dynamodb|com/amazonaws"
            + "|com/almworks|org/elasticmq|org/apache/pekko|org/gaul|com/adobe/testing|org/junit|org/assertj|org/awaitility"
            + "|net/jqwik|com/tngtech|com/microsoft/playwright|org/jsoup|io/menuboard/(planted|local|bench)|graphql-http)/"
            + "|^io/menuboard/.*(Test|IT|Sample[A-Za-z]*|FaultInjectingHttpClient)\\.class$"
            + "|^META-INF/[^/]*\\.(SF|DSA|RSA)$");

    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void holdsEverythingThatRuns() throws IOException {
        try (var jar = new JarFile(JAR.toFile())) {
            assertThat(jar.getManifest().getMainAttributes().getValue("Main-Class"))
                    .isEqualTo("io.menuboard.app.Menuboard");
            var missing = new TreeSet<>(Set.of(
                    "io/menuboard/app/Menuboard.class",
                    "io/menuboard/querydb/QueryDb.class",
                    "io/menuboard/pricing/Pricing.class",
                    "graphql/menuboard.graphqls",
                    "graphql/pricing.graphqls",
                    "views/layout.html",
                    "application.yml",
                    "logback.xml"));
            missing.removeAll(names(jar));
            assertThat(missing).isEmpty();
        }
    }

    @Test
    void holdsNothingThatOnlyTestsNeed() throws IOException {
        try (var jar = new JarFile(JAR.toFile())) {
            assertThat(names(jar)).filteredOn(NOT_FOR_PRODUCTION.asPredicate()).isEmpty();
        }
    }

    @Test
    @Timeout(60)
    void startsWithNothingButJavaAndAnswersFromTheTable() throws IOException, InterruptedException {
        LocalTables.create(LocalDynamoDb.shared(), TableDefinition.menuboard("jar-test"));
        var process = start(Map.of(
                "AWS_ENDPOINT_URL_DYNAMODB", LocalDynamoDb.shared().endpoint().toString(),
                "AWS_REGION", LocalDynamoDb.REGION.id(),
                "AWS_ACCESS_KEY_ID", "local",
                "AWS_SECRET_ACCESS_KEY", "local",
                "MENUBOARD_TABLE_NAME", "jar-test",
                "MICRONAUT_SERVER_PORT", "-1"));
        try (var http = HttpClient.newHttpClient();
                var log = process.inputReader(UTF_8)) {
            var request = HttpRequest.newBuilder(address(log).resolve("/graphql"))
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(
                            "{\"query\":\"{ stores { nodes { id } pageInfo { hasNextPage hasPreviousPage } } }\"}"))
                    .build();

            var answer = http.send(request, BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body())
                    .isEqualTo(
                            "{\"data\":{\"stores\":{\"nodes\":[],\"pageInfo\":{\"hasNextPage\":false,\"hasPreviousPage\":false}}}}");
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    @Test
    @Timeout(60)
    void saysOnStandardErrorWhyItDoesNotStartWhereItWouldLogNothing() throws IOException, InterruptedException {
        var process = builder(Map.of("MENUBOARD_LOG_FORMAT", "JSON")).start();
        try (var errors = process.errorReader(UTF_8)) {
            assertThat(errors.lines())
                    .containsExactly(
                            "MENUBOARD_LOG_FORMAT (menuboard.log.format) must be one of json, plain, not 'JSON'.");
            assertThat(process.waitFor()).isEqualTo(1);
        } finally {
            process.destroy();
        }
    }

    private static Process start(Map<String, String> environment) throws IOException {
        return builder(environment)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static ProcessBuilder builder(Map<String, String> environment) {
        var java = Path.of(System.getProperty("java.home"), "bin", "java");
        var builder = new ProcessBuilder(java.toString(), "-jar", JAR.toString());
        builder.environment().clear();
        builder.environment().put("MENUBOARD_SIGN_IN", "false");
        builder.environment().putAll(environment);
        return builder;
    }

    /** Reads the log, of which every line must be a JSON object, up to where it says that the server runs. */
    private static URI address(BufferedReader log) {
        return log.lines()
                .map(MenuboardJarIT::message)
                .filter(message -> message.contains("Server Running: "))
                .map(message -> URI.create(message.substring(message.indexOf("http"))))
                .findFirst()
                .orElseThrow(() -> new AssertionError("the process ended before it served"));
    }

    private static String message(String line) {
        try {
            return JSON.readTree(line).path("formattedMessage").asText();
        } catch (IOException e) {
            throw new UncheckedIOException(line, e);
        }
    }

    private static Set<String> names(JarFile jar) {
        return jar.stream().map(ZipEntry::getName).collect(toSet());
    }
}
