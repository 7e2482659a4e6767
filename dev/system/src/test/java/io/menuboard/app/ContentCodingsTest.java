package io.menuboard.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.graphql.GraphQlServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compression as clients ask for it over the wire. */
@Timeout(60)
final class ContentCodingsTest {
    private final GraphQlServer server = ApplicationServer.shared();

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            gzip                             | gzip
            gzip, deflate, br, zstd          | gzip
            *                                | gzip
            snappy, *                        | gzip
            snappy                           | -
            br, zstd                         | -
            identity                         | -
            deflate                          | deflate
            X-GZIP                           | gzip
            gzip;q=0.2, deflate;q=0.9        | deflate
            gzip;q=0, *                      | deflate
            gzip;q=x                         | -
            gzip;q=NaN                       | -
            gzip;q=2, deflate;q=0.001        | deflate
            gzip;q=1.000, identity           | gzip
            *;q=0                            | -
            gzip;q=0.5, identity             | -
            identity;q=0, gzip;q=0.1         | gzip
            identity;q=0, *                  | gzip
            identity;q=0                     | -
            identity;q=0 + deflate           | deflate
            ;,;q                             | -
            """)
    void theCodingThatTheClientLikesBestIsUsed(String accepted, String coding) throws IOException {
        var headers = headers("GET /stores", "Accept-Encoding: " + accepted.replace(" + ", "\r\nAccept-Encoding: "));

        assertThat(headers).startsWith("HTTP/1.1 200").containsIgnoringCase("\r\nVary: Accept-Encoding");
        if (coding == null) {
            assertThat(headers).doesNotContainIgnoringCase("Content-Encoding");
        } else {
            assertThat(headers).containsIgnoringCase("\r\nContent-Encoding: " + coding + "\r\n");
        }
    }

    @Test
    void cachesAreToldWhereverCompressionMayApply() throws IOException {
        var page = Jsoup.parse(send("GET /stores", "Accept: text/html"));
        var style = page.select("link[rel=stylesheet]").attr("href");

        for (var line : new String[] {
            "GET /stores", "HEAD /stores", "GET " + style, "GET /graphql?query=%7B__typename%7D", "GET /nowhere"
        }) {
            assertThat(headers(line, "X: y")).as(line).containsOnlyOnce("ccept-encoding");
        }
        assertThat(headers("GET " + style, "Accept-Encoding: gzip"))
                .contains("immutable")
                .containsIgnoringCase("Content-Encoding: gzip")
                .containsIgnoringCase("Vary: Accept-Encoding");
    }

    @Test
    void answersOfGraphQlAreCompressedInBothOfTheirTypes() throws IOException {
        for (var type : new String[] {"application/json", "application/graphql-response+json"}) {
            assertThat(headers(
                            "GET /graphql?query=%7B__schema%7Btypes%7Bname%20description%7D%7D%7D",
                            "Accept-Encoding: gzip\r\nAccept: " + type))
                    .as(type)
                    .containsIgnoringCase("Content-Encoding: gzip");
        }
    }

    private String headers(String line, String headers) throws IOException {
        return send(line, headers).split("\r\n\r\n", 2)[0] + "\r\n";
    }

    private String send(String line, String headers) throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), server.graphQl().getPort())) {
            socket.getOutputStream()
                    .write("%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s\r\n\r\n"
                            .formatted(line, headers)
                            .getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }
}
