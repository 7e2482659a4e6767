package io.menuboard.tasks;

import io.menuboard.kernel.Ids;

/**
 * What kind of work a task is, for example {@code labels.print}. Workers claim by type.
 *
 * @param value 1 to 64 characters as {@link Ids} allows; anything else is refused with
 *     {@link io.menuboard.kernel.InvalidInput} {@code INVALID_ID} on field {@code type}
 */
public record TaskType(String value) implements Comparable<TaskType> {
    /** What types of the application's own long operations begin with; clients have no tasks of those. */
    public static final String OPERATION_PREFIX = "menuboard.";

    public TaskType {
        Ids.check("type", value);
    }

    /** Whether tasks of this type are long operations of the application itself. */
    public boolean isOperation() {
        return value.startsWith(OPERATION_PREFIX);
    }

    @Override
    public int compareTo(TaskType other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
