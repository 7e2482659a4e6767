package io.menuboard.webadmin.accounts;

import io.menuboard.webadmin.ui.Problems;
import java.util.List;

/** View model of {@code accounts/new-user}; the password that was sent is not in it. */
record NewUserPage(String key, String username, String name, List<RoleChoices.Box> roles, Problems problems) {
    static NewUserPage of(NewUserForm form, Problems problems) {
        return new NewUserPage(
                form.key(), form.username(), form.name(), form.roles().boxes(), problems);
    }
}
