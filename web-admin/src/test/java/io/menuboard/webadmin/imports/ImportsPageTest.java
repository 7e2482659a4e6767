package io.menuboard.webadmin.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.kernel.Actor;
import io.menuboard.pricing.changes.ImportId;
import io.menuboard.pricing.imports.ImportFileStatus;
import io.menuboard.pricing.imports.ImportKind;
import io.menuboard.pricing.imports.ImportRejection;
import io.menuboard.pricing.imports.ImportState;
import io.menuboard.pricing.imports.ImportStatus;
import io.menuboard.webadmin.pages.PagesServer;
import io.menuboard.webadmin.pages.PagesServer.Answer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The pages of imports, as a browser without JavaScript and htmx use them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ImportsPageTest {
    private static final String STORES = "id,name,timeZone,currency\nB1,Berlin,Europe/Berlin,EUR\n";
    private static final String PRICES = "store,product,effectiveDate,amount\nB1,BURGER,2026-01-01,4.50\n";

    private final PagesServer server = PagesServer.start("imports-pages");

    @AfterAll
    void stop() {
        server.stop();
    }

    @Test
    void anUploadGoesInBehindItsPage() {
        var answer = upload(part("stores", "my stores.csv", STORES) + part("prices", "p.csv", PRICES)
                + "--limit\r\nContent-Disposition: form-data; name=\"reason\"\r\n\r\ncosts rose\r\n");

        assertThat(answer.status()).isEqualTo(303);
        var page = whenEnded(answer.header("Location"));
        assertThat(page.select("h1").text()).isEqualTo("my stores.csv and p.csv");
        assertThat(page.select("[data-summary]").text()).endsWith("The price would change.");
        var review = page.expectFirst("a.button-primary");
        assertThat(review.text()).isEqualTo("Review the change set");
        assertThat(server.get(review.attr("href")).html().expectFirst(".lead").text())
                .endsWith("because: costs rose");
        assertThat(page.select("[hx-trigger]")).isEmpty();
        assertThat(server.get("/imports").html().select("td a").eachText()).contains("my stores.csv, p.csv");
    }

    @Test
    void anImportSaysWhatHasBecomeOfItsPrices() {
        var location = upload(part("stores", "s.csv", STORES.replace("B1", "B2"))
                        + part("prices", "p.csv", PRICES.replace("B1", "B2")))
                .header("Location");
        var before = whenEnded(location);
        var set = before.expectFirst("a.button-primary").attr("href");
        var token = await().until(
                        () -> server.get(set + "/apply").html().select("input[name=token]"),
                        input -> !input.attr("value").isEmpty());
        var applied = server.post(
                set + "/apply", Map.of("token", token.attr("value"), "suspicious", "meant", "key", "import-applied"));

        var after = await().until(
                        () -> server.get(location).html(), page -> !page.text().contains("In progress"));

        assertThat(before.select("main").text()).contains("No price has changed yet. Review the change set");
        assertThat(applied.status()).isEqualTo(303);
        assertThat(after.select("main").text())
                .contains("1 price is changed. See the change set")
                .doesNotContain("No price has changed yet");
        assertThat(after.select("main a.button").attr("href")).isEqualTo(set);
    }

    @Test
    void aFormThatIsSentAgainLeadsToTheSameImport() {
        var key = key();
        var sent = key + part("prices", "again.csv", PRICES);

        var first = upload(sent).header("Location");
        var whileItRuns = upload(sent).header("Location");
        whenEnded(first);
        var afterIt = upload(sent).header("Location");

        assertThat(List.of(whileItRuns, afterIt)).containsOnly(first);
        assertThat(server.get("/imports").html().select("td a").eachText()).containsOnlyOnce("again.csv");
        assertThat(List.of(
                        upload(key + part("prices", "again.csv", PRICES + "B1,BURGER,2026-02-01,4.60\n"))
                                .header("Location"),
                        upload(key() + part("prices", "again.csv", PRICES)).header("Location"),
                        upload(part("prices", "again.csv", PRICES)).header("Location")))
                .doesNotHaveDuplicates()
                .doesNotContain(first);
    }

    @Test
    void aFormWhoseImportCameToNoGoodEndIsImportedAgain() {
        var sent = key() + part("prices", "prices.xlsx", "PK\u0003\u0004rest");
        var first = upload(sent).header("Location");
        whenEnded(first);

        var again = upload(sent).header("Location");

        assertThat(again).isNotEqualTo(first);
        assertThat(whenEnded(again).select(".badge").text()).isEqualTo("Refused");
    }

    /** That of the form, shown anew. */
    private String key() {
        var key = server.get("/imports").html().select("form[enctype] input[name=key]");
        return "--limit\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\n" + key.attr("value") + "\r\n";
    }

    @Test
    void storesThatAnotherAttemptHasWrittenAreIn() {
        var file = new ImportFileStatus(ImportKind.STORES, "s.csv", 60, 60, 2, 0, 0, 2, 0);

        assertThat(List.of(1, 2))
                .extracting(attempt -> ImportPage.of(finished(file, 0, attempt), null, List.of())
                        .summary())
                .containsExactly("No store has changed.", "2 of 2 stores are in.");
    }

    @Test
    void theFileOfRejectionsIsNotSaidToHaveAllOfThem() {
        // Each row has two problems, of which as many were kept as may be.
        var file = new ImportFileStatus(ImportKind.STORES, "s.csv", 60, 60, 6000, 0, 0, 0, 6000);
        var first = new ImportRejection(ImportKind.STORES, 2, "id", "B#2", "id must not contain '#'", "INVALID_ID");

        assertThat(List.of(10_000, 5_000))
                .extracting(kept -> ImportPage.of(
                                finished(file, kept, 1), null, Collections.nCopies(ImportPage.SHOWN, first))
                        .rejections()
                        .note())
                .containsExactly(
                        "The first 50. The file has the 10,000 problems that were kept.",
                        "The first 50. The file has the 5,000 problems that were kept; the others were only counted.");
    }

    private static ImportStatus finished(ImportFileStatus file, int kept, int attempt) {
        var begun = Instant.parse("2036-06-15T12:00:00Z");
        return new ImportStatus(
                new ImportId("0123456789abcdef"),
                Actor.system("test", Actor.Source.PAGE),
                begun,
                begun,
                ImportState.FINISHED,
                null,
                List.of(file),
                kept,
                null,
                null,
                attempt,
                attempt);
    }

    @Test
    void whatWasRejectedIsListedAndCanBeDownloaded() {
        var location = upload(part("stores", "s.csv", STORES + "B#2,=1,Europe/Berlin,EUR\n"))
                .header("Location");

        var page = whenEnded(location);

        assertThat(page.select("[data-summary]").text()).endsWith("; 1 row was rejected.");
        assertThat(page.select("table[aria-label=Rejected rows] tbody tr").eachText())
                .containsExactly("stores row 3 id B#2 id must not contain '#' INVALID_ID");
        assertThat(server.get(location + "/rejected.csv").http().body())
                .isEqualTo(
                        "\uFEFFrow,field,value,rule,code,file\r\n3,id,B#2,id must not contain '#',INVALID_ID,stores\r\n");
    }

    @Test
    void aFileThatIsNoCsvIsRefusedWithItsReason() {
        var location =
                upload(part("prices", "prices.xlsx", "PK\u0003\u0004rest")).header("Location");

        var page = whenEnded(location);

        assertThat(page.select(".badge").text()).isEqualTo("Refused");
        assertThat(page.select("[role=alert]").text()).contains("Excel workbook (.xlsx); save it as CSV in UTF-8");
    }

    @Test
    void htmxGetsThePartThatChanges() {
        var location = upload(part("stores", "s.csv", STORES)).header("Location");
        whenEnded(location);

        var fragment = server.htmx(location);

        assertThat(fragment.body()).doesNotContain("<html", "<main").contains("Finished");
        assertThat(fragment.header("HX-Push-Url")).isEmpty();
    }

    @Test
    void aFormWithoutAFileIsToldSoAtTheField() {
        var answer = upload(part("stores", "", "")
                + "--limit\r\nContent-Disposition: form-data; name=\"reason\"\r\n\r\ncosts rose\r\n");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.html().select("#reason").attr("value")).isEqualTo("costs rose");
        assertThat(answer.html().select("#stores-error").text()).isEqualTo("Stores, prices or both must be given");
    }

    @Test
    void aClientThatAcceptsJsonGetsTheImportsIdOrWhatIsWrong() {
        var taken = upload("application/json", part("stores", "s.csv", STORES));
        var refused = upload("application/json", part("stores", "", ""));
        var tooLong = upload(
                "application/json",
                part("stores", "s.csv", STORES) + "--limit\r\nContent-Disposition: form-data; name=\"reason\"\r\n\r\n"
                        + "x".repeat(501) + "\r\n");

        assertThat(taken.status()).isEqualTo(202);
        assertThat(taken.header("Content-Type")).isEqualTo("application/json");
        assertThat(taken.body()).matches("\\{\"import\":\"[0-9a-f]{16}\"}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body())
                .startsWith("{\"errors\":[{")
                .contains(
                        "\"code\":\"NO_FILE\"",
                        "\"field\":\"stores\"",
                        "\"message\":\"stores, prices or both must be given\"");
        assertThat(tooLong.status()).isEqualTo(400);
        assertThat(tooLong.body()).contains("\"field\":\"reason\"", "500");
    }

    @Test
    void anImportThatDoesNotExistIsNotFound() {
        assertThat(server.get("/imports/0123456789abcdef").status()).isEqualTo(404);
        assertThat(server.get("/imports/nonsense").status()).isEqualTo(400);
    }

    @Test
    void theListIsExportedAsCsv() {
        var exported = server.get("/imports/list.csv");

        assertThat(exported.header("Content-Type")).startsWith("text/csv");
        assertThat(exported.http().body())
                .startsWith("\uFEFFimport,begun,by,through,state,files,rows,created,changed,unchanged,rejected\r\n");
    }

    private Document whenEnded(String location) {
        return await().until(() -> server.get(location).html(), page -> page.select("progress")
                .isEmpty());
    }

    private Answer upload(String parts) {
        return upload("text/html,*/*;q=0.8", parts);
    }

    /** As soon as there is a place: imports of tests before may still be running. */
    private Answer upload(String accept, String parts) {
        return await().until(
                        () -> server.send(HttpRequest.newBuilder(server.address("/imports"))
                                .header("Accept", accept)
                                .header("Content-Type", "multipart/form-data; boundary=limit")
                                .POST(BodyPublishers.ofString(parts + "--limit--\r\n"))),
                        answer -> answer.status() != 503);
    }

    private static String part(String field, String fileName, String content) {
        return "--limit\r\nContent-Disposition: form-data; name=\"" + field + "\"; filename=\"" + fileName
                + "\"\r\nContent-Type: text/csv\r\n\r\n" + content + "\r\n";
    }
}
