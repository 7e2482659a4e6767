package io.menuboard.graphql.bad;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Values of arguments: right ones, and ones that are wrong in ways that people and programs get wrong. */
final class Values {
    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "\t",
            " x ",
            "a#b",
            "#",
            "##",
            "a/b",
            "../../etc/passwd",
            "%00",
            "%zz",
            "\0",
            "a\u0000b",
            "a\nb",
            "\u0007",
            "\u007f",
            "\u0085",
            "\u200b",
            "\u202Eabc",
            "\uFEFF",
            "\uFFFF",
            "\uD800",
            "\uDC00x",
            "a\uDBFF",
            "\uD83D\uDE00",
            "e\u0301\u0301\u0301",
            "ǅ",
            "ß",
            "İ",
            "\u0660\u0661",
            "null",
            "undefined",
            "NaN",
            "true",
            "0",
            "-0",
            "-1",
            "1e9",
            "1e-9",
            "1e2000000",
            "1E+400",
            "0x1F",
            "1,5",
            ".5",
            "5.",
            "+5",
            "99999999999999999999999999999999999999999",
            "0.00000000000000000000000000000000000000000001",
            "2026-01-01",
            "2026-13-01",
            "2026-02-30",
            "2026-1-1",
            "0000-01-01",
            "0001-01-01",
            "9999-12-31",
            "-0001-01-01",
            "+10000-01-01",
            "+999999999-12-31",
            "2026-01-01T00:00:00Z",
            "2026-01-01T00:00",
            "2026-01-01T24:00:00Z",
            "2026-06-30T23:59:60Z",
            "0001-01-01T00:00:00Z",
            "0001-01-01T00:00:00+18:00",
            "9999-12-31T23:59:59.999999999Z",
            "9999-12-31T23:59:59-18:00",
            "+999999999-12-31T23:59:59Z",
            "-999999999-01-01T00:00:00+18:00",
            "2026-01-01T00:00:00+19:00",
            "2026-01-01T00:00:00[Europe/Berlin]",
            "0000-00",
            "2026-00",
            "9999-12",
            "0001-01",
            "2026-13",
            "000000000000-000000000000",
            "202601010000-202601010100",
            "202601010007-202601010008",
            "999912312345-999912312359",
            "202613400000-202601010100",
            "EUR",
            "eur",
            "XXX",
            "JPY",
            "ÄÖÜ",
            "DE",
            "Europe/Berlin",
            "Mars/Base",
            "00000000000000000000000000",
            "7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
            "8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
            "01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "01arz3ndektsv4rrffq69g5fav",
            "U3RvcmU6eA",
            "U3RvcmU6eA==",
            "eyJhIjoxfQ",
            "AAAA",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "====",
            "<script>alert(1)</script>",
            "' OR 1=1 --",
            "${jndi:ldap://x}",
            "{{7*7}}",
            "[[${7*7}]]",
            "=1+1",
            "a,b\n\"c",
            "store,effectiveDate,amount\n",
            "store,product,effectiveDate,amount,currency\nX,Y,2026-01-01,1.00,EUR\n",
            "store,product,operation,amount\nX,Y,SET,1e9\n");

    private static final List<Object> NUMBERS = List.of(
            0,
            -1,
            1,
            2_049,
            Integer.MAX_VALUE,
            Integer.MIN_VALUE,
            Long.MAX_VALUE,
            Long.MIN_VALUE,
            new Literal("1.5"),
            new Literal("-0"),
            new Literal("1e3"),
            new Literal("1e400"),
            new Literal("-1e-400"),
            new Literal("1e2000000"),
            new Literal("9223372036854775808"),
            new Literal("123456789012345678901234567890123456789"));

    private final Schema schema;
    private final List<String> known;
    private final Set<String> leftOut;
    private final RandomGenerator random;

    /**
     * Values for one request.
     *
     * @param known texts that mean something, such as ids
     * @param leftOut input fields that are never given
     */
    Values(Schema schema, List<String> known, Set<String> leftOut, RandomGenerator random) {
        this.schema = schema;
        this.known = known;
        this.leftOut = leftOut;
        this.random = random;
    }

    /** Text that stands for itself in a document and in JSON: an enum's name, or a number. */
    record Literal(String text) {}

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    int number(int bound) {
        return random.nextInt(bound);
    }

    <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** Text of which most is wrong somewhere. */
    String text() {
        return switch (random.nextInt(12)) {
            case 0 -> any(TEXTS).repeat(1 + random.nextInt(40));
            case 1 -> "x".repeat(1 << random.nextInt(14));
            case 2 -> mutated(known.isEmpty() ? any(TEXTS) : any(known));
            case 3 -> any(TEXTS) + any(TEXTS);
            case 4 -> known.isEmpty() ? "x" : any(known);
            default -> any(TEXTS);
        };
    }

    private String mutated(String text) {
        var at = random.nextInt(text.length() + 1);
        return switch (random.nextInt(3)) {
            case 0 -> text.substring(0, at);
            case 1 -> text.substring(0, at) + any(TEXTS) + text.substring(at);
            default -> text.substring(at) + text.substring(0, at);
        };
    }

    /**
     * A value for that type.
     *
     * @param badness how many percent of the values in it are wrong
     */
    @Nullable
    Object of(JsonNode type, int badness, int depth) {
        if (chance(badness)) {
            return wrong(type, depth);
        }
        return switch (Schema.kind(type)) {
            case "NON_NULL" -> of(type.path("ofType"), badness, depth);
            case "LIST" -> {
                var list = new ArrayList<@Nullable Object>();
                var size = chance(badness) ? random.nextInt(6) : 1 + random.nextInt(2);
                for (var i = 0; i < size; i++) {
                    list.add(of(type.path("ofType"), badness, depth + 1));
                }
                yield list;
            }
            default -> right(type.path("name").asText(), badness, depth);
        };
    }

    private @Nullable Object right(String type, int badness, int depth) {
        var definition = schema.type(type);
        return switch (Schema.kind(definition)) {
            case "ENUM" ->
                new Literal(any(Schema.list(definition.path("enumValues")))
                        .path("name")
                        .asText());
            case "INPUT_OBJECT" -> input(definition, badness, depth);
            default -> scalar(type);
        };
    }

    private Map<String, @Nullable Object> input(JsonNode definition, int badness, int depth) {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        if (depth > 6) {
            return fields;
        }
        for (var field : Schema.list(definition.path("inputFields"))) {
            var name = field.path("name").asText();
            var given = Schema.isRequired(field.path("type")) ? !chance(badness / 2) : chance(35);
            if (given && !leftOut.contains(name)) {
                fields.put(name, of(field.path("type"), badness, depth + 1));
            }
        }
        if (chance(badness / 3)) {
            fields.put(any(List.of("nonsense", "__typename", "id", "ID")), 1);
        }
        return fields;
    }

    private Object scalar(String type) {
        return switch (type) {
            case "Int", "Long" -> random.nextInt(4);
            case "Float" -> new Literal("1.5");
            case "Boolean" -> random.nextBoolean();
            case "DateTime" ->
                any(List.of("2026-11-20T18:05:00Z", "2026-11-21T00:00:00+01:00", "2030-01-01T00:00:00Z"));
            case "Date", "EffectiveDate" -> any(List.of("2026-11-20", "2030-02-28"));
            case "Decimal" -> any(List.of("1.50", "0", "-3"));
            case "CurrencyCode" -> "EUR";
            case "JSON" -> Map.of("a", List.of(1, "b"));
            default -> known.isEmpty() || chance(20) ? any(List.of("x", "2026-11", "ALL")) : any(known);
        };
    }

    private @Nullable Object wrong(JsonNode type, int depth) {
        return switch (random.nextInt(14)) {
            case 0 -> null;
            case 1 -> any(NUMBERS);
            case 2 -> random.nextBoolean();
            case 3 -> List.of();
            case 4 -> Map.of();
            case 5 -> list(type, depth);
            case 6 -> Map.of("a", text());
            case 7 -> nested();
            case 8 -> new Literal(any(List.of("NONSENSE", "ALL", "_", "Nan")));
            default -> text();
        };
    }

    private List<@Nullable Object> list(JsonNode type, int depth) {
        var list = new ArrayList<@Nullable Object>();
        var element = depth > 2 || chance(50) ? "x" : of(type, 0, 5);
        var size = depth > 1 ? 3 : 1 << random.nextInt(11);
        for (var i = 0; i < size; i++) {
            list.add(element);
        }
        return list;
    }

    private Object nested() {
        Object value = 1;
        for (var i = random.nextInt(60); i > 0; i--) {
            value = random.nextBoolean() ? List.of(value) : Map.of("a", value);
        }
        return value;
    }
}
