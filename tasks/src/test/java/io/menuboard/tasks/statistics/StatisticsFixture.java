package io.menuboard.tasks.statistics;

import io.menuboard.querydb.QueryDb;
import io.menuboard.tasks.DynamoTasks;
import io.menuboard.tasks.TaskLimits;
import io.menuboard.tasks.TaskListener;
import io.menuboard.tasks.TaskReads;
import java.time.Clock;
import java.util.stream.Stream;

/** Statistics of one instance on a test's table. */
public final class StatisticsFixture {
    private final DynamoTaskCounts counts;

    /** Counts that are not written yet. */
    public StatisticsFixture(QueryDb db, Clock clock) {
        this.counts = new DynamoTaskCounts(db, clock);
    }

    /** Those that an instance's steps tell of what happened. */
    public Stream<TaskListener> listeners() {
        return Stream.of(counts);
    }

    /** The use case. */
    public TaskStatistics statistics(TaskReads reads, DynamoTasks store, TaskLimits limits) {
        return new TaskStatistics(reads, store.types(), counts, limits);
    }
}
