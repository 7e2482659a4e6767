package io.menuboard.accounts;

import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sessions as items {@code ACCOUNT#{id}}/{@code SESSION#{credential version}#{session}}, which expire when their time is over. Those
 * of the version before, {@code SESSION#{secret}}, are none any more.
 */
final class DynamoSessions {
    private static final String PREFIX = "SESSION#";
    private static final String CREDENTIAL_VERSION = "credentialVersion";

    private final QueryDb db;
    private final DynamoAccounts accounts;

    DynamoSessions(QueryDb db, DynamoAccounts accounts) {
        this.db = db;
        this.accounts = accounts;
    }

    /** A session that is valid, and the account as it is. */
    record Valid(Session session, Account account) {}

    /**
     * Stores a session unless the account has been changed so that it must not begin. A transaction of three items, or four.
     *
     * @param instead one that ends then, whether there is such a one or not; null for none
     */
    boolean begin(Session session, @Nullable SessionKey instead, Account account, AccountEvent event) {
        var writes = new ArrayList<>(List.of(
                Write.put(item(session), SaveMode.INIT),
                DynamoAccounts.unchangedCredentials(account),
                accounts.write(account.id(), event)));
        if (instead != null) {
            writes.add(Write.delete(key(instead)));
        }
        try {
            db.transact(writes);
            return true;
        } catch (ConditionFailed _) {
            return false;
        }
    }

    /** Sets another password, and puts a session in the place of that one. A transaction of four items. */
    DynamoAccounts.Saved changePassword(
            StoredAccount before, StoredAccount after, Session session, Session goesOn, AccountEvent event) {
        var ends = Write.delete(
                key(session.key()),
                Condition.equal(CREDENTIAL_VERSION, before.account().credentialVersion()));
        return accounts.change(before, after, List.of(event), List.of(ends, Write.put(item(goesOn), SaveMode.INIT)));
    }

    /** The session and its account in one request, strongly consistent: two read units. */
    Optional<Valid> find(SessionKey session) {
        var items = db.getBatch(List.of(DynamoAccounts.key(session.account()), key(session)), Consistency.STRONG);
        if (items.get(0).isEmpty() || items.get(1).isEmpty()) {
            return Optional.empty();
        }
        var stored = db.read(items.get(0).get(), DynamoAccounts::read).account();
        var found = db.read(items.get(1).get(), DynamoSessions::read);
        return stored.disabled() || found.credentialVersion() != stored.credentialVersion()
                ? Optional.empty()
                : Optional.of(new Valid(found, stored));
    }

    /** Some of an account's credential version that have not expired, in no order; strongly consistent, a read unit per 4 KB. */
    Page<Session> list(AccountId account, long credentialVersion, int most) {
        var query = Query.table("sessions", "ACCOUNT#" + account)
                .beginsWith(PREFIX + credentialVersion + '#')
                .consistency(Consistency.STRONG);
        return db.query(query, DynamoSessions::read, PageRequest.forward(most, null));
    }

    /** Removes a session and says so; false if there is none. A transaction of two items. */
    boolean end(SessionKey session, AccountEvent event) {
        try {
            db.transact(
                    List.of(Write.delete(key(session), Condition.exists()), accounts.write(session.account(), event)));
            return true;
        } catch (ConditionFailed _) {
            return false;
        }
    }

    private static Item item(Session session) {
        return Item.at(key(session.key()))
                .type("session")
                .number(CREDENTIAL_VERSION, session.credentialVersion())
                .number("createdAt", session.createdAt().toEpochMilli())
                .string("address", session.address())
                .string("userAgent", session.userAgent())
                .ttl(session.endsAt())
                .build();
    }

    private static Session read(Item item) {
        var sort = item.key().sort();
        return new Session(
                sort.substring(sort.lastIndexOf('#') + 1),
                new AccountId(item.key().partition().substring("ACCOUNT#".length())),
                item.integer(CREDENTIAL_VERSION),
                Instant.ofEpochMilli(item.integer("createdAt")),
                item.string("address"),
                item.string("userAgent"),
                item.ttl().orElseThrow());
    }

    private static Key key(SessionKey session) {
        return new Key("ACCOUNT#" + session.account(), PREFIX + session.credentialVersion() + '#' + session.id());
    }
}
