package io.menuboard.kernel.csv;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds the fields of one row while its bytes go by, as RFC 4180 has them; blanks between a closing quote and what follows
 * belong to no field. Not thread-safe.
 */
final class FieldScanner {
    private final byte separator;
    private final List<Field> fields = new ArrayList<>();

    private State state = State.FIELD_START;
    private int from;
    private int to;
    private boolean doubledQuotes;
    private boolean damaged;

    FieldScanner(char separator) {
        this.separator = (byte) separator;
    }

    /**
     * One field.
     *
     * @param from its first byte in the row, after an opening quote
     * @param to the byte behind its last
     * @param doubledQuotes whether two quotes in it stand for one
     */
    record Field(int from, int to, boolean doubledQuotes) {}

    private enum State {
        FIELD_START,
        PLAIN,
        QUOTED,
        CLOSED,
        BLANKS
    }

    /** Begins another row. */
    void reset() {
        fields.clear();
        state = State.FIELD_START;
        doubledQuotes = false;
        damaged = false;
    }

    /** Takes the byte at that place of the row. */
    void accept(byte next, int at) {
        switch (state) {
            case FIELD_START -> {
                if (next == '"') {
                    from = at + 1;
                    state = State.QUOTED;
                } else {
                    from = at;
                    state = State.PLAIN;
                    plain(next, at);
                }
            }
            case PLAIN -> plain(next, at);
            case QUOTED -> {
                if (next == '"') {
                    to = at;
                    state = State.CLOSED;
                }
            }
            case CLOSED -> {
                // A quote after the closing one means that the two were an escaped quote.
                if (next == '"') {
                    doubledQuotes = true;
                    state = State.QUOTED;
                } else {
                    behindQuotes(next);
                }
            }
            case BLANKS -> behindQuotes(next);
        }
    }

    private void plain(byte next, int at) {
        if (next == separator) {
            to = at;
            add();
        }
    }

    private void behindQuotes(byte next) {
        if (next == separator) {
            add();
        } else if (Character.isWhitespace(next)) {
            state = State.BLANKS;
        } else {
            damaged = true;
            state = State.PLAIN;
        }
    }

    private void add() {
        fields.add(new Field(from, to, doubledQuotes));
        doubledQuotes = false;
        state = State.FIELD_START;
    }

    /** Tells whether a quote is open, in which a line break ends no row. */
    boolean isQuoted() {
        return state == State.QUOTED;
    }

    /** Tells whether something follows a closing quote, so that nobody can tell the fields. */
    boolean isDamaged() {
        return damaged;
    }

    /** The fields of a row that ends at that place with no quote open. */
    List<Field> fieldsUntil(int end) {
        switch (state) {
            case FIELD_START -> {
                from = end;
                to = end;
            }
            case PLAIN -> to = end;
            case QUOTED -> throw new IllegalStateException("a quote is open");
            case CLOSED, BLANKS -> {
                // The closing quote has said where the field ends.
            }
        }
        add();
        return fields;
    }
}
