package io.menuboard.pricing.changes;

import java.util.stream.Stream;

/** Finding of a preview about one line. */
public enum Finding {
    /**
     * Another change set wants the same price from the same instant on, or one was loaded for it. Applied, this one wins. A line
     * that is suspicious besides, or of mixed currencies, or that deletes the price, has that finding.
     */
    CONFLICT("A"),
    /** It would change more than people mostly mean: to zero, tenfold, by more than a configured share. */
    SUSPICIOUS("B"),
    /**
     * An amount may be meant for another currency: without one, it is for stores that sell in several, or for a price that is not in
     * the currency of its store; or the price is in another one.
     */
    MIXED_CURRENCIES("B1"),
    /** No store has a price of this product or combo: it is new to all of them, or its id is misspelt. */
    UNKNOWN_PRODUCT("B2"),
    /** There is no price from then on. */
    DELETION("B3"),
    /** There was no price before. */
    NEW("C1"),
    /** One price becomes another one. */
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

    /** Place of its lines in keys: those that need attention first. */
    String place() {
        return place;
    }

    static Finding at(String place) {
        return Stream.of(values())
                .filter(finding -> finding.place.equals(place))
                .findFirst()
                .orElseThrow();
    }

    /** True where applying the set writes the line. */
    public boolean isWritten() {
        return switch (this) {
            case CONFLICT, SUSPICIOUS, MIXED_CURRENCIES, UNKNOWN_PRODUCT, DELETION, NEW, WILL_CHANGE -> true;
            case NO_CHANGE, NOT_FOUND, INVALID -> false;
        };
    }

    /** True where the set was to change something that it does not. */
    boolean isRefused() {
        return switch (this) {
            case NOT_FOUND, INVALID -> true;
            case CONFLICT, SUSPICIOUS, MIXED_CURRENCIES, UNKNOWN_PRODUCT, DELETION, NEW, WILL_CHANGE, NO_CHANGE ->
                false;
        };
    }

    /** True where a set with such a line is applied only by an actor who accepts it. */
    public boolean needsAcceptance() {
        return switch (this) {
            case SUSPICIOUS, MIXED_CURRENCIES, UNKNOWN_PRODUCT -> true;
            case CONFLICT, DELETION, NEW, WILL_CHANGE, NO_CHANGE, NOT_FOUND, INVALID -> false;
        };
    }
}
