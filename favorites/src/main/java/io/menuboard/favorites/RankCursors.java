package io.menuboard.favorites;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.PageRequest.Direction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a page of a ranking begins: a cursor of the list, and before it the position, rank and count of the restaurant
 * that it stands for, so that those of the next page are known without counting what comes before.
 *
 * @param cursor of the list itself
 */
record RankCursors(long position, long rank, long count, String cursor) {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,12})\\.([0-9]{1,12})\\.([0-9]{1,12})\\.(.+)");

    /** Null where the request has no cursor. */
    static @Nullable RankCursors of(PageRequest request) {
        if (request.cursor() == null) {
            return null;
        }
        var form = FORM.matcher(request.cursor());
        if (!form.matches()) {
            var field = request.direction() == Direction.FORWARD ? "after" : "before";
            throw new InvalidInput("INVALID_CURSOR", field, "must be a cursor that this same list gave out");
        }
        return new RankCursors(
                Long.parseLong(form.group(1)),
                Long.parseLong(form.group(2)),
                Long.parseLong(form.group(3)),
                form.group(4));
    }

    static String write(RankedRestaurant ranked, String cursor) {
        return ranked.position() + "." + ranked.rank() + "." + ranked.count() + "." + cursor;
    }
}
