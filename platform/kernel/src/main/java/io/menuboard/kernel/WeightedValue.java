package io.menuboard.kernel;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One of those that a client lists in an HTTP header with how much it likes each (RFC 9110, section 12.4.2).
 *
 * @param value in lower case, without parameters; may be blank
 * @param weight 0 to 1; 1 where the client says nothing, and 0, which is not acceptable, where it says what is no weight
 * @param parameters others by name, in lower case, without quotation marks; of two of one name, the first
 */
public record WeightedValue(String value, double weight, Map<String, String> parameters) {
    private static final Pattern WEIGHT = Pattern.compile("0(\\.[0-9]{0,3})?|1(\\.0{0,3})?");

    public WeightedValue {
        parameters = Map.copyOf(parameters);
    }

    /** All of a header, in order. */
    public static List<WeightedValue> listed(String header) {
        return Stream.of(header.toLowerCase(Locale.ROOT).split(",", -1))
                .map(WeightedValue::parse)
                .toList();
    }

    private static WeightedValue parse(String element) {
        var parts = element.split(";", -1);
        var parameters = new HashMap<String, String>();
        for (var i = 1; i < parts.length; i++) {
            var pair = parts[i].split("=", 2);
            if (pair.length == 2) {
                parameters.putIfAbsent(pair[0].strip(), pair[1].strip().replace("\"", ""));
            }
        }
        return new WeightedValue(parts[0].strip(), weight(parameters.remove("q")), parameters);
    }

    private static double weight(@Nullable String q) {
        if (q == null) {
            return 1;
        }
        return WEIGHT.matcher(q).matches() ? Double.parseDouble(q) : 0;
    }
}
