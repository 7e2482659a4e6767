package io.menuboard.webadmin.accounts;

import io.menuboard.access.Access;
import io.menuboard.accounts.Session;
import io.menuboard.accounts.SignInAttempt;
import io.menuboard.webadmin.ui.Moments;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code accounts/own}: what people see of their own account.
 *
 * @param roles with what they are limited to
 * @param notice what was just done; null for nothing
 */
record AccountPage(
        String name,
        boolean hasPassword,
        List<String> roles,
        List<Row> sessions,
        List<SignInRow> signIns,
        @Nullable String notice) {

    /**
     * One browser that is signed in.
     *
     * @param current whether it is the one that looks
     */
    record Row(String id, boolean current, String since, String until, String address, String browser) {
        private static Row of(Session session, String current) {
            return new Row(
                    session.id(),
                    session.id().equals(current),
                    Moments.utc(session.createdAt()),
                    Moments.utc(session.endsAt()),
                    session.address(),
                    Browser.name(session.userAgent()));
        }
    }

    static AccountPage of(
            Access access,
            boolean hasPassword,
            List<Session> sessions,
            String current,
            List<SignInAttempt> signIns,
            @Nullable String notice) {
        return new AccountPage(
                access.principal().name(),
                hasPassword,
                AccountWords.names(access.principal().grants()),
                sessions.stream().map(session -> Row.of(session, current)).toList(),
                signIns.stream().map(SignInRow::of).toList(),
                notice);
    }
}
