package io.menuboard.accounts;

import io.menuboard.kernel.InvalidInput;
import java.util.Locale;
import java.util.regex.Pattern;

/** The name that a person signs in with. Two that differ only in case are the same. */
public record Username(String value) {
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}");

    /**
     * Refuses with {@link InvalidInput} {@code INVALID_USERNAME} on {@code username} what is not 1 to 64 letters and digits of
     * ASCII, or {@code . _ @ + -} after the first.
     */
    public Username {
        if (!isValid(value)) {
            throw new InvalidInput(
                    "INVALID_USERNAME",
                    "username",
                    "must be 1 to 64 letters, digits and . _ @ + -, a letter or digit first");
        }
    }

    static boolean isValid(String value) {
        return FORM.matcher(value).matches();
    }

    /** The same for all that differ only in case. */
    String key() {
        return value.toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return value;
    }
}
