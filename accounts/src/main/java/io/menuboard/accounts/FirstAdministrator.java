package io.menuboard.accounts;

import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes the account that makes all others, where there is none yet. Of many instances that do so at once, one succeeds. */
public final class FirstAdministrator {
    private static final Actor ACTOR = Actor.system("settings", Actor.Source.COMMAND_LINE);

    private final DynamoAccounts store;
    private final Accounts accounts;

    FirstAdministrator(DynamoAccounts store, Accounts accounts) {
        this.store = store;
        this.accounts = accounts;
    }

    /** Whether there is or ever was an account; a read unit. */
    boolean isThere() {
        return store.hasAny();
    }

    /**
     * Adds an account with all roles, whose password must be changed when it is first used, unless there is or ever was an
     * account. A read unit, where there is one.
     *
     * @return whether it was added
     * @throws InvalidInput {@code INVALID_PASSWORD} for a password that is too short, too long or too common
     */
    public boolean create(Username username, String password) {
        if (store.hasAny()) {
            return false;
        }
        var grants = Arrays.stream(Role.values()).map(Grant::of).collect(Collectors.toSet());
        var first = accounts.created(username, username.value(), password, grants);
        var event = new AccountEvent(ACTOR, "account created", Map.of("username", username.value(), "grants", "all"));
        return store.createFirst(first, event);
    }
}
