package io.menuboard.webadmin.favorites;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;

/**
 * Pages of favorites that who looks at one of them may open; links to the rest are left out.
 *
 * @param rankings those of rankings
 * @param marks those of restaurants and users
 * @param recounts those of recounts
 * @param act the one that begins a recount
 * @param tasks those of tasks
 * @param retry the one that retries a task
 */
record FavoriteDoors(boolean rankings, boolean marks, boolean recounts, boolean act, boolean tasks, boolean retry) {
    static FavoriteDoors of(Access access) {
        return new FavoriteDoors(
                access.may(Permission.RANKINGS_READ),
                access.may(Permission.MARKS_READ),
                access.may(Permission.OPERATIONS_READ),
                access.may(Permission.OPERATIONS_ACT),
                access.isForAll(Permission.TASKS_READ),
                access.may(Permission.TASKS_OPERATE));
    }
}
