package io.menuboard.querydb;

import io.menuboard.kernel.Count;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.PageRequest.Direction;
import io.menuboard.querydb.Cursors.Position;
import io.menuboard.querydb.Pager.Found;
import io.menuboard.querydb.requests.Requests;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/** Reads of partitions of the table and its indexes: whole, lazily, and page by page in both directions. */
final class Lists {

    /** Most of several lists that are read together. A week of audit records in four shards are 28. */
    static final int AT_ONCE = 32;

    private final TableDefinition table;
    private final Clock clock;
    private final Requests requests;
    private final SecretKey cursorKey;

    Lists(TableDefinition table, Clock clock, Requests requests, SecretKey cursorKey) {
        this.table = table;
        this.clock = clock;
        this.requests = requests;
        this.cursorKey = cursorKey;
    }

    private PartitionReader reader(Query query, Consistency consistency, Direction towards, @Nullable Position from) {
        return new PartitionReader(
                new PartitionQuery(table, query, towards), consistency, from, requests, clock.instant());
    }

    /** Everything in list order, read as the stream is consumed, a megabyte at a time. */
    Stream<Item> all(Query query, Consistency consistency) {
        var reader = reader(query, consistency, Direction.FORWARD, null);
        var items = new Iterator<Item>() {
            @Override
            public boolean hasNext() {
                while (!reader.hasHead() && !reader.isAtEnd()) {
                    reader.read(null);
                }
                return reader.hasHead();
            }

            @Override
            public Item next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return reader.takeHead();
            }
        };
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(items, Spliterator.ORDERED | Spliterator.NONNULL), false);
    }

    /** A page of groups; which of them are edges is known when they are read. */
    <T> Page<T> page(Query query, PageRequest request, Function<List<List<Item>>, List<Optional<T>>> edges) {
        return page(query, request, edges, () -> counter().edges(List.of(query), edges));
    }

    /** A page of items, or of the first ones of groups, each an edge unless this version cannot read it. */
    <T> Page<T> items(Query query, PageRequest request, Function<Item, Optional<T>> edge) {
        Function<List<List<Item>>, List<Optional<T>>> edges = each(edge);
        return query.groupParts() == 0
                ? page(query, request, edges, () -> counter().items(List.of(query)))
                : page(query, request, edges);
    }

    private <T> Page<T> page(
            Query query,
            PageRequest request,
            Function<List<List<Item>>, List<Optional<T>>> edges,
            Supplier<Count> total) {
        return Pager.page(
                new Cursors(cursorKey, table.name(), query),
                request,
                (wanted, towards, from) -> find(wanted, query, towards, from, edges),
                total);
    }

    /**
     * A page of lists of the table, or of one index, that are merged into one, in the order of their range keys.
     *
     * @param list what its cursors are bound to; null for the queries
     * @param edge asked once for each reading
     */
    <T> Page<T> merged(
            @Nullable List<String> list,
            List<Query> queries,
            PageRequest request,
            Supplier<Function<Item, Optional<T>>> edge) {
        return merged(list, queries, request, edge, () -> counter().edges(queries, each(edge.get())));
    }

    /** The same where each item is an edge unless this version cannot read it. */
    <T> Page<T> mergedItems(
            @Nullable List<String> list, List<Query> queries, PageRequest request, Function<Item, Optional<T>> edge) {
        return merged(list, queries, request, () -> edge, () -> counter().items(queries));
    }

    private <T> Page<T> merged(
            @Nullable List<String> list,
            List<Query> queries,
            PageRequest request,
            Supplier<Function<Item, Optional<T>>> edge,
            Supplier<Count> total) {
        var first = queries.getFirst();
        if (queries.stream()
                .anyMatch(query -> query.groupParts() > 0
                        || !Objects.equals(first.index(), query.index())
                        || query.descending() != first.descending())) {
            throw new IllegalArgumentException(
                    "only ungrouped lists of the table or of one index, in one direction, are merged");
        }
        return Pager.page(
                list == null
                        ? new Cursors(cursorKey, table.name(), queries)
                        : new Cursors(cursorKey, table.name(), list, first),
                request,
                (wanted, towards, from) -> Merge.find(
                        wanted,
                        queries.stream()
                                .map(query -> reader(query, query.consistency(), towards, from))
                                .toList(),
                        new PartitionQuery(table, first, towards).inListOrder(),
                        edge.get()),
                total);
    }

    private static <T> Function<List<List<Item>>, List<Optional<T>>> each(Function<Item, Optional<T>> edge) {
        return groups ->
                groups.stream().map(group -> edge.apply(group.getFirst())).toList();
    }

    /** A page of items that are at hand and in list order, with the cursors of a query that would have found them. */
    Page<Item> page(Query query, List<Item> items, PageRequest request) {
        return Pager.page(
                new Cursors(cursorKey, table.name(), query),
                request,
                Pager.among(items),
                () -> Count.exactly(items.size()));
    }

    /** A page of what the caller reads by its sort keys, which are in list order. */
    <E, T> Page<T> page(
            Query query,
            List<E> entries,
            Function<? super E, String> sort,
            Function<List<E>, List<Optional<T>>> edges,
            PageRequest request) {
        var finder = Pager.reading(new PartitionQuery(table, query, Direction.FORWARD), entries, sort, edges);
        return Pager.page(
                new Cursors(cursorKey, table.name(), query),
                request,
                finder,
                () -> Count.upTo(Page.COUNTED, finder.find(Page.COUNTED + 1, Direction.FORWARD, null).stream()));
    }

    /** Number of items, up to {@code atMost}. */
    Count size(Query query, int atMost) {
        return new Counter(table, clock.instant(), requests, atMost).items(List.of(query));
    }

    private Counter counter() {
        return new Counter(table, clock.instant(), requests, Page.COUNTED);
    }

    /** The first edges in that direction, at most {@code wanted}; fewer only if there are no more. */
    private <T> List<Found<T>> find(
            int wanted,
            Query query,
            Direction towards,
            @Nullable Position from,
            Function<List<List<Item>>, List<Optional<T>>> edges) {
        var reader = reader(query, query.consistency(), towards, from);
        var found = new ArrayList<Found<T>>(wanted);
        while (found.size() < wanted) {
            var missing = wanted - found.size();
            while (!reader.isAtEnd() && reader.ready() < missing) {
                reader.read(reader.limitFor(missing - reader.ready(), found.size() + reader.ready()));
            }
            if (reader.ready() == 0) {
                break;
            }
            var groups = reader.take(missing);
            var nodes = edges.apply(groups);
            if (nodes.size() != groups.size()) {
                throw new IllegalStateException(
                        query.accessPattern() + " made " + nodes.size() + " edges of " + groups.size() + " groups");
            }
            for (var i = 0; i < groups.size(); i++) {
                var last = groups.get(i).getLast();
                nodes.get(i).ifPresent(node -> found.add(new Found<>(node, reader.position(last))));
            }
        }
        return found;
    }
}
