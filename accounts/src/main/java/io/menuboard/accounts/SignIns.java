package io.menuboard.accounts;

import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Permission;
import io.menuboard.access.Principal;
import io.menuboard.access.http.ClientAddress;
import io.menuboard.access.http.NetworkPlaces;
import io.menuboard.accounts.DynamoAccounts.Saved;
import io.menuboard.accounts.DynamoSignInAttempts.Begun;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.querydb.QueryDbException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets people sign in, and change their password. Attempts are limited by address, and by username; those in a
 * {@link KnownBrowser} by themselves alone. Only so many wait for their password to be looked at, of one network fewer: whoever comes
 * on top is told so at once, and it is no attempt. Thread-safe.
 */
public final class SignIns {
    private static final Logger log = LoggerFactory.getLogger(SignIns.class);
    private static final Duration BUSY = Duration.ofSeconds(1);
    private static final int HISTORY = 20;

    /** Fewer than there are pages at once, whose places they hold. */
    private static final int WAITING_AT_ONCE = 16;

    private static final int WAITING_OF_NETWORK = 4;
    static final String SIGNED_IN = "signed in";
    static final String FAILED = "sign-in failed";
    private static final String ADDRESS = "address";
    private static final String BROWSER = "browser";

    /** Who tries to sign in, before that is done. */
    static final Actor NOT_SIGNED_IN = Actor.system("sign-in", Actor.Source.PAGE);

    /** Read where there is no account, so that it takes as many requests. */
    private static final AccountId NOBODY = new AccountId("00000000000000000000000000");

    private final DynamoAccounts accounts;
    private final DynamoSessions sessions;
    private final DynamoSignInAttempts attempts;
    private final Passwords passwords;
    private final NewSessions newSessions;
    private final Clock clock;
    private final NetworkPlaces places = new NetworkPlaces(WAITING_AT_ONCE, WAITING_OF_NETWORK);

    SignIns(
            DynamoAccounts accounts,
            DynamoSessions sessions,
            DynamoSignInAttempts attempts,
            Passwords passwords,
            NewSessions newSessions,
            Clock clock) {
        this.accounts = accounts;
        this.sessions = sessions;
        this.attempts = attempts;
        this.passwords = passwords;
        this.newSessions = newSessions;
        this.clock = clock;
    }

    /**
     * Begins a session if the password is that of the account. Whoever is refused, for whatever reason, is refused after the
     * same work, but for an account whose hash has older parameters: that takes theirs, until its person signs in and the password is
     * hashed again. The session that the browser has had until then ends.
     *
     * @param username as typed; anything
     * @param address of the client
     * @param userAgent of the browser; shortened
     * @param browser as it says that it is known; null where it does not
     * @param before session of the browser, of whatever account; null without one
     */
    public SignInResult signIn(
            String username,
            String password,
            ClientAddress address,
            String userAgent,
            @Nullable KnownBrowser browser,
            @Nullable SessionKey before) {
        var place = places.take(address).orElse(null);
        if (place == null) {
            return new SignInResult.Throttled(BUSY);
        }
        try (place) {
            return switch (attempts.begin(username, browser, address)) {
                case Begun.Refused(var wait) -> new SignInResult.Throttled(wait);
                case Begun.Counted attempt -> signIn(attempt, password, userAgent, browser, before);
            };
        }
    }

    private SignInResult signIn(
            Begun.Counted attempt,
            String password,
            String userAgent,
            @Nullable KnownBrowser browser,
            @Nullable SessionKey before) {
        var username = attempt.username();
        var address = attempt.address();
        var id = Username.isValid(username) ? accounts.findId(new Username(username)) : Optional.<AccountId>empty();
        var stored = accounts.find(id.orElse(NOBODY));
        var matches = passwords.matches(
                password, stored.map(StoredAccount::passwordHash).orElse(null));
        if (matches.isEmpty()) {
            attempts.takeBack(attempt);
            return new SignInResult.Throttled(BUSY);
        }
        if (stored.isEmpty()) {
            attempts.unknown(address);
            return new SignInResult.Refused();
        }
        var account = stored.get().account();
        if (matches.get() && !account.disabled()) {
            var begun = newSessions.of(account, address.text(), userAgent);
            var event = new AccountEvent(actor(account), SIGNED_IN, from(address, userAgent));
            if (sessions.begin(begun.session(), before, account, event)) {
                var known = browser == null ? KnownBrowser.random() : browser;
                afterwards("forget failures", account, () -> attempts.succeeded(attempt));
                afterwards("hash the password again", account, () -> rehash(stored.get(), password));
                afterwards("remember the browser", account, () -> attempts.remember(attempt, known));
                return new SignInResult.SignedIn(begun, account, known);
            }
        }
        // Whoever tried it is not known to be the person.
        accounts.record(account.id(), new AccountEvent(NOT_SIGNED_IN, FAILED, from(address, userAgent)));
        return new SignInResult.Refused();
    }

    /**
     * Sets another password if the old one is right, and ends all sessions of the account. The one in which that was done goes on
     * with another secret, so that whoever had the one of before has nothing.
     *
     * @param session as {@link Sessions} found it
     * @param address from which the request came, which need not be where the session began
     * @param browser as of {@link #signIn(String, String, ClientAddress, String, KnownBrowser, SessionKey)}
     * @throws InvalidInput {@code INVALID_PASSWORD} for a new one that is too short, too long or too common, or the old one
     */
    public ChangePasswordResult changePassword(
            Session session,
            ClientAddress address,
            String oldPassword,
            String newPassword,
            @Nullable KnownBrowser browser) {
        var stored = accounts.find(session.account());
        // Of an instance that still knows the session, a change that is sent again would find its old password wrong.
        if (stored.isEmpty() || stored.get().account().credentialVersion() != session.credentialVersion()) {
            return new ChangePasswordResult.Ended();
        }
        var account = stored.get().account();
        if (!account.hasPassword()) {
            return new ChangePasswordResult.NoPassword();
        }
        Passwords.check(newPassword, account.username());
        if (newPassword.equals(oldPassword)) {
            throw new InvalidInput("INVALID_PASSWORD", "password", "must not be the old one");
        }
        var place = places.take(address).orElse(null);
        if (place == null) {
            return new ChangePasswordResult.Throttled(BUSY);
        }
        try (place) {
            return switch (attempts.begin(account.username().value(), browser, address)) {
                case Begun.Refused(var wait) -> new ChangePasswordResult.Throttled(wait);
                case Begun.Counted attempt -> changePassword(attempt, stored.get(), session, oldPassword, newPassword);
            };
        }
    }

    private ChangePasswordResult changePassword(
            Begun.Counted attempt, StoredAccount stored, Session session, String oldPassword, String newPassword) {
        var account = stored.account();
        var matches = passwords.matches(oldPassword, stored.passwordHash());
        if (matches.isEmpty()) {
            attempts.takeBack(attempt);
            return new ChangePasswordResult.Throttled(BUSY);
        }
        if (!matches.get()) {
            accounts.record(account.id(), AccountEvent.of(actor(account), "password change refused"));
            return new ChangePasswordResult.WrongPassword();
        }
        var after = stored.withPassword(passwords.hash(newPassword), false, clock.instant());
        var event = AccountEvent.of(actor(account), "password changed");
        var goesOn = newSessions.insteadOf(session, after.account());
        if (sessions.changePassword(stored, after, session, goesOn.session(), event) != Saved.SAVED) {
            return new ChangePasswordResult.Ended();
        }
        afterwards("forget failures", account, () -> attempts.succeeded(attempt));
        return new ChangePasswordResult.Changed(goesOn, after.account());
    }

    /**
     * The latest sign-ins of an account, and the attempts that failed, newest first: at most {@value #HISTORY}. Without those that
     * were refused because there were too many before them. Half a read unit per 4 KB.
     *
     * @throws Denied for the account of somebody else without {@link Permission#ACCOUNTS_MANAGE}
     */
    public List<SignInAttempt> history(Access access, AccountId account) {
        if (!account.value().equals(access.principal().id())) {
            access.require(Permission.ACCOUNTS_MANAGE);
        }
        return accounts.latest(account, Set.of(SIGNED_IN, FAILED), HISTORY).stream()
                .map(record -> new SignInAttempt(
                        record.at(),
                        record.action().equals(SIGNED_IN),
                        record.details().getOrDefault(ADDRESS, ""),
                        record.details().getOrDefault(BROWSER, "")))
                .toList();
    }

    /** From where somebody signs in, as the audit trail has it. */
    static Map<String, String> from(ClientAddress address, String userAgent) {
        return userAgent.isBlank()
                ? Map.of(ADDRESS, address.text())
                : Map.of(ADDRESS, address.text(), BROWSER, NewSessions.shortened(userAgent));
    }

    /**
     * Does what is left to do once a session is stored. Where that fails the person has it all the same: only this answer has its secret.
     */
    private static void afterwards(String what, Account account, Runnable work) {
        try {
            work.run();
        } catch (QueryDbException e) {
            QueryDbException.warn(log, e, "not done after a sign-in: step={} account={}", what, account.id());
        }
    }

    private void rehash(StoredAccount stored, String password) {
        var hash = stored.passwordHash();
        if (hash != null && passwords.isOutdated(hash)) {
            accounts.rehash(stored, stored.rehashed(passwords.hash(password), clock.instant()));
        }
    }

    /** The person of an account, who signs in, by the name that it has in its session as well. */
    static Actor actor(Account account) {
        var person = new Principal(account.id().value(), Actor.Kind.USER, account.name(), account.grants());
        return new Access(person, Actor.Source.PAGE).actor();
    }
}
