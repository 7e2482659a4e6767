package io.menuboard.accounts;

import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.kernel.Actor;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/** One instance of the use cases on a test's table, with hashes that cost little. */
public final class AccountsFixture {
    static final String PASSWORD = "correct horse battery";
    public static final Access ADMIN = access(Role.ADMINISTRATOR);
    static final Access VIEWER = access(Role.VIEWER);
    static final Passwords.Settings CHEAP = new Passwords.Settings(64, 1, 1, 2, Duration.ofSeconds(5));

    final AuditTrail audit;
    final DynamoAccounts store;
    final Passwords passwords;
    static final SignInLimits LIMITS =
            new SignInLimits(5, Duration.ofSeconds(1), Duration.ofMinutes(15), 50, Duration.ofMinutes(15));

    final Accounts accounts;
    final SignIns signIns;
    final IssuerSignIns issuerSignIns;
    public final Sessions sessions;
    public final Tokens tokens;
    final FirstAdministrator firstAdministrator;

    public AccountsFixture(QueryDb db, Clock clock) {
        this(db, clock, CHEAP);
    }

    AccountsFixture(QueryDb db, Clock clock, Passwords.Settings settings) {
        passwords = new Passwords(settings);
        audit = new AuditTrail(db, clock, new Random(7), new AuditTrail.Settings(1, Duration.ofDays(1)));
        store = new DynamoAccounts(db, audit);
        accounts = new Accounts(store, passwords, new IdempotencyKeys(db, "accounts"), clock, new Random());
        var stored = new DynamoSessions(db, store);
        var attempts = new DynamoSignInAttempts(db, audit, clock, LIMITS);
        var newSessions = new NewSessions(clock, Duration.ofHours(12));
        signIns = new SignIns(store, stored, attempts, passwords, newSessions, clock);
        issuerSignIns = new IssuerSignIns(store, stored, newSessions, clock, new Random());
        sessions = new Sessions(stored, store, clock, () -> clock.millis() * 1_000_000);
        tokens = new Tokens(
                new DynamoTokens(db, audit),
                new IdempotencyKeys(db, "tokens"),
                clock,
                () -> clock.millis() * 1_000_000,
                Runnable::run);
        firstAdministrator = new FirstAdministrator(store, accounts);
    }

    Account create(String username, Role... roles) {
        var grants = Arrays.stream(roles).map(Grant::of).collect(Collectors.toSet());
        return done(accounts.create(ADMIN, new Username(username), username, PASSWORD, grants));
    }

    Account account(AccountId id) {
        return accounts.find(ADMIN, id).orElseThrow();
    }

    static Account done(AccountResult result) {
        if (result instanceof AccountResult.Done(var account)) {
            return account;
        }
        throw new AssertionError(result);
    }

    private static Access access(Role role) {
        var principal = new Principal("test", Actor.Kind.USER, "grace", Set.of(Grant.of(role)));
        return new Access(principal, Actor.Source.PAGE);
    }
}
