package io.menuboard.graphql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.impl.driver.Driver;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The public audit suite of GraphQL over HTTP, one test per audit. It is JavaScript, run by the Node.js that Playwright
 * brings along, so that nothing has to be installed or downloaded.
 */
class GraphQlOverHttpAuditTest {
    /** Of graphql-http 1.23.1; fewer would mean that the runner ended early. */
    private static final int AUDITS = 61;

    private static final ObjectMapper JSON = new ObjectMapper();

    @TestFactory
    Stream<DynamicTest> passesEveryAudit() throws IOException, InterruptedException {
        List<Audit> audits;
        try (var server = SampleServer.start()) {
            audits = run(server.graphQl());
        }

        assertThat(audits).hasSize(AUDITS);
        return audits.stream()
                .map(audit -> DynamicTest.dynamicTest(
                        audit.id + " " + audit.name,
                        () -> assertThat(audit.status).as(audit.reason).isEqualTo("ok")));
    }

    private record Audit(
            String id, String name, String status, @Nullable String reason) {}

    private static List<Audit> run(URI url) throws IOException, InterruptedException {
        var node = Driver.ensureDriverInstalled(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"), false)
                .driverDir()
                .resolve("node");
        var script = Path.of(
                URI.create(Objects.requireNonNull(GraphQlOverHttpAuditTest.class.getResource("/graphql-http/run.js"))
                        .toString()));
        var process = new ProcessBuilder(node.toString(), script.toString(), url.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var audits = new ArrayList<Audit>();
        try (var lines = process.inputReader(UTF_8)) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                audits.add(JSON.readValue(line, Audit.class));
            }
        }
        assertThat(process.waitFor()).isZero();
        return audits;
    }
}
