package io.menuboard.accounts;

import io.menuboard.access.Grant;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.ReadAgain;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.Write;
import io.menuboard.querydb.audit.AuditRecord;
import io.menuboard.querydb.audit.AuditTrail;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Accounts as items {@code ACCOUNT#{id}}/{@code META}, listed in {@code gsi1} under {@code ACCOUNTS}; their usernames as
 * {@code USERNAME#{lower case}}, their external identities as {@code IDENTITY#{SHA-256}}; and {@code ACCOUNTS}/{@code META}, which counts accounts and working administrators.
 */
final class DynamoAccounts {
    static final Key COUNTS = new Key("ACCOUNTS", "META");
    private static final String META = "META";
    private static final String ACCOUNT = "account";
    private static final String NAME = "name";
    private static final String HASH = "passwordHash";
    private static final String MUST_CHANGE = "mustChangePassword";
    private static final String DISABLED = "disabled";
    private static final String CREDENTIAL_VERSION = "credentialVersion";
    private static final String GRANTS = "grants";
    private static final String UPDATED_AT = "updatedAt";
    private static final String ISSUER = "issuer";
    private static final String SUBJECT = "subject";
    private static final String VERSION = "version";
    private static final String NUMBER = "accounts";
    private static final String ADMINISTRATORS = "administrators";

    private final QueryDb db;
    private final AuditTrail audit;

    DynamoAccounts(QueryDb db, AuditTrail audit) {
        this.db = db;
        this.audit = audit;
    }

    /** Outcome of adding an account that belongs to an identity. */
    enum Created {
        CREATED,
        USERNAME_TAKEN,
        IDENTITY_TAKEN
    }

    /** Outcome of a conditional write. */
    enum Saved {
        SAVED,
        CONFLICT,
        LAST_ADMINISTRATOR
    }

    /** One read unit. */
    Optional<StoredAccount> find(AccountId id) {
        return db.get(key(id), Consistency.STRONG).map(item -> db.read(item, DynamoAccounts::read));
    }

    /** The account of an identity that was found: as {@link #find}, and again where both are just being made and it is not seen yet. */
    StoredAccount findIdentified(AccountId id) {
        return ReadAgain.until(() -> find(id), Optional::isPresent)
                .orElseThrow(() -> new IllegalStateException("an identity without " + id));
    }

    /** A read unit. */
    Optional<AccountId> findId(Username username) {
        return db.get(key(username), Consistency.STRONG).map(item -> new AccountId(item.string(ACCOUNT)));
    }

    /** A read unit. */
    Optional<AccountId> findId(ExternalIdentity identity) {
        return db.get(key(identity), Consistency.STRONG).map(item -> new AccountId(item.string(ACCOUNT)));
    }

    /** By username. */
    Page<Account> list(PageRequest page) {
        return db.query(
                Query.index("accounts", "gsi1", "ACCOUNTS"), item -> read(item).account(), page);
    }

    /** Whether there is any account. One read unit. */
    boolean hasAny() {
        return db.get(COUNTS, Consistency.STRONG).isPresent();
    }

    /** Adds an account unless its username is taken; a transaction of four items. */
    boolean create(StoredAccount created, AccountEvent event) {
        var administrators = created.account().isWorkingAdministrator() ? 1 : 0;
        return create(
                created,
                Update.of(COUNTS).type("accountCounts").add(NUMBER, 1).add(ADMINISTRATORS, administrators),
                event);
    }

    /** Adds the very first account unless there is one; a transaction of four items. */
    boolean createFirst(StoredAccount created, AccountEvent event) {
        var counts = Item.at(COUNTS)
                .type("accountCounts")
                .number(NUMBER, 1)
                .number(ADMINISTRATORS, created.account().isWorkingAdministrator() ? 1 : 0)
                .build();
        return create(created, Write.put(counts, SaveMode.INIT), event);
    }

    private boolean create(StoredAccount created, Write counts, AccountEvent event) {
        try {
            db.transact(List.of(
                    username(created),
                    Write.put(item(created), SaveMode.INIT),
                    counts,
                    write(created.account().id(), event)));
            return true;
        } catch (ConditionFailed _) {
            return false;
        }
    }

    /** Adds an account unless there is one of its identity, or its username is taken; a transaction of five items. */
    Created createIdentified(StoredAccount created, AccountEvent event) {
        var identity = Objects.requireNonNull(created.account().identity());
        var item = Item.at(key(identity))
                .type("identity")
                .string(ACCOUNT, created.account().id().value())
                .string(ISSUER, identity.issuer())
                .string(SUBJECT, identity.subject())
                .build();
        try {
            db.transact(List.of(
                    Write.put(item, SaveMode.INIT),
                    username(created),
                    Write.put(item(created), SaveMode.INIT),
                    Update.of(COUNTS).type("accountCounts").add(NUMBER, 1).add(ADMINISTRATORS, 0),
                    write(created.account().id(), event)));
            return Created.CREATED;
        } catch (ConditionFailed failed) {
            return failed.keys().contains(key(identity)) ? Created.IDENTITY_TAKEN : Created.USERNAME_TAKEN;
        }
    }

    private static Write username(StoredAccount created) {
        var account = created.account();
        return Write.put(
                Item.at(key(account.username()))
                        .type("username")
                        .string(ACCOUNT, account.id().value())
                        .build(),
                SaveMode.INIT);
    }

    /** Replaces an account as it was read by what it is to be. A transaction of two items, or three. */
    Saved change(StoredAccount before, StoredAccount after, AccountEvent event) {
        return change(before, after, List.of(event), List.of());
    }

    /**
     * As {@link #change(StoredAccount, StoredAccount, AccountEvent)}, with an audit record of each event, and further writes, in the
     * same transaction.
     */
    Saved change(StoredAccount before, StoredAccount after, List<AccountEvent> events, List<Write> further) {
        var writes = new ArrayList<Write>();
        writes.add(update(before, after));
        events.forEach(event -> writes.add(write(after.account().id(), event)));
        writes.addAll(further);
        var was = before.account().isWorkingAdministrator();
        var is = after.account().isWorkingAdministrator();
        if (was && !is) {
            writes.add(Update.of(COUNTS).add(ADMINISTRATORS, -1).when(Condition.greater(ADMINISTRATORS, 1)));
        } else if (is && !was) {
            writes.add(Update.of(COUNTS).add(ADMINISTRATORS, 1));
        }
        try {
            db.transact(writes);
            return Saved.SAVED;
        } catch (ConditionFailed failed) {
            return failed.keys().equals(List.of(COUNTS)) ? Saved.LAST_ADMINISTRATOR : Saved.CONFLICT;
        }
    }

    /** Stores the same password in another hash; does nothing if the account has changed since it was read. */
    void rehash(StoredAccount before, StoredAccount after) {
        try {
            db.update(update(before, after), item -> item.integer(VERSION) == after.version());
        } catch (ConditionFailed _) {
            // Whoever changed it decided what its password is.
        }
    }

    private static Update update(StoredAccount before, StoredAccount after) {
        var account = after.account();
        return Update.of(key(account.id()))
                .set(NAME, account.name())
                .setOrRemove(HASH, after.passwordHash())
                .set(MUST_CHANGE, account.mustChangePassword())
                .set(DISABLED, account.disabled())
                .set(CREDENTIAL_VERSION, account.credentialVersion())
                .set(GRANTS, after.grantTexts())
                .set(UPDATED_AT, account.updatedAt().toEpochMilli())
                .set(VERSION, after.version())
                .when(Condition.equal(VERSION, before.version()));
    }

    /** Part of a transaction that happens only if the account may still be signed in to as it was read. */
    static Write unchangedCredentials(Account account) {
        return Write.check(
                key(account.id()),
                Condition.equal(CREDENTIAL_VERSION, account.credentialVersion())
                        .and(Condition.equal(DISABLED, AttributeValue.fromBool(false))));
    }

    /** The audit record of what happened to an account, as part of a transaction. */
    Write write(AccountId id, AccountEvent event) {
        return audit.write(event.actor(), "ACCOUNT#" + id, event.action(), event.details());
    }

    /** Tells the audit trail of something that changed nothing. Two write units, three where the actor has an id. */
    void record(AccountId id, AccountEvent event) {
        audit.record(event.actor(), "ACCOUNT#" + id, event.action(), event.details());
    }

    /** The latest records of those actions on an account, newest first; half a read unit per 4 KB. */
    List<AuditRecord> latest(AccountId id, Set<String> actions, int most) {
        return audit.latest("ACCOUNT#" + id, actions, most);
    }

    private static Item item(StoredAccount stored) {
        var account = stored.account();
        var item = Item.at(key(account.id()))
                .type(ACCOUNT)
                .index("ACCOUNTS", account.username().key())
                .string("username", account.username().value())
                .string(NAME, account.name())
                .flag(MUST_CHANGE, account.mustChangePassword())
                .flag(DISABLED, account.disabled())
                .number(CREDENTIAL_VERSION, account.credentialVersion())
                .strings(GRANTS, stored.grantTexts())
                .number("createdAt", account.createdAt().toEpochMilli())
                .number(UPDATED_AT, account.updatedAt().toEpochMilli())
                .number(VERSION, stored.version());
        if (stored.passwordHash() != null) {
            item.string(HASH, stored.passwordHash());
        }
        if (account.identity() != null) {
            item.string(ISSUER, account.identity().issuer())
                    .string(SUBJECT, account.identity().subject());
        }
        return item.build();
    }

    static StoredAccount read(Item item) {
        var unknown = new ArrayList<String>();
        var grants = grants(item.strings(GRANTS), unknown);
        var hash = item.findString(HASH).orElse(null);
        var account = new Account(
                new AccountId(item.key().partition().substring("ACCOUNT#".length())),
                new Username(item.string("username")),
                item.string(NAME),
                hash != null,
                item.flag(MUST_CHANGE),
                item.flag(DISABLED),
                item.integer(CREDENTIAL_VERSION),
                grants,
                unknown.size(),
                identity(item),
                Instant.ofEpochMilli(item.integer("createdAt")),
                Instant.ofEpochMilli(item.integer(UPDATED_AT)));
        return new StoredAccount(account, hash, unknown, item.integer(VERSION));
    }

    private static @Nullable ExternalIdentity identity(Item item) {
        return item.findString(ISSUER)
                .map(issuer -> new ExternalIdentity(issuer, item.string(SUBJECT)))
                .orElse(null);
    }

    /** Grants of their texts; those that this version cannot read are collected, not given. */
    static Set<Grant> grants(List<String> texts, List<String> unknown) {
        var grants = new HashSet<Grant>();
        for (var text : texts) {
            try {
                grants.add(Grant.parse(text));
            } catch (IllegalArgumentException | InvalidInput _) {
                unknown.add(text);
            }
        }
        return grants;
    }

    static Key key(AccountId id) {
        return new Key("ACCOUNT#" + id, META);
    }

    /** Hashed, because neither part is bounded, and both may have any character. */
    private static Key key(ExternalIdentity identity) {
        return new Key("IDENTITY#" + Sha256.hex(identity.issuer() + '\n' + identity.subject()), META);
    }

    private static Key key(Username username) {
        return new Key("USERNAME#" + username.key(), META);
    }
}
