package io.menuboard.querydb;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Conditions that querydb itself adds to writes at one instant. Null is no condition. */
final class Conditions {

    private final boolean itemsExpire;
    private final Instant now;

    Conditions(TableDefinition table, Instant now) {
        this.itemsExpire = table.ttl() != null;
        this.now = now;
    }

    @Nullable
    Condition of(SaveMode mode) {
        return switch (mode) {
            case ANY -> null;
            case INIT -> itemsExpire ? Condition.absent().or(expired()) : Condition.absent();
            case OVERWRITE -> andAlive(Condition.exists());
        };
    }

    /** The item has not expired, which an absent one has not either. */
    @Nullable
    Condition alive() {
        return itemsExpire ? Condition.absent(Item.TTL).or(Condition.greater(Item.TTL, now.getEpochSecond())) : null;
    }

    @Nullable
    Condition andAlive(@Nullable Condition condition) {
        var alive = alive();
        if (alive == null || condition == null) {
            return alive == null ? condition : alive;
        }
        return alive.and(condition);
    }

    Condition expired() {
        return Condition.atMost(Item.TTL, now.getEpochSecond());
    }
}
