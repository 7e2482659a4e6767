package io.menuboard.messaging;

import io.menuboard.querydb.ChangeRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Dispatches each change to the handlers that want changes of its type. */
public final class ChangeMessages implements MessageHandler {
    private final Map<String, List<ChangeHandler>> byType;

    public ChangeMessages(List<ChangeHandler> handlers) {
        var handlersByType = new HashMap<String, List<ChangeHandler>>();
        for (var handler : handlers) {
            for (var type : handler.types()) {
                handlersByType.computeIfAbsent(type, _ -> new ArrayList<>()).add(handler);
            }
        }
        byType = Map.copyOf(handlersByType);
    }

    @Override
    public Work read(String body) {
        var change = ChangeRecord.parse(body);
        return () -> {
            handle(byType.getOrDefault(change.type(), List.of()).iterator(), change);
            return Optional.empty();
        };
    }

    /** One that fails keeps no other from its change; the change is retried for all of them. */
    private static void handle(Iterator<ChangeHandler> handlers, ChangeRecord change) {
        if (handlers.hasNext()) {
            try {
                handlers.next().handle(change);
            } finally {
                handle(handlers, change);
            }
        }
    }
}
