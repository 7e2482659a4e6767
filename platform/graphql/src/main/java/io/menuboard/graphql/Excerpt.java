package io.menuboard.graphql;

/** Bounds what messages say of the input: an error must not be larger than what is wrong. */
final class Excerpt {
    private static final int MAX = 300;
    private static final int END = 100;

    private Excerpt() {}

    /** The text, without its middle where it is long. */
    static String of(String text) {
        return text.length() <= MAX ? text : text.substring(0, MAX - END) + " … " + text.substring(text.length() - END);
    }
}
