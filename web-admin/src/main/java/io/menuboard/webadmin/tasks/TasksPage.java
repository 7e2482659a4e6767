package io.menuboard.webadmin.tasks;

import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskType;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Choice;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.lists.Listing;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code tasks/list}.
 *
 * @param everything whether all tasks are in sight, and not only those that some workers hold
 * @param queues null where only the list goes out
 * @param order in which the tasks are listed, in words
 * @param detail what the column is that differs from status to status
 */
record TasksPage(
        TaskFilterForm filter,
        boolean everything,
        @Nullable QueuesPanel queues,
        List<Choice> types,
        List<Tab> tabs,
        String order,
        String detail,
        Listing list,
        List<Row> rows,
        List<BulkLink> bulk) {

    /**
     * @param types every type to choose from; not needed where only the list goes out
     * @param counts of tasks with this filter, up to {@link Tab#COUNTED_AT_MOST}; of some statuses only
     */
    static TasksPage of(
            TaskFilterForm filter,
            boolean everything,
            @Nullable QueuesPanel queues,
            List<TaskType> types,
            Map<TaskStatus, Long> counts,
            Listing list,
            List<Row> rows,
            List<BulkLink> bulk) {
        return new TasksPage(
                filter,
                everything,
                queues,
                filter.types(types),
                TaskFilterForm.STATUSES.stream()
                        .filter(status -> everything || status == TaskStatus.RUNNING)
                        .map(status -> Tab.of(status, filter, counts.get(status)))
                        .toList(),
                order(filter.status()),
                detail(filter.status()),
                list,
                rows,
                bulk);
    }

    private static String order(String status) {
        return switch (status) {
            case "PENDING" -> "Listed as they are claimed: the highest priority first, then the oldest.";
            case "SCHEDULED" -> "Listed by when they are due, the soonest first.";
            case "RUNNING" -> "Listed by when their leases end, the soonest first.";
            default -> "Listed as they were submitted, the oldest first.";
        };
    }

    private static String detail(String status) {
        return switch (status) {
            case "SCHEDULED" -> "Due";
            case "RUNNING" -> "Lease";
            case "COMPLETED" -> "Finished";
            default -> "Last reason";
        };
    }

    /**
     * The same list of another status. Its address leads to the list, which may be far down on a phone.
     *
     * @param count how many tasks it has; empty where that is not counted
     */
    record Tab(String href, String label, String count, boolean current) {
        static final int COUNTED_AT_MOST = 100;

        static Tab of(TaskStatus status, TaskFilterForm filter, @Nullable Long count) {
            return new Tab(
                    filter.in(status).on(Link.to("tasks")) + "#status",
                    TaskWords.badge(status).label(),
                    count == null ? "" : count < COUNTED_AT_MOST ? count.toString() : COUNTED_AT_MOST + "+",
                    filter.idempotencyKey().isEmpty() && status.name().equals(filter.status()));
        }
    }

    /** A change to everything that the filter lets through. */
    record BulkLink(String href, String label) {}

    /**
     * @param id its last characters, which tell tasks apart
     * @param worker who holds it, null where nobody does
     * @param detail what is worth knowing in this status; may be empty
     */
    record Row(
            String id,
            String href,
            String type,
            String priority,
            String submitted,
            String age,
            String failures,
            @Nullable String worker,
            @Nullable String workerHref,
            String detail,
            Badge status) {

        static Row of(Task task, Instant now) {
            var lease = task.lease();
            return new Row(
                    TaskWords.shortId(task),
                    Link.to("tasks", task.id().value()).toString(),
                    task.type().value(),
                    TaskWords.priority(task),
                    Moments.utc(task.submittedAt()),
                    Moments.ago(task.submittedAt(), now),
                    TaskWords.failures(task),
                    lease == null ? null : lease.worker().value(),
                    lease == null
                            ? null
                            : Link.to("tasks", "workers", lease.worker().value())
                                    .toString(),
                    detail(task, now),
                    TaskWords.badge(task.status()));
        }

        private static String detail(Task task, Instant now) {
            var reason = task.reason() == null ? "" : task.reason();
            return switch (task.status()) {
                case SCHEDULED ->
                    TaskWords.due(task, now) + (task.reservedFor() == null ? "" : ", for " + task.reservedFor());
                case RUNNING -> TaskWords.left(task, now);
                case COMPLETED -> task.finishedAt() == null ? "" : Moments.ago(task.finishedAt(), now);
                case PENDING, DEAD, CANCELLED -> reason;
            };
        }
    }
}
