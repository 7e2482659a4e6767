package io.menuboard.kernel;

/** The rule for every id that becomes part of a key, whichever context it belongs to. */
public final class Ids {
    /** Five ids and an effective date stay far below DynamoDB's 1,024 bytes for a sort key, also in four-byte UTF-8. */
    public static final int MAX_LENGTH = 64;

    /** Room for the name of a type and some ids. */
    public static final int MAX_GLOBAL_LENGTH = 256;

    private Ids() {}

    /**
     * Refuses with {@link InvalidInput} {@code INVALID_ID} on {@code field}, in this order: blank, too long, {@code #}, a control or format character, white space at an end, and
     * {@code .} and {@code ..}, which no address of a page can contain (RFC 3986, section 5.2.4).
     */
    public static void check(String field, String value) {
        if (value.isBlank()) {
            throw invalid(field, "must not be blank");
        }
        if (value.length() > MAX_LENGTH) {
            throw invalid(field, "must have at most " + MAX_LENGTH + " characters");
        }
        if (value.indexOf('#') >= 0) {
            throw invalid(field, "must not contain '#'");
        }
        if (hasInvisible(value)) {
            throw invalid(field, "must not contain control or invisible characters");
        }
        if (!value.equals(value.strip())) {
            throw invalid(field, "must not begin or end with white space");
        }
        if (value.equals(".") || value.equals("..")) {
            throw invalid(field, "must not be . or ..");
        }
    }

    /**
     * As {@link #check}, and refuses what is not a letter, digit or punctuation of ASCII: a message group of a FIFO queue has
     * nothing else (Amazon SQS API reference, SendMessage), and consumers of price events may want an order by store.
     */
    public static void checkAscii(String field, String value) {
        check(field, value);
        if (value.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw invalid(field, "must have letters, digits and punctuation of ASCII only");
        }
    }

    /**
     * Refuses, with {@link InvalidInput} {@code INVALID_ID} on {@code field}, what can be neither an id nor one with the name
     * of its type before it: blank, more than {@value #MAX_GLOBAL_LENGTH} characters, a control or format character, white
     * space at an end.
     */
    public static void checkGlobal(String field, String value) {
        if (value.isBlank()) {
            throw invalid(field, "must not be blank");
        }
        if (value.length() > MAX_GLOBAL_LENGTH) {
            throw invalid(field, "must have at most " + MAX_GLOBAL_LENGTH + " characters");
        }
        if (hasInvisible(value)) {
            throw invalid(field, "must not contain control or invisible characters");
        }
        if (!value.equals(value.strip())) {
            throw invalid(field, "must not begin or end with white space");
        }
    }

    private static boolean hasInvisible(String value) {
        for (var i = 0; i < value.length(); ) {
            var codePoint = value.codePointAt(i);
            if (codePoint < ' ' || (codePoint > '~' && isInvisible(codePoint))) {
                return true;
            }
            i += Character.charCount(codePoint);
        }
        return false;
    }

    private static boolean isInvisible(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    /**
     * Refuses, with {@link InvalidInput} {@code INVALID_PREFIX}, a prefix that no id can have: too long, or with a {@code #}, which would reach into the next part of the
     * key.
     */
    public static void checkPrefix(String field, String prefix) {
        if (prefix.length() > MAX_LENGTH) {
            throw new InvalidInput("INVALID_PREFIX", field, "must have at most " + MAX_LENGTH + " characters");
        }
        if (prefix.indexOf('#') >= 0) {
            throw new InvalidInput("INVALID_PREFIX", field, "must not contain '#'");
        }
    }

    private static InvalidInput invalid(String field, String rule) {
        return new InvalidInput("INVALID_ID", field, rule);
    }
}
