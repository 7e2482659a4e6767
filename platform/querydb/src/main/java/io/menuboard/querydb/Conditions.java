package io.menuboard.querydb;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What must be true of the item for a write to happen at one instant. Null is no condition. */
final class Conditions {

    private final boolean itemsExpire;
    private final Instant now;

    Conditions(TableDefinition table, Instant now) {
        this.itemsExpire = table.ttl() != null;
        this.now = now;
    }

    @Nullable
    Expression of(SaveMode mode) {
        return switch (mode) {
            case ANY -> null;
            case INIT -> {
                var absent = Expression.of("attribute_not_exists(#_pk)").name("#_pk", Item.PARTITION);
                yield itemsExpire ? absent.or(expired()) : absent;
            }
            case OVERWRITE -> andAlive(Expression.of("attribute_exists(#_pk)").name("#_pk", Item.PARTITION));
        };
    }

    /** The item has not expired, which an absent one has not either. */
    @Nullable
    Expression alive() {
        return itemsExpire ? withNow(Expression.of("attribute_not_exists(#_ttl) OR #_ttl > :_now")) : null;
    }

    Expression andAlive(Expression condition) {
        var alive = alive();
        return alive == null ? condition : alive.and(condition);
    }

    Expression expired() {
        return withNow(Expression.of("#_ttl <= :_now"));
    }

    private Expression withNow(Expression condition) {
        return condition.name("#_ttl", Item.TTL).number(":_now", now.getEpochSecond());
    }

    static @Nullable String text(@Nullable Expression condition) {
        return condition == null ? null : condition.text();
    }

    /** Names of all; null for none, because DynamoDB refuses an empty map. */
    static @Nullable Map<String, String> names(@Nullable Expression... expressions) {
        var names = Map.<String, String>of();
        for (var expression : expressions) {
            names = expression == null ? names : merged(names, expression.names());
        }
        return names.isEmpty() ? null : names;
    }

    /** Values of all; null for none, because DynamoDB refuses an empty map. */
    static @Nullable Map<String, AttributeValue> values(@Nullable Expression... expressions) {
        var values = Map.<String, AttributeValue>of();
        for (var expression : expressions) {
            values = expression == null ? values : merged(values, expression.values());
        }
        return values.isEmpty() ? null : values;
    }

    /** All of both; throws {@link IllegalArgumentException} when a placeholder would mean two things. */
    static <V> Map<String, V> merged(Map<String, V> one, Map<String, V> other) {
        var merged = new HashMap<>(one);
        other.forEach((placeholder, meaning) -> {
            var before = merged.putIfAbsent(placeholder, meaning);
            if (before != null && !before.equals(meaning)) {
                throw new IllegalArgumentException(
                        "placeholder " + placeholder + " means both " + before + " and " + meaning);
            }
        });
        return merged;
    }
}
