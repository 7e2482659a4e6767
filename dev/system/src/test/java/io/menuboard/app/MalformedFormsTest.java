package io.menuboard.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Access;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.local.aws.LocalAws;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.web.router.Router;
import io.micronaut.web.router.UriRouteInfo;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Forms that cannot be read, sent to every page that takes one: a mistake of the client's, told on a page. */
@Timeout(120)
final class MalformedFormsTest {
    /** Needs no token of a form. */
    private static final String PROGRAM = "Authorization: Bearer test\r\n";

    private static final String FILE = "Content-Disposition: form-data; name=\"file\"; filename=\"f.csv\"\r\n";
    private static final String ROW = "\r\na\r\n";

    private static LocalAws aws;
    private static GraphQlServer server;

    @BeforeAll
    static void start() {
        aws = LocalAws.start(null, "malformed-forms");
        server = ApplicationServer.start(aws);
    }

    @AfterAll
    static void stop() {
        server.close();
        aws.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"name=%zz", "name=%", "name=%4", "%zz=a&b=c", "a=b&name=%E4%zz"})
    void percentSignsOfFormsAreFollowedByTwoDigits(String form) throws IOException {
        var pages = pages(MediaType.APPLICATION_FORM_URLENCODED_TYPE);

        assertThat(pages).hasSizeGreaterThanOrEqualTo(11);
        for (var page : pages) {
            assertRefused(page, MediaType.APPLICATION_FORM_URLENCODED, form, "two hexadecimal digits");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                FILE + "Content-Type: text/csv; charset=utf-7\r\n" + ROW,
                FILE + "Content-Transfer-Encoding: base64\r\n" + ROW,
                "Content-Disposition: form-data; name=\"file\"; filename*=utf-7''f.csv\r\n" + ROW,
                "Content-Disposition: form-data\r\n" + ROW,
                "Content-Type: text/csv\r\n" + ROW,
                "Nonsense\r\n" + ROW,
                "Content-Disposition: form-data; name=\"file\"; filename\r\n" + ROW,
                "Content-Disposition: form-data; name\r\n" + ROW,
                FILE + "Content-Type: text/csv; charset=%zz\r\n" + ROW,
            })
    void partsOfFormsHaveANameAndANormalEncoding(String part) throws IOException {
        var pages = pages(MediaType.MULTIPART_FORM_DATA_TYPE);

        assertThat(pages).hasSizeGreaterThanOrEqualTo(3);
        for (var page : pages) {
            assertRefused(page, "multipart/form-data; boundary=form", multipart(part), "Content-Disposition");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "; boundary", "; boundary=", "; boundary=\"", "; ", "; boundary=form; charset=utf-99"})
    void formsWithPartsNameTheBoundary(String parameter) throws IOException {
        for (var page : pages(MediaType.MULTIPART_FORM_DATA_TYPE)) {
            assertThat(post(page, "text/html", "multipart/form-data" + parameter, multipart(FILE + ROW)))
                    .as(page)
                    .startsWith("HTTP/1.1 400");
        }
    }

    @Test
    void aPageThatTakesNoFormSaysTheSameOfOne() throws IOException {
        var answer = send("HEAD", "/stores", "text/html", "Content-Type: multipart/form-data; boundary=\r\n", "x");

        assertThat(answer).startsWith("HTTP/1.1 400");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "snappy"})
    void aFormInACodingIsRefused(String coding) throws IOException {
        for (var page : pages(MediaType.APPLICATION_FORM_URLENCODED_TYPE)) {
            var headers =
                    PROGRAM + "Content-Type: application/x-www-form-urlencoded\r\nContent-Encoding: " + coding + "\r\n";
            var answer = send("POST", page, "text/html", headers, "name=" + "x".repeat(100));

            assertThat(answer).as(page).startsWith("HTTP/1.1 415").containsIgnoringCase("Accept-Encoding: identity");
        }
    }

    @Test
    void filesHaveAFilename() throws IOException {
        for (var page : pages(MediaType.MULTIPART_FORM_DATA_TYPE)) {
            var field = page.equals("/imports") ? "prices" : "file";
            var part = "Content-Disposition: form-data; name=\"%s\"\r\n".formatted(field) + ROW;

            assertRefused(page, "multipart/form-data; boundary=form", multipart(part), "needs a filename");
        }
    }

    private static void assertRefused(String page, String type, String form, String rule) throws IOException {
        var toBrowser = post(page, "text/html", type, form);
        assertThat(toBrowser).as(page).startsWith("HTTP/1.1 400");
        assertThat(Jsoup.parse(toBrowser).select("h1").text()).as(page).isEqualTo("This form cannot be read");
        assertThat(Jsoup.parse(toBrowser).select(".lead").text()).as(page).contains(rule);

        var toProgram = post(page, "*/*", type, form);
        assertThat(toProgram)
                .as(page)
                .startsWith("HTTP/1.1 400")
                .contains("application/json", "{\"errors\":[{", "\"code\":\"BAD_REQUEST\"", rule);
        assertThat(toProgram).as(page).doesNotContain("micronaut", "netty", "java");
    }

    private static String multipart(String part) {
        return "--form\r\n" + part + "--form--\r\n";
    }

    /** Addresses of all routes that read forms of that type. */
    private static SortedSet<String> pages(MediaType type) {
        var pages = new TreeSet<String>();
        server.bean(Router.class)
                .uriRoutes()
                .filter(route -> route.getConsumes().contains(type) && reads(route))
                .forEach(route -> pages.add(route.getUriMatchTemplate()
                        .toString()
                        .replaceAll("\\{[^:}]*:([^|}]*)[^}]*}", "$1")
                        .replaceAll("\\{[^}]*}", "1")));
        return pages;
    }

    /** Two actions have no fields, and ignore what is sent. */
    private static boolean reads(UriRouteInfo<?, ?> route) {
        var inPath = route.getUriMatchTemplate().getVariableNames();
        return Arrays.stream(route.getTargetMethod().getArguments())
                .anyMatch(argument -> !inPath.contains(argument.getName())
                        && !HttpRequest.class.isAssignableFrom(argument.getType())
                        && argument.getType() != Access.class);
    }

    /** As it is. */
    private static String post(String path, String accept, String type, String form) throws IOException {
        return send("POST", path, accept, PROGRAM + "Content-Type: " + type + "\r\n", form);
    }

    private static String send(String method, String path, String accept, String headers, String form)
            throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), server.graphQl().getPort())) {
            var head =
                    "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept: %s\r\n%sContent-Length: %d\r\n\r\n"
                            .formatted(method, path, accept, headers, form.length());
            socket.getOutputStream().write((head + form).getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }
}
