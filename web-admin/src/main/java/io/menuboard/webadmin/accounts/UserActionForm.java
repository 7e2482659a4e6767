package io.menuboard.webadmin.accounts;

import io.menuboard.accounts.Account;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of the forms about a user, as they are sent.
 *
 * @param before the roles that the form showed, or null
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

    /** Whether others have changed the roles since the form was shown. Browsers send other ends of lines than they were given. */
    boolean isOutdated(Account account) {
        return before != null
                && !before.lines()
                        .toList()
                        .equals(RoleChoices.of(account.grants()).text().lines().toList());
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "UserActionForm[" + name + ", " + roles + "]";
    }
}
