package io.menuboard.billing.transactions;

import io.menuboard.kernel.Ids;

/**
 * A partner who has a share of what was sold.
 *
 * @param value 1 to 64 characters as {@link Ids} allows; anything else is refused with
 *     {@link io.menuboard.kernel.InvalidInput} {@code INVALID_ID} on field {@code agency}
 */
public record AgencyId(String value) implements Comparable<AgencyId> {
    public AgencyId {
        Ids.check("agency", value);
    }

    @Override
    public int compareTo(AgencyId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
