package io.menuboard.tasks;

import java.time.Instant;

/**
 * A worker's right to a task until an instant, which it may extend.
 *
 * @param fencingToken greater for each later lease on the same task, by a step that nobody can guess. Whoever acts for
 *     this lease shows it, and is refused once another lease exists. Only who claims or extends the lease is told; 0 for
 *     anybody else who looks at the task
 * @param endsAt by the clock of the table, see {@link io.menuboard.querydb.coordination.TableClock}
 */
public record Lease(WorkerId worker, int fencingToken, Instant endsAt) {}
