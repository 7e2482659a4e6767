package io.menuboard.webadmin.accounts;

import io.menuboard.webadmin.ui.Choice;
import io.menuboard.webadmin.ui.Problems;
import java.util.List;

/** View model of {@code accounts/new-token}. */
record NewTokenPage(
        String key, String name, List<RoleChoices.Box> roles, List<Choice> days, String until, Problems problems) {
    static NewTokenPage of(NewTokenForm form, Problems problems) {
        return new NewTokenPage(form.key(), form.name(), form.roles().boxes(), form.choices(), form.until(), problems);
    }
}
