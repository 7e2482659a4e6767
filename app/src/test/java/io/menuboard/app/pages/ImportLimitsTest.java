package io.menuboard.app.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.TableDefinition;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How big an upload may be, and how many run at once. */
class ImportLimitsTest {
    private static final int MAX_FILE = 4096;
    private static final String STORE = "id,name,timeZone,currency\nB1,Berlin,Europe/Berlin,EUR\n";

    private final HttpClient http = HttpClient.newHttpClient();
    private ApplicationContext context = ApplicationContext.builder().build();

    @AfterEach
    void stop() {
        context.close();
        http.close();
    }

    @ParameterizedTest
    @CsvSource({"4096, 303", "4097, 413"})
    void aFileMayBeAsBigAsTheLimit(int bytes, int status) {
        start(Map.of("micronaut.server.multipart.max-file-size", MAX_FILE));

        var answer = upload(STORE + "\n".repeat(bytes - STORE.length()));

        assertThat(answer.statusCode()).isEqualTo(status);
        if (status == 413) {
            assertThat(document(answer).select("h1").text()).isEqualTo("That is too big");
        }
    }

    @Test
    void oneMoreThanMayRunAtOnceIsRefused() {
        start(Map.of("menuboard.admin.imports-at-once", 0));

        var answer = upload(STORE);

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("30");
        assertThat(document(answer).select("h1").text()).isEqualTo("Too many uploads at once");
        assertThat(document(send(request("/imports"))).select("tbody tr")).isEmpty();
    }

    @Test
    void anImportThatIsDoneMakesRoomForTheNext() {
        start(Map.of("menuboard.admin.imports-at-once", 1));

        for (var i = 0; i < 3; i++) {
            await().untilAsserted(() -> assertThat(upload(STORE).statusCode()).isEqualTo(303));
        }
    }

    private void start(Map<String, Object> limits) {
        var table = "limits-" + UUID.randomUUID();
        LocalTables.create(LocalDynamoDb.shared(), TableDefinition.menuboard(table));
        var properties = new HashMap<>(limits);
        properties.put("micronaut.server.port", -1);
        properties.put("menuboard.table-name", table);
        context = ApplicationContext.run(properties, PagesServer.ENVIRONMENT);
        context.getBean(EmbeddedServer.class).start();
    }

    private HttpResponse<String> upload(String stores) {
        return send(request("/imports")
                .header("Content-Type", "multipart/form-data; boundary=limit")
                .POST(BodyPublishers.ofString("--limit\r\nContent-Disposition: form-data; name=\"stores\";"
                        + " filename=\"s.csv\"\r\nContent-Type: text/csv\r\n\r\n" + stores + "\r\n--limit--\r\n")));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                        context.getBean(EmbeddedServer.class).getURI().resolve(path))
                .header("Accept", "text/html,*/*;q=0.8");
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Document document(HttpResponse<String> response) {
        return Jsoup.parse(response.body());
    }
}
