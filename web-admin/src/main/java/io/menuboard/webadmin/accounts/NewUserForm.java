package io.menuboard.webadmin.accounts;

import io.menuboard.accounts.Username;
import io.menuboard.kernel.Ids;
import io.menuboard.webadmin.ui.FormKey;
import io.menuboard.webadmin.ui.Problems;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The fields of a new user, as they are sent.
 *
 * @param key idempotency key
 */
record NewUserForm(String key, String username, String name, String password, RoleChoices roles) {
    static NewUserForm empty() {
        return new NewUserForm(FormKey.fresh(), "", "", "", RoleChoices.NONE);
    }

    /** As it was sent; without a key, each time that it is sent is another one. */
    static NewUserForm of(Map<String, String> fields) {
        return new NewUserForm(
                Objects.requireNonNullElseGet(fields.get("key"), FormKey::fresh),
                fields.getOrDefault("username", "").strip(),
                fields.getOrDefault("name", "").strip(),
                fields.getOrDefault("password", ""),
                RoleChoices.of(fields));
    }

    /** As it is, for another user. */
    NewUserForm again() {
        return new NewUserForm(FormKey.fresh(), username, name, password, roles);
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
