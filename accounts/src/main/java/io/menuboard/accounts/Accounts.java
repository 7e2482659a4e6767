package io.menuboard.accounts;

import static java.util.stream.Collectors.joining;

import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Grant;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.Ulid;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Administration of accounts. Every method needs {@link Permission#ACCOUNTS_MANAGE} and throws {@link Denied} without it. Of
 * those accounts that can sign in with a password and administer accounts, one always remains. Name, grants and password of an
 * account that belongs to an issuer of identities are not changed here: {@link AccountResult.IssuersToChange}. Changes are audited in the same transaction.
 * Thread-safe.
 */
public final class Accounts {
    /** A role that is limited to one agency, worker or user is one for each of them. */
    static final int MAX_GRANTS = 100;

    private static final int MAX_GRANTS_LENGTH = 32_768;
    private static final int ATTEMPTS = 8;
    private static final Duration KEYS_REMEMBERED = Duration.ofDays(1);
    private static final String KEY = "idempotencyKey";

    private final DynamoAccounts store;
    private final Passwords passwords;
    private final IdempotencyKeys keys;
    private final Clock clock;
    private final RandomGenerator random;

    Accounts(DynamoAccounts store, Passwords passwords, IdempotencyKeys keys, Clock clock, RandomGenerator random) {
        this.store = store;
        this.passwords = passwords;
        this.keys = keys;
        this.clock = clock;
        this.random = random;
    }

    /**
     * Adds an account that must change its password when it first signs in.
     *
     * @param name for people
     * @param password null for none: nobody can sign in until one is set
     * @throws InvalidInput for a name that breaks the rules of {@link Ids#check}, {@code INVALID_PASSWORD} for a password that
     *     is too short, too long or too common
     */
    public AccountResult create(
            Access access, Username username, String name, @Nullable String password, Set<Grant> grants) {
        access.require(Permission.ACCOUNTS_MANAGE);
        return add(access, created(username, name, password, grants));
    }

    /**
     * As {@link #create}, once for each idempotency key within a day: whoever sends it again is given the account that it added. A
     * write unit and a read unit or two more.
     *
     * @throws InvalidInput {@code INVALID_ID} on {@code idempotencyKey}, or {@code IDEMPOTENCY_KEY_REUSED} where it added another
     *     account, or the same one with another password
     */
    public AccountResult createOnce(
            Access access, String idempotencyKey, Username username, String name, String password, Set<Grant> grants) {
        access.require(Permission.ACCOUNTS_MANAGE);
        check(username, name, password, grants);
        Ids.check(KEY, idempotencyKey);
        var now = clock.instant();
        // Without the password, which a hash that takes no work would give away.
        var body = Sha256.hex(String.join("\n", username.value(), name, texts(grants)));
        var owner = keys.claim(
                access.principal().id(), idempotencyKey, Ulid.random(now, random), body, now.plus(KEYS_REMEMBERED));
        if (!owner.body().equals(body)) {
            throw keyReused();
        }
        var id = new AccountId(owner.target());
        var before = owner.claimed() ? Optional.<StoredAccount>empty() : store.find(id);
        if (before.isPresent()) {
            return again(before.get(), password);
        }
        var result = add(access, created(id, username, name, password, grants));
        // Who sent the same at the same time has the username, too.
        return result instanceof AccountResult.UsernameTaken
                ? store.find(id).map(made -> again(made, password)).orElse(result)
                : result;
    }

    /** Compares the password while it is still the first one, and there is a place to do so. */
    private AccountResult again(StoredAccount made, String password) {
        var isFirst = made.account().credentialVersion() == 1;
        if (isFirst && !passwords.matches(password, made.passwordHash()).orElse(true)) {
            throw keyReused();
        }
        return new AccountResult.Done(made.account());
    }

    private static InvalidInput keyReused() {
        return new InvalidInput(
                "IDEMPOTENCY_KEY_REUSED", KEY, "must be another one: with this one, another account was added");
    }

    private AccountResult add(Access access, StoredAccount created) {
        var account = created.account();
        var details = Map.of("username", account.username().value(), "grants", texts(account.grants()));
        return store.create(created, new AccountEvent(access.actor(), "account created", details))
                ? new AccountResult.Done(account)
                : new AccountResult.UsernameTaken(account.username());
    }

    StoredAccount created(Username username, String name, @Nullable String password, Set<Grant> grants) {
        check(username, name, password, grants);
        return created(new AccountId(Ulid.random(clock.instant(), random)), username, name, password, grants);
    }

    private static void check(Username username, String name, @Nullable String password, Set<Grant> grants) {
        Ids.check("name", name);
        checkGrants(grants);
        if (password != null) {
            Passwords.check(password, username);
        }
    }

    private StoredAccount created(
            AccountId id, Username username, String name, @Nullable String password, Set<Grant> grants) {
        var hash = password == null ? null : passwords.hash(password);
        var now = clock.instant();
        var account = new Account(id, username, name, hash != null, true, false, 1, grants, 0, null, now, now);
        return new StoredAccount(account, hash, List.of(), 1);
    }

    /** Changes the name for people. */
    public AccountResult rename(Access access, AccountId id, String name) {
        access.require(Permission.ACCOUNTS_MANAGE);
        Ids.check("name", name);
        return change(
                id,
                true,
                before -> before.renamed(name, clock.instant()),
                before -> new AccountEvent(
                        access.actor(),
                        "account renamed",
                        Map.of("before", before.account().name(), "after", name)));
    }

    /**
     * Keeps an account or a token far below what an item can hold, with its event.
     *
     * @throws InvalidInput {@code INVALID_GRANT} on {@code roles}
     */
    static void checkGrants(Set<Grant> grants) {
        var length = grants.stream().mapToInt(grant -> grant.text().length()).sum();
        if (grants.size() > MAX_GRANTS || length > MAX_GRANTS_LENGTH) {
            throw new InvalidInput(
                    "INVALID_GRANT",
                    "roles",
                    "must be at most " + MAX_GRANTS + ", with at most " + MAX_GRANTS_LENGTH + " characters of ids");
        }
    }

    /**
     * Replaces the grants by others; those that only a later version knows stay.
     *
     * @param shown the account as whoever decides has seen it: nothing is done where it was changed since, so that a form that is sent
     *     again does not give back what somebody else has taken away since
     * @throws InvalidInput {@code INVALID_GRANT} on {@code roles} for more than {@value #MAX_GRANTS}, or more ids than an account
     *     can hold
     */
    public AccountResult setGrants(Access access, Account shown, Set<Grant> grants) {
        access.require(Permission.ACCOUNTS_MANAGE);
        checkGrants(grants);
        return change(
                shown.id(),
                true,
                before -> before.grants().equals(grants)
                        || (before.grants().equals(shown.grants())
                                && before.updatedAt().equals(shown.updatedAt())),
                before -> before.granted(grants, clock.instant()),
                before -> new AccountEvent(
                        access.actor(),
                        "grants changed",
                        Map.of("before", texts(before.account().grants()), "after", texts(grants))));
    }

    /** Ends all sessions, and lets nobody sign in until it is enabled. */
    public AccountResult disable(Access access, AccountId id) {
        access.require(Permission.ACCOUNTS_MANAGE);
        return change(
                id,
                false,
                before -> before.disabled(clock.instant()),
                _ -> AccountEvent.of(access.actor(), "account disabled"));
    }

    /**
     * Lets the person sign in again.
     *
     * @param shown as it was when that was decided: nothing is done where it was disabled again since, the password was changed, or all
     *     sessions ended, so that a form that is sent again lets nobody in whom somebody else has shut out since
     */
    public AccountResult enable(Access access, Account shown) {
        access.require(Permission.ACCOUNTS_MANAGE);
        return change(
                shown.id(),
                false,
                before -> !before.disabled() || before.credentialVersion() == shown.credentialVersion(),
                before -> before.enabled(clock.instant()),
                _ -> AccountEvent.of(access.actor(), "account enabled"));
    }

    /**
     * Sets a password that the person must change after signing in with it, and ends all sessions.
     *
     * @param shown as it was when that was decided: nothing is done where the password was changed since, or all sessions ended, so
     *     that a form that is sent again does not undo what the person has done since
     * @throws InvalidInput {@code INVALID_PASSWORD} for one that is too short, too long or too common
     */
    public AccountResult resetPassword(Access access, Account shown, String password) {
        access.require(Permission.ACCOUNTS_MANAGE);
        var current = store.find(shown.id());
        if (current.isEmpty()) {
            return new AccountResult.NotFound(shown.id());
        }
        Passwords.check(password, current.get().account().username());
        var hash = passwords.hash(password);
        return change(
                shown.id(),
                true,
                before -> before.credentialVersion() == shown.credentialVersion(),
                before -> before.withPassword(hash, true, clock.instant()),
                _ -> AccountEvent.of(access.actor(), "password reset"));
    }

    /** One read unit; strongly consistent. */
    public Optional<Account> find(Access access, AccountId id) {
        access.require(Permission.ACCOUNTS_MANAGE);
        return store.find(id).map(StoredAccount::account);
    }

    /** By username in lower case; half a read unit per 4 KB. */
    public Page<Account> list(Access access, PageRequest page) {
        access.require(Permission.ACCOUNTS_MANAGE);
        return store.list(page);
    }

    /** Decides by what the account is, whatever that was before. */
    private AccountResult change(
            AccountId id,
            boolean issuers,
            Function<StoredAccount, StoredAccount> step,
            Function<StoredAccount, AccountEvent> event) {
        return change(id, issuers, _ -> true, step, event);
    }

    /**
     * @param issuers whether it is for the issuer to change, where the account belongs to one
     * @param isAsShown false where it is decided by what is not so any more
     */
    private AccountResult change(
            AccountId id,
            boolean issuers,
            Predicate<Account> isAsShown,
            Function<StoredAccount, StoredAccount> step,
            Function<StoredAccount, AccountEvent> event) {
        for (var attempt = 0; attempt < ATTEMPTS; attempt++) {
            var before = store.find(id);
            if (before.isEmpty()) {
                return new AccountResult.NotFound(id);
            }
            if (issuers && before.get().account().identity() != null) {
                return new AccountResult.IssuersToChange(before.get().account());
            }
            if (!isAsShown.test(before.get().account())) {
                return new AccountResult.Outdated(before.get().account());
            }
            var after = step.apply(before.get());
            if (after.equals(before.get())) {
                return new AccountResult.Done(after.account());
            }
            switch (store.change(before.get(), after, event.apply(before.get()))) {
                case SAVED -> {
                    return new AccountResult.Done(after.account());
                }
                case LAST_ADMINISTRATOR -> {
                    return new AccountResult.LastAdministrator(id);
                }
                case CONFLICT -> {
                    // Somebody else was first: decide again by what the account is now.
                }
            }
        }
        return new AccountResult.Conflict(id);
    }

    static String texts(Set<Grant> grants) {
        return grants.stream().map(Grant::text).sorted().collect(joining(", "));
    }
}
