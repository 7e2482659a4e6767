package io.menuboard.tasks;

import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;

/**
 * Name of a worker, one for each process or thread that claims for itself.
 *
 * @param value 1 to 64 characters as {@link Ids} allows; anything else is refused with
 *     {@link InvalidInput} {@code INVALID_ID} on field {@code worker}
 */
public record WorkerId(String value) {
    /** Prefix of the names of the application's own workers, which do no tasks but those that they claim themselves. */
    public static final String OWN_PREFIX = "menuboard-";

    public WorkerId {
        Ids.check("worker", value);
    }

    /** Throws {@link InvalidInput} {@code RESERVED_WORKER} on {@code field} for one of the application's own workers. */
    public void requireClients(String field) {
        if (value.startsWith(OWN_PREFIX)) {
            throw new InvalidInput(
                    "RESERVED_WORKER",
                    field,
                    "must not be one of Menuboard's own workers, whose names begin with " + OWN_PREFIX);
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
