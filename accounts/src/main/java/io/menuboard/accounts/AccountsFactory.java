package io.menuboard.accounts;

import com.github.benmanes.caffeine.cache.Ticker;
import io.menuboard.access.CurrentAccess;
import io.menuboard.access.People;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.querydb.coordination.TableClock;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;

/** Wires accounts. Instants are whole milliseconds, as they are stored. */
@Factory
final class AccountsFactory {
    @Singleton
    DynamoAccounts dynamoAccounts(QueryDb db, AuditTrail audit) {
        return new DynamoAccounts(db, audit);
    }

    @Singleton
    DynamoSessions dynamoSessions(QueryDb db, DynamoAccounts accounts) {
        return new DynamoSessions(db, accounts);
    }

    @Singleton
    Passwords passwords(AccountsConfig config) {
        return new Passwords(config.hashing());
    }

    @Singleton
    Accounts accounts(DynamoAccounts store, Passwords passwords, QueryDb db, TableClock clock) {
        var keys = new IdempotencyKeys(db, "accounts");
        return new Accounts(store, passwords, keys, millis(clock), new SecureRandom());
    }

    @Singleton
    DynamoSignInAttempts signInAttempts(QueryDb db, AuditTrail audit, TableClock clock, AccountsConfig config) {
        return new DynamoSignInAttempts(db, audit, millis(clock), config.limits());
    }

    @Singleton
    SignIns signIns(
            DynamoSignInAttempts attempts,
            DynamoAccounts accounts,
            DynamoSessions sessions,
            Passwords passwords,
            TableClock clock,
            AccountsConfig config) {
        return new SignIns(accounts, sessions, attempts, passwords, newSessions(clock, config), millis(clock));
    }

    @Singleton
    IssuerSignIns issuerSignIns(
            DynamoAccounts accounts, DynamoSessions sessions, TableClock clock, AccountsConfig config) {
        return new IssuerSignIns(accounts, sessions, newSessions(clock, config), millis(clock), new SecureRandom());
    }

    private static NewSessions newSessions(TableClock clock, AccountsConfig config) {
        return new NewSessions(millis(clock), config.sessionLifetime());
    }

    @Singleton
    Sessions sessions(DynamoSessions store, DynamoAccounts accounts, TableClock clock) {
        return new Sessions(store, accounts, millis(clock), Ticker.systemTicker());
    }

    @Singleton
    DynamoTokens dynamoTokens(QueryDb db, AuditTrail audit) {
        return new DynamoTokens(db, audit);
    }

    @Singleton
    Tokens tokens(DynamoTokens store, QueryDb db, TableClock clock) {
        var keys = new IdempotencyKeys(db, "tokens");
        return new Tokens(store, keys, millis(clock), Ticker.systemTicker(), Thread::startVirtualThread);
    }

    @Singleton
    @Requires(property = "menuboard.sign-in", notEquals = "false")
    CurrentAccess currentAccess(DynamoAccounts accounts, DynamoTokens tokens, TableClock clock) {
        return new CurrentGrants(accounts, tokens, millis(clock));
    }

    @Singleton
    @Requires(property = "menuboard.sign-in", notEquals = "false")
    People people(DynamoAccounts accounts, DynamoTokens tokens) {
        return new AccountPeople(accounts, tokens);
    }

    @Singleton
    FirstAdministrator firstAdministrator(DynamoAccounts store, Accounts accounts) {
        return new FirstAdministrator(store, accounts);
    }

    @Context // before anybody can ask for anything
    @Bean(preDestroy = "close")
    @Requires(property = "menuboard.sign-in", notEquals = "false")
    AdministratorAtStart administratorAtStart(FirstAdministrator first, AdministratorConfig config) {
        return new AdministratorAtStart(first, config);
    }

    /** Server time, so that what begins and ends does so for all instances at once. */
    private static Clock millis(TableClock clock) {
        return Clock.tick(clock, Duration.ofMillis(1));
    }
}
