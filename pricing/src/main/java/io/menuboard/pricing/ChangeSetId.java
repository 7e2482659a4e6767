package io.menuboard.pricing;

import io.menuboard.kernel.Ulid;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * The id of one change set. Ids sort as their sets were made, which decides where two sets want the same price.
 *
 * @param value a {@link Ulid}; anything else is refused with {@link io.menuboard.kernel.InvalidInput}
 *     {@code INVALID_ID} on field {@code changeSet}
 */
public record ChangeSetId(String value) implements Comparable<ChangeSetId> {

    public ChangeSetId {
        Ulid.check("changeSet", value);
    }

    public static ChangeSetId random(Instant now, RandomGenerator random) {
        return new ChangeSetId(Ulid.random(now, random));
    }

    /** To the millisecond. */
    public Instant createdAt() {
        return Ulid.instant(value);
    }

    @Override
    public int compareTo(ChangeSetId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
