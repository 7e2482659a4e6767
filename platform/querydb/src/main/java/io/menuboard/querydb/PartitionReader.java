package io.menuboard.querydb;

import io.menuboard.querydb.Cursors.Position;
import io.menuboard.querydb.requests.Requests;
import io.menuboard.querydb.requests.Requests.Request;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** Reads a list in one direction and cuts it into groups, leaving out what has expired. Not thread-safe. */
final class PartitionReader {

    private static final int SMALLEST_GROUPED_READ = 4;
    private static final int LARGEST_FURTHER_READ = 1000;

    private final PartitionQuery list;
    private final Query query;
    private final Requests requests;
    private final Instant now;
    private final QueryRequest.Builder request;

    /** Complete groups not yet taken. */
    private final Deque<List<Item>> groups = new ArrayDeque<>();

    /** Group of which more items may follow; always empty when items are not grouped. */
    private List<Item> open = new ArrayList<>();

    private String openGroup = "";

    /** Group that the cursor stands for, until an item of another one was seen. */
    private @Nullable String skipped;

    private boolean ended;
    private int itemsRead;
    private int lastLimit;

    /**
     * Reads what follows a position, which may be another list's.
     *
     * @param from null for all
     * @param now decides what has expired
     */
    PartitionReader(
            PartitionQuery list, Consistency consistency, @Nullable Position from, Requests requests, Instant now) {
        this.list = list;
        this.query = list.query();
        this.requests = requests;
        this.now = now;
        this.skipped = from == null || query.groupParts() == 0 ? null : list.group(from.range());
        this.request = list.request(consistency);
        if (from != null && list.contains(from)) {
            request.exclusiveStartKey(list.startKey(from));
        }
        this.ended = from != null && list.endsBefore(from);
    }

    /** True if everything is read, though not all of it may be taken. */
    boolean isAtEnd() {
        return ended;
    }

    /** Number of groups there are to take. */
    int ready() {
        return groups.size();
    }

    /** Reads until there is an item to take, or the list is at its end: twice as many after each read without any. */
    void fill(int limit) {
        for (var next = limit; groups.isEmpty() && !ended; next = Math.min(2 * next, LARGEST_FURTHER_READ)) {
            read(next);
        }
    }

    boolean hasHead() {
        return !groups.isEmpty();
    }

    Item head() {
        return groups.getFirst().getFirst();
    }

    Item takeHead() {
        return groups.removeFirst().getFirst();
    }

    Position position(Item item) {
        return list.position(item);
    }

    /** Number of items to ask for when so many groups are missing and so many were found: one round trip's worth. */
    int limitFor(int missing, int found) {
        if (itemsRead == 0 && lastLimit == 0) {
            // The last group is complete only when an item of the next is seen.
            return query.groupParts() == 0 ? missing : Math.max(missing + 1, SMALLEST_GROUPED_READ);
        }
        var expected = found == 0 ? 2L * lastLimit : (long) missing * itemsRead / found + missing + 1;
        return Math.clamp(expected, SMALLEST_GROUPED_READ, LARGEST_FURTHER_READ);
    }

    /** Makes one request for at most that many items; null for as many as a response holds. */
    void read(@Nullable Integer limit) {
        var page = request.limit(limit).build();
        var response = requests.send(Request.read(
                        query.accessPattern(),
                        query.index(),
                        client -> client.query(page),
                        answer -> Collections.singletonList(answer.consumedCapacity())))
                .orThrow(failed -> new NotLoaded(query.accessPattern(), query.partition(), failed));
        lastLimit = limit == null ? 0 : limit;
        itemsRead += response.count();
        for (var attributes : response.items()) {
            var item = query.index() == null
                    ? Item.fromResponse(query.partition(), attributes)
                    : Item.fromResponse(attributes);
            if (!item.expiredAt(now)) {
                add(item);
            }
        }
        if (response.hasLastEvaluatedKey()) {
            request.exclusiveStartKey(response.lastEvaluatedKey());
        } else {
            ended = true;
            close();
        }
    }

    private void add(Item item) {
        if (query.groupParts() == 0) {
            groups.add(List.of(item));
            return;
        }
        var group = list.group(list.range(item));
        if (group.equals(skipped)) {
            return;
        }
        skipped = null;
        if (!group.equals(openGroup)) {
            close();
            openGroup = group;
        }
        open.add(item);
    }

    private void close() {
        if (!open.isEmpty()) {
            open.sort(list.byPosition());
            groups.add(Collections.unmodifiableList(open));
            open = new ArrayList<>();
        }
    }

    List<List<Item>> take(int max) {
        var taken = new ArrayList<List<Item>>(Math.min(max, groups.size()));
        while (taken.size() < max && !groups.isEmpty()) {
            taken.add(groups.removeFirst());
        }
        return taken;
    }
}
