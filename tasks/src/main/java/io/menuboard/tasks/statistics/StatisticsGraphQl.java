package io.menuboard.tasks.statistics;

import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.Count;

/** Statistics of {@code tasks.graphqls} to use cases. */
final class StatisticsGraphQl implements GraphQlModule {
    private final TaskStatistics statistics;

    StatisticsGraphQl(TaskStatistics statistics) {
        this.statistics = statistics;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.query("queueStatistics", args -> statistics.queues(args.access()));
        parts.query("taskCounts", args -> statistics.counts(args.access(), args.get("from"), args.page()));
        parts.object("QueueStatistics", QueueStatistics.class)
                .field(
                        "pending",
                        queue -> queue.pendingIsLeast()
                                ? Count.atLeast(queue.pending())
                                : Count.exactly(queue.pending()))
                .field("oldestPendingAt", QueueStatistics::oldestPending);
        parts.object("TaskCounts", TaskCounts.class).field("startsAt", TaskCounts::minute);
    }
}
