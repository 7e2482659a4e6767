package io.menuboard.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.access.Access;
import io.menuboard.graphql.AskedFields;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.local.aws.LocalAws;
import io.menuboard.pricing.changes.ImportId;
import io.menuboard.pricing.imports.Imports;
import io.menuboard.pricing.imports.StagedFiles;
import io.menuboard.pricing.imports.UploadId;
import io.menuboard.tasks.workers.TaskWorkers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jsoup.Jsoup;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that are larger than a request, from their owner's disk to a change set, over HTTP and through two instances. */
@Timeout(120)
class StagedUploadsTest {
    private static final String STORES = "id,name,timeZone,currency\n%s,Berlin,Europe/Berlin,EUR\n";
    private static final Access STAFF = Access.ofCommandLine("test");
    private static final String PRICES = "store,product,effectiveDate,amount\n%s,BURGER,2020-01-01,2.10\n";
    private static final String STAGE = "mutation($input: StageUploadInput!) { stageUpload(input: $input) {"
            + " upload { id key bytes stagedAt expiresAt } target { url method headers { name value } } existingUpload { key }"
            + " errors { code message path } } }";
    private static final String PAYLOAD =
            " { import { id key state } existingImport { key } errors { code message path } }";

    /** Where files are until they are imported. */
    enum Storage {
        BUCKET,
        FOLDER
    }

    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    private static Path folder;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private static LocalAws aws;

    /** Does no tasks. */
    @SuppressWarnings("NullAway.Init") // by JUnit
    private static GraphQlServer asked;

    /** Does all tasks. */
    @SuppressWarnings("NullAway.Init") // by JUnit
    private static GraphQlServer working;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private static GraphQlServer withFolder;

    @BeforeAll
    static void start() {
        aws = LocalAws.start(null, "staged-uploads");
        asked = instance(Map.of("menuboard.uploads.max-bytes", 10_000_000));
        asked.bean(TaskWorkers.class).close();
        working = instance(Map.of("menuboard.graphql.actor", "ada"));
        withFolder = ApplicationServer.start(Map.of("menuboard.uploads.folder", folder.toString()));
    }

    @AfterAll
    static void stop() {
        withFolder.close();
        working.close();
        asked.close();
        aws.close();
    }

    private static GraphQlServer instance(Map<String, Object> more) {
        var all = new HashMap<>(aws.properties());
        all.put("menuboard.queues.long-poll", "1s");
        // Files of pages take longer than a page may.
        all.put("menuboard.admin.deadline", "0s");
        all.putAll(more);
        return GraphQlServer.start(all, List.of());
    }

    private static GraphQlServer server(Storage storage) {
        return storage == Storage.BUCKET ? asked : withFolder;
    }

    @ParameterizedTest
    @EnumSource
    void aFileThatIsLargerThanARequestIsImportedByAnInstanceThatHasAPlace(Storage storage)
            throws IOException, InterruptedException {
        var server = server(storage);
        store(server, "L-" + storage);
        // Blank rows are no rows.
        var file = (PRICES.formatted("L-" + storage) + "\n".repeat(1_100_000)).getBytes(UTF_8);
        assertThat(server.execute(
                                "mutation($csv: String!) { importPrices(input: {csv: $csv})" + PAYLOAD + " }",
                                Map.of("csv", new String(file, UTF_8)))
                        .status())
                .isEqualTo(413);

        var staged = stage(server, Map.of("fileName", "menu.csv", "bytes", file.length));
        assertThat(send(server, staged, file).statusCode()).isBetween(200, 204);
        var payload = importPrices(server, staged, "");

        assertThat(payload.path("errors")).isEmpty();
        assertThat(payload.at("/import/state").asText()).isIn("WAITING", "RUNNING");
        var ended = ended(server, payload);
        assertThat(ended.path("state").asText()).isEqualTo("FINISHED");
        assertThat(ended.path("rows").asInt()).isEqualTo(1);
        assertThat(ended.at("/files/0")).hasToString("{\"name\":\"menu.csv\",\"bytes\":" + file.length + "}");
        assertThat(ended.at("/changeSet/name").asText()).isEqualTo("menu.csv");
        assertThat(ended.at("/startedBy/name").asText()).isEqualTo("graphql");
        await().untilAsserted(() -> assertThat(files(server).length(id(staged))).isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void filesOfThePageAreImportedByAnInstanceThatHasAPlace(Storage storage) {
        var server = server(storage);
        var store = "P-" + storage;
        var stores = "id,name,timeZone,currency\n" + store + ",Berlin,Europe/Berlin,EUR\n";

        var taken = server.send(HttpRequest.newBuilder(server.graphQl().resolve("/imports"))
                .header("Accept", "application/json")
                .header("Authorization", "Bearer test")
                .header("Content-Type", "multipart/form-data; boundary=form")
                .POST(BodyPublishers.ofString(part("prices", PRICES.formatted(store)) + part("stores", stores)
                        + part("reason", "costs rose") + "--form--\r\n")));

        assertThat(taken.status()).isEqualTo(202);
        var id = taken.body().path("import").asText();
        var known = server.bean(Imports.class).find(STAFF, new ImportId(id)).orElseThrow();
        // Not with the instance that took them.
        assertThat(known.upload()).isNotNull();
        var ended = ended(server, id);
        assertThat(ended.path("state").asText()).isEqualTo("FINISHED");
        assertThat(ended.path("rows").asInt()).isEqualTo(2);
        assertThat(ended.at("/files").findValuesAsText("name")).containsExactly("stores.csv", "prices.csv");
        assertThat(ended.at("/changeSet/reason").asText()).isEqualTo("costs rose");
    }

    @Test
    void filesOfPagesMayBeAsLargeAsUploads() throws IOException, InterruptedException {
        var form =
                part("name", "n") + part("reason", "r") + part("when", "now") + part("file", "\n".repeat(10_000_001));
        var request = HttpRequest.newBuilder(asked.graphQl().resolve("/changes/new/csv"))
                .header("Accept", "text/html")
                .header("Authorization", "Bearer test")
                .header("Content-Type", "multipart/form-data; boundary=form")
                .POST(BodyPublishers.ofString(form + "--form--\r\n"));

        try (var http = HttpClient.newHttpClient()) {
            var refused = http.send(request.build(), BodyHandlers.ofString());

            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(Jsoup.parse(refused.body()).select("#file-error").text())
                    .isEqualTo("Must have at most 10000000 bytes, not 10000001");
        }
    }

    private static String part(String field, String content) {
        return "--form\r\nContent-Disposition: form-data; name=\"" + field + "\""
                + (content.contains("\n") ? "; filename=\"" + field + ".csv\"" : "")
                + "\r\n\r\n" + content + "\r\n";
    }

    @ParameterizedTest
    @EnumSource
    void askingAgainForTheSameIsToldOfTheSameImportAndForAnotherIsRefused(Storage storage)
            throws IOException, InterruptedException {
        var server = server(storage);
        store(server, "T-" + storage);
        var staged = sent(server, PRICES.formatted("T-" + storage));

        var first = importPrices(server, staged, "idempotencyKey: \"twice-" + storage + "\"");
        var ended = ended(server, first);
        var again = importPrices(server, staged, "idempotencyKey: \"twice-" + storage + "\"");
        var withoutKey = importPrices(server, staged, "");
        var other = importPrices(server, staged, "reason: \"another\"");
        var otherKind = mutate(server, "importStores", "upload: \"" + id(staged) + "\"");
        var otherFile =
                importPrices(server, sent(server, PRICES.formatted("X")), "idempotencyKey: \"twice-" + storage + "\"");

        assertThat(again.path("errors")).isEmpty();
        assertThat(again.at("/import/state").asText()).isEqualTo("FINISHED");
        assertThat(again.at("/import/key")).isEqualTo(first.at("/import/key"));
        assertThat(withoutKey.at("/import/key")).isEqualTo(first.at("/import/key"));
        for (var refused : List.of(other, otherKind)) {
            assertThat(code(refused)).isEqualTo("UPLOAD_ALREADY_USED upload");
            assertThat(refused.at("/existingImport/key")).isEqualTo(first.at("/import/key"));
            assertThat(refused.path("import").isNull()).isTrue();
        }
        assertThat(code(otherFile)).isEqualTo("IDEMPOTENCY_KEY_REUSED idempotencyKey");
        assertThat(server.data("{ changeSets(first: 2048) { nodes { name import { key } } } }")
                        .findValuesAsText("key"))
                .filteredOn(ended.path("key").asText()::equals)
                .hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void whatWasNotSentOrNotAllOfItIsNotImported(Storage storage) throws IOException, InterruptedException {
        var server = server(storage);
        var staged = stage(server, Map.of("bytes", 100));

        var before = importPrices(server, staged, "");
        var shorter = send(server, staged, new byte[99]);
        var longer = send(server, staged, new byte[101]);
        var after = importPrices(server, staged, "");

        assertThat(code(before)).isEqualTo("UPLOAD_NOT_RECEIVED upload");
        assertThat(List.of(shorter.statusCode(), longer.statusCode()))
                .containsOnly(storage == Storage.BUCKET ? 403 : 400);
        assertThat(code(after)).isEqualTo("UPLOAD_NOT_RECEIVED upload");
        assertThat(server.data("{ node(id: \"" + staged.at("/upload/id").asText()
                                + "\") { ... on StagedUpload { bytes import { key } } } }")
                        .path("node"))
                .hasToString("{\"bytes\":100,\"import\":null}");
        assertThat(send(server, staged, new byte[100]).statusCode()).isBetween(200, 204);
        assertThat(code(importPrices(server, staged, ""))).isEmpty();
        // What has been imported cannot be sent again, to be there for nobody.
        if (storage == Storage.FOLDER) {
            assertThat(send(server, staged, new byte[100]).statusCode()).isEqualTo(404);
        }
    }

    @Test
    void whatWasBegunBeforeTheImportAndEndsAfterItIsNotStored() throws IOException, InterruptedException {
        store(withFolder, "LATE");
        var file = PRICES.formatted("LATE").getBytes(UTF_8);
        var staged = stage(withFolder, Map.of("bytes", file.length));
        try (var late = begun(staged, file)) {
            await().until(() -> {
                try (var parts = Files.newDirectoryStream(folder, "part-*")) {
                    return parts.iterator().hasNext();
                }
            });
            assertThat(send(withFolder, staged, file).statusCode()).isEqualTo(204);
            ended(withFolder, importPrices(withFolder, staged, ""));
            await().untilAsserted(() ->
                    assertThat(files(withFolder).length(id(staged))).isEmpty());

            late.getOutputStream().write(file, file.length - 1, 1);

            assertThat(new String(late.getInputStream().readNBytes(12), UTF_8)).isEqualTo("HTTP/1.1 404");
        }
        assertThat(files(withFolder).length(id(staged))).isEmpty();
    }

    @Test
    void oneUploadArrivesTwiceAtOnceAndNotMoreOften() throws IOException, InterruptedException {
        var file = "abc".getBytes(UTF_8);
        var staged = stage(withFolder, Map.of("bytes", file.length));
        try (var first = begun(staged, file);
                var second = begun(staged, file)) {
            await().until(() -> {
                try (var parts = Files.list(folder)) {
                    return parts.filter(part -> part.getFileName().toString().startsWith("part-"))
                                    .count()
                            == 2;
                }
            });

            var third = send(withFolder, staged, file);
            var other = sent(withFolder, "other");

            assertThat(third.statusCode()).isEqualTo(503);
            assertThat(third.headers().firstValue("Retry-After")).contains("1");
            assertThat(files(withFolder).length(id(other))).hasValue(5);
            for (var socket : List.of(first, second)) {
                socket.getOutputStream().write(file, file.length - 1, 1);
                assertThat(new String(socket.getInputStream().readNBytes(12), UTF_8))
                        .isEqualTo("HTTP/1.1 204");
            }
        }
        assertThat(send(withFolder, staged, file).statusCode()).isEqualTo(204);
    }

    /** One that has been sent but for its last byte. */
    private static Socket begun(JsonNode staged, byte[] file) throws IOException {
        var socket = new Socket(
                InetAddress.getLoopbackAddress(), withFolder.graphQl().getPort());
        socket.getOutputStream()
                .write("PUT %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
                        .formatted(staged.at("/target/url").asText(), file.length)
                        .getBytes(UTF_8));
        socket.getOutputStream().write(file, 0, file.length - 1);
        return socket;
    }

    @Test
    void anUploadThatIsUnknownOrSomebodyElsesIsNotImported() throws IOException, InterruptedException {
        var staged = sent(working, PRICES.formatted("F"));

        assertThat(code(importPrices(asked, staged, ""))).isEqualTo("UPLOAD_NOT_FOUND upload");
        assertThat(code(mutate(asked, "importPrices", "upload: \"01ARZ3NDEKTSV4RRFFQ69G5FAV\"")))
                .isEqualTo("UPLOAD_NOT_FOUND upload");
        assertThat(code(mutate(asked, "importPrices", "upload: \"nonsense\""))).isEqualTo("INVALID_ID upload");
        assertThat(code(importPrices(working, staged, ""))).isEmpty();
    }

    @Test
    void anUploadThatHasExpiredCanBeNeitherSentNorImported() throws IOException, InterruptedException {
        try (var server = instance(Map.of("menuboard.uploads.lifetime", "1s"))) {
            var staged = stage(server, Map.of("bytes", 3));
            var expiresAt = Instant.parse(staged.at("/upload/expiresAt").asText());
            assertThat(Instant.parse(staged.at("/upload/stagedAt").asText()).plusSeconds(1))
                    .isCloseTo(expiresAt, within(1, ChronoUnit.MILLIS));
            // A whole second more, because signatures have nothing smaller.
            await().until(() -> Clock.systemUTC().instant().isAfter(expiresAt.plusSeconds(1)));

            assertThat(send(server, staged, "abc".getBytes(UTF_8)).statusCode()).isEqualTo(403);
            assertThat(code(importPrices(server, staged, ""))).isEqualTo("UPLOAD_EXPIRED upload");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            importPrices  | -
            importChanges | csv: "store,operation", upload: "01ARZ3NDEKTSV4RRFFQ69G5FAV"
            importStores  | csv: "", upload: "01ARZ3NDEKTSV4RRFFQ69G5FAV"
            importStores  | csv: null, upload: null
            """)
    void aFileComesInOneWay(String mutation, @Nullable String input) {
        var refused = mutate(asked, mutation, input == null ? "" : input);

        assertThat(code(refused)).isEqualTo(input == null || input.contains("null") ? "NO_FILE " : "FILE_TWICE upload");
        assertThat(refused.path("import").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "'bytes: 0', INVALID_SIZE bytes",
        "'bytes: 10000001', FILE_TOO_LARGE bytes",
        "'bytes: 1, fileName: \" \"', INVALID_FILE_NAME fileName",
        "'bytes: 1, idempotencyKey: \"#\"', INVALID_ID idempotencyKey"
    })
    void whatCannotBeStagedIsRefused(String input, String code) {
        var payload = asked.data(
                        "mutation { stageUpload(input: {" + input + "}) { upload { id } errors { code path } } }")
                .path("stageUpload");

        assertThat(code(payload)).isEqualTo(code);
        assertThat(payload.path("upload").isNull()).isTrue();
    }

    @Test
    void stagesOneUploadForEachKey() {
        var input = Map.<String, Object>of("bytes", 10, "idempotencyKey", "staged");

        var first = stage(asked, input);
        var again = stage(asked, input);
        var reused = stage(asked, Map.of("bytes", 11, "idempotencyKey", "staged"));

        assertThat(again.path("upload")).isEqualTo(first.path("upload"));
        assertThat(again.at("/target/url").asText()).contains(id(first).value());
        assertThat(code(reused)).isEqualTo("IDEMPOTENCY_KEY_REUSED idempotencyKey");
        assertThat(reused.at("/existingUpload/key")).isEqualTo(first.at("/upload/key"));
        assertThat(reused.path("target").isNull()).isTrue();
    }

    @Test
    void nothingIsStagedWhereThereIsNoPlaceForIt() {
        var payload = ApplicationServer.shared()
                .data("mutation { stageUpload(input: {bytes: 1}) { upload { id } errors { code path } } }")
                .path("stageUpload");

        assertThat(code(payload)).isEqualTo("UPLOADS_NOT_AVAILABLE ");
    }

    @Test
    void aFileThatCannotBeReadAsAWholeIsRefusedLater() throws IOException, InterruptedException {
        var staged = sent(asked, "store,product,amount\n");

        var ended = ended(asked, importPrices(asked, staged, ""));
        var again = importPrices(asked, staged, "");

        assertThat(ended.path("state").asText()).isEqualTo("REFUSED");
        assertThat(code(again)).isEqualTo("IMPORT_REFUSED upload");
    }

    @Test
    void storesAndChangesAreImportedToo() throws IOException, InterruptedException {
        var stores = sent(asked, STORES.formatted("S-1"));
        var begun = mutate(
                asked, "importStores", "upload: \"" + stores.at("/upload/id").asText() + "\"");
        assertThat(ended(asked, begun).path("created").asInt()).isEqualTo(1);

        var changes = sent(asked, "store,product,operation,amount\nS-1,BURGER,SET,2.10\n");
        var drafted = ended(
                asked,
                mutate(
                        asked,
                        "importChanges",
                        "upload: \"" + id(changes)
                                + "\", name: \"Summer\", reason: \"why\", effectiveDate: \"2199-07-01\""));

        assertThat(drafted.at("/changeSet"))
                .hasToString("{\"name\":\"Summer\",\"reason\":\"why\",\"effectiveDate\":\"2199-07-01\"}");
        assertThat(drafted.at("/files/0/name").asText()).isEqualTo("changes.csv");
    }

    @Test
    void everyFieldGivesWhatItIsFor() throws IOException, InterruptedException {
        var fields = new AskedFields(withFolder);

        var staged = fields.mutate("stageUpload", "input: {bytes: 1, fileName: \"x.csv\", idempotencyKey: \"k\"}");
        fields.mutate("stageUpload", "input: {bytes: 2, idempotencyKey: \"k\"}");
        send(withFolder, staged, new byte[1]);
        importPrices(withFolder, staged, "");
        fields.mutate("stageUpload", "input: {bytes: 2, idempotencyKey: \"k\"}");

        // A request to this application needs no headers.
        assertThat(fields.unanswered("uploads.graphqls"))
                .containsExactlyInAnyOrder("UploadHeader.name", "UploadHeader.value", "UploadTarget.headers");
    }

    private static void store(GraphQlServer server, String id) {
        mutate(server, "importStores", "csv: " + GraphQlServer.json(STORES.formatted(id)));
    }

    private static JsonNode stage(GraphQlServer server, Map<String, Object> input) {
        return server.data(STAGE, Map.of("input", input)).path("stageUpload");
    }

    /** One that was staged and sent. */
    private static JsonNode sent(GraphQlServer server, String file) throws IOException, InterruptedException {
        var staged = stage(server, Map.of("bytes", file.length()));
        assertThat(send(server, staged, file.getBytes(UTF_8)).statusCode()).isBetween(200, 204);
        return staged;
    }

    /** As any client would, by what it was told alone. */
    private static HttpResponse<String> send(GraphQlServer server, JsonNode staged, byte[] file)
            throws IOException, InterruptedException {
        var target = staged.path("target");
        var request = HttpRequest.newBuilder(
                        server.graphQl().resolve(target.path("url").asText()))
                .method(target.path("method").asText(), BodyPublishers.ofByteArray(file));
        target.path("headers")
                .forEach(header -> request.header(
                        header.path("name").asText(), header.path("value").asText()));
        try (var http = HttpClient.newHttpClient()) {
            return http.send(request.build(), BodyHandlers.ofString());
        }
    }

    private static JsonNode importPrices(GraphQlServer server, JsonNode staged, String more) {
        return mutate(
                server,
                "importPrices",
                "upload: \"" + staged.at("/upload/id").asText() + "\"" + (more.isEmpty() ? "" : ", " + more));
    }

    private static JsonNode mutate(GraphQlServer server, String mutation, String input) {
        return server.data("mutation { " + mutation + "(input: {" + input + "})" + PAYLOAD + " }")
                .path(mutation);
    }

    private static JsonNode ended(GraphQlServer server, JsonNode payload) {
        return ended(server, payload.at("/import/key").asText());
    }

    private static JsonNode ended(GraphQlServer server, String key) {
        var document = "{ import(id: \"" + key + "\") { key state rows created"
                + " files { name bytes } startedBy { name } changeSet { name reason effectiveDate } } }";
        return await().atMost(Duration.ofSeconds(60))
                .until(() -> server.data(document).path("import"), found -> !List.of("WAITING", "RUNNING")
                        .contains(found.path("state").asText()));
    }

    /** Code of the only error, and its path in the input; empty for none. */
    private static String code(JsonNode payload) {
        var errors = payload.path("errors");
        assertThat(errors.size()).isLessThan(2);
        return errors.isEmpty()
                ? ""
                : errors.at("/0/code").asText() + " " + errors.at("/0/path/1").asText();
    }

    private static UploadId id(JsonNode staged) {
        return new UploadId(staged.at("/upload/key").asText());
    }

    private static StagedFiles files(GraphQlServer server) {
        return server.bean(StagedFiles.class);
    }
}
