package io.menuboard.tasks;

import java.time.Instant;

/**
 * A worker's right to a task until an instant, which it may extend.
 *
 * @param fencingToken number of the attempt; greater for each later lease on the same task. Whoever acts for this lease
 *     shows it, and is refused once another lease exists
 * @param endsAt by the clock of the table, see {@link io.menuboard.querydb.TableClock}
 */
public record Lease(WorkerId worker, int fencingToken, Instant endsAt) {}
