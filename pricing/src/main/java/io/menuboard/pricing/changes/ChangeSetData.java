package io.menuboard.pricing.changes;

import io.menuboard.kernel.Actor;
import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.approvals.Approval;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Contents of a change set that every state of it has.
 *
 * @param attribution its id, who drafted it, and why
 * @param effectiveDate from when on each store's own clock; null for at once
 * @param run number of the last thing that was begun with it; 0 before the first preview
 * @param preview the last preview that was finished; or null
 * @param missing numbers of lines that are not in effect, or will not be, of a set that was applied
 * @param undoneBy the set that has put this one back; or null
 * @param restoredBy the set that has put back the one that had put this one back; or null
 * @param problem why the last thing that was done with it did not come to its end; or null
 * @param events what was begun with it after it was drafted, and by whom, the earliest first: at most {@value #MAX_EVENTS}, the
 *     first ones
 */
public record ChangeSetData(
        Attribution attribution,
        String name,
        @Nullable EffectiveDate effectiveDate,
        Origin origin,
        int run,
        @Nullable Preview preview,
        Missing missing,
        @Nullable ChangeSetId undoneBy,
        @Nullable ChangeSetId restoredBy,
        @Nullable String problem,
        List<Event> events) {
    private static final int MAX_EVENTS = 100;

    public ChangeSetData {
        events = List.copyOf(events);
    }

    /**
     * Something that somebody has begun with the set, or said of it: it was applied, cancelled, moved, approved or rejected.
     * Whoever put it back applied another set, {@code undoneBy}.
     *
     * @param reason why, for people; null where none is asked for
     */
    public record Event(
            ChangeSetAction action,
            Instant at,
            Actor actor,
            @Nullable String reason) {
        /** What no name has (ASCII's record separator). */
        private static final char BEFORE_REASON = '\u001e';

        static Event of(ChangeSetAction action, Instant at, Actor actor) {
            return new Event(action, at, actor, null);
        }

        String text() {
            return action + "\t" + at + "\t" + actor.text() + (reason == null ? "" : BEFORE_REASON + reason);
        }

        /** The event of such a text; empty for one of another version. */
        static Optional<Event> parse(String text) {
            var parts = text.split("\t", 3);
            return Stream.of(ChangeSetAction.values())
                    .filter(action -> action.name().equals(parts[0]))
                    .map(action -> of(action, Instant.parse(parts[1]), parts[2]))
                    .findFirst();
        }

        private static Event of(ChangeSetAction action, Instant at, String rest) {
            var end = rest.indexOf(BEFORE_REASON);
            return end < 0
                    ? of(action, at, Actor.parse(rest))
                    : new Event(action, at, Actor.parse(rest.substring(0, end)), rest.substring(end + 1));
        }
    }

    /**
     * Numbers of lines.
     *
     * @param unwritten those that could not be written
     * @param takenBack those that a cancel took back which left others in effect
     * @param overtaken those whose place a later set has taken
     */
    public record Missing(int unwritten, int takenBack, int overtaken) {
        public int count() {
            return unwritten + takenBack + overtaken;
        }
    }

    /** Origin of a set, other than rules: at most one of them. */
    record Origin(
            @Nullable ChangeSetId undoes,
            @Nullable ChangeSetId retries,
            @Nullable ImportId imported) {
        static final Origin RULES = new Origin(null, null, null);
    }

    /**
     * A finished preview.
     *
     * @param id unique among previews of the set, 16 hexadecimal digits; its token
     * @param shards partitions that its lines are in
     * @param isCurrent whether it may still be applied, or was
     * @param approval what a second person was asked about it; null where nobody was
     */
    record Preview(
            String id,
            int shards,
            ChangeSetSummary summary,
            boolean isCurrent,
            @Nullable Approval approval) {
        Preview outdated() {
            return new Preview(id, shards, summary, false, approval);
        }

        Preview at(ChangeSetSummary newSummary) {
            return new Preview(id, shards, newSummary, isCurrent, approval);
        }

        Preview with(Approval newApproval) {
            return new Preview(id, shards, summary, isCurrent, newApproval);
        }
    }

    /** Those of a set with which nothing was done yet. */
    static ChangeSetData fresh(Attribution attribution, String name, @Nullable EffectiveDate date, Origin origin) {
        return new ChangeSetData(
                attribution, name, date, origin, 0, null, new Missing(0, 0, 0), null, null, null, List.of());
    }

    ChangeSetId id() {
        return attribution.changeSet();
    }

    public int unwritten() {
        return missing.unwritten;
    }

    public int takenBack() {
        return missing.takenBack;
    }

    public int overtaken() {
        return missing.overtaken;
    }

    ChangeSetData inRun(int newRun) {
        return new ChangeSetData(
                attribution,
                name,
                effectiveDate,
                origin,
                newRun,
                preview,
                missing,
                undoneBy,
                restoredBy,
                problem,
                events);
    }

    /** With one thing more that was begun; it stays as it is where there are many already. */
    ChangeSetData did(Event event) {
        if (events.size() >= MAX_EVENTS) {
            return this;
        }
        return new ChangeSetData(
                attribution,
                name,
                effectiveDate,
                origin,
                run,
                preview,
                missing,
                undoneBy,
                restoredBy,
                problem,
                Stream.concat(events.stream(), Stream.of(event)).toList());
    }

    /** As it is after somebody has done that in one step, by which that many lines more were overtaken. */
    ChangeSetData done(Event by, int newUnwritten, int moreOvertaken) {
        return inRun(run + 1)
                .failed(newUnwritten, overtaken() + moreOvertaken)
                .did(by)
                .problem(null);
    }

    ChangeSetData with(@Nullable Preview newPreview) {
        return new ChangeSetData(
                attribution,
                name,
                effectiveDate,
                origin,
                run,
                newPreview,
                missing,
                undoneBy,
                restoredBy,
                problem,
                events);
    }

    /** Without a preview that may be applied. */
    ChangeSetData outdated() {
        return with(preview == null ? null : preview.outdated());
    }

    ChangeSetData problem(@Nullable String newProblem) {
        return new ChangeSetData(
                attribution,
                name,
                effectiveDate,
                origin,
                run,
                preview,
                missing,
                undoneBy,
                restoredBy,
                newProblem,
                events);
    }

    ChangeSetData failed(int newUnwritten, int newOvertaken) {
        return new ChangeSetData(
                attribution,
                name,
                effectiveDate,
                origin,
                run,
                preview,
                new Missing(newUnwritten, takenBack(), newOvertaken),
                undoneBy,
                restoredBy,
                problem,
                events);
    }

    ChangeSetData takenBack(int newTakenBack) {
        return new ChangeSetData(
                attribution,
                name,
                effectiveDate,
                origin,
                run,
                preview,
                new Missing(unwritten(), newTakenBack, overtaken()),
                undoneBy,
                restoredBy,
                problem,
                events);
    }

    ChangeSetData at(EffectiveDate date) {
        return new ChangeSetData(
                attribution, name, date, origin, run, preview, missing, undoneBy, restoredBy, problem, events);
    }
}
