package io.menuboard.querydb;

import static io.menuboard.querydb.Condition.absent;
import static io.menuboard.querydb.Condition.atMost;
import static io.menuboard.querydb.Condition.equal;
import static io.menuboard.querydb.Condition.greater;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * What is done every so often by one of many instances, whichever comes first, or all the time by one of them: items
 * {@code TURN#{name}}/{@code META}. Whoever has a turn and dies leaves the next one to the others. Thread-safe.
 */
public final class Turns {
    private static final String NEXT = "next";
    private static final String HOLDER = "holder";

    /** What instances' clocks may differ by without one of them being called wrong. */
    private static final Duration MOST_SKEW = Duration.ofSeconds(10);

    private final QueryDb db;
    private final Clock clock;

    /** @param clock one that instances agree on */
    public Turns(QueryDb db, Clock clock) {
        this.db = db;
        this.clock = clock;
    }

    /**
     * Takes the turn, if it is time for one: a write unit, or the condition's, which is one too. Where the answer is lost,
     * the turn is too.
     *
     * @param every the least time between two turns
     * @return whether the caller is the one who has it
     */
    public boolean take(String name, Duration every) {
        var now = clock.instant();
        return moves(until(name, now.plus(every)).when(isFree(now, every)));
    }

    /**
     * Takes a turn, or keeps the one that this holder has, until that time has passed or the holder calls this again: a
     * write unit, or the condition's, which is one too. A lost answer does no harm: whoever asks again has it.
     *
     * @param name none that is also {@linkplain #take taken}
     * @param holder who asks, by a name that nobody else has
     * @param time zero gives the turn back to whoever asks next
     * @return whether the holder has it; when it is false another one does, and this one does not any more
     */
    public boolean hold(String name, String holder, Duration time) {
        var now = clock.instant();
        return moves(until(name, now.plus(time))
                .set(HOLDER, holder)
                .when(isFree(now, time).or(equal(HOLDER, holder))));
    }

    private static Update until(String name, Instant next) {
        return Update.of(new Key("TURN#" + name, "META")).type("turn").set(NEXT, next.toEpochMilli());
    }

    /** Also where it ends later than a turn can: whoever wrote that had a clock that was wrong, and may be dead. */
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
