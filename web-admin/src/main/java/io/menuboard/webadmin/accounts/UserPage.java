package io.menuboard.webadmin.accounts;

import io.menuboard.access.Grant;
import io.menuboard.accounts.Account;
import io.menuboard.accounts.Session;
import io.menuboard.accounts.Sessions;
import io.menuboard.accounts.SignInAttempt;
import io.menuboard.webadmin.ui.ActionOutcome;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Fact;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code accounts/user}.
 *
 * @param explained what the status means, where its name does not say it, or null
 * @param moreSessions says that not all of them are there, or null
 */
record UserPage(
        String id,
        String username,
        String name,
        Badge status,
        @Nullable String explained,
        ActionOutcome outcome,
        List<Fact> facts,
        List<Role> roles,
        List<Action> actions,
        List<SessionRow> sessions,
        @Nullable String moreSessions,
        List<SignInRow> signIns) {

    static UserPage of(Account account, Sessions.Listed sessions, List<SignInAttempt> signIns, ActionOutcome outcome) {
        return new UserPage(
                account.id().value(),
                account.username().value(),
                account.name(),
                AccountWords.status(account),
                explained(account),
                outcome,
                facts(account),
                roles(account),
                UserAction.offered(account).stream()
                        .map(action -> new Action(
                                action.path(),
                                action.label(),
                                Link.to("users", account.id().value(), action.path())
                                        .toString()))
                        .toList(),
                sessions.sessions().stream().map(SessionRow::of).toList(),
                AccountWords.more(sessions),
                signIns.stream().map(SignInRow::of).toList());
    }

    private static List<Role> roles(Account account) {
        var known = account.grants().stream()
                .sorted(Comparator.comparing(Grant::role).thenComparing(Grant::text))
                .map(grant -> new Role(
                        AccountWords.name(grant),
                        AccountWords.isForAll(grant) ? AccountWords.about(grant.role()) : null));
        return Stream.concat(known, unknown(account)).toList();
    }

    private static Stream<Role> unknown(Account account) {
        var number = account.unknownGrants();
        if (number == 0) {
            return Stream.of();
        }
        var name = number + (number == 1 ? " role" : " roles") + " of a newer version";
        return Stream.of(new Role(
                account.grants().isEmpty() ? name : "And " + name,
                "What that allows is known to instances of that version alone. Kept as it is when roles are changed."));
    }

    private static List<Fact> facts(Account account) {
        var facts = new ArrayList<Fact>();
        facts.add(new Fact("Name", account.name(), null));
        var identity = account.identity();
        if (identity != null) {
            facts.add(new Fact("Signs in at", identity.issuer(), null));
            facts.add(new Fact("Known there as", identity.subject(), null));
        }
        facts.add(new Fact("Added", Moments.utcSeconds(account.createdAt()), null));
        facts.add(new Fact("Last changed", Moments.utcSeconds(account.updatedAt()), null));
        facts.add(new Fact("Id", account.id().value(), null));
        return facts;
    }

    private static @Nullable String explained(Account account) {
        if (account.disabled()) {
            return "Nobody can sign in as this user until it is enabled.";
        }
        var identity = account.identity();
        if (identity != null) {
            return "Name and roles are what " + identity.issuer() + " says when this user signs in there.";
        }
        if (!account.hasPassword()) {
            return "Nobody can sign in as this user until a password is set.";
        }
        return account.mustChangePassword()
                ? "The password was set by somebody else, and must be changed at the next sign-in."
                : null;
    }

    /** @param about what it may do; null for one that is for a part only */
    record Role(String name, @Nullable String about) {}

    record Action(String id, String label, String href) {}

    /** @param browser as it says itself */
    record SessionRow(String began, String address, String browser, String until, String end) {
        static SessionRow of(Session session) {
            return new SessionRow(
                    Moments.utcSeconds(session.createdAt()),
                    session.address(),
                    Browser.name(session.userAgent()),
                    Moments.utc(session.endsAt()),
                    Link.to("users", session.account().value(), "sessions", session.id(), "end")
                            .toString());
        }
    }
}
