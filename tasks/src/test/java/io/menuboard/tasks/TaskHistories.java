package io.menuboard.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.tasks.TaskEvent.Kind;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Rules that the history of a task that was done must meet, whatever happened on the way. */
public final class TaskHistories {
    private TaskHistories() {}

    /** Without gaps, one status after the other as the states allow, one claim for each attempt, completed once at the end. */
    public static void assertCompletedOnce(List<TaskEvent> history) {
        assertThat(history)
                .extracting(TaskEvent::number)
                .isEqualTo(IntStream.rangeClosed(1, history.size()).boxed().toList());
        assertThat(history.getFirst().kind()).isEqualTo(Kind.SUBMITTED);
        assertThat(history.getLast().kind()).isEqualTo(Kind.COMPLETED);
        var claims = history.stream().filter(event -> event.kind() == Kind.CLAIMED);
        var attempts = history.getLast().attempt();
        assertThat(claims.map(TaskEvent::attempt))
                .isEqualTo(IntStream.rangeClosed(1, attempts).boxed().toList());
        @Nullable TaskEvent before = null;
        for (var event : history) {
            assertThat(follows(event, before)).as("%s in %s", event, history).isTrue();
            before = event;
        }
    }

    private static boolean follows(TaskEvent event, @Nullable TaskEvent before) {
        if (before == null) {
            return event.kind() == Kind.SUBMITTED && event.attempt() == 0;
        }
        return switch (event.kind()) {
            case SUBMITTED -> false;
            case DUE ->
                before.status() == TaskStatus.SCHEDULED
                        && event.status() == TaskStatus.PENDING
                        && event.attempt() == before.attempt();
            case CLAIMED ->
                !before.status().isFinished()
                        && before.status() != TaskStatus.RUNNING
                        && event.status() == TaskStatus.RUNNING
                        && event.attempt() == before.attempt() + 1;
            case COMPLETED -> endsAttempt(event, before) && event.status() == TaskStatus.COMPLETED;
            case FAILED, LEASE_EXPIRED, RELEASED ->
                endsAttempt(event, before) && !event.status().isFinished();
            case CANCELLED, RETRIED, REASSIGNED, UNKNOWN -> false;
        };
    }

    private static boolean endsAttempt(TaskEvent event, TaskEvent before) {
        return before.status() == TaskStatus.RUNNING
                && event.attempt() == before.attempt()
                && event.worker() != null
                && event.worker().equals(before.worker());
    }
}
