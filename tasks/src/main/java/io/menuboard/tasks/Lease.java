package io.menuboard.tasks;

import java.time.Instant;

/**
 * A worker's right to a task until an instant, which it may extend.
 *
 * @param fencingToken greater for each later lease on the same task, by an unpredictable step. A worker that acts for
 *     this lease shows it, and is refused once another lease exists. Only the claim or extension of the lease returns it; 0 for
 *     any other reader of the task
 * @param endsAt by the clock of the table, see {@link io.menuboard.querydb.coordination.TableClock}
 */
public record Lease(WorkerId worker, int fencingToken, Instant endsAt) {}
