package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.access.http.TakesNoForms;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.local.aws.LocalDynamoDb;
import io.micronaut.web.router.Router;
import io.micronaut.web.router.UriRouteInfo;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Every route that changes something, with every combination of media type, {@code Origin}, {@code Sec-Fetch-Site} and token that
 * a browser can be made to send: by somebody who may do everything, and yet nothing is changed unless all of them are right.
 */
@Timeout(600)
final class CrossSiteMatrixTest {
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String UPLOAD = "multipart/form-data; boundary=form";
    private static final List<String> TYPES = List.of(FORM, UPLOAD, "text/plain", "");
    private static final List<String> ORIGINS =
            List.of("", "http://localhost", "https://evil.example", "http://localhost:1", "null");
    private static final List<String> SITES = List.of("", "same-origin", "none", "same-site", "cross-site");
    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    /** Written by what runs by itself. */
    private static final Set<String> BY_ITSELF = Set.of("taskCounts", "turn");

    private static final GraphQlServer server = ApplicationServer.start(Map.of(HeaderPrincipals.SETTING, true));

    @AfterAll
    static void stop() {
        server.close();
    }

    private enum Token {
        NONE,
        OF_ANOTHER_BROWSER,
        OWN
    }

    /** One request; those that pass both doors are not sent here. */
    private record Cell(Route route, String type, String origin, String site, Token token) {
        boolean isFromElsewhere(String host) {
            return site.isEmpty() ? !origin.isEmpty() && !origin.equals("http://" + host) : !OWN_SITES.contains(site);
        }
    }

    /** @param takesForms or else is JSON, or a method that no form has */
    private record Route(String method, String path, boolean takesForms) {
        static Route of(UriRouteInfo<?, ?> route) {
            return new Route(
                    route.getHttpMethodName(),
                    route.getUriMatchTemplate()
                            .toString()
                            .replaceAll("\\{\\w+:([a-z.\\\\]+)\\|.*}", "$1")
                            .replaceAll("\\{\\w+}", "X-1"),
                    !route.getAnnotationMetadata().hasAnnotation(TakesNoForms.class));
        }
    }

    private record Browser(String cookie, String token) {
        static Browser open() {
            var page = server.send(HttpRequest.newBuilder(server.graphQl().resolve("/sign-in"))
                            .header("Accept", "text/html"))
                    .http();
            return new Browser(
                    page.headers().firstValue("Set-Cookie").orElseThrow().replaceFirst(";.*", ""),
                    Jsoup.parse(page.body()).select("input[name=csrfToken]").attr("value"));
        }
    }

    private static List<Route> routes() {
        return server.bean(Router.class)
                .uriRoutes()
                .filter(route -> !Set.of("GET", "HEAD", "OPTIONS").contains(route.getHttpMethodName()))
                .map(Route::of)
                .distinct()
                .toList();
    }

    private static Stream<Cell> cells(Route route) {
        return TYPES.stream().flatMap(type -> ORIGINS.stream().flatMap(origin -> SITES.stream()
                .flatMap(site -> Stream.of(Token.values()).map(token -> new Cell(route, type, origin, site, token)))));
    }

    @Test
    void changesNothingUnlessEverythingIsRight() {
        var host = "localhost:" + server.graphQl().getPort();
        var own = Browser.open();
        var other = Browser.open();
        var routes = routes();
        var before = items();
        var sent = 0;
        var wrong = new ArrayList<String>();
        for (var route : routes) {
            for (var cell : cells(route).toList()) {
                var elsewhere = cell.isFromElsewhere(host);
                var mayPass = !elsewhere && (cell.token == Token.OWN || !route.takesForms);
                // Of those that are refused for where they come from, every seventh: all of them take too long.
                if (mayPass || (elsewhere && sent++ % 7 != 0)) {
                    continue;
                }
                var status = send(cell, cell.token == Token.OWN ? own.token : other.token, own.cookie);
                // A media type that the route does not take is refused before anything is asked of it.
                if (status != 403 && status != 415) {
                    wrong.add(status + " " + cell);
                }
            }
        }

        assertThat(routes).hasSizeGreaterThan(20);
        assertThat(sent).isGreaterThan(1_000);
        assertThat(wrong).isEmpty();
        var after = items();
        after.entrySet().removeAll(before.entrySet());
        assertThat(after.values().stream()
                        .map(item -> item.getOrDefault("type", AttributeValue.fromS(""))
                                .s())
                        .filter(type -> !BY_ITSELF.contains(type)))
                .isEmpty();
    }

    /** So that what is refused above is refused for that reason. */
    @Test
    void takesWhatAPageOfItsOwnSends() {
        var own = Browser.open();
        for (var route : routes()) {
            if (route.takesForms && !route.path.equals("/account/sign-out")) {
                var statuses = Stream.of(FORM, UPLOAD)
                        .map(type -> send(new Cell(route, type, "", "same-origin", Token.OWN), own.token, own.cookie))
                        .toList();

                assertThat(statuses).as(route.toString()).anyMatch(status -> status != 415);
                assertThat(statuses).as(route.toString()).doesNotContain(403);
            }
        }
    }

    private static int send(Cell cell, String token, String cookie) {
        var isUpload = cell.type.equals(UPLOAD);
        var sent = cell.token == Token.NONE ? "" : "csrfToken=" + token;
        var path = isUpload && !sent.isEmpty() ? cell.route.path + "?" + sent : cell.route.path;
        var request = HttpRequest.newBuilder(server.graphQl().resolve(path))
                .header("Accept", "text/html")
                .header("Cookie", cookie)
                .method(cell.route.method, BodyPublishers.ofString(isUpload ? "--form--\r\n" : sent));
        for (var role : Role.values()) {
            request.header(HeaderPrincipals.GRANT, Grant.of(role).text());
        }
        header(request, "Content-Type", cell.type);
        header(request, "Origin", cell.origin);
        header(request, "Sec-Fetch-Site", cell.site);
        return server.send(request).http().statusCode();
    }

    private static void header(HttpRequest.Builder request, String name, String value) {
        if (!value.isEmpty()) {
            request.header(name, value);
        }
    }

    /** By their keys. */
    private static Map<List<AttributeValue>, Map<String, AttributeValue>> items() {
        var items = new HashMap<List<AttributeValue>, Map<String, AttributeValue>>();
        LocalDynamoDb.shared()
                .client()
                .scanPaginator(scan ->
                        scan.tableName(server.bean(MenuboardConfig.class).tableName()))
                .items()
                .forEach(item -> items.put(Stream.of("pk", "sk").map(item::get).toList(), item));
        return items;
    }
}
