package io.menuboard.webadmin.accounts;

import io.menuboard.accounts.Account;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of the forms about a user, as they are sent.
 *
 * @param before what the form knew of the account when it was shown; null for nothing
 */
record UserActionForm(
        String name,
        String password,
        RoleChoices roles,
        @Nullable String before) {
    static final String BEFORE = "before";

    static UserActionForm of(Account account) {
        return new UserActionForm(account.name(), "", RoleChoices.of(account.grants()), null);
    }

    static UserActionForm of(Map<String, String> fields) {
        return new UserActionForm(
                fields.getOrDefault("name", "").strip(),
                fields.getOrDefault("password", ""),
                RoleChoices.of(fields),
                fields.get(BEFORE));
    }

    /**
     * Whether others have changed what the form is about since it was shown, and not to what it asks for. Browsers send other ends
     * of lines than they were given.
     */
    boolean isOutdated(UserAction action, Account account) {
        if (before == null) {
            return false;
        }
        return switch (action) {
            case ROLES ->
                !before.lines().toList().equals(before(action, account).lines().toList())
                        && !roles.grants().equals(account.grants());
            case PASSWORD -> !before.equals(before(action, account));
            case ENABLE -> !before.equals(before(action, account)) && account.disabled();
            case RENAME, DISABLE, SESSIONS -> false;
        };
    }

    /**
     * What a form shows or knows of the account, to be sent back with it; empty where that does not matter. The roles alone would be
     * the same again where they were given and taken away since.
     */
    static String before(UserAction action, Account account) {
        return switch (action) {
            case ROLES -> RoleChoices.of(account.grants()).text() + "\n" + account.updatedAt();
            case PASSWORD, ENABLE -> Long.toString(account.credentialVersion());
            case RENAME, DISABLE, SESSIONS -> "";
        };
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "UserActionForm[" + name + ", " + roles + "]";
    }
}
