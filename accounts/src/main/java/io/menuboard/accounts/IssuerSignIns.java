package io.menuboard.accounts;

import io.menuboard.access.http.ClientAddress;
import io.menuboard.accounts.DynamoAccounts.Created;
import io.menuboard.accounts.DynamoAccounts.Saved;
import io.menuboard.kernel.Ulid;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Lets people sign in whom an issuer of identities has identified. An account belongs to an {@link ExternalIdentity}, and is found by
 * that alone, never by a name; it is made when its person first signs in, without a password. Its name and grants are what the
 * issuer says, from each sign-in to the next. Thread-safe.
 */
public final class IssuerSignIns {
    private static final int ATTEMPTS = 8;

    private final DynamoAccounts accounts;
    private final DynamoSessions sessions;
    private final NewSessions newSessions;
    private final Clock clock;
    private final RandomGenerator random;

    IssuerSignIns(
            DynamoAccounts accounts,
            DynamoSessions sessions,
            NewSessions newSessions,
            Clock clock,
            RandomGenerator random) {
        this.accounts = accounts;
        this.sessions = sessions;
        this.newSessions = newSessions;
        this.clock = clock;
        this.random = random;
    }

    /**
     * Begins a session, and ends the one that the browser has had until then. Whose issuer gives no role any more loses grants and all
     * sessions instead.
     *
     * @param address of the client
     * @param userAgent of the browser; shortened
     * @param before session of the browser, of whatever account; null without one
     */
    public IssuerSignInResult signIn(
            IdentifiedPerson person, ClientAddress address, String userAgent, @Nullable SessionKey before) {
        var browser = new Browser(address, userAgent, before);
        for (var attempt = 0; attempt < ATTEMPTS; attempt++) {
            var id = accounts.findId(person.identity());
            var result = id.isEmpty() ? create(person, attempt, browser) : signIn(id.get(), person, browser);
            if (result.isPresent()) {
                return result.get();
            }
        }
        return new IssuerSignInResult.Conflict();
    }

    private record Browser(
            ClientAddress address,
            String userAgent,
            @Nullable SessionKey before) {}

    /** Empty if somebody else was first. */
    private Optional<IssuerSignInResult> create(IdentifiedPerson person, int attempt, Browser browser) {
        if (person.grants().isEmpty()) {
            return Optional.of(new IssuerSignInResult.NoRoles());
        }
        var now = clock.instant();
        var id = new AccountId(Ulid.random(now, random));
        var account = new Account(
                id,
                username(person, id, attempt),
                person.name(),
                false,
                false,
                false,
                1,
                person.grants(),
                0,
                person.identity(),
                now,
                now);
        var event = new AccountEvent(
                SignIns.actor(account),
                "account created",
                Map.of(
                        "username", account.username().value(),
                        "grants", Accounts.texts(account.grants()),
                        "issuer", person.identity().issuer()));
        return accounts.createIdentified(new StoredAccount(account, null, List.of(), 1), event) == Created.CREATED
                ? begin(account, browser)
                : Optional.empty();
    }

    /** The one that the issuer suggests, and where that is taken, the same with more behind it. */
    private static Username username(IdentifiedPerson person, AccountId id, int attempt) {
        if (attempt == 0) {
            return person.username();
        }
        var suffix = "-" + id.value().substring(id.value().length() - 6).toLowerCase(Locale.ROOT);
        var suggested = person.username().value();
        return new Username(suggested.substring(0, Math.min(suggested.length(), 64 - suffix.length())) + suffix);
    }

    private Optional<IssuerSignInResult> signIn(AccountId id, IdentifiedPerson person, Browser browser) {
        var before = accounts.findIdentified(id);
        if (before.account().disabled()) {
            return Optional.of(refused(before.account(), browser, "disabled", new IssuerSignInResult.Disabled()));
        }
        var after = before.identified(person, clock.instant());
        if (after.differs(before) && accounts.change(before, after, changes(before, after), List.of()) != Saved.SAVED) {
            return Optional.empty();
        }
        return person.grants().isEmpty()
                ? Optional.of(refused(after.account(), browser, "no roles", new IssuerSignInResult.NoRoles()))
                : begin(after.account(), browser);
    }

    /** A record of each thing that is another one, as where we change them one by one. */
    private static List<AccountEvent> changes(StoredAccount before, StoredAccount after) {
        var actor = SignIns.actor(after.account());
        var changes = new ArrayList<AccountEvent>();
        var was = before.account().name();
        var is = after.account().name();
        if (!was.equals(is)) {
            changes.add(new AccountEvent(actor, "account renamed", Map.of("before", was, "after", is)));
        }
        if (!before.grantTexts().equals(after.grantTexts())) {
            var details = Map.of(
                    "before", String.join(", ", before.grantTexts()),
                    "after", String.join(", ", after.grantTexts()));
            changes.add(new AccountEvent(actor, "grants changed", details));
        }
        if (before.passwordHash() != null) {
            changes.add(AccountEvent.of(actor, "password removed"));
        }
        return changes;
    }

    private Optional<IssuerSignInResult> begin(Account account, Browser browser) {
        var begun = newSessions.of(account, browser.address().text(), browser.userAgent());
        var event = new AccountEvent(SignIns.actor(account), SignIns.SIGNED_IN, details(account, browser));
        return sessions.begin(begun.session(), browser.before(), account, event)
                ? Optional.of(new IssuerSignInResult.SignedIn(begun, account))
                : Optional.empty();
    }

    private IssuerSignInResult refused(Account account, Browser browser, String reason, IssuerSignInResult result) {
        var details = details(account, browser);
        details.put("reason", reason);
        accounts.record(account.id(), new AccountEvent(SignIns.actor(account), SignIns.FAILED, details));
        return result;
    }

    private static Map<String, String> details(Account account, Browser browser) {
        var details = new HashMap<>(SignIns.from(browser.address(), browser.userAgent()));
        details.put("issuer", identity(account).issuer());
        return details;
    }

    private static ExternalIdentity identity(Account account) {
        return Optional.ofNullable(account.identity())
                .orElseThrow(() -> new IllegalStateException(account.id() + " has no identity"));
    }
}
