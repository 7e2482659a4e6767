package io.menuboard.messaging.feed;

import io.menuboard.querydb.ChangeRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands each change to the listeners that want changes of its type. */
final class FeedListeners {
    private static final Logger log = LoggerFactory.getLogger(FeedListeners.class);

    private final Map<String, List<FeedListener>> byType = new HashMap<>();
    private final FeedMetrics metrics;

    FeedListeners(List<FeedListener> listeners, FeedMetrics metrics) {
        this.metrics = metrics;
        for (var listener : listeners) {
            for (var type : listener.types()) {
                byType.computeIfAbsent(type, _ -> new ArrayList<>()).add(listener);
            }
        }
    }

    /** The types that somebody wants. */
    SortedSet<String> types() {
        return new TreeSet<>(byType.keySet());
    }

    /** Tells those who want to know. What cannot be read, or fails, is a line in the log and a number. */
    void tell(String body) {
        ChangeRecord change;
        try {
            change = ChangeRecord.parse(body);
        } catch (RuntimeException e) {
            // Whatever it is: the other messages of this receive must be told and deleted.
            metrics.failed();
            log.warn("change not understood", e);
            return;
        }
        for (var listener : byType.getOrDefault(change.type(), List.of())) {
            try {
                listener.changed(change);
            } catch (RuntimeException e) {
                // The edge of what contexts do here: the other listeners must hear of it too.
                metrics.failed();
                log.error("listener failed: type={} event={}", change.type(), change.eventId(), e);
            }
        }
    }
}
