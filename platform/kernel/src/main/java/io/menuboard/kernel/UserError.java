package io.menuboard.kernel;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reason why a mutation changed nothing, for clients.
 *
 * @param code stable, in UPPER_SNAKE
 * @param message names what is wrong and the rule
 * @param path names of the argument and of the fields in it, and indices in lists
 */
public record UserError(String code, String message, List<String> path) {

    /** The only one. */
    public static List<UserError> list(String code, String message, String... path) {
        return List.of(new UserError(code, message, List.of(path)));
    }

    /**
     * The only one, of input that was refused.
     *
     * @param within path of what was wrong with its field, which may have parts itself, with points between them
     */
    public static List<UserError> list(InvalidInput refused, String... within) {
        var path = Stream.concat(Arrays.stream(within), path(refused).stream());
        return List.of(new UserError(refused.code(), refused.getMessage(), path.toList()));
    }

    /** Path of what was wrong: its parts have points between them in {@link InvalidInput#field}. Empty for no argument. */
    public static List<String> path(InvalidInput refused) {
        return refused.field().isEmpty() ? List.of() : List.of(refused.field().split("\\.", -1));
    }
}
