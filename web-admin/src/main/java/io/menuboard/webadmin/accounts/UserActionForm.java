package io.menuboard.webadmin.accounts;

import io.menuboard.accounts.Account;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of the forms about a user, as they are sent.
 *
 * @param before the roles that the form showed, or the version of the password that there was then; null for neither
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
            case RENAME, DISABLE, ENABLE, SESSIONS -> false;
        };
    }

    /** What a form shows or knows of the account, to be sent back with it; empty where that does not matter. */
    static String before(UserAction action, Account account) {
        return switch (action) {
            case ROLES -> RoleChoices.of(account.grants()).text();
            case PASSWORD -> Long.toString(account.credentialVersion());
            case RENAME, DISABLE, ENABLE, SESSIONS -> "";
        };
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "UserActionForm[" + name + ", " + roles + "]";
    }
}
