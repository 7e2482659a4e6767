package io.menuboard.webadmin.signin;

import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.accounts.Session;
import io.menuboard.webadmin.ui.Moments;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What people see of their own account.
 *
 * @param roles with what they are limited to
 * @param notice what was just done; null for nothing
 */
public record AccountPage(
        String name,
        List<String> roles,
        List<Row> sessions,
        @Nullable String notice) {

    /**
     * One browser that is signed in.
     *
     * @param number of the form that ends it; the id of a session is a secret
     * @param current whether it is the one that looks
     */
    public record Row(String number, boolean current, String since, String until, String address, String browser) {
        private static Row of(Session session, String current) {
            return new Row(
                    OwnAccountController.number(session),
                    session.id().equals(current),
                    Moments.utc(session.createdAt()),
                    Moments.utc(session.endsAt()),
                    session.address(),
                    session.userAgent().isEmpty() ? "Unknown browser" : session.userAgent());
        }
    }

    static AccountPage of(Access access, List<Session> sessions, String current, @Nullable String notice) {
        return new AccountPage(
                access.principal().name(),
                access.principal().grants().stream().map(Grant::text).sorted().toList(),
                sessions.stream().map(session -> Row.of(session, current)).toList(),
                notice);
    }
}
