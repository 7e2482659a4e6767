package io.menuboard.graphql.bad;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * GraphQL requests that are made to cost a server as much as they can: deep, wide, repeated, spread out, and long ones. Each
 * depends on the seed and its number alone. All go past some limit as it is set by default, or break a rule of the language, but
 * for a few that are small enough by chance.
 */
public final class HostileDocuments {
    private static final int KINDS = 22;

    private final String authorization;

    /** @param token of a client; null for none */
    public HostileDocuments(@Nullable String token) {
        authorization = token == null ? "" : "Authorization: Bearer " + token + "\r\n";
    }

    /** One of them. */
    public BadRequest request(long seed, long number) {
        var random = new SplittableRandom(seed * 1_000_003 + number);
        var body = body(random).getBytes(UTF_8);
        return BadRequest.of(
                "POST /graphql HTTP/1.1",
                "Host: localhost\r\nContent-Type: application/json\r\nAccept: application/graphql-response+json\r\n"
                        + authorization + "Content-Length: " + body.length + "\r\n",
                body,
                false);
    }

    private static String body(SplittableRandom random) {
        // Of 20 to 5,000, the most of them hundreds.
        var n = (int) Math.round(Math.exp(random.nextDouble(Math.log(20), Math.log(5_000))));
        // No two are alike, so that nothing is taken from a cache.
        var unique = "f" + Long.toString(random.nextLong(1L << 40), 36);
        return switch (random.nextInt(KINDS)) {
            case 0 -> query(nested(n, "stores { nodes { prices { nodes { store { ", "} } } } }", unique));
            case 1 -> query(nested(n, "{ ", "} ", unique));
            case 2 -> query("{ " + times(n, i -> unique + i + ": stores(first: 2048) { nodes { id } } ") + "}");
            case 3 -> query("{ " + times(n, i -> unique + i + ": __typename ") + "}");
            case 4 -> query("{ " + unique + ": __typename " + "@skip(if: false) ".repeat(n) + "}");
            case 5 -> query("{ " + unique + ": __typename " + times(n, i -> "@" + unique + i + " ") + "}");
            case 6 ->
                query("{ ..." + unique + "0 } "
                        + times(n, i -> "fragment " + unique + i + " on Query { ..." + unique + (i + 1) % n + " } "));
            case 7 ->
                query("{ ..." + unique + "0 } "
                        + times(
                                Math.min(n, 90),
                                i -> "fragment " + unique + i + " on Query { "
                                        + ("..." + unique + (i + 1) + " ").repeat(4) + "} ")
                        + "fragment " + unique + Math.min(n, 90) + " on Query { __typename }");
            case 8 -> query("{ " + unique + "(a: " + "[".repeat(n) + "]".repeat(n) + ") }");
            case 9 -> query("{ " + unique + "(a: " + "{a: ".repeat(n) + "1" + "}".repeat(n) + ") }");
            case 10 -> query("{ " + unique + "(a: \"" + "\\u0041".repeat(n) + "\") }");
            case 11 -> query("{ " + unique + "(a: \"\"\"" + "\n  \\\"\"\" \t".repeat(n) + "\"\"\") }");
            case 12 -> query("#" + "comment ".repeat(n) + "\n" + ",".repeat(20 * n) + "{ " + unique + " }");
            case 13 -> query(times(n, i -> "query " + unique + i + " { __typename } "));
            case 14 ->
                query("query " + unique + "(" + times(n, i -> "$v" + i + ": Int = " + i + " ") + ") { __typename }");
            case 15 ->
                query("{ " + "__schema { types { fields { type { ofType { name } } } } } ".repeat(Math.min(n, 60))
                        + unique + ": __typename }");
            case 16 -> query("{ __schema { types { " + nested(n, "fields { type { ", "} } ", "name") + "} } }");
            case 17 -> query("{ " + unique + "(a: " + "9".repeat(n) + ", b: 1e" + "9".repeat(Math.min(n, 300)) + ") }");
            case 18 -> query("{ ".repeat(n) + unique);
            case 19 -> query("{ " + "... on Query { ".repeat(n) + unique + ": __typename" + " }".repeat(n) + " }");
            case 20 ->
                "{\"query\":\"query " + unique + "($a: String) { __typename }\",\"variables\":" + "{\"a\":".repeat(n)
                        + "1" + "}".repeat(n) + "}";
            default ->
                query("{ stores(first: 2048) { nodes { " + times(Math.min(n, 400), i -> unique + i + ": name ") + "} } "
                        + times(Math.min(n, 200), i -> unique + "s" + i + ": stores(first: 2048) { nodes { name } } ")
                        + "}");
        };
    }

    private static String nested(int n, String begin, String end, String inside) {
        return "{ " + begin.repeat(n) + inside + " " + end.repeat(n) + "}";
    }

    private static String times(int n, IntFunction<String> part) {
        return IntStream.range(0, n).mapToObj(part).collect(Collectors.joining());
    }

    private static String query(String document) {
        return Text.json(Map.of("query", document));
    }
}
