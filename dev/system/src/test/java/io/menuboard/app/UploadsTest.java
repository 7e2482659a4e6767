package io.menuboard.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.GraphQlServer.Answer;
import io.micronaut.http.MediaType;
import io.micronaut.web.router.Router;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Uploads as they come in over the wire: refused before they are stored, broken off, too slow. */
@Timeout(120)
class UploadsTest {
    private static final int MEGABYTE = 1024 * 1024;
    private static final String STORE = "id,name,timeZone,currency\nB1,Berlin,Europe/Berlin,EUR\n";
    private static final String BEGINNING = "store,product";
    private static final String FORM =
            "--form\r\nContent-Disposition: form-data; name=\"%s\"; filename=\"f.csv\"\r\nContent-Type: text/csv\r\n\r\n";

    /** Refuses every import. */
    private static final Map<String, Object> NO_PLACE = Map.of("menuboard.admin.imports-at-once", 0);

    private static final Map<String, Object> LOW_LIMITS = Map.of(
            "micronaut.server.max-request-size",
            3 * MEGABYTE,
            "micronaut.server.multipart.max-file-size",
            2 * MEGABYTE,
            "menuboard.billing.file-max-bytes",
            1_000_000);

    /** Servers that are started already, by their settings. A test that needs every place has one to itself. */
    private static final Map<Map<String, Object>, GraphQlServer> SERVERS = new HashMap<>();

    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    private static Path folders;

    @SuppressWarnings("NullAway.Init") // by start
    private Path folder;

    @SuppressWarnings("NullAway.Init") // by start
    private GraphQlServer server;

    @AfterEach
    void awaitTheEndOfUploads() {
        await().untilAsserted(() -> assertThat(folder).isEmptyDirectory());
    }

    @AfterAll
    static void stop() {
        SERVERS.values().forEach(GraphQlServer::close);
    }

    @Test
    void theThirdAtOnceIsRefusedOnItsHeadersAndNothingOfItIsStored() throws IOException {
        start(Map.of());
        try (var first = begun();
                var second = begun()) {
            // A request that is sent later may be read earlier.
            await().until(() -> stored() == 2);

            try (var third = new Upload(headers("/imports", "Content-Length: " + 100 * MEGABYTE))) {
                var refused = third.answer();

                assertThat(refused).startsWith("HTTP/1.1 503").containsIgnoringCase("Retry-After: 30");
                assertThat(Jsoup.parse(refused).select("h1").text()).isEqualTo("Too many uploads at once");
                third.send("x".repeat(MEGABYTE));
                assertThat(stored()).isEqualTo(2);
            }
            assertThat(first.isAnswered() || second.isAnswered()).isFalse();
        }
    }

    @Test
    void placesAndFilesOfUploadsThatAreBrokenOffAreFreeAgain() throws IOException {
        start(Map.of("menuboard.admin.imports-at-once", 2));
        var uploads = new Upload[] {begun(), begun()};
        await().until(() -> stored() == 2);
        assertThat(small().status()).isEqualTo(503);

        for (var upload : uploads) {
            upload.close();
        }

        await().untilAsserted(() -> assertThat(small().status()).isEqualTo(303));
        await().untilAsserted(() -> assertThat(folder).isEmptyDirectory());
    }

    @ParameterizedTest
    @CsvSource({
        "/imports, 3145728, 3145729",
        "/changes/new/csv, 2162688, 2162689",
        "/billing/record, 1065536, 1065537",
        "/imports/, 3145728, 3145729"
    })
    void whatIsTooLongForItsRouteIsRefusedWithoutReadingIt(String path, int most, int tooMany) throws IOException {
        start(LOW_LIMITS);

        try (var refused = new Upload(headers(path, "Content-Length: " + tooMany));
                var accepted = new Upload(headers(path, "Content-Length: " + most))) {
            var answer = refused.answer();

            assertThat(answer).startsWith("HTTP/1.1 413");
            assertThat(Jsoup.parse(answer).select("h1").text()).isEqualTo("That is too big");
            accepted.send(FORM.formatted("file") + BEGINNING + "\n");
            await().until(() -> stored() == 1);
        }
    }

    @Test
    void anUploadMustSayHowLongItIs() throws IOException {
        start(LOW_LIMITS);

        try (var upload = new Upload(headers("/imports", "Transfer-Encoding: chunked"))) {
            var answer = upload.answer();

            assertThat(answer).startsWith("HTTP/1.1 411");
            assertThat(Jsoup.parse(answer).select(".lead").text()).contains("Content-Length");
        }
        assertThat(small().status()).isEqualTo(303);
    }

    @Test
    void oneThatDripsIsEndedAndItsPlaceIsFreeAgain() throws IOException {
        start(Map.of("menuboard.admin.imports-at-once", 1, "menuboard.bodies.window", "1s"));
        try (var drip = begun()) {
            var answer = drip.answer();

            assertThat(answer).startsWith("HTTP/1.1 408");
            assertThat(Jsoup.parse(answer).select("h1").text()).isEqualTo("That came in too slowly");
            await().untilAsserted(() -> assertThat(folder).isEmptyDirectory());
            assertThat(small().status()).isEqualTo(303);
        }
    }

    @Test
    void whoSendsEverythingBeforeReadingReadsTheRefusal() throws IOException {
        start(NO_PLACE);

        try (var upload = new Upload(headers("/imports", "Content-Length: " + 32 * MEGABYTE))) {
            for (var i = 0; i < 32; i++) {
                upload.send("x".repeat(MEGABYTE));
            }

            assertThat(upload.answer()).startsWith("HTTP/1.1 503");
            assertThat(upload.isClosed()).isTrue();
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void whoNeverStopsSendingIsCutOff() throws IOException {
        start(Map.of("menuboard.admin.imports-at-once", 0, "menuboard.bodies.linger", "1s"));

        try (var upload = new Upload(headers("/imports", "Content-Length: " + 100 * MEGABYTE))) {
            assertThat(upload.answer()).startsWith("HTTP/1.1 503");
            assertThat(upload.isClosed()).isTrue();
        }
    }

    @Test
    void whatIsNoFormGivesItsPlaceBack() throws IOException {
        start(Map.of("menuboard.admin.imports-at-once", 1));

        for (var i = 0; i < 3; i++) {
            try (var upload = new Upload(headers("/imports", "Content-Length: 30"))) {
                upload.send("--form\r\nNonsense\r\n\r\n".repeat(2).substring(0, 30));
                assertThat(upload.answer()).startsWith("HTTP/1.1 400");
            }
        }
        assertThat(small().status()).isEqualTo(303);
    }

    @Test
    void clientsThatAcceptJsonReadACode() throws IOException {
        start(NO_PLACE);

        try (var upload =
                new Upload(headers("/imports", "Content-Length: 100").replace("text/html", "application/json"))) {
            assertThat(upload.answer()).contains("\"errors\":[{").contains("\"code\":\"TOO_MANY_IMPORTS\"");
        }
    }

    @Test
    void everyRouteThatTakesFilesAsksForAPlace() throws IOException {
        start(NO_PLACE);

        var routes = server.bean(Router.class)
                .uriRoutes()
                .filter(route -> route.getConsumes().contains(MediaType.MULTIPART_FORM_DATA_TYPE))
                .map(route -> route.getUriMatchTemplate().toPathString())
                .toList();

        assertThat(routes).hasSizeGreaterThanOrEqualTo(3).allSatisfy(path -> assertThat(upload(path, "file"))
                .extracting(Answer::status)
                .isEqualTo(503));
    }

    /** Has a server with these settings, which tests before may have had. */
    private void start(Map<String, Object> properties) throws IOException {
        var given = Files.createDirectories(folders.resolve(Integer.toHexString(properties.hashCode())));
        server = SERVERS.computeIfAbsent(properties, _ -> {
            var all = new HashMap<>(properties);
            all.put("micronaut.server.multipart.location", given.toString());
            return ApplicationServer.start(all);
        });
        try (var own = Files.list(given)) {
            folder = own.findFirst().orElseThrow();
        }
        // The first request makes what all of them need.
        server.send(HttpRequest.newBuilder(address("/imports")));
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }

    /** How many files have begun to be stored, and not the names and types around them, of which there are files too. */
    private long stored() throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(UploadsTest::hasBegun).count();
        }
    }

    private static boolean hasBegun(Path file) {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(BEGINNING.length()), UTF_8).equals(BEGINNING);
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Answer small() {
        return upload("/imports", "stores");
    }

    private Answer upload(String path, String field) {
        return server.send(HttpRequest.newBuilder(address(path))
                .header("Accept", "text/html")
                .header("Authorization", "Bearer test")
                .header("Content-Type", "multipart/form-data; boundary=form")
                .POST(BodyPublishers.ofString(FORM.formatted(field) + STORE + "\r\n--form--\r\n")));
    }

    private URI address(String path) {
        return server.graphQl().resolve(path);
    }

    /** One that has sent its first bytes, and much is to come. */
    private Upload begun() throws IOException {
        var upload = new Upload(headers("/imports", "Content-Length: " + 100 * MEGABYTE));
        upload.send(FORM.formatted("prices") + BEGINNING + "\n");
        // What may be the begin of the form's end is not stored before more has come.
        upload.send("row\n".repeat(10_000));
        return upload;
    }

    private static String headers(String path, String length) {
        return "POST %s HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nAuthorization: Bearer test\r\n"
                        .formatted(path)
                + "Content-Type: multipart/form-data; boundary=form\r\n" + length + "\r\n\r\n";
    }

    /** Sent as it is, piece by piece. */
    private final class Upload implements AutoCloseable {
        private final Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), address("/").getPort());

        Upload(String headers) throws IOException {
            socket.setSoTimeout((int) Duration.ofSeconds(60).toMillis());
            send(headers);
        }

        void send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(UTF_8));
        }

        /** Headers and body. */
        String answer() throws IOException {
            var answer = new StringBuilder();
            var in = socket.getInputStream();
            while (answer.indexOf("\r\n\r\n") < 0) {
                var next = in.read();
                assertThat(next).as("more of %s", answer).isNotNegative();
                answer.append((char) next);
            }
            var length = Integer.parseInt(answer.toString().replaceAll("(?is).*content-length: ([0-9]+).*", "$1"));
            return answer.append(new String(in.readNBytes(length), UTF_8)).toString();
        }

        boolean isAnswered() throws IOException {
            return socket.getInputStream().available() > 0;
        }

        boolean isClosed() throws IOException {
            return socket.getInputStream().read() < 0;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
