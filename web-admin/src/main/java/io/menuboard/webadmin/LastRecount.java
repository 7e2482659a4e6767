package io.menuboard.webadmin;

import io.menuboard.favorites.Recount;
import io.menuboard.favorites.Recounts;
import io.menuboard.querydb.PageRequest;
import org.jspecify.annotations.Nullable;

/**
 * What came of the last recount, in a sentence.
 *
 * @param text goes on after the time
 */
record LastRecount(String at, String href, String text) {
    private static final int LOOKED_AT = 64;

    /** Null where there is none. */
    static @Nullable LastRecount of(Recounts recounts) {
        return recounts.list(PageRequest.forward(1, null)).nodes().stream()
                .findFirst()
                .map(last -> new LastRecount(
                        Moments.utc(last.requestedAt()),
                        FavoriteWords.link(last.id()).toString(),
                        text(last, recounts)))
                .orElse(null);
    }

    private static String text(Recount last, Recounts recounts) {
        if (last.finishedAt() == null) {
            return "not done yet.";
        }
        var of = last.restaurant() == null ? "" : " (only " + last.restaurant() + " was looked at)";
        if (last.drifted() == 0) {
            return "every count was what the marks say" + of + ".";
        }
        return FavoriteWords.restaurants(last.drifted()) + " differed" + of + ", " + outcome(last, recounts);
    }

    private static String outcome(Recount last, Recounts recounts) {
        if (last.mode() == Recount.Mode.CHECK) {
            return "and nothing was corrected.";
        }
        var drifts = recounts.drifts(last.id(), PageRequest.forward(LOOKED_AT, null));
        if (drifts.hasNextPage()) {
            return "see what came of each.";
        }
        var left = drifts.nodes().stream()
                .filter(drift -> drift.outcome() != Recount.Outcome.CORRECTED)
                .count();
        return left == 0 ? "corrected." : Counts.of(left) + " not corrected.";
    }
}
