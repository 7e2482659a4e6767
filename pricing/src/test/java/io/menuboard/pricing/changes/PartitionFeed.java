package io.menuboard.pricing.changes;

import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.ChangeRecord.Kind;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What has changed in a partition since it was looked at last, as the table's stream would tell it. */
public final class PartitionFeed {
    private final QueryDb db;
    private final String partition;
    private Map<Key, Item> seen = new HashMap<>();
    private int records;

    public PartitionFeed(QueryDb db, String partition) {
        this.db = db;
        this.partition = partition;
    }

    public List<ChangeRecord> next() {
        var now = new HashMap<Key, Item>();
        db.load(partition).forEach(item -> now.put(item.key(), item));
        var changes = new ArrayList<ChangeRecord>();
        now.forEach((key, item) -> {
            var before = seen.get(key);
            if (before == null) {
                changes.add(record(Kind.CREATED, null, item));
            } else if (!before.equals(item)) {
                changes.add(record(Kind.CHANGED, before, item));
            }
        });
        seen.forEach((key, item) -> {
            if (!now.containsKey(key)) {
                changes.add(record(Kind.REMOVED, item, null));
            }
        });
        seen = now;
        return changes;
    }

    private ChangeRecord record(Kind kind, @Nullable Item before, @Nullable Item after) {
        var item = after == null ? before : after;
        if (item == null) {
            throw new IllegalArgumentException("a record is about an item");
        }
        return new ChangeRecord("event-" + records++, Instant.EPOCH, kind, item.key(), item.type(), before, after);
    }
}
