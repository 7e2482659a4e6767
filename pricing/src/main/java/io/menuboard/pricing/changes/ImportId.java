package io.menuboard.pricing.changes;

import io.menuboard.kernel.InvalidInput;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * The id of one import.
 *
 * @param value 16 lower-case hexadecimal digits; anything else is refused with {@link InvalidInput} {@code INVALID_ID}
 */
public record ImportId(String value) {
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{16}");

    public ImportId {
        if (!FORM.matcher(value).matches()) {
            throw new InvalidInput("INVALID_ID", "import", "must be an id of 16 hexadecimal digits");
        }
    }

    public static ImportId random(RandomGenerator random) {
        return new ImportId(HexFormat.of().toHexDigits(random.nextLong()));
    }

    @Override
    public String toString() {
        return value;
    }
}
