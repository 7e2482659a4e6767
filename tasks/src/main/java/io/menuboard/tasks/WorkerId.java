package io.menuboard.tasks;

import io.menuboard.kernel.Ids;

/**
 * Name of a worker, one for each process or thread that claims for itself.
 *
 * @param value 1 to 64 characters as {@link Ids} allows; anything else is refused with
 *     {@link io.menuboard.kernel.InvalidInput} {@code INVALID_ID} on field {@code worker}
 */
public record WorkerId(String value) {

    public WorkerId {
        Ids.check("worker", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
