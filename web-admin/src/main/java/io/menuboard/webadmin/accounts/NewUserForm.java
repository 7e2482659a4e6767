package io.menuboard.webadmin.accounts;

import io.menuboard.accounts.Username;
import io.menuboard.kernel.Ids;
import io.menuboard.webadmin.ui.Problems;
import java.util.List;
import java.util.Map;

/** The fields of a new user, as they are sent. */
record NewUserForm(String username, String name, String password, RoleChoices roles) {
    static final NewUserForm EMPTY = new NewUserForm("", "", "", RoleChoices.NONE);

    static NewUserForm of(Map<String, String> fields) {
        return new NewUserForm(
                fields.getOrDefault("username", "").strip(),
                fields.getOrDefault("name", "").strip(),
                fields.getOrDefault("password", ""),
                RoleChoices.of(fields));
    }

    /** Everything that is wrong, but for the password, of which {@code Accounts} knows the rules. */
    Problems problems() {
        return Problems.of(List.of(
                () -> new Username(username),
                () -> {
                    Ids.check("name", name);
                    return name;
                },
                roles::grants));
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "NewUserForm[" + username + "]";
    }
}
