package io.menuboard.pricing.approvals;

import io.menuboard.kernel.Actor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a second person has been asked about one preview of a change set, and has said.
 *
 * @param requestedBy who asked for it
 * @param decision null while nobody has decided
 */
public record Approval(
        Actor requestedBy, Instant requestedAt, @Nullable Decision decision) {

    /**
     * What was decided, which stays so for that preview.
     *
     * @param reason why it was rejected, for people; empty where it was approved
     */
    public record Decision(boolean isApproved, Actor by, Instant at, String reason) {}

    /** How far the approval of a preview has come. */
    public enum Status {
        /** Needed, and nobody has been asked. */
        NEEDED,
        /** Asked for, and not decided. */
        REQUESTED,
        APPROVED,
        /** Refused: the set can be previewed and asked for again, or cancelled. */
        REJECTED
    }

    public Status status() {
        return decision == null ? Status.REQUESTED : decision.isApproved() ? Status.APPROVED : Status.REJECTED;
    }

    /** The same, decided. */
    public Approval with(Decision made) {
        return new Approval(requestedBy, requestedAt, made);
    }

    /** As an attribute of an item. */
    public List<String> cells() {
        var cells = new ArrayList<>(List.of(requestedAt.toString(), requestedBy.text()));
        if (decision != null) {
            cells.add(status().name());
            cells.add(decision.at().toString());
            cells.add(decision.by().text());
            cells.add(decision.reason());
        }
        return cells;
    }

    /** The approval that {@link #cells} wrote. */
    public static Approval of(List<String> cells) {
        var requested = new Approval(Actor.parse(cells.get(1)), Instant.parse(cells.get(0)), null);
        return cells.size() == 2
                ? requested
                : requested.with(new Decision(
                        Status.valueOf(cells.get(2)) == Status.APPROVED,
                        Actor.parse(cells.get(4)),
                        Instant.parse(cells.get(3)),
                        cells.get(5)));
    }
}
