package io.menuboard.webadmin.accounts;

import io.menuboard.webadmin.ui.Problem;
import org.jspecify.annotations.Nullable;

/**
 * The form to change a password with.
 *
 * @param problem what is wrong with one of its fields; null for nothing
 */
record PasswordPage(@Nullable Problem problem) {
    /** Problem with that field; null for none. Public because templates call nothing else. */
    public @Nullable Problem of(String field) {
        return problem != null && problem.field().equals(field) ? problem : null;
    }
}
