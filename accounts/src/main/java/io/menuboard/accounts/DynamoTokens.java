package io.menuboard.accounts;

import io.menuboard.access.Grant;
import io.menuboard.kernel.Actor;
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
import io.menuboard.querydb.Update;
import io.menuboard.querydb.Write;
import io.menuboard.querydb.audit.AuditTrail;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Tokens as items {@code TOKEN#{id}}/{@code META}, listed in {@code gsi1} under {@code TOKENS}. */
final class DynamoTokens {
    private static final String REVOKED_AT = "revokedAt";
    private static final String LAST_USED_AT = "lastUsedAt";
    private static final String PREFIX = "TOKEN#";

    private final QueryDb db;
    private final AuditTrail audit;

    DynamoTokens(QueryDb db, AuditTrail audit) {
        this.db = db;
        this.audit = audit;
    }

    /** A token, and the SHA-256 of its secret in hexadecimal digits. */
    record Stored(Token token, String hash) {}

    /** False where there is one with that id. A transaction of two items. */
    boolean create(Token token, String hash, AccountEvent event) {
        var item = Item.at(key(token.id()))
                .type("token")
                .index("TOKENS", Key.sortable(token.createdAt()) + '#' + token.id())
                .string("hash", hash)
                .string("name", token.name())
                .strings(
                        "grants",
                        token.grants().stream().map(Grant::text).sorted().toList())
                .string("createdBy", token.createdBy().text())
                .number("createdAt", token.createdAt().toEpochMilli())
                .number("expiresAt", token.expiresAt().toEpochMilli())
                .build();
        try {
            db.transact(List.of(Write.put(item, SaveMode.INIT), write(token.id(), event)));
            return true;
        } catch (ConditionFailed _) {
            return false;
        }
    }

    /** Strongly consistent: a read unit. */
    Optional<Stored> find(String id) {
        return db.get(key(id), Consistency.STRONG)
                .map(item -> db.read(item, read -> new Stored(token(read), read.string("hash"))));
    }

    /** Those that there are, in any order; strongly consistent, read together. */
    List<Token> findAll(Collection<String> ids) {
        return db.getBatch(ids.stream().map(DynamoTokens::key).toList(), Consistency.STRONG).stream()
                .flatMap(Optional::stream)
                .map(item -> db.read(item, DynamoTokens::token))
                .toList();
    }

    /** The latest first. */
    Page<Token> list(PageRequest page) {
        return db.query(Query.index("tokens", "gsi1", "TOKENS").reversed(), DynamoTokens::token, page);
    }

    /** False if there is none, or it is revoked already. A transaction of two items. */
    boolean revoke(String id, Instant now, AccountEvent event) {
        try {
            db.transact(List.of(
                    Update.of(key(id))
                            .set(REVOKED_AT, now.toEpochMilli())
                            .when(Condition.exists().and(Condition.absent(REVOKED_AT))),
                    write(id, event)));
            return true;
        } catch (ConditionFailed _) {
            return false;
        }
    }

    /** Writes the hour in which a token was used, unless another instance has. Two write units. */
    void used(String id, Instant hour) {
        var isEarlier = Condition.absent(LAST_USED_AT).or(Condition.less(LAST_USED_AT, hour.toEpochMilli()));
        try {
            db.update(
                    Update.of(key(id))
                            .set(LAST_USED_AT, hour.toEpochMilli())
                            .when(Condition.exists().and(isEarlier)),
                    _ -> true);
        } catch (ConditionFailed _) {
            // Another instance has done it.
        }
    }

    private Write write(String id, AccountEvent event) {
        return audit.write(event.actor(), PREFIX + id, event.action(), event.details());
    }

    private static Token token(Item item) {
        return new Token(
                item.key().partition().substring(PREFIX.length()),
                item.string("name"),
                DynamoAccounts.grants(item.strings("grants"), new ArrayList<>()),
                Actor.parse(item.string("createdBy")),
                Instant.ofEpochMilli(item.integer("createdAt")),
                Instant.ofEpochMilli(item.integer("expiresAt")),
                item.findNumber(REVOKED_AT)
                        .map(millis -> Instant.ofEpochMilli(millis.longValue()))
                        .orElse(null),
                item.findNumber(LAST_USED_AT)
                        .map(millis -> Instant.ofEpochMilli(millis.longValue()))
                        .orElse(null));
    }

    private static Key key(String id) {
        return new Key(PREFIX + id, "META");
    }
}
