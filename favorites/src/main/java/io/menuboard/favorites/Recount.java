package io.menuboard.favorites;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Ulid;
import io.menuboard.tasks.TaskId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of counts with the marks that they count.
 *
 * @param restaurant the only one that is checked; null for all that ever had a mark counted
 * @param by who asked for it
 * @param task that does it; null for a moment after it was asked for, some minutes where the process died in it
 * @param checked restaurants so far
 * @param drifted restaurants whose counts differed, as long as it runs those found so far
 * @param undecided restaurants of which it is not known whether their counts differ, as long as it runs those so far
 * @param finishedAt null while it runs or waits; and where its task is dead or cancelled, with which it goes on when that is
 *     retried
 */
public record Recount(
        Id id,
        Mode mode,
        @Nullable RestaurantId restaurant,
        Actor by,
        Instant requestedAt,
        @Nullable TaskId task,
        long checked,
        long drifted,
        long undecided,
        @Nullable Instant finishedAt) {

    /**
     * Identifies a recount; sorts by when it was asked for.
     *
     * @param value a {@link Ulid}; anything else is refused with {@link io.menuboard.kernel.InvalidInput}
     *     {@code INVALID_ID} on field {@code id}
     */
    public record Id(String value) {
        public Id {
            Ulid.check("id", value);
        }

        @Override
        public String toString() {
            return value;
        }
    }

    /** Treatment of counts that differ. */
    public enum Mode {
        /** Nothing: they are listed. */
        CHECK,
        /** They become what the marks say, with an audit record for each restaurant. */
        CORRECT
    }

    /**
     * A restaurant whose counts differed, or of which that is not known.
     *
     * @param notCounted marks that were not counted; no more than 10,000 at once
     * @param gone marks that are there no more, and of which only the begin or only the end was counted; no more than 40,000
     *     at once
     * @param differences windows with another count, or another ranked count, than the marks have
     */
    public record Drift(
            RestaurantId restaurant,
            Instant foundAt,
            long notCounted,
            long gone,
            List<Difference> differences,
            Outcome outcome) {

        public Drift {
            differences = List.copyOf(differences);
        }

        static Drift undecided(RestaurantId restaurant, Instant foundAt, Outcome outcome) {
            return new Drift(restaurant, foundAt, 0, 0, List.of(), outcome);
        }

        Drift with(Outcome other) {
            return new Drift(restaurant, foundAt, notCounted, gone, differences, other);
        }
    }

    /**
     * Counts of a window: those that were found, and the right one.
     *
     * @param ranked what the ranking said
     * @param counted what the restaurant's own count was
     * @param recounted how many marks there are
     */
    public record Difference(FavoriteWindow window, long ranked, long counted, long recounted) {}

    /** Outcome of a drift. */
    public enum Outcome {
        /**
         * Only found: nothing was to be corrected, the recount was cut off while it corrected, or marks were counted each time that it
         * was about to.
         */
        FOUND,
        /** Counts are what the marks say. */
        CORRECTED,
        /** Not corrected: marks that are not counted yet, or not yet in the list of marks, may explain it. */
        COUNTING_IS_BEHIND,
        /**
         * Marks went on being made and taken back all the time, or could not be read any more, or more was wrong than one recount
         * corrects, or it was cut off; what it could be sure of was corrected, and the next recount may find a quiet moment for the
         * rest.
         */
        BUSY,
        /**
         * Undecided: marks went on being made and taken back all the time, and nothing was found that surely differed. The next
         * recount may find a quiet moment.
         */
        UNSETTLED,
        /** Undecided: another version wrote a mark that this one cannot read. Nothing was compared. */
        UNREADABLE;

        /** False where it is not known whether counts differed. */
        public boolean isDecided() {
            return switch (this) {
                case FOUND, CORRECTED, COUNTING_IS_BEHIND, BUSY -> true;
                case UNSETTLED, UNREADABLE -> false;
            };
        }
    }
}
