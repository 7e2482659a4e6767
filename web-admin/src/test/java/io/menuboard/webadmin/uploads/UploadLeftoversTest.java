package io.menuboard.webadmin.uploads;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.webadmin.pages.PagesServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that the server keeps while a form arrives are gone once the request is over, however it ends. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UploadLeftoversTest {
    private static final String PART =
            "--b\r\nContent-Disposition: form-data; name=\"%s\"; filename=\"%s\"\r\nContent-Type: %s\r\n\r\n%s\r\n";
    private static final String FIELD = "--b\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n";
    private static final String END = "--b--\r\n";

    private final ArrivingFiles files;
    private final PagesServer server;

    /** Headers of who may send a form. */
    private final String right;

    UploadLeftoversTest() {
        server = PagesServer.start("upload-leftovers", Map.of("micronaut.server.multipart.disk", true));
        files = server.bean(ArrivingFiles.class);
        var cookie = server.get("/sign-in").header("Set-Cookie").replaceFirst(";.*", "");
        right = "Cookie: " + cookie + "\r\n" + PagesServer.TOKEN + ": " + server.formToken(cookie) + "\r\n";
    }

    @AfterAll
    void stop() {
        server.stop();
    }

    static Stream<List<String>> bodies() {
        var csv = "store,name\nDE-1,Berlin\n";
        var file = PART.formatted("stores", "s.csv", "text/csv", csv);
        return Stream.of(
                List.of("right", file + END),
                List.of("of no field", PART.formatted("other", "s.csv", "text/csv", csv) + END),
                List.of("of a field that is a text", PART.formatted("reason", "s.csv", "text/csv", csv) + END),
                List.of("a text of a field that is a file", FIELD.formatted("stores", csv) + END),
                List.of("without a name", PART.formatted("stores", "", "text/csv", csv) + END),
                List.of("empty", PART.formatted("stores", "s.csv", "text/csv", "") + END),
                List.of("twice", file + file + END),
                List.of("without an end", file),
                List.of(
                        "and then what is none",
                        file + "--b\r\nContent-Disposition: form-data; filename\r\n\r\nx\r\n" + END),
                List.of(
                        "and then an unknown charset",
                        file
                                + "--b\r\nContent-Disposition: form-data; name=\"reason\"\r\nContent-Type: text/plain; charset=x\r\n\r\nx\r\n"
                                + END));
    }

    @Test
    void theirFolderIsGoneWithTheServer(@TempDir Path given) {
        var stopped = PagesServer.start(
                "stopped-uploads",
                Map.of(
                        "micronaut.server.multipart.disk",
                        true,
                        "micronaut.server.multipart.location",
                        given.toString()));
        assertThat(given).isNotEmptyDirectory();

        stopped.stop();

        assertThat(given).isEmptyDirectory();
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void nothingStaysBehind(List<String> named) {
        for (var path : List.of("/imports", "/changes/new/csv", "/billing/record")) {
            var body = named.getLast().getBytes(UTF_8);
            send(path, "", body, 0);
            send(path, right, body, 0);
            send(path, right, body, 10);
            isEmptySoon();
        }
    }

    /** @param missing bytes that never come, so that there is no answer to wait for */
    private void send(String path, String headers, byte[] body, int missing) {
        var address = server.address(path);
        var length = body.length + missing;
        try (var socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout(missing == 0 ? 10_000 : 100);
            var head = "POST " + path + " HTTP/1.1\r\nHost: localhost:" + address.getPort() + "\r\n" + headers
                    + "Connection: close\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: " + length
                    + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(UTF_8));
            socket.getOutputStream().write(body);
            socket.getOutputStream().flush();
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // The answer did not come, as the body was not complete.
        }
    }

    private void isEmptySoon() {
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(files.files()).isEmpty());
    }
}
