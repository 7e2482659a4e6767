package io.menuboard.app.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.app.local.LocalMenuboard.Settings;
import io.menuboard.tasks.TaskStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalMenuboardTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, UTF_8);

    @Test
    void saysWhereItIsAndHasSomethingToShow() throws IOException, InterruptedException {
        var settings = new Settings(0, null, 14, 5);
        try (var local = LocalMenuboard.start(settings, out);
                var http = HttpClient.newHttpClient()) {
            local.loadSample(settings);

            var page = http.send(
                    HttpRequest.newBuilder(local.address().resolve("/stores")).build(), BodyHandlers.ofString());

            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body()).contains("DE-0001", "JP-0001");
            assertThat(text())
                    .contains("Pages     " + local.address(), "GraphQL   " + local.address() + "/graphql")
                    .containsPattern("DynamoDB  http://127\\.0\\.0\\.1:\\d+ \\(table menuboard, in memory")
                    .containsPattern("export AWS_ENDPOINT_URL_DYNAMODB=http://127\\.0\\.0\\.1:\\d+")
                    .containsPattern("export AWS_ENDPOINT_URL_S3=http://127\\.0\\.0\\.1:\\d+")
                    .contains("Sample loaded: 14 stores", "Sample loaded: 50 tasks", "Sample loaded: 5 change sets");
            assertThat(local.address().getHost()).isIn("127.0.0.1", "localhost");
        }
    }

    @Test
    void hasTasksInEveryStatus() throws IOException, InterruptedException {
        var settings = new Settings(0, null, 1, 1);
        try (var local = LocalMenuboard.start(settings, out);
                var http = HttpClient.newHttpClient()) {
            local.loadSample(settings);

            for (var status : TaskStatus.values()) {
                var list = local.address().resolve("/tasks?type=labels.print&status=" + status);
                var page = http.send(HttpRequest.newBuilder(list).build(), BodyHandlers.ofString());

                assertThat(Jsoup.parse(page.body()).select("#live tbody tr"))
                        .as(status.name())
                        .isNotEmpty();
            }
        }
    }

    @Test
    void hasSomethingToShowOnEveryPageOfChangesAndFavorites() throws IOException, InterruptedException {
        var settings = new Settings(0, null, 14, 5);
        try (var local = LocalMenuboard.start(settings, out);
                var http = HttpClient.newHttpClient()) {
            local.loadSample(settings);

            var sets = rows(http, local, "/changes");

            assertThat(sets)
                    .hasSize(5)
                    .anyMatch(row -> row.contains("Happy hour") && row.contains("Undone"))
                    .anyMatch(row -> row.contains("Undo of Happy hour") && row.contains("Applied"))
                    .anyMatch(row -> row.contains("Cheaper for members") && row.contains("Applied"))
                    .anyMatch(row -> row.contains("New supplier") && row.contains("Scheduled") && row.contains("14"))
                    .anyMatch(row -> row.contains("Summer menu") && row.contains("Draft"));
            assertThat(rows(http, local, "/stores/DE-0001/changes")).isNotEmpty();
            assertThat(rows(http, local, "/prices/history?store=DE-0001&product=HAMBURGER"))
                    .hasSize(2);

            assertThat(text()).containsPattern("Sample loaded: [1-9][0-9,]* favorites");
            assertThat(rows(http, local, "/favorites"))
                    .hasSizeGreaterThan(20)
                    .anyMatch(row -> row.contains(" up "))
                    .anyMatch(row -> row.contains(" down "));
            for (var window : List.of("DAY", "WEEK", "MONTH", "LAST_24_HOURS", "LAST_30_DAYS")) {
                assertThat(rows(http, local, "/favorites?window=" + window)).isNotEmpty();
            }
        }
    }

    @Test
    void hasReportsOfTheLastHoursWithALateLineAndAnotherVersion() throws IOException, InterruptedException {
        var settings = new Settings(0, null, 2, 5);
        try (var local = LocalMenuboard.start(settings, out);
                var http = HttpClient.newHttpClient()) {
            local.loadSample(settings);

            assertThat(text()).containsPattern("Sample loaded: [1-9][0-9,]* billable transactions");
            assertThat(rows(http, local, "/billing"))
                    .anyMatch(row -> row.matches(".* UTC 1 \\d \\d+ 1 .* Committed"))
                    .anyMatch(row -> row.matches(".* UTC 2 \\d \\d+ 0 .* Committed"));
            assertThat(rows(http, local, "/billing/agencies")).hasSize(4);
            assertThat(rows(http, local, "/billing/rules")).hasSize(3);
            assertThat(rows(http, local, "/billing/reconciliation"))
                    .hasSize(96)
                    .noneMatch(row -> row.endsWith("Differs"));
        }
    }

    private static List<String> rows(HttpClient http, LocalMenuboard local, String page)
            throws IOException, InterruptedException {
        var answer =
                http.send(HttpRequest.newBuilder(local.address().resolve(page)).build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        return Jsoup.parse(answer.body()).select("main tbody tr").eachText();
    }

    @Test
    void keepsItsDataInAFolderAndLoadsTheSampleOnce(@TempDir Path data) throws InterruptedException {
        var settings = new Settings(0, data, 2, 2);
        try (var local = LocalMenuboard.start(settings, out)) {
            local.loadSample(settings);
        }
        assertThat(text()).contains("Sample loaded: 2 stores", "kept in " + data);
        printed.reset();

        try (var local = LocalMenuboard.start(settings, out)) {
            local.loadSample(settings);
        }

        assertThat(text()).contains("The table has stores already").doesNotContain("Sample loaded");
    }

    @Test
    void aPortThatIsTakenIsSaidInOneSentence() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var port = taken.getLocalPort();

            assertThatThrownBy(() -> LocalMenuboard.start(new Settings(port, null, 1, 1), out))
                    .hasMessage("Port " + port + " is taken; choose another one with -Dport=" + (port + 1) + ".");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0     | 56   | 60  | -Dport must be between 1 and 65535, not 0.
            http  | 56   | 60  | -Dport must be between 1 and 65535, not http.
            8080  | 8001 | 60  | -Dstores must be between 1 and 8000, not 8001.
            8080  | 56   | 501 | -Dproducts must be between 1 and 500, not 501.
            """)
    void aSettingThatMakesNoSenseIsSaidInOneSentence(String port, String stores, String products, String message) {
        assertThatThrownBy(() -> Settings.of(port, "", stores, products)).hasMessage(message);
    }

    private String text() {
        return printed.toString(UTF_8);
    }
}
