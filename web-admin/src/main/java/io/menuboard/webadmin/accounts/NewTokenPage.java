package io.menuboard.webadmin.accounts;

import io.menuboard.webadmin.ui.Choice;
import io.menuboard.webadmin.ui.Problems;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/**
 * View model of {@code accounts/new-token}.
 *
 * @param shown the day of UTC on which it is
 */
record NewTokenPage(
        String key,
        String name,
        List<RoleChoices.Box> roles,
        List<Choice> days,
        String until,
        LocalDate shown,
        Problems problems) {
    static NewTokenPage of(NewTokenForm form, Instant now, Problems problems) {
        return new NewTokenPage(
                form.key(),
                form.name(),
                form.roles().boxes(),
                form.choices(),
                form.until(),
                LocalDate.ofInstant(now, ZoneOffset.UTC),
                problems);
    }
}
