package io.menuboard.webadmin.favorites;

import io.menuboard.access.Access;
import io.menuboard.favorites.Recount;
import io.menuboard.favorites.Recounts;
import io.menuboard.kernel.PageRequest;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Moments;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of the last recount of all restaurants that is done, in a sentence.
 *
 * @param text goes on after the time
 */
record LastRecount(String at, String href, String text) {
    private static final int LOOKED_AT = 64;

    /** Null where there is none. */
    static @Nullable LastRecount of(Access access, Recounts recounts) {
        return recounts.lastOfAll(access)
                .map(last -> new LastRecount(
                        Moments.utc(last.requestedAt()),
                        FavoriteWords.link(last.id()).toString(),
                        text(access, last, recounts)))
                .orElse(null);
    }

    private static String text(Access access, Recount last, Recounts recounts) {
        if (last.drifted() > 0) {
            return FavoriteWords.restaurants(last.drifted()) + " differed, " + outcome(access, last, recounts)
                    + (last.undecided() == 0 ? "" : " " + Counts.of(last.undecided()) + " undecided.");
        }
        return last.undecided() > 0
                ? FavoriteWords.restaurants(last.undecided()) + " undecided, and all others agreed."
                : "every count was what the marks say.";
    }

    private static String outcome(Access access, Recount last, Recounts recounts) {
        if (last.mode() == Recount.Mode.CHECK) {
            return "and nothing was corrected.";
        }
        var drifts = recounts.drifts(access, last.id(), PageRequest.forward(LOOKED_AT, null));
        if (drifts.hasNextPage()) {
            return "see what came of each.";
        }
        var left = drifts.nodes().stream()
                .map(Recount.Drift::outcome)
                .filter(outcome -> outcome.isDecided() && outcome != Recount.Outcome.CORRECTED)
                .count();
        return left == 0 ? "corrected." : Counts.of(left) + " not corrected.";
    }
}
