package io.menuboard.tasks;

import io.menuboard.kernel.Ulid;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * The id of one task. Ids sort as their tasks were submitted.
 *
 * @param value a {@link Ulid}; anything else is refused with {@link io.menuboard.kernel.InvalidInput}
 *     {@code INVALID_ID} on field {@code id}
 */
public record TaskId(String value) implements Comparable<TaskId> {

    public TaskId {
        Ulid.check("id", value);
    }

    static TaskId random(Instant now, RandomGenerator random) {
        return new TaskId(Ulid.random(now, random));
    }

    /** To the millisecond. */
    public Instant submittedAt() {
        return Ulid.instant(value);
    }

    @Override
    public int compareTo(TaskId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
