package io.menuboard.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.local.LocalMenuboard.Settings;
import io.menuboard.tasks.TaskStatus;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** What one sees who has just started it, with the sample. */
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class LocalSampleTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Path data;
    private final HttpClient http = HttpClient.newHttpClient();
    private LocalMenuboard local;

    LocalSampleTest(@TempDir Path data) {
        this.data = data;
        awaitADayThatDoesNotEndMeanwhile();
        local = start();
    }

    /** Marks of the day are shown, and how restaurants moved since it began. */
    private static void awaitADayThatDoesNotEndMeanwhile() {
        await().atMost(Duration.ofMinutes(6))
                .until(() -> LocalTime.now(ZoneOffset.UTC).isBefore(LocalTime.of(23, 55)));
    }

    private LocalMenuboard start() {
        // As somebody who tries out approvals.
        return LocalMenuboard.start(
                new Settings(0, data, 14, 5),
                Map.of("menuboard.pricing.changes.approval-lines", 1),
                new PrintStream(printed, true, UTF_8));
    }

    @BeforeAll
    void loadSample() throws InterruptedException {
        local.loadSample();
    }

    @AfterAll
    void stop() {
        http.close();
        local.close();
    }

    @Test
    void saysWhereItIsAndHasSomethingToShow() {
        assertThat(page("/stores")).contains("DE-0001", "JP-0001");
        assertThat(text())
                .contains("Pages     " + local.address(), "GraphQL   " + local.address() + "/graphql")
                .containsPattern("DynamoDB  http://127\\.0\\.0\\.1:\\d+ \\(table menuboard, kept in "
                        + Pattern.quote(data.toString()))
                .containsPattern("export AWS_ENDPOINT_URL_DYNAMODB=http://127\\.0\\.0\\.1:\\d+")
                .containsPattern("export AWS_ENDPOINT_URL_S3=http://127\\.0\\.0\\.1:\\d+")
                .contains("Sample loaded: 14 stores", "Sample loaded: 50 tasks", "Sample loaded: 5 change sets");
        assertThat(local.address().getHost()).isIn("127.0.0.1", "localhost");
    }

    @Test
    void sellsWhatTheTemplateOfChangesNames() {
        var template = page("/changes/new/template.csv");
        var sold =
                List.of(rows("/stores/DE-0001"), rows("/stores/DE-0001/swaps")).toString();

        assertThat(template.lines().skip(1)).hasSize(3).allSatisfy(row -> {
            var values = List.of(row.split(",", -1));
            assertThat(values).startsWith("DE-0001", "ALL");
            assertThat(sold).contains(values.subList(2, 5));
        });
    }

    @Test
    void hasTasksInEveryStatus() {
        for (var status : TaskStatus.values()) {
            var page = page("/tasks?type=labels.print&status=" + status);

            assertThat(Jsoup.parse(page).select("#live tbody tr"))
                    .as(status.name())
                    .isNotEmpty();
        }
    }

    @Test
    void hasSomethingToShowOnEveryPageOfChangesAndFavorites() {
        var sets = rows("/changes");

        assertThat(sets)
                .hasSize(6)
                .anyMatch(row -> row.contains("sample-prices") && row.contains("Scheduled"))
                .anyMatch(row -> row.contains("Happy hour") && row.contains("Undone"))
                .anyMatch(row -> row.contains("Undo of Happy hour") && row.contains("Applied"))
                .anyMatch(row -> row.contains("Cheaper for members") && row.contains("Applied"))
                .anyMatch(row -> row.contains("New supplier") && row.contains("Scheduled") && row.contains("14"))
                .anyMatch(row -> row.contains("Summer menu") && row.contains("Draft"));
        assertThat(rows("/stores/DE-0001/changes")).isNotEmpty();
        assertThat(rows("/prices/history?store=DE-0001&product=HAMBURGER")).hasSize(2);

        assertThat(text()).containsPattern("Sample loaded: [1-9][0-9,]* favorites");
        assertThat(rows("/favorites"))
                .hasSizeGreaterThan(20)
                .anyMatch(row -> row.contains(" up "))
                .anyMatch(row -> row.contains(" down "));
        for (var window : List.of("DAY", "WEEK", "MONTH", "LAST_24_HOURS", "LAST_30_DAYS")) {
            assertThat(rows("/favorites?window=" + window)).isNotEmpty();
        }
    }

    @Test
    void hasReportsOfTheLastHoursWithALateLineAndAnotherVersion() {
        assertThat(text()).containsPattern("Sample loaded: [1-9][0-9,]* billable transactions");
        assertThat(rows("/billing"))
                .anyMatch(row -> row.matches(".* UTC 1 \\d \\d+ 1 .* Committed"))
                .anyMatch(row -> row.matches(".* UTC 2 \\d \\d+ 0 .* Committed"));
        assertThat(rows("/billing/agencies")).hasSize(4);
        assertThat(rows("/billing/rules")).hasSize(3);
        assertThat(rows("/billing/reconciliation")).hasSize(96).noneMatch(row -> row.endsWith("Differs"));
    }

    /** After all others, who look at what was printed when it was loaded. */
    @Test
    @Order(Integer.MAX_VALUE)
    void loadsItOnce() throws InterruptedException {
        local.close();
        printed.reset();

        local = start();
        local.loadSample();

        assertThat(text()).contains("The table has stores already").doesNotContain("Sample loaded");
        assertThat(rows("/changes")).hasSize(6);
    }

    private List<String> rows(String page) {
        return Jsoup.parse(page(page)).select("main tbody tr").eachText();
    }

    /** 503: the machine is busy, and whoever asks is to come again. */
    private String page(String path) {
        var request = signedIn(local.address().resolve(path)).build();
        var answer = await().atMost(Duration.ofMinutes(1))
                .until(() -> http.send(request, BodyHandlers.ofString()), response -> response.statusCode() != 503);
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return answer.body();
    }

    private String text() {
        return printed.toString(UTF_8);
    }

    private HttpRequest.Builder signedIn(URI address) {
        return HttpRequest.newBuilder(address).header("Authorization", "Bearer " + local.token());
    }
}
