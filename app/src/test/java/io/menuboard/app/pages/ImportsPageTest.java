package io.menuboard.app.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.app.graphql.GraphQlServer;
import io.menuboard.local.aws.LocalAws;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The pages of imports, as a browser without JavaScript and htmx use them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ImportsPageTest {
    private static final String STORES = "id,name,timeZone,currency\nB1,Berlin,Europe/Berlin,EUR\n";
    private static final String PRICES = "store,product,effectiveDate,amount\nB1,BURGER,2026-01-01,4.50\n";

    private final HttpClient http = HttpClient.newHttpClient();
    private final LocalAws aws = LocalAws.start(null, "imports-page");
    private final GraphQlServer server = GraphQlServer.start(aws);

    @AfterAll
    void stop() {
        http.close();
        server.close();
        aws.close();
    }

    @Test
    void anUploadGoesInBehindItsPage() {
        var answer = upload(part("stores", "my stores.csv", STORES) + part("prices", "p.csv", PRICES)
                + "--limit\r\nContent-Disposition: form-data; name=\"reason\"\r\n\r\ncosts rose\r\n");

        assertThat(answer.statusCode()).isEqualTo(303);
        var page = whenEnded(answer.headers().firstValue("Location").orElseThrow());
        assertThat(page.select("h1").text()).isEqualTo("my stores.csv and p.csv");
        assertThat(page.select("[data-summary]").text()).endsWith("The price would change.");
        var review = page.expectFirst("a.button-primary");
        assertThat(review.text()).isEqualTo("Review the change set");
        assertThat(document(get(review.attr("href"))).expectFirst(".lead").text())
                .endsWith("because: costs rose");
        assertThat(page.select("[hx-trigger]")).isEmpty();
        assertThat(document(get("/imports")).select("td a").eachText()).contains("my stores.csv, p.csv");
    }

    @Test
    void whatWasRejectedIsListedAndCanBeDownloaded() {
        var location = upload(part("stores", "s.csv", STORES + "B#2,=1,Europe/Berlin,EUR\n"))
                .headers()
                .firstValue("Location")
                .orElseThrow();

        var page = whenEnded(location);

        assertThat(page.select("[data-summary]").text()).endsWith("; 1 row was rejected.");
        assertThat(page.select("table[aria-label=Rejected rows] tbody tr").eachText())
                .containsExactly("stores row 3 id B#2 id must not contain '#' INVALID_ID");
        assertThat(get(location + "/rejected.csv").body())
                .isEqualTo(
                        "\uFEFFrow,field,value,rule,code,file\r\n3,id,B#2,id must not contain '#',INVALID_ID,stores\r\n");
    }

    @Test
    void aFileThatIsNoCsvIsRefusedWithItsReason() {
        var location = upload(part("prices", "prices.xlsx", "PK\u0003\u0004rest"))
                .headers()
                .firstValue("Location")
                .orElseThrow();

        var page = whenEnded(location);

        assertThat(page.select(".badge").text()).isEqualTo("Refused");
        assertThat(page.select("[role=alert]").text()).contains("Excel workbook (.xlsx); save it as CSV in UTF-8");
    }

    @Test
    void htmxGetsThePartThatChanges() {
        var location = upload(part("stores", "s.csv", STORES))
                .headers()
                .firstValue("Location")
                .orElseThrow();
        whenEnded(location);

        var fragment = send(request(location).header("HX-Request", "true"));

        assertThat(fragment.body()).doesNotContain("<html", "<main").contains("Finished");
        assertThat(fragment.headers().firstValue("HX-Push-Url")).isEmpty();
    }

    @Test
    void aFormWithoutAFileIsToldSoAtTheField() {
        var answer = upload(part("stores", "", ""));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(document(answer).select("#stores-error").text()).isEqualTo("Stores, prices or both must be given");
    }

    @Test
    void aClientThatAcceptsJsonGetsTheImportsIdOrWhatIsWrong() {
        var taken = upload("application/json", part("stores", "s.csv", STORES));
        var refused = upload("application/json", part("stores", "", ""));
        var tooLong = upload(
                "application/json",
                part("stores", "s.csv", STORES) + "--limit\r\nContent-Disposition: form-data; name=\"reason\"\r\n\r\n"
                        + "x".repeat(501) + "\r\n");

        assertThat(taken.statusCode()).isEqualTo(202);
        assertThat(taken.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(taken.body()).matches("\\{\"import\":\"[0-9a-f]{16}\"}");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body())
                .startsWith("{\"errors\":[{")
                .contains(
                        "\"code\":\"NO_FILE\"",
                        "\"field\":\"stores\"",
                        "\"message\":\"stores, prices or both must be given\"");
        assertThat(tooLong.statusCode()).isEqualTo(400);
        assertThat(tooLong.body()).contains("\"field\":\"reason\"", "500");
    }

    @Test
    void anImportThatDoesNotExistIsNotFound() {
        assertThat(get("/imports/0123456789abcdef").statusCode()).isEqualTo(404);
        assertThat(get("/imports/nonsense").statusCode()).isEqualTo(400);
    }

    @Test
    void theListIsExportedAsCsv() {
        var exported = get("/imports/list.csv");

        assertThat(exported.headers().firstValue("Content-Type").orElse("")).startsWith("text/csv");
        assertThat(exported.body())
                .startsWith("\uFEFFimport,begun,by,through,state,files,rows,created,changed,unchanged,rejected\r\n");
    }

    private Document whenEnded(String location) {
        return await().until(() -> document(get(location)), page -> page.select("progress")
                .isEmpty());
    }

    private HttpResponse<String> upload(String parts) {
        return upload("text/html,*/*;q=0.8", parts);
    }

    private HttpResponse<String> upload(String accept, String parts) {
        return send(request("/imports")
                .setHeader("Accept", accept)
                .header("Content-Type", "multipart/form-data; boundary=limit")
                .POST(BodyPublishers.ofString(parts + "--limit--\r\n")));
    }

    private static String part(String field, String fileName, String content) {
        return "--limit\r\nContent-Disposition: form-data; name=\"" + field + "\"; filename=\"" + fileName
                + "\"\r\nContent-Type: text/csv\r\n\r\n" + content + "\r\n";
    }

    private HttpResponse<String> get(String path) {
        return send(request(path));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(server.graphQl().resolve(path)).header("Accept", "text/html,*/*;q=0.8");
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Document document(HttpResponse<String> response) {
        return Jsoup.parse(response.body());
    }
}
