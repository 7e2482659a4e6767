package io.menuboard.accounts;

import io.menuboard.access.http.ClientAddress;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.audit.AuditTrail;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Attempts to sign in as items {@code SIGNIN#{hash of the username}}, one for each {@link KnownBrowser} and one for all others, and
 * {@code SIGNINFROM#{network}}, which expire. An attempt counts as failed before its password is looked at, so that attempts at the
 * same time do not pass a limit together.
 */
final class DynamoSignInAttempts {
    private static final String COUNT = "count";
    private static final String NEXT_AT = "nextAt";
    private static final int TRIES = 8;
    private static final Duration BUSY = Duration.ofSeconds(1);

    private final QueryDb db;
    private final Clock clock;
    private final SignInLimits limits;
    private final AuditTrail audit;

    DynamoSignInAttempts(QueryDb db, AuditTrail audit, Clock clock, SignInLimits limits) {
        this.db = db;
        this.audit = audit;
        this.clock = clock;
        this.limits = limits;
    }

    /** Whether an attempt may be made. */
    sealed interface Begun {
        /**
         * It may, and counts as failed.
         *
         * @param key of the item that counts it
         * @param isKnown whether that is the one of a browser, so that the address has not counted it
         * @param failures before it
         */
        record Counted(String username, ClientAddress address, Key key, boolean isKnown, long failures)
                implements Begun {}

        /**
         * It must not; nothing but the address has counted it, if that.
         *
         * @param delay before the next
         */
        record Refused(Duration delay) implements Begun {}
    }

    /**
     * Counts an attempt of a username: in a browser that is known for that browser alone, or else for the address too. A read unit
     * and a write unit where the browser is known. Elsewhere two write units and a read unit, another one where the browser turns out
     * not to be known.
     */
    Begun begin(String username, @Nullable KnownBrowser browser, ClientAddress address) {
        if (browser != null) {
            var key = of(username, browser);
            var known = db.get(key, Consistency.STRONG);
            if (known.isPresent()) {
                return beginFor(new Begun.Counted(username, address, key, true, 0), known);
            }
        }
        var refused = beginFrom(address);
        if (refused.isPresent()) {
            return new Begun.Refused(refused.get());
        }
        var key = of(username);
        return beginFor(new Begun.Counted(username, address, key, false, 0), db.get(key, Consistency.STRONG));
    }

    /**
     * Takes an attempt back whose password nobody has looked at, and the delay after it, unless others were counted meanwhile. As
     * many write units as counting it.
     */
    void takeBack(Begun.Counted attempt) {
        if (!attempt.isKnown()) {
            takeBack(attempt.address());
        }
        var counted = attempt.failures() + 1;
        if (attempt.failures() == 0 && !attempt.isKnown()) {
            // As before: the version before this one takes a count of none for a race that it has lost.
            db.delete(attempt.key(), Condition.equal(COUNT, counted));
            return;
        }
        try {
            db.update(Update.of(attempt.key())
                    .set(COUNT, attempt.failures())
                    .set(NEXT_AT, clock.instant().toEpochMilli())
                    .when(Condition.equal(COUNT, counted)));
        } catch (ConditionFailed _) {
            // Others were counted after it, or somebody signed in.
        }
    }

    /** Forgets the failures of a username and that attempt of the address, or those of its browser. As many write units as counting. */
    void succeeded(Begun.Counted attempt) {
        if (attempt.isKnown()) {
            remember(attempt.key());
        } else {
            db.delete(attempt.key());
            takeBack(attempt.address());
        }
    }

    /** Knows the browser from now on in which somebody has signed in. One write unit where it was not known. */
    void remember(Begun.Counted attempt, KnownBrowser browser) {
        if (!attempt.isKnown()) {
            remember(of(attempt.username(), browser));
        }
    }

    private void remember(Key browser) {
        db.save(
                Item.at(browser)
                        .type("signInBrowser")
                        .number(COUNT, 0)
                        .number(NEXT_AT, 0)
                        .ttl(clock.instant().plus(KnownBrowser.KEPT))
                        .build(),
                SaveMode.ANY);
    }

    private void takeBack(ClientAddress address) {
        try {
            db.update(Update.of(from(address)).add(COUNT, -1).when(Condition.greater(COUNT, 0)));
        } catch (ConditionFailed _) {
            // Its window has ended.
        }
    }

    /**
     * Tells the audit trail that a name was tried that no account has, in one record for each address and window, which does not
     * say which name: people type passwords there. Two write units, as many as a wrong password takes.
     */
    void unknown(ClientAddress address) {
        audit.count(
                SignIns.NOT_SIGNED_IN, "ADDRESS#" + address.text(), "sign-in with unknown usernames", limits.window());
    }

    private Optional<Duration> beginFrom(ClientAddress address) {
        var now = clock.instant();
        try {
            db.update(Update.of(from(address))
                    .type("signInAddress")
                    .add(COUNT, 1)
                    .setIfAbsent("ttl", now.plus(limits.window()).getEpochSecond())
                    .when(Condition.absent(COUNT).or(Condition.less(COUNT, limits.addressFailures()))));
            return Optional.empty();
        } catch (ConditionFailed failed) {
            var ends = failed.current().flatMap(Item::ttl).orElse(now);
            return Optional.of(atLeastASecond(Duration.between(now, ends)));
        }
    }

    private Begun beginFor(Begun.Counted attempt, Optional<Item> found) {
        var current = found;
        for (var i = 0; i < TRIES; i++) {
            var now = clock.instant();
            var count = current.map(item -> item.integer(COUNT)).orElse(0L);
            var nextAt = current.map(item -> Instant.ofEpochMilli(item.integer(NEXT_AT)))
                    .orElse(now);
            if (now.isBefore(nextAt)) {
                return new Begun.Refused(atLeastASecond(Duration.between(now, nextAt)));
            }
            // The item of a username expires then; that of a browser stays, because it is known by it.
            var failed = now.isBefore(nextAt.plus(limits.window())) ? count : 0;
            var next = now.plus(limits.delay(failed + 1));
            try {
                // By the time too: a count that begins anew may be the one of before.
                var unchanged = Condition.equal(COUNT, count).and(Condition.equal(NEXT_AT, nextAt.toEpochMilli()));
                var update = Update.of(attempt.key())
                        .set(COUNT, failed + 1)
                        .set(NEXT_AT, next.toEpochMilli())
                        .when(count == 0 && !attempt.isKnown() ? Condition.absent(COUNT) : unchanged);
                db.update(
                        attempt.isKnown()
                                ? update
                                : update.type("signInUsername").ttl(next.plus(limits.window())));
                return new Begun.Counted(
                        attempt.username(), attempt.address(), attempt.key(), attempt.isKnown(), failed);
            } catch (ConditionFailed e) {
                // Another attempt at the same time was counted first; this one is counted after it, or refused.
                current = e.current();
            }
        }
        return new Begun.Refused(BUSY);
    }

    private static Duration atLeastASecond(Duration wait) {
        return wait.compareTo(BUSY) < 0 ? BUSY : wait;
    }

    /** Of whatever somebody typed, so not in clear: people type passwords there. */
    private static Key of(String username) {
        return new Key(partition(username), "META");
    }

    private static Key of(String username, KnownBrowser browser) {
        return new Key(partition(username), "BROWSER#" + Sha256.hex(browser.secret()));
    }

    private static String partition(String username) {
        return "SIGNIN#" + Sha256.hex(username.toLowerCase(Locale.ROOT));
    }

    private static Key from(ClientAddress address) {
        return new Key("SIGNINFROM#" + address.network(), "META");
    }
}
