package io.menuboard.querydb;

import io.menuboard.kernel.Count;
import io.menuboard.kernel.PageRequest.Direction;
import io.menuboard.querydb.requests.Concurrently;
import io.menuboard.querydb.requests.Requests;
import io.menuboard.querydb.requests.Requests.Request;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Counts what is in some lists together, until it has scanned more than so many items or groups of them, or all. As dear as
 * reading what it scans: half a read unit per 4 KB, a request for each megabyte, and at least one for each list.
 */
final class Counter {
    private static final int GROUPS_AT_ONCE = 1000;

    private final TableDefinition table;
    private final Instant now;
    private final Requests requests;
    private final int atMost;
    private final AtomicInteger scanned = new AtomicInteger();
    private final AtomicInteger counted = new AtomicInteger();

    /**
     * A counter that is used once.
     *
     * @param now decides what has expired
     * @param atMost highest count
     */
    Counter(TableDefinition table, Instant now, Requests requests, int atMost) {
        this.table = table;
        this.now = now;
        this.requests = requests;
        this.atMost = atMost;
    }

    /** Items, also those that this version cannot read. They are not sent, so that the caller has little to do. */
    Count items(List<Query> queries) {
        return count(queries, this::countItems);
    }

    /** Groups that are edges, which reading them tells. */
    <T> Count edges(List<Query> queries, Function<List<List<Item>>, List<Optional<T>>> edges) {
        return count(queries, query -> countEdges(query, edges));
    }

    /** @param list counts in one list, and says whether it did so to the end */
    private Count count(List<Query> queries, Function<Query, Boolean> list) {
        var all = !Concurrently.map(Lists.AT_ONCE, queries, list).contains(false);
        var sum = counted.get();
        return all && sum <= atMost ? Count.exactly(sum) : Count.atLeast(Math.min(sum, atMost));
    }

    private boolean countItems(Query query) {
        var request = new PartitionQuery(table, query, Direction.FORWARD).countRequest(now);
        for (var more = true; more; ) {
            if (isEnough()) {
                return false;
            }
            var part = request.build();
            var response = requests.send(Request.read(
                            query.accessPattern(),
                            query.index(),
                            client -> client.query(part),
                            answer -> Collections.singletonList(answer.consumedCapacity())))
                    .orThrow(failed -> new NotLoaded(query.accessPattern(), query.partition(), failed));
            scanned.addAndGet(response.scannedCount());
            counted.addAndGet(response.count());
            more = response.hasLastEvaluatedKey();
            request.exclusiveStartKey(response.lastEvaluatedKey());
        }
        return true;
    }

    private <T> boolean countEdges(Query query, Function<List<List<Item>>, List<Optional<T>>> edges) {
        var list = new PartitionQuery(table, query, Direction.FORWARD);
        var reader = new PartitionReader(list, Consistency.EVENTUAL, null, requests, now);
        while (!reader.isAtEnd() || reader.ready() > 0) {
            if (isEnough()) {
                return false;
            }
            if (reader.ready() == 0) {
                reader.read(null);
            }
            var groups = reader.take(GROUPS_AT_ONCE);
            scanned.addAndGet(groups.size());
            counted.addAndGet((int)
                    edges.apply(groups).stream().filter(Optional::isPresent).count());
        }
        return true;
    }

    private boolean isEnough() {
        return scanned.get() > atMost;
    }
}
