package io.menuboard.accounts;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Ulid;

/** Identifies an account; stays the same when its username or name changes. */
public record AccountId(String value) {
    /** Refuses with {@link InvalidInput} {@code INVALID_ID} on {@code account} what is no ULID. */
    public AccountId {
        Ulid.check("account", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
