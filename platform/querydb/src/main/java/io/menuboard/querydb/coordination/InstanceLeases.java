package io.menuboard.querydb.coordination;

import static io.menuboard.querydb.Condition.absent;
import static io.menuboard.querydb.Condition.atMost;
import static io.menuboard.querydb.Condition.equal;
import static io.menuboard.querydb.Condition.greater;

import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Update;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Leases for work that one of many instances does periodically, whichever comes first, or all the time: items
 * {@code TURN#{name}}/{@code META}, kept for a month after they ended. When the holder of a lease dies, another instance
 * acquires it once it has ended. Thread-safe.
 */
public final class InstanceLeases {
    private static final String NEXT = "next";
    private static final String HOLDER = "holder";

    /** Difference between instances' clocks up to which none of them is called wrong. */
    private static final Duration MOST_SKEW = Duration.ofSeconds(10);

    /** A lease that is not there is free; one that has expired costs a write unit more. */
    private static final Duration KEPT = Duration.ofDays(30);

    private final QueryDb db;
    private final Clock clock;

    /** @param clock one that instances agree on */
    public InstanceLeases(QueryDb db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    /**
     * Acquires the lease for a time if it is free, without a holder who could renew it: a write unit, or the condition's,
     * which is one too. Where the answer is lost, the lease is too.
     *
     * @param every the least time until it can be acquired again
     * @return whether the caller has acquired it
     */
    public boolean acquire(String name, Duration every) {
        var now = clock.instant();
        return moves(until(name, now.plus(every)).when(isFree(now, every)));
    }

    /**
     * Acquires a lease, or renews the one of this holder, until that time has passed or the holder calls this again: a
     * write unit, or the condition's, which is one too. A lost answer does no harm: the holder has it and asks again.
     *
     * @param name none that is also {@linkplain #acquire acquired} without a holder
     * @param holder a name that no other instance has
     * @param time zero {@linkplain #release releases} the lease
     * @return whether the holder has it; when it is false another one does, and this one does not any more
     */
    public boolean hold(String name, String holder, Duration time) {
        var now = clock.instant();
        return moves(until(name, now.plus(time))
                .set(HOLDER, holder)
                .when(isFree(now, time).or(equal(HOLDER, holder))));
    }

    /** Makes the lease free at once, if this holder has it; a write unit. */
    public void release(String name, String holder) {
        hold(name, holder, Duration.ZERO);
    }

    private static Update until(String name, Instant next) {
        return Update.of(new Key("TURN#" + name, "META"))
                .type("turn")
                .set(NEXT, next.toEpochMilli())
                .ttl(next.plus(KEPT));
    }

    /** Also where it ends later than a lease can: the instance that wrote that had a wrong clock, and may be dead. */
    private static Condition isFree(Instant now, Duration time) {
        return absent(NEXT)
                .or(atMost(NEXT, now.toEpochMilli()))
                .or(greater(
                        NEXT, time.isZero() ? Long.MAX_VALUE : latest(now, time).toEpochMilli()));
    }

    private static Instant latest(Instant now, Duration time) {
        return now.plus(time.multipliedBy(2)).plus(MOST_SKEW);
    }

    private boolean moves(Update update) {
        try {
            db.update(update, _ -> false);
            return true;
        } catch (ConditionFailed _) {
            return false;
        }
    }
}
