package io.menuboard.webadmin.operations;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Page;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskType;
import io.menuboard.webadmin.tasks.Operations;
import io.menuboard.webadmin.tasks.TaskAction;
import io.menuboard.webadmin.tasks.TaskFilterForm;
import io.menuboard.webadmin.tasks.TaskProgressBar;
import io.menuboard.webadmin.tasks.TaskWords;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Reference;
import io.menuboard.webadmin.ui.Submission;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code operations/list}.
 *
 * @param open whether something runs or waits, so that the page asks again
 * @param summary how many run and wait, in words
 * @param more where all are listed of what is not shown here in full, for who may see it
 * @param finished the latest ones, last finished first
 * @param begin the page on which one can be begun, for who may open it
 * @param types where all finished ones of each type are listed
 */
record OperationsPage(
        boolean open,
        String summary,
        List<Type> more,
        List<Row> running,
        List<Row> waiting,
        List<Row> finished,
        Reference begin,
        List<Type> types) {

    static OperationsPage of(
            Access access,
            First running,
            First waiting,
            List<Task> finished,
            List<TaskType> types,
            Operations operations,
            Instant now) {
        return new OperationsPage(
                !running.tasks.isEmpty() || !waiting.tasks.isEmpty(),
                running.tasks.isEmpty() && waiting.tasks.isEmpty()
                        ? "Nothing is running."
                        : running.count() + " running, " + waiting.count() + " waiting.",
                access.isForAll(Permission.TASKS_READ)
                        ? Stream.concat(running.cut.stream(), waiting.cut.stream())
                                .map(filter -> Type.of(filter, operations))
                                .toList()
                        : List.of(),
                running.tasks.stream()
                        .map(task -> Row.of(access, task, operations, now))
                        .toList(),
                waiting.tasks.stream()
                        .map(task -> Row.of(access, task, operations, now))
                        .toList(),
                finished.stream()
                        .map(task -> Row.of(access, task, operations, now))
                        .toList(),
                access.may(Permission.PRICES_READ)
                        ? Reference.of("Import files", Link.to("imports"))
                        : Reference.of("Recount favorites", Link.to("favorites", "recounts")),
                types.stream().map(type -> Type.of(type, operations)).toList());
    }

    /**
     * The first tasks of some lists.
     *
     * @param cut the lists that have more
     */
    record First(List<Task> tasks, List<TaskFilter> cut) {
        static final First NONE = new First(List.of(), List.of());

        static First of(TaskFilter filter, Page<Task> page) {
            return new First(page.nodes(), page.hasNextPage() ? List.of(filter) : List.of());
        }

        First and(First more) {
            return new First(
                    Stream.concat(tasks.stream(), more.tasks.stream()).toList(),
                    Stream.concat(cut.stream(), more.cut.stream()).toList());
        }

        /** Those submitted first, first. */
        First sorted() {
            return new First(
                    tasks.stream().sorted(Comparator.comparing(Task::id)).toList(), cut);
        }

        /** How many there are, in words. */
        String count() {
            return (cut.isEmpty() ? "" : "at least ") + Counts.of(tasks.size());
        }
    }

    /**
     * @param id tells its links apart from those of other rows, so that the focus stays where it is
     * @param pageHref address of the page that shows what it does, or null
     * @param cancelHref address of the question whether to cancel it; null for who may not
     * @param since when it was finished or submitted
     * @param note what came of it, or when it goes on
     */
    record Row(
            String id,
            String shortId,
            String name,
            String href,
            @Nullable String pageHref,
            @Nullable String cancelHref,
            Submission submitted,
            String since,
            String note,
            @Nullable TaskProgressBar progress,
            Badge status) {

        static Row of(Access access, Task task, Operations operations, Instant now) {
            return new Row(
                    task.id().value(),
                    TaskWords.shortId(task),
                    operations.name(task.type()),
                    Link.to("tasks", task.id().value()).toString(),
                    operations.page(access, task).map(Link::toString).orElse(null),
                    access.may(Permission.TASKS_OPERATE)
                            ? Link.to("tasks", task.id().value(), TaskAction.CANCEL.path())
                                    .toString()
                            : null,
                    Submission.of(task.submittedAt(), task.submittedBy()),
                    Moments.ago(Objects.requireNonNullElse(task.finishedAt(), task.submittedAt()), now),
                    task.reason() == null ? TaskWords.summary(task) : task.reason(),
                    TaskProgressBar.of(task),
                    TaskWords.badge(task.status()));
        }
    }

    /** List of all tasks of a type with a status. */
    record Type(String href, String label) {
        static Type of(TaskFilter filter, Operations operations) {
            return new Type(
                    TaskFilterForm.of(filter).on(Link.to("tasks")).toString(),
                    operations.name(Objects.requireNonNull(filter.type())) + ", "
                            + filter.status().name().toLowerCase(Locale.ROOT));
        }

        /** Of all completed ones. */
        static Type of(TaskType type, Operations operations) {
            return new Type(
                    TaskFilterForm.of(TaskStatus.COMPLETED)
                            .on(Link.to("tasks").with("type", type.value()))
                            .toString(),
                    operations.name(type));
        }
    }
}
