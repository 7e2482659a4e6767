package io.menuboard.graphql.bad;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import graphql.introspection.IntrospectionQuery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Requests that are wrong in some way, made from the schema and the pages of a server: arguments, documents, variables,
 * headers, addresses and forms. Each depends on the crawl, the seed and its number alone, so that one can be sent again. A
 * few are right by accident.
 */
public final class BadRequests {
    private static final List<String> TYPES = List.of(
            "application/json",
            "application/json; charset=utf-8",
            "application/json; charset=utf-16",
            "application/json; charset=nonsense",
            "application/json;",
            "application/graphql",
            "application/graphql-response+json",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
            "multipart/form-data; boundary=",
            "multipart/form-data; boundary=form",
            "text/plain",
            "text/html",
            "*/*",
            "/",
            "",
            "\"",
            "application/json, text/plain",
            "x".repeat(3_000));
    private static final List<String> HEADERS = List.of(
            "Accept: application/graphql-response+json",
            "Accept: text/html",
            "Accept: image/png",
            "Accept: */*;q=0",
            "Accept: ;;,",
            "Accept: a/b;q=nonsense",
            "Accept: application/json;q=1.0000001, ".repeat(50) + "*/*",
            "Accept-Encoding: gzip",
            "Accept-Encoding: *",
            "Accept-Encoding: br;q=nonsense, deflate",
            "Accept-Encoding: identity;q=0, *;q=0",
            "Accept-Language: x-nonsense-\u00e4",
            "Content-Encoding: gzip",
            "Content-Encoding: br",
            "Content-Encoding: nonsense",
            "Content-Encoding: identity",
            "Origin: null",
            "Origin: https://evil.example",
            "Origin: nonsense",
            "Origin: http://localhost:99999",
            "Origin: ",
            "Referer: %zz",
            "Sec-Fetch-Site: cross-site",
            "Sec-Fetch-Site: nonsense",
            "Cookie: =;;a=\"",
            "Cookie: a=b; a=c; \u0001=x",
            "Range: bytes=5-1",
            "Range: bytes=0-0,0-0,0-0",
            "If-None-Match: *",
            "If-None-Match: W/\"",
            "If-Modified-Since: nonsense",
            "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT",
            "HX-Request: true",
            "HX-Request: nonsense",
            "HX-Target: #\"",
            "Authorization: Bearer \u00ff",
            "Authorization: Basic ====",
            "X-Forwarded-For: nonsense, 1.2.3.4.5",
            "X-Forwarded-Proto: javascript",
            "X-Forwarded-Host: a:",
            "X-Forwarded-Host: a:b",
            "X-Forwarded-Port: nonsense",
            "Forwarded: host=a:b",
            "Forwarded: host=\"[::1]:8080\"",
            "Forwarded: for",
            "Forwarded: =;,for=\"",
            "X-HTTP-Method-Override: DELETE",
            "Upgrade: websocket",
            "Upgrade: h2c",
            "Sec-WebSocket-Key: nonsense",
            "traceparent: 00-zz-zz-zz",
            "Access-Control-Request-Method: NONSENSE",
            "Host: localhost",
            "Host: evil.example",
            "Host: ",
            "X-A: " + "a".repeat(7_000),
            "X-\u00e4: b",
            "No colon",
            " : ",
            "X-Long: " + "a".repeat(20_000));
    private static final List<String> METHODS =
            List.of("GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "NONSENSE", "get");
    private static final List<String> BODIES = List.of(
            "",
            " ",
            "null",
            "1",
            "\"x\"",
            "[]",
            "{}",
            "{",
            "}",
            "[{\"query\":\"{__typename}\"}]",
            "{\"query\":null}",
            "{\"query\":1}",
            "{\"query\":[]}",
            "{\"query\":\"\"}",
            "{\"query\":\"{__typename}\",\"query\":\"{a}\"}",
            "{\"query\":\"{__typename}\",\"variables\":[]}",
            "{\"query\":\"{__typename}\",\"variables\":\"{}\"}",
            "{\"query\":\"{__typename}\",\"operationName\":1}",
            "{\"query\":\"{__typename}\",\"operationName\":\"x\"}",
            "{\"query\":\"{__typename}\",\"extensions\":{\"persistedQuery\":{\"version\":9,\"sha256Hash\":\"\"}}}",
            "{\"query\":\"{__typename}\",\"extensions\":{\"cost\":\"x\"}}",
            "{\"query\":\"{__typename}\",\"extensions\":1}",
            "{\"id\":\"x\"}",
            "{\"documentId\":\"sha256:x\"}",
            "{\"query\":\"{__typename}\"}x",
            "{'query':'{__typename}'}",
            "{\"query\":\"\\ud800\"}",
            "{\"query\":\"{__typename}\",\"variables\":{\"a\":1e99999999}}",
            "{\"a\":".repeat(2_000),
            "[".repeat(50_000),
            "\uFEFF{\"query\":\"{__typename}\"}",
            "query=%7B__typename%7D",
            "{__typename}");

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Schema schema;
    private final Site site;
    private final List<String> known;
    private final Set<String> leftOut;

    /**
     * Those for what was found on a server.
     *
     * @param crawl as {@link #crawl} has it
     * @param leftOut input fields that are never given, such as those that ask to wait
     */
    public BadRequests(String crawl, Set<String> leftOut) {
        this.leftOut = leftOut;
        try {
            var found = JSON.readTree(crawl);
            schema = new Schema(found.path("schema"));
            site = JSON.treeToValue(found.path("site"), Site.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var ids = new ArrayList<>(site.words());
        ids.addAll(List.of("ALL", "EUR"));
        known = List.copyOf(ids);
    }

    /** Schema and pages of a server, in JSON. */
    public static String crawl(Connection server) {
        try {
            var query = Text.json(Map.of("query", IntrospectionQuery.INTROSPECTION_QUERY));
            var answer = server.send(post("/graphql", "application/json", "", query.getBytes(UTF_8), false));
            var site = Site.read(address ->
                    server.send(get(address, "Accept: text/html\r\n")).text());
            return JSON.writeValueAsString(
                    Map.of("schema", JSON.readTree(answer.text()).path("data"), "site", site));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How many pages and forms were found. */
    public String found() {
        return "%d addresses, %d forms, %d words"
                .formatted(site.addresses().size(), site.forms().size(), known.size());
    }

    /** How many different forms there are to send. */
    public int forms() {
        return site.forms().size();
    }

    /** One of them. */
    public BadRequest request(long seed, long number) {
        var random = new SplittableRandom(seed * 1_000_003 + number);
        var values = new Values(schema, known, leftOut, random);
        return switch (random.nextInt(20)) {
            case 0, 1, 2 -> form(values);
            case 3, 4 -> address(values);
            case 5 -> body(values);
            case 6 -> headers(values);
            case 7 -> queryString(values);
            default -> operation(values);
        };
    }

    private BadRequest operation(Values values) {
        var operation = new Operations(schema, values).next();
        return post("/graphql", "application/json", "", operation.json().getBytes(UTF_8), operation.changes());
    }

    private BadRequest queryString(Values values) {
        var operation = new Operations(schema, values).next();
        var query =
                "query=" + encoded(operation.document()) + "&variables=" + encoded(Text.json(operation.variables()));
        return get("/graphql?" + (values.chance(20) ? broken(query, values) : query), headerLines(values, 20));
    }

    private BadRequest body(Values values) {
        var body = values.chance(40)
                ? values.any(BODIES)
                : broken(new Operations(schema, values).next().json(), values);
        var bytes = values.chance(8) ? body.getBytes(UTF_16LE) : body.getBytes(UTF_8);
        if (values.chance(15) && bytes.length > 0) {
            bytes[values.number(bytes.length)] = (byte) values.number(256);
        }
        return post("/graphql", values.chance(30) ? values.any(TYPES) : "application/json", "", bytes, true);
    }

    private BadRequest headers(Values values) {
        var operation = new Operations(schema, values).next();
        var type = values.chance(50) ? values.any(TYPES) : "application/json";
        var body = operation.json().getBytes(UTF_8);
        if (values.chance(20)) {
            var to = values.chance(50) ? "/graphql" : values.any(site.addresses());
            return BadRequest.of(
                    values.any(METHODS) + " " + to + " HTTP/1.1",
                    common(body.length, type) + headerLines(values, 60),
                    body,
                    true);
        }
        return post("/graphql", type, headerLines(values, 100), body, operation.changes());
    }

    private BadRequest address(Values values) {
        var address = values.any(site.addresses());
        var parts = address.split("(?<=[/?&=])|(?=[/?&=])", -1);
        for (var i = 1 + values.number(2); i > 0; i--) {
            var at = values.number(parts.length);
            parts[at] = parts[at].matches("[/?&=]") ? parts[at] : encoded(values.text());
        }
        var changed = String.join("", parts);
        if (values.chance(40)) {
            var name = values.any(
                    List.of("first", "after", "before", "last", "at", "from", "to", "month", "status", "search", "x"));
            changed += (changed.contains("?") ? "&" : "?") + name + "=" + encoded(values.text());
        }
        if (values.chance(8)) {
            changed = broken(changed, values);
        }
        return get(changed, values.chance(70) ? "Accept: text/html\r\n" : headerLines(values, 50));
    }

    private BadRequest form(Values values) {
        if (site.forms().isEmpty()) {
            return address(values);
        }
        var form = values.any(site.forms());
        var to = values.chance(5) ? values.any(site.addresses()) : form.action();
        var accept = values.chance(80) ? "Accept: text/html\r\n" : headerLines(values, 40);
        if (form.multipart() != values.chance(4)) {
            var parts = form.fields().stream().map(field -> part(field, values)).collect(Collectors.joining());
            var body = parts + (values.chance(90) ? "--form--\r\n" : "");
            return post(
                    to,
                    "multipart/form-data; boundary=form",
                    accept,
                    (values.chance(15) ? broken(body, values) : body).getBytes(UTF_8),
                    true);
        }
        var fields = form.fields().stream()
                .filter(_ -> values.chance(85))
                .map(field -> encoded(field) + "=" + encoded(values.chance(30) ? values.any(known) : values.text()))
                .collect(Collectors.joining("&"));
        return post(
                to,
                values.chance(95) ? "application/x-www-form-urlencoded" : values.any(TYPES),
                accept,
                (values.chance(10) ? broken(fields, values) : fields).getBytes(UTF_8),
                true);
    }

    private static String part(String field, Values values) {
        var file = values.chance(60) ? "; filename=\"" + values.any(List.of("f.csv", "", "../f", "\u202E")) + "\"" : "";
        var type = values.chance(30) ? "Content-Type: " + values.any(TYPES) + "\r\n" : "";
        return "--form\r\nContent-Disposition: form-data; name=\"" + field + "\"" + file + "\r\n" + type + "\r\n"
                + values.text() + "\r\n";
    }

    private static String broken(String text, Values values) {
        var out = new StringBuilder(text);
        var at = values.number(out.length() + 1);
        switch (values.number(4)) {
            case 0 -> out.setLength(at);
            case 1 -> out.delete(at, Math.min(out.length(), at + 1 + values.number(6)));
            default ->
                out.insert(
                        at,
                        values.any(List.of(
                                "%zz", "%", "\"", "{", "}", ":", ",", "\\u12", "\\", "&", "=", "[", "%00", "%ff")));
        }
        return out.toString();
    }

    private static String headerLines(Values values, int percent) {
        var lines = new StringBuilder();
        while (values.chance(percent) && lines.length() < 200) {
            lines.append(values.any(HEADERS)).append("\r\n");
        }
        return lines.toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    private static String common(int length, String type) {
        return "Host: localhost\r\nAuthorization: Bearer test\r\nContent-Type: " + type + "\r\nContent-Length: "
                + length + "\r\n";
    }

    private static BadRequest post(String path, String type, String headers, byte[] body, boolean changes) {
        return BadRequest.of("POST " + path + " HTTP/1.1", common(body.length, type) + headers, body, changes);
    }

    private static BadRequest get(String path, String headers) {
        return BadRequest.of("GET " + path + " HTTP/1.1", "Host: localhost\r\n" + headers, new byte[0], false);
    }
}
