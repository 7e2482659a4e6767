package io.menuboard.pricing;

import io.menuboard.kernel.Actor;

/**
 * The change set, person and reason that a change of prices is attributed to in history and audit.
 *
 * @param reason for people
 */
public record Attribution(ChangeSetId changeSet, Actor actor, String reason) {

    /** Of a set that is not kept any more: by the system, and without a reason. */
    public static Attribution notKept(ChangeSetId changeSet) {
        return new Attribution(changeSet, Actor.system("price changes", Actor.Source.SCHEDULER), "");
    }
}
