package io.menuboard.webadmin.ui;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.menuboard.kernel.InvalidInput;
import java.text.Normalizer;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Countries as people type them: by ISO 3166-1 alpha-2 code or English name, whatever the case and accents. */
public final class Countries {
    /** By English name. */
    public static final List<Country> ALL = Stream.of(Locale.getISOCountries())
            .map(code -> new Country(code, name(code)))
            .sorted(Comparator.comparing(country -> fold(country.name())))
            .toList();

    private static final Map<String, String> CODES = ALL.stream()
            .flatMap(country -> Stream.of(
                    Map.entry(fold(country.code()), country.code()), Map.entry(fold(country.name()), country.code())))
            .collect(toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    private Countries() {}

    /** For the template. */
    public record Country(String code, String name) {}

    /**
     * The codes of what somebody typed, separated by commas, semicolons or line ends. No English name has one.
     *
     * @throws InvalidInput {@code INVALID_COUNTRY} on {@code countries}
     */
    public static List<String> codes(String typed) {
        return Stream.of(typed.split("[,;\\n\\r]"))
                .map(String::strip)
                .filter(country -> !country.isEmpty())
                .map(Countries::code)
                .toList();
    }

    /** Texts that {@link #codes} reads as these. */
    public static String names(List<String> codes) {
        return codes.stream().map(Countries::name).collect(Collectors.joining(", "));
    }

    private static String code(String typed) {
        var code = CODES.get(fold(typed));
        if (code == null) {
            throw new InvalidInput(
                    "INVALID_COUNTRY",
                    "countries",
                    "must be English names or two-letter codes, such as Germany or DE: “" + typed + "” is neither");
        }
        return code;
    }

    private static String name(String code) {
        return Locale.of("", code).getDisplayCountry(Locale.ENGLISH);
    }

    private static String fold(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFKD)
                .toLowerCase(Locale.ROOT)
                .replace("&", "and")
                .replaceAll("[^\\p{L}]+", "");
    }
}
