package io.menuboard.favorites;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was looked up last, the least recently used forgotten first. Thread-safe. */
final class Recent<K, V> {
    private final Map<K, V> entries;

    /** @param most entries that are kept */
    Recent(int most) {
        entries = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }

    synchronized @Nullable V get(K key) {
        return entries.get(key);
    }

    synchronized void put(K key, V value) {
        entries.put(key, value);
    }

    synchronized void remove(K key) {
        entries.remove(key);
    }
}
