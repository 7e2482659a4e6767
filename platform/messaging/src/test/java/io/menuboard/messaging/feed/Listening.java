package io.menuboard.messaging.feed;

import io.menuboard.querydb.ChangeRecord;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Remembers what it heard: the sort keys of what was changed. */
final class Listening implements FeedListener {
    private final Set<String> types;
    private final ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();

    Listening(String... types) {
        this.types = Set.of(types);
    }

    @Override
    public Set<String> types() {
        return types;
    }

    @Override
    public void changed(ChangeRecord record) {
        heard.add(record.key().sort());
    }

    List<String> heard() {
        return List.copyOf(heard);
    }
}
