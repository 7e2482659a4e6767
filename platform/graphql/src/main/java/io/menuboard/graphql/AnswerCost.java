package io.menuboard.graphql;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an answer cost, for a client that asked to be told. */
final class AnswerCost {
    private final RequestTime time;
    private volatile @Nullable Map<String, Object> requested;

    /** @param time of the request, which knows what was read for it */
    AnswerCost(RequestTime time) {
        this.time = time;
    }

    /** Notes what the operation may cost at most. */
    void requested(OperationCost cost, Map<String, Object> variables) {
        var numbers = new LinkedHashMap<String, Object>();
        numbers.put("requested", cost.cost(variables));
        numbers.put("limit", cost.limit());
        requested = numbers;
    }

    /** Extensions of the answer; empty where there was no operation. */
    Map<String, Object> extensions() {
        var numbers = requested;
        if (numbers == null) {
            return Map.of();
        }
        var cost = new LinkedHashMap<>(numbers);
        cost.putAll(time.usage());
        return Map.of("cost", cost);
    }
}
