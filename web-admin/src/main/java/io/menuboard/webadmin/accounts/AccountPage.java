package io.menuboard.webadmin.accounts;

import io.menuboard.access.Access;
import io.menuboard.accounts.Session;
import io.menuboard.accounts.Sessions;
import io.menuboard.accounts.SignInAttempt;
import io.menuboard.webadmin.ui.ActionOutcome;
import io.menuboard.webadmin.ui.Moments;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code accounts/own}: what people see of their own account.
 *
 * @param roles with what they are limited to
 * @param moreSessions says that not all of them are there; null where they are
 * @param outcome of the action that led to it
 */
record AccountPage(
        String name,
        boolean hasPassword,
        List<String> roles,
        List<Row> sessions,
        @Nullable String moreSessions,
        List<SignInRow> signIns,
        ActionOutcome outcome) {

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
                    Moments.utcSeconds(session.createdAt()),
                    Moments.utc(session.endsAt()),
                    session.address(),
                    Browser.name(session.userAgent()));
        }
    }

    static AccountPage of(
            Access access,
            boolean hasPassword,
            Sessions.Listed sessions,
            String current,
            List<SignInAttempt> signIns,
            ActionOutcome outcome) {
        return new AccountPage(
                access.principal().name(),
                hasPassword,
                AccountWords.names(access.principal().grants()),
                sessions.sessions().stream()
                        .map(session -> Row.of(session, current))
                        .toList(),
                AccountWords.more(sessions),
                signIns.stream().map(SignInRow::of).toList(),
                outcome);
    }
}
