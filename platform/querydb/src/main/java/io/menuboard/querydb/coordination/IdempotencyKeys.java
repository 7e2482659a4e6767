package io.menuboard.querydb.coordination;

import io.menuboard.querydb.AlreadyExists;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Idempotency keys and what they stand for, as items {@code IDEM#{scope}##{owner}#{key}}/{@code META}, or, without an owner,
 * {@code IDEM#{scope}#{key}}/{@code META}: who asks again with the same key and the same body is given what the first one made.
 *
 * <p>A key of an owner is nobody else's: with the same one, another owner makes something of its own. Earlier versions knew no
 * owners. What they wrote is found by an owner still, where it is that owner's; one release later nothing such is kept any more, and the
 * read that looks for it can go.
 */
public final class IdempotencyKeys {
    private static final String META = "META";
    private static final String TARGET = "target";

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
     * As {@link #claim(String, String, String, Instant)}, of a key that belongs to an owner. One strongly consistent read unit more, for
     * what an earlier version wrote.
     *
     * @param owner id of a principal; null for a key without an owner
     * @param isOwners tells of what a key without an owner stands for whether it is that owner's
     */
    public Owner claim(
            @Nullable String owner,
            String key,
            String target,
            String body,
            Instant expiresAt,
            Predicate<Owner> isOwners) {
        if (owner == null) {
            return claim(key, target, body, expiresAt);
        }
        return find(key).filter(isOwners).orElseGet(() -> claim(owned(owner, key), target, body, expiresAt));
    }

    /**
     * As {@link #claim(String, String, String, String, Instant, Predicate)}, where one without an owner is that owner's if it
     * stands for the same body.
     */
    public Owner claim(@Nullable String owner, String key, String target, String body, Instant expiresAt) {
        return claim(
                owner, key, target, body, expiresAt, before -> before.body().equals(body));
    }

    /**
     * Makes the key, which has no owner, stand for the target unless it stands for another already. One write unit. Of many who do so at once,
     * one has claimed it, and all get the same target. What it stands for may not be made yet, or never, where the caller
     * that claimed the key died: then the next caller has to make it.
     */
    public Owner claim(String key, String target, String body, Instant expiresAt) {
        return claim(key(key), target, body, expiresAt);
    }

    private Owner claim(Key key, String target, String body, Instant expiresAt) {
        var item = Item.at(key)
                .type("idempotencyKey")
                .string(TARGET, target)
                .string("body", body)
                .ttl(expiresAt)
                .build();
        // What was there when the request was made, and has expired when it is refused, is in the way only that once.
        return claim(item).or(() -> claim(item)).orElseThrow();
    }

    /** Empty where the one that was there has expired meanwhile. */
    private Optional<Owner> claim(Item item) {
        try {
            db.save(item, SaveMode.INIT);
            return Optional.of(new Owner(
                    item.string(TARGET), item.string("body"), item.ttl().orElseThrow(), true));
        } catch (AlreadyExists e) {
            return e.current().map(IdempotencyKeys::owner);
        }
    }

    /**
     * Gives a key back whose target has come to nothing, so that the next caller claims it. One that stands for another target by now
     * stays, as does one without an owner that an earlier version wrote for an owner. One write unit.
     *
     * @param owner as of {@link #claim(String, String, String, String, Instant, Predicate)}
     */
    public void release(@Nullable String owner, String key, String target) {
        db.delete(owner == null ? key(key) : owned(owner, key), Condition.equal(TARGET, target));
    }

    /**
     * The target of the owner's key, strongly consistent: one read unit, or two where the owner has no such key, for what an earlier
     * version wrote.
     *
     * @param owner as of {@link #claim(String, String, String, String, Instant, Predicate)}, and so is {@code isOwners}
     */
    public Optional<Owner> find(@Nullable String owner, String key, Predicate<Owner> isOwners) {
        if (owner == null) {
            return find(key);
        }
        return read(owned(owner, key)).or(() -> find(key).filter(isOwners));
    }

    /** As {@link #find(String, String, Predicate)}, where all without an owner are that owner's. */
    public Optional<Owner> find(@Nullable String owner, String key) {
        return find(owner, key, _ -> true);
    }

    /** The target of the key without an owner, strongly consistent: one read unit. */
    public Optional<Owner> find(String key) {
        return read(key(key));
    }

    private Optional<Owner> read(Key key) {
        return db.get(key, Consistency.STRONG).map(IdempotencyKeys::owner);
    }

    /** No key without an owner begins with a separator, as none is empty. */
    private Key owned(String owner, String key) {
        return new Key("IDEM#" + scope + "##" + owner + "#" + key, META);
    }

    private Key key(String key) {
        return new Key("IDEM#" + scope + "#" + key, META);
    }

    private static Owner owner(Item item) {
        return new Owner(item.string(TARGET), item.string("body"), item.ttl().orElseThrow(), false);
    }
}
