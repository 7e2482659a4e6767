package io.menuboard.tasks.statistics;

import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import java.time.Instant;

/** Statistics of {@code tasks.graphqls} to use cases. */
final class StatisticsGraphQl implements GraphQlModule {
    private final TaskStatistics statistics;

    StatisticsGraphQl(TaskStatistics statistics) {
        this.statistics = statistics;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.query("queueStatistics", _ -> statistics.queues());
        parts.query("taskCounts", args -> statistics.counts(args.get("from", Instant.EPOCH)));
    }
}
