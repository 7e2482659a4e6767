package io.menuboard.webadmin.tasks;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.menuboard.access.Access;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskType;
import io.menuboard.webadmin.ui.Link;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The names and pages of the application's own long operations. Immutable. */
public final class Operations {
    private final Map<TaskType, OperationPage> pages;

    Operations(Collection<OperationPage> pages) {
        this.pages = pages.stream().collect(toUnmodifiableMap(OperationPage::type, Function.identity()));
    }

    /** The name of a type, such as {@code Import} of {@code menuboard.import} where no feature has given it one. */
    public String name(TaskType type) {
        var page = pages.get(type);
        if (page != null) {
            return page.name();
        }
        var name = type.value().substring(TaskType.OPERATION_PREFIX.length());
        return Character.toUpperCase(name.charAt(0)) + name.substring(1).replace('.', ' ');
    }

    /** The page that shows the operation, for who may open it; empty where there is none but the task's own. */
    public Optional<Link> page(Access access, Task task) {
        return Optional.ofNullable(pages.get(task.type()))
                .filter(page -> access.may(page.permission()))
                .flatMap(page -> page.link().apply(task));
    }
}
