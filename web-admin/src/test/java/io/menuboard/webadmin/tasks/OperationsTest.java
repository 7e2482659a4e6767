package io.menuboard.webadmin.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Permission;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.kernel.Actor;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.TasksInstance;
import io.menuboard.webadmin.pages.TaskSample;
import io.menuboard.webadmin.ui.Link;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OperationsTest {
    private static final TaskType TYPE = new TaskType(TaskType.OPERATION_PREFIX + "test");
    private static final Link PAGE = Link.to("changes", "1");

    @Test
    void leadsThoseToThePageOfAnOperationWhoMayOpenIt() {
        var operations =
                new Operations(List.of(OperationPage.of(TYPE, "Test", Permission.PRICES_READ, _ -> Optional.of(PAGE))));
        var task = task();

        assertThat(operations.page(with(Role.VIEWER), task)).contains(PAGE);
        assertThat(operations.page(with(Role.TASK_OPERATOR), task)).isEmpty();
    }

    private static Task task() {
        var tasks = TasksInstance.of(TaskSample.shared().server()::bean);
        var submitted = tasks.submission().submit(with(Role.TASK_OPERATOR), SubmitTask.operation(TYPE, Json.EMPTY));
        return ((SubmitResult.Created) submitted).task();
    }

    private static Access with(Role role) {
        return new Access(new Principal("u1", Actor.Kind.USER, "grace", Set.of(Grant.of(role))), Actor.Source.PAGE);
    }
}
