package io.menuboard.tasks;

import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;

/**
 * Kind of work, for example {@code labels.print}. Workers claim by type.
 *
 * @param value 1 to 64 characters as {@link Ids} allows; anything else is refused with
 *     {@link InvalidInput} {@code INVALID_ID} on field {@code type}
 */
public record TaskType(String value) implements Comparable<TaskType> {
    /** Prefix of the types of the application's own long operations; clients have no tasks of those. */
    public static final String OPERATION_PREFIX = "menuboard.";

    /** Prefix of those that call servers of others, and fail where such a server does. */
    public static final String WEBHOOK_PREFIX = OPERATION_PREFIX + "webhooks.";

    public TaskType {
        Ids.check("type", value);
    }

    /** True if tasks of this type are long operations of the application itself. */
    public boolean isOperation() {
        return value.startsWith(OPERATION_PREFIX);
    }

    /** True if no task of this type can fail but by a fault of the application, or of what it runs on. */
    public boolean isInternal() {
        return isOperation() && !isDelivery();
    }

    /** True if a task of this type tells a webhook what has happened. */
    public boolean isDelivery() {
        return value.startsWith(WEBHOOK_PREFIX);
    }

    /** Throws {@link InvalidInput} {@code RESERVED_TYPE} on {@code field} for a type that clients have no tasks of. */
    public void requireClients(String field) {
        if (isOperation()) {
            throw new InvalidInput(
                    "RESERVED_TYPE",
                    field,
                    "must not be of Menuboard's own operations, whose types begin with " + OPERATION_PREFIX);
        }
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
