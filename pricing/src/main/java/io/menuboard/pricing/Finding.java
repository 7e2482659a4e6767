package io.menuboard.pricing;

import java.util.stream.Stream;

/** What a preview says of one line. */
public enum Finding {
    /** Another change set wants the same price from the same instant on, or this one twice. Applied, this one wins. */
    CONFLICT("A"),
    /** It would change more than people mostly mean: to zero, tenfold, by more than a configured share. */
    SUSPICIOUS("B"),
    /** It would change. */
    WILL_CHANGE("C"),
    /** The price is so already. */
    NO_CHANGE("F"),
    /** There is no such store, or no price to change. */
    NOT_FOUND("D"),
    /** The result would break a rule, or its time has come already. */
    INVALID("E");

    private final String place;

    Finding(String place) {
        this.place = place;
    }

    /** Where lines of it are in keys: those that need attention first. */
    String place() {
        return place;
    }

    static Finding at(String place) {
        return Stream.of(values())
                .filter(finding -> finding.place.equals(place))
                .findFirst()
                .orElseThrow();
    }

    /** Whether applying the set writes the line. */
    boolean isWritten() {
        return switch (this) {
            case CONFLICT, SUSPICIOUS, WILL_CHANGE -> true;
            case NO_CHANGE, NOT_FOUND, INVALID -> false;
        };
    }
}
