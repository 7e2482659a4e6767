package io.menuboard.messaging;

import io.menuboard.querydb.Turns;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A place among the few instances that do something at the same time. That there are so few is not certain: one that was
 * held up too long may not know yet that its seat has been taken. For one thread.
 */
final class Seat {
    private static final Duration HELD = Duration.ofSeconds(10);

    /** How long who has a seat may wait before asking again. */
    static final Duration BETWEEN_RENEWALS = Duration.ofSeconds(1);

    /** How long who has none may wait: half a write unit a second. */
    static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

    private final Turns turns;
    private final List<String> names;
    private final String holder = UUID.randomUUID().toString();
    private @Nullable String mine;
    private int looks;

    /** @param name of what is done; seats are {@code {name}-0} and so on */
    Seat(Turns turns, String name, int seats) {
        this.turns = turns;
        this.names = IntStream.range(0, seats).mapToObj(i -> name + "-" + i).toList();
    }

    /** Keeps the seat, or takes one that is free: the first time it asks for all, later for one after the other. */
    boolean isHeld() {
        if (mine != null && turns.hold(mine, holder, HELD)) {
            return true;
        }
        var asked = looks == 0 ? names : List.of(names.get(looks % names.size()));
        looks++;
        mine = asked.stream()
                .filter(name -> turns.hold(name, holder, HELD))
                .findFirst()
                .orElse(null);
        return mine != null;
    }

    /** Which one is held, from 0 on; -1 for none. */
    int number() {
        return mine == null ? -1 : names.indexOf(mine);
    }

    /** So that another one has it at once. */
    void leave() {
        if (mine != null) {
            turns.hold(mine, holder, Duration.ZERO);
            mine = null;
        }
    }
}
