package io.menuboard.accounts;

import com.github.benmanes.caffeine.cache.Ticker;
import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Grant;
import io.menuboard.access.Permission;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Sessions of people. People see and end their own; those of others need {@link Permission#ACCOUNTS_MANAGE}, without which
 * methods throw {@link Denied}. Thread-safe.
 */
public final class Sessions {
    /** Most sessions of an account that are listed. */
    public static final int MOST_LISTED = 200;

    private static final int ATTEMPTS = 8;

    private final DynamoSessions store;
    private final DynamoAccounts accounts;
    private final Clock clock;
    private final RecentReads<SessionKey, DynamoSessions.Valid> valid;

    Sessions(DynamoSessions store, DynamoAccounts accounts, Clock clock, Ticker ticker) {
        this.store = store;
        this.accounts = accounts;
        this.clock = clock;
        valid = new RecentReads<>(ticker);
    }

    /**
     * The person of a valid session.
     *
     * @param principal without grants as long as the password has to be changed
     */
    public record Current(Principal principal, boolean mustChangePassword) {
        private static Current of(DynamoSessions.Valid found) {
            var person = found.account();
            var grants = person.mustChangePassword() ? Set.<Grant>of() : person.grants();
            return new Current(
                    new Principal(person.id().value(), Actor.Kind.USER, person.name(), grants),
                    person.mustChangePassword());
        }
    }

    /** As {@link #current}, without a read; empty where it takes one. */
    public Optional<Current> cached(SessionKey session) {
        return valid.find(session).filter(this::lasts).map(Current::of);
    }

    /**
     * The person whose session that is, if it is valid. Without grants as long as the password is one that somebody else has
     * set. Two read units, and none for two seconds from when that read began: so long may go by until an instance knows that a session
     * has ended, or that grants have changed.
     */
    public Optional<Current> current(SessionKey session) {
        return find(session).map(Current::of);
    }

    /** Another number whenever this instance has ended sessions: what a read that began before finds may be over. */
    public long endings() {
        return valid.forgotten();
    }

    /** The session itself, as {@link SignIns#changePassword} takes it; costs as {@link #current} does. */
    public Optional<Session> session(SessionKey session) {
        return find(session).map(DynamoSessions.Valid::session);
    }

    /** Whether the person of a valid session has a password to change; costs as {@link #current} does. */
    public boolean hasPassword(SessionKey session) {
        return find(session).map(found -> found.account().hasPassword()).orElse(false);
    }

    private Optional<DynamoSessions.Valid> find(SessionKey session) {
        return valid.find(session).or(() -> read(session)).filter(this::lasts);
    }

    private Optional<DynamoSessions.Valid> read(SessionKey session) {
        var reading = valid.begin();
        var found = store.find(session);
        found.ifPresent(read -> valid.keep(session, read, reading));
        return found;
    }

    private boolean lasts(DynamoSessions.Valid found) {
        return found.session().endsAt().isAfter(clock.instant());
    }

    /**
     * Valid sessions of an account.
     *
     * @param sessions at most {@value #MOST_LISTED}, the latest of them first; where there are more, any of them
     */
    public record Listed(List<Session> sessions, boolean hasMore) {
        public Listed {
            sessions = List.copyOf(sessions);
        }
    }

    /** What an account has of them now; a read unit, and one per 4 KB. */
    public Listed list(Access access, AccountId account) {
        requireOwn(access, account);
        var found = accounts.find(account)
                .map(stored -> store.list(account, stored.account().credentialVersion(), MOST_LISTED))
                .orElseGet(Page::empty);
        var latestFirst = found.nodes().stream()
                .sorted(Comparator.comparing(Session::createdAt).reversed())
                .toList();
        return new Listed(latestFirst, found.hasNextPage());
    }

    /**
     * Ends a session, by signing out too; false if the account has no such session, or it has ended already. A read unit and a
     * transaction of two items.
     *
     * @param id of the session; anything
     */
    public boolean end(Access access, AccountId account, String id) {
        requireOwn(access, account);
        var current = accounts.find(account).map(stored -> stored.account().credentialVersion());
        if (current.isEmpty() || !SessionKey.isId(id)) {
            return false;
        }
        var session = new SessionKey(account, current.get(), id);
        var action = account.value().equals(access.principal().id()) ? "signed out" : "session ended";
        var ended = store.end(session, new AccountEvent(access.actor(), action, Map.of()));
        valid.forget(session::equals);
        return ended;
    }

    /** Ends all sessions of an account. */
    public AccountResult endAll(Access access, AccountId account) {
        requireOwn(access, account);
        for (var attempt = 0; attempt < ATTEMPTS; attempt++) {
            var before = accounts.find(account);
            if (before.isEmpty()) {
                return new AccountResult.NotFound(account);
            }
            var after = before.get().withoutSessions(clock.instant());
            var event = AccountEvent.of(access.actor(), "all sessions ended");
            if (accounts.change(before.get(), after, event) == DynamoAccounts.Saved.SAVED) {
                valid.forget(key -> key.account().equals(account));
                return new AccountResult.Done(after.account());
            }
        }
        return new AccountResult.Conflict(account);
    }

    private static void requireOwn(Access access, AccountId account) {
        if (!account.value().equals(access.principal().id())) {
            access.require(Permission.ACCOUNTS_MANAGE);
        }
    }
}
