package io.menuboard.querydb.coordination;

import io.menuboard.querydb.AlreadyExists;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import java.time.Instant;
import java.util.Optional;

/**
 * Idempotency keys and what they stand for, as items {@code IDEM#{scope}#{key}}/{@code META}: who asks again with the same key and
 * the same body is given what the first one made.
 */
public final class IdempotencyKeys {
    private static final String META = "META";

    private final QueryDb db;
    private final String scope;

    /** @param scope within which a key means one thing */
    public IdempotencyKeys(QueryDb db, String scope) {
        this.db = db;
        this.scope = scope;
    }

    /**
     * Target of a key.
     *
     * @param target the id of what was, or is to be, made
     * @param body tells bodies apart, such as a hash
     * @param claimed whether this call was the first with that key
     */
    public record Owner(String target, String body, Instant expiresAt, boolean claimed) {}

    /**
     * Makes the key stand for the target unless it stands for another already. One write unit. Of many who do so at once,
     * one has claimed it, and all get the same target. What it stands for may not be made yet, or never, where the caller
     * that claimed the key died: then the next caller has to make it.
     */
    public Owner claim(String key, String target, String body, Instant expiresAt) {
        var item = Item.at(key(key))
                .type("idempotencyKey")
                .string("target", target)
                .string("body", body)
                .ttl(expiresAt)
                .build();
        try {
            db.save(item, SaveMode.INIT);
            return new Owner(target, body, item.ttl().orElseThrow(), true);
        } catch (AlreadyExists e) {
            return owner(e.current().orElseThrow());
        }
    }

    /** The target of the key, strongly consistent: one read unit. */
    public Optional<Owner> find(String key) {
        return db.get(key(key), Consistency.STRONG).map(IdempotencyKeys::owner);
    }

    private Key key(String key) {
        return new Key("IDEM#" + scope + "#" + key, META);
    }

    private static Owner owner(Item item) {
        return new Owner(item.string("target"), item.string("body"), item.ttl().orElseThrow(), false);
    }
}
