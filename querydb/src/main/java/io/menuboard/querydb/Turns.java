package io.menuboard.querydb;

import java.time.Clock;
import java.time.Duration;

/**
 * What is done every so often by one of many instances, whichever comes first: items {@code TURN#{name}}/{@code META}.
 * Whoever takes a turn and dies leaves the next one to the others. Thread-safe.
 */
public final class Turns {
    private static final String NEXT = "next";

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
        try {
            db.update(
                    new Key("TURN#" + name, "META"),
                    Expression.of("SET #type = :type, #next = :next")
                            .name("#type", "type")
                            .name("#next", NEXT)
                            .string(":type", "turn")
                            .number(":next", now.plus(every).toEpochMilli()),
                    Expression.of("attribute_not_exists(#next) OR #next <= :now")
                            .name("#next", NEXT)
                            .number(":now", now.toEpochMilli()),
                    _ -> false);
            return true;
        } catch (ConditionFailed _) {
            return false;
        }
    }
}
