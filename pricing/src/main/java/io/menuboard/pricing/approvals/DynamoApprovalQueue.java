package io.menuboard.pricing.approvals;

import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Change sets that wait for approval, as items {@code APPROVAL#{id}}/{@code META}, listed in {@code gsi1} under
 * {@code APPROVALS} by when they were asked about. A hint: what the set itself says is the truth.
 */
public final class DynamoApprovalQueue {
    private static final String PARTITION = "APPROVAL#";
    private static final String ALL = "APPROVALS";

    private final QueryDb db;

    public DynamoApprovalQueue(QueryDb db) {
        this.db = db;
    }

    /**
     * Adds a set, as part of a transaction.
     *
     * @param gone when the set is kept no more
     */
    public static Write add(ChangeSetId id, Instant requestedAt, Instant gone) {
        return Write.put(
                Item.at(key(id))
                        .type("approvalRequest")
                        .index(ALL, place(id, requestedAt))
                        .ttl(gone)
                        .build(),
                SaveMode.ANY);
    }

    /** Removes a set, if it is there, as part of a transaction. */
    public static Write remove(ChangeSetId id) {
        return Write.delete(key(id));
    }

    /** Where a set stands in the list. */
    public static String place(ChangeSetId id, Instant requestedAt) {
        return Key.sortable(requestedAt) + "#" + id;
    }

    /**
     * Those that were asked about first, first; half a read unit per 4 KB, and what reading them costs, of one more than the page
     * has. The total is of all that are listed.
     *
     * @param read reads some of them; those that it has no answer for are left out, and the page is read on
     */
    public <T> Page<T> list(PageRequest page, Function<List<ChangeSetId>, Map<ChangeSetId, T>> read) {
        Function<List<List<Item>>, List<Optional<T>>> edges = groups -> {
            var ids = groups.stream()
                    .map(group -> db.readable(group.getFirst(), DynamoApprovalQueue::idOf))
                    .toList();
            var found = read.apply(ids.stream().flatMap(Optional::stream).toList());
            return ids.stream()
                    .map(id -> id.flatMap(each -> Optional.ofNullable(found.get(each))))
                    .toList();
        };
        return db.query(waiting(), page, edges).withTotal(() -> db.size(waiting(), Page.COUNTED));
    }

    /** All of them, in the same order and at the same cost. */
    public List<ChangeSetId> all() {
        try (var items = db.all(waiting(), Consistency.EVENTUAL)) {
            return items.map(DynamoApprovalQueue::idOf).toList();
        }
    }

    private static Query waiting() {
        return Query.index("approvals", "gsi1", ALL);
    }

    private static ChangeSetId idOf(Item item) {
        return new ChangeSetId(item.key().partition().substring(PARTITION.length()));
    }

    private static Key key(ChangeSetId id) {
        return new Key(PARTITION + id, "META");
    }
}
