package io.menuboard.kernel;

import org.jspecify.annotations.Nullable;

/**
 * Request for a page of a list: so many edges after a cursor, or so many before one.
 *
 * @param size number of edges, at least 1
 * @param cursor of the edge next to the page; null for the list's start, or its end when paging backward
 */
public record PageRequest(
        Direction direction, int size, @Nullable String cursor) {

    /** Code of {@link InvalidInput} for arguments that ask for no page. */
    public static final String INVALID_PAGE = "INVALID_PAGE";

    /** Throws {@link InvalidInput} {@value #INVALID_PAGE} for a size below 1. */
    public PageRequest {
        if (size < 1) {
            throw invalid(direction.sizeField, "must be at least 1, not " + size);
        }
    }

    public static PageRequest forward(int first, @Nullable String after) {
        return new PageRequest(Direction.FORWARD, first, after);
    }

    public static PageRequest backward(int last, @Nullable String before) {
        return new PageRequest(Direction.BACKWARD, last, before);
    }

    /**
     * The four arguments of a Relay connection, any of them absent. Without a size it is the default one, forward
     * unless only {@code before} is given. Throws {@link InvalidInput} {@value #INVALID_PAGE} naming field and rule for
     * a size outside 1 to the maximum, for both sizes, and for {@code first} with {@code before} or {@code last} with
     * {@code after}.
     */
    public static PageRequest of(
            @Nullable Integer first,
            @Nullable String after,
            @Nullable Integer last,
            @Nullable String before,
            PageLimits limits) {
        if (first != null && last != null) {
            throw InvalidInput.sentence(INVALID_PAGE, "last", "first and last cannot be combined; give one of them");
        }
        if (after != null && before != null) {
            throw InvalidInput.sentence(
                    INVALID_PAGE, "before", "after and before cannot be combined; give one of them");
        }
        if (first != null && before != null) {
            throw invalid("first", "goes with after; use last with before");
        }
        if (last != null && after != null) {
            throw invalid("last", "goes with before; use first with after");
        }
        return last != null || before != null
                ? backward(size(Direction.BACKWARD, last, limits), before)
                : forward(size(Direction.FORWARD, first, limits), after);
    }

    private static int size(Direction direction, @Nullable Integer asked, PageLimits limits) {
        if (asked == null) {
            return limits.defaultSize();
        }
        if (asked < 1 || asked > limits.maxSize()) {
            throw invalid(direction.sizeField, "must be between 1 and " + limits.maxSize() + ", not " + asked);
        }
        return asked;
    }

    private static InvalidInput invalid(String field, String rule) {
        return new InvalidInput(INVALID_PAGE, field, rule);
    }

    /** Along the list's order, or against it. The edges of a page are in the list's order either way. */
    public enum Direction {
        FORWARD("first", "after"),
        BACKWARD("last", "before");

        private final String sizeField;
        private final String cursorField;

        Direction(String sizeField, String cursorField) {
            this.sizeField = sizeField;
            this.cursorField = cursorField;
        }

        /** Name of the argument that takes the cursor: {@code after} or {@code before}. */
        public String cursorField() {
            return cursorField;
        }

        /** The other one. */
        public Direction opposite() {
            return this == FORWARD ? BACKWARD : FORWARD;
        }
    }
}
