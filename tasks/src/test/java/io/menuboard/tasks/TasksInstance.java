package io.menuboard.tasks;

import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.coordination.InstanceLeases;
import io.menuboard.tasks.claims.ClaimsFixture;
import io.menuboard.tasks.claims.Sweeper;
import io.menuboard.tasks.claims.TaskSweeper;
import io.menuboard.tasks.claims.WorkerProtocol;
import io.menuboard.tasks.claims.WorkerReads;
import io.menuboard.tasks.statistics.TaskStatistics;

/** The use cases of one instance, for tests that need most of them. */
public record TasksInstance(
        TaskSubmission submission,
        WorkerProtocol protocol,
        TaskAdministration administration,
        TaskReads reads,
        WorkerReads workers,
        TaskStatistics statistics,
        TaskSweeper sweeper,
        InstanceLeases leases) {

    /** Gives an instance's singletons, as an application context does. */
    public interface Beans {
        /** The bean of that type. */
        <T> T get(Class<T> type);
    }

    /** The use cases of a running application. */
    public static TasksInstance of(Beans beans) {
        return new TasksInstance(
                beans.get(TaskSubmission.class),
                beans.get(WorkerProtocol.class),
                beans.get(TaskAdministration.class),
                beans.get(TaskReads.class),
                beans.get(WorkerReads.class),
                beans.get(TaskStatistics.class),
                beans.get(TaskSweeper.class),
                beans.get(InstanceLeases.class));
    }

    /** As instances do by themselves; how many tasks were moved. */
    public int sweep() {
        return sweeper.sweep(() -> true);
    }

    /** How many tasks there are of that status and type. */
    public long count(TaskStatus status, TaskType type) {
        return reads.list(
                        TasksFixture.STAFF,
                        new TaskFilter(status, type, null, null, null, null),
                        PageRequest.forward(1, null))
                .totalCount()
                .count();
    }

    /** Sweeps in turn with other instances. */
    public Sweeper leasedSweeper(String holder) {
        return ClaimsFixture.sweeper(sweeper, leases, reads::now, holder);
    }
}
