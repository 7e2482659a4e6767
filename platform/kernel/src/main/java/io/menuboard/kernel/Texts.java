package io.menuboard.kernel;

/**
 * The rule for every text that people type for people: names, reasons, addresses. It has no control characters but tabs and line
 * ends, none that turn the text around it (the explicit ones of Unicode Standard Annex 9), and no half of a surrogate pair, which
 * strict readers of JSON refuse together with all that stands around it. Texts that were stored before this rule may break it, so
 * it is for input. Ids have a stricter one, {@link Ids}.
 */
public final class Texts {
    private static final int REPLACEMENT = 0xFFFD;

    private Texts() {}

    /**
     * Refuses a text that is blank, has more characters of UTF-16 than {@code max}, or one that no text may have.
     *
     * @param code with which {@link InvalidInput} is thrown, on {@code field}
     */
    public static void check(String code, String field, String text, int max) {
        if (text.isBlank() || text.length() > max) {
            throw new InvalidInput(code, field, "must have 1 to " + max + " characters, not only blanks");
        }
        checkCharacters(code, field, text);
    }

    /** The same of a text that may be empty. */
    public static void checkOptional(String code, String field, String text, int max) {
        if (text.length() > max) {
            throw new InvalidInput(code, field, "must have at most " + max + " characters");
        }
        checkCharacters(code, field, text);
    }

    private static void checkCharacters(String code, String field, String text) {
        if (text.codePoints().anyMatch(Texts::isRefused)) {
            throw new InvalidInput(
                    code,
                    field,
                    "must have no control characters but tabs and line ends, none that turn text around, and no half of a character");
        }
    }

    private static boolean isRefused(int codePoint) {
        return (Character.isISOControl(codePoint) && codePoint != '\t' && codePoint != '\n' && codePoint != '\r')
                || Character.getType(codePoint) == Character.SURROGATE
                || switch (Character.getDirectionality(codePoint)) {
                    case Character.DIRECTIONALITY_LEFT_TO_RIGHT_EMBEDDING,
                            Character.DIRECTIONALITY_LEFT_TO_RIGHT_OVERRIDE,
                            Character.DIRECTIONALITY_RIGHT_TO_LEFT_EMBEDDING,
                            Character.DIRECTIONALITY_RIGHT_TO_LEFT_OVERRIDE,
                            Character.DIRECTIONALITY_POP_DIRECTIONAL_FORMAT,
                            Character.DIRECTIONALITY_LEFT_TO_RIGHT_ISOLATE,
                            Character.DIRECTIONALITY_RIGHT_TO_LEFT_ISOLATE,
                            Character.DIRECTIONALITY_FIRST_STRONG_ISOLATE,
                            Character.DIRECTIONALITY_POP_DIRECTIONAL_ISOLATE -> true;
                    default -> false;
                };
    }

    /** A text that was made of others so that {@link #check} takes it: cut, and with U+FFFD for what no text may have. */
    public static String fitted(String text, int max) {
        var fitted = new StringBuilder();
        text.codePoints()
                .map(codePoint -> isRefused(codePoint) ? REPLACEMENT : codePoint)
                .forEach(fitted::appendCodePoint);
        return cut(fitted.toString(), max);
    }

    /** As much of a text as {@code max} characters of UTF-16 have room for, without half of a surrogate pair at its end. */
    public static String cut(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max);
    }
}
