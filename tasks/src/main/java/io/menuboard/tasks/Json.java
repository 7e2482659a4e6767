package io.menuboard.tasks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.menuboard.kernel.InvalidInput;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value, exactly: numbers keep their digits. Written without white space and with the members of objects in the
 * order of their names, so that equal values have equal texts.
 */
public final class Json {
    /** An object without members. */
    public static final Json EMPTY = new Json("{}");

    public static final Json NULL = new Json("null");

    /** Reads whatever names may be stored: those of any length, and many for which the library has the same hash. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    // Trees of the library keep insertion order; maps are what it sorts. Deep nesting is refused by its own limits.
    private static final JsonMapper MAPPER = JsonMapper.builder(FACTORY)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(com.fasterxml.jackson.core.StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .enable(com.fasterxml.jackson.core.JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();

    /** Some exponents take more memory to write out than there is. */
    private static final int MAX_DIGITS = 500;

    private static final double BITS_OF_A_DIGIT = 3.33;

    /** Far below what JSON libraries refuse to read, those of workers among them. */
    private static final int MAX_NAME = 1_000;

    private final String text;

    private Json(String text) {
        this.text = text;
    }

    /** Reads a text; throws {@link InvalidInput} {@code INVALID_JSON} on {@code field} for one that is not JSON. */
    public static Json parse(String field, String text) {
        try {
            return of(field, MAPPER.readValue(text, Object.class));
        } catch (JsonProcessingException e) {
            throw new InvalidInput("INVALID_JSON", field, "must be JSON: " + firstLine(e.getOriginalMessage()));
        }
    }

    /**
     * Of a tree that somebody sent; throws {@link InvalidInput} {@code INVALID_JSON} on {@code field} for one that is not
     * of maps, lists, strings of Unicode, exact numbers, booleans and null, or has a number that written out takes more
     * than {@value #MAX_DIGITS} digits, or a name of more than {@value #MAX_NAME} characters.
     */
    public static Json of(String field, @Nullable Object tree) {
        if (!isJson(tree)) {
            throw new InvalidInput(
                    "INVALID_JSON",
                    field,
                    "must be JSON, with text that is Unicode, numbers of at most " + MAX_DIGITS
                            + " digits and names of at most " + MAX_NAME + " characters");
        }
        return of(tree);
    }

    private static boolean isJson(@Nullable Object tree) {
        return switch (tree) {
            case null -> true;
            case String text -> StandardCharsets.UTF_8.newEncoder().canEncode(text);
            case Boolean _, Integer _, Long _ -> true;
            case BigDecimal number -> Math.abs((long) number.scale()) + number.precision() <= MAX_DIGITS;
            case BigInteger number -> number.bitLength() <= MAX_DIGITS * BITS_OF_A_DIGIT;
            case List<?> array -> array.stream().allMatch(Json::isJson);
            case Map<?, ?> object ->
                object.entrySet().stream().allMatch(member -> isName(member.getKey()) && isJson(member.getValue()));
            default -> false;
        };
    }

    private static boolean isName(@Nullable Object name) {
        return name instanceof String text && text.length() <= MAX_NAME && isJson(text);
    }

    /** Of maps, lists, strings, numbers, booleans and null, or of records with accessors of those. */
    public static Json of(@Nullable Object tree) {
        try {
            return new Json(MAPPER.writeValueAsString(tree));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a JSON value: " + tree, e);
        }
    }

    /** JSON from {@link #text()} or the table. */
    static Json stored(String text) {
        return new Json(text);
    }

    /** Maps, lists, strings, numbers, booleans or null. */
    public @Nullable Object tree() {
        try {
            return MAPPER.readValue(text, Object.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("stored JSON of " + bytes() + " bytes cannot be read", e);
        }
    }

    /** Members of an object by name; empty for any other value. */
    public Map<String, @Nullable Object> members() {
        var members = new LinkedHashMap<String, @Nullable Object>();
        if (tree() instanceof Map<?, ?> object) {
            object.forEach((name, value) -> members.put(String.valueOf(name), value));
        }
        return members;
    }

    /** A member that is text; empty where it is something else, or there is none such. */
    public Optional<String> findText(String member) {
        return members().get(member) instanceof String found ? Optional.of(found) : Optional.empty();
    }

    /** A member that is an exact number; empty where it is something else, or there is none such. */
    public OptionalLong findNumber(String member) {
        return members().get(member) instanceof BigInteger found
                ? OptionalLong.of(found.longValue())
                : OptionalLong.empty();
    }

    /** Indented, for people. */
    public String pretty() {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(tree());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("stored JSON of " + bytes() + " bytes cannot be written", e);
        }
    }

    /** The one text of this value. */
    public String text() {
        return text;
    }

    /** Length in UTF-8. */
    public int bytes() {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String firstLine(@Nullable String message) {
        return message == null ? "" : message.lines().findFirst().orElse("");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Json json && json.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
