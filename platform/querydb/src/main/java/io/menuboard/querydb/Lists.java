package io.menuboard.querydb;

import static java.util.stream.Collectors.joining;

import io.menuboard.kernel.Edge;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.PageRequest.Direction;
import io.menuboard.querydb.Cursors.Position;
import io.menuboard.querydb.Requests.Request;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.Select;

/** Reads of partitions of the table and its indexes: whole, lazily, and page by page in both directions. */
final class Lists {

    private static final int SMALLEST_GROUPED_READ = 4;
    private static final int LARGEST_FURTHER_READ = 1000;

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

    /** Everything in list order, read as the stream is consumed, a megabyte at a time. */
    Stream<Item> all(Query query, Consistency consistency) {
        var walk = new Walk(query, consistency, Direction.FORWARD, null);
        var items = new Iterator<Item>() {
            @Override
            public boolean hasNext() {
                while (walk.groups.isEmpty() && !walk.ended) {
                    walk.read(null);
                }
                return !walk.groups.isEmpty();
            }

            @Override
            public Item next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return walk.groups.removeFirst().getFirst();
            }
        };
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(items, Spliterator.ORDERED | Spliterator.NONNULL), false);
    }

    <T> Page<T> page(Query query, PageRequest request, Function<List<List<Item>>, List<Optional<T>>> edges) {
        return page(
                new Cursors(cursorKey, table.name(), query),
                request,
                (wanted, towards, from) -> find(wanted, query, towards, from, edges));
    }

    private static <T> Page<T> page(Cursors cursors, PageRequest request, Finder<T> finder) {
        var towards = request.direction();
        var from = position(cursors, request);
        var found = finder.find(request.size() + 1, towards, from);
        var more = found.size() > request.size();
        var nearest = found.isEmpty() ? null : found.getFirst().position();
        var onPage = more ? found.subList(0, request.size()) : found;
        var inOrder = towards == Direction.FORWARD ? onPage : onPage.reversed();
        BooleanSupplier ahead = () -> more;
        // Nothing lies beyond the cursor when the page is empty, so the last edge of the list is the one before it.
        var behind = from == null
                ? (BooleanSupplier) () -> false
                : new Once(() -> !finder.find(1, towards.opposite(), nearest).isEmpty());
        var onPageEdges = new ArrayList<Edge<T>>(inOrder.size());
        for (var edge : inOrder) {
            onPageEdges.add(new Edge<>(edge.node(), () -> cursors.write(edge.position())));
        }
        return new Page<>(
                onPageEdges,
                towards == Direction.FORWARD ? ahead : behind,
                towards == Direction.FORWARD ? behind : ahead);
    }

    /** A page of lists of the table, or of one index, that are merged into one, in the order of their range keys. */
    <T> Page<T> merged(List<Query> queries, PageRequest request, Function<Item, Optional<T>> edge) {
        var first = queries.getFirst();
        if (queries.stream()
                .anyMatch(query -> query.groupParts() > 0
                        || !Objects.equals(first.index(), query.index())
                        || query.descending() != first.descending())) {
            throw new IllegalArgumentException(
                    "only ungrouped lists of the table or of one index, in one direction, are merged");
        }
        return page(
                new Cursors(cursorKey, table.name(), queries),
                request,
                (wanted, towards, from) -> findMerged(wanted, queries, towards, from, edge));
    }

    /** A page of items that are at hand and in list order, with the cursors of a query that would have found them. */
    Page<Item> page(Query query, List<Item> items, PageRequest request) {
        return page(new Cursors(cursorKey, table.name(), query), request, (wanted, towards, from) -> {
            var inOrder = towards == Direction.FORWARD ? items : items.reversed();
            return inOrder.stream()
                    .filter(item -> from == null || isBeyond(item.key(), from.key(), towards))
                    .limit(wanted)
                    .map(item -> new Found<>(
                            item, new Position(item.key(), item.key().sort())))
                    .toList();
        });
    }

    private static boolean isBeyond(Key key, Key from, Direction towards) {
        var order = Key.compareUtf8(key.sort(), from.sort());
        return towards == Direction.FORWARD ? order > 0 : order < 0;
    }

    /** How many there are, expired ones too; reads on until there are {@code atMost}. A request per megabyte. */
    long size(Query query, long atMost) {
        var request = new Walk(query, Consistency.EVENTUAL, Direction.FORWARD, null)
                .request
                .projectionExpression(null)
                .select(Select.COUNT);
        var size = 0L;
        for (var more = true; more && size < atMost; ) {
            var part = request.build();
            var response = requests.send(Request.read(
                            query.accessPattern(),
                            query.index(),
                            client -> client.query(part),
                            answer -> Collections.singletonList(answer.consumedCapacity())))
                    .orThrow(failed -> new NotLoaded(query.accessPattern(), query.partition(), failed));
            size += response.count();
            more = response.hasLastEvaluatedKey();
            if (more) {
                request.exclusiveStartKey(response.lastEvaluatedKey());
            }
        }
        return Math.min(size, atMost);
    }

    private interface Finder<T> {
        /** The first edges in that direction, at most {@code wanted}; fewer only if there are no more. */
        List<Found<T>> find(int wanted, Direction towards, @Nullable Position from);
    }

    private static @Nullable Position position(Cursors cursors, PageRequest request) {
        if (request.cursor() == null) {
            return null;
        }
        var field = request.direction().cursorField();
        return cursors.read(request.cursor())
                .orElseThrow(() -> new InvalidInput(
                        "INVALID_CURSOR", field, field + " must be a cursor that this same list gave out"));
    }

    /** The first edges in that direction, at most {@code wanted}; fewer only if there are no more. */
    private <T> List<Found<T>> find(
            int wanted,
            Query query,
            Direction towards,
            @Nullable Position from,
            Function<List<List<Item>>, List<Optional<T>>> edges) {
        var walk = new Walk(query, Consistency.EVENTUAL, towards, from);
        var found = new ArrayList<Found<T>>(wanted);
        while (found.size() < wanted) {
            var missing = wanted - found.size();
            while (!walk.ended && walk.groups.size() < missing) {
                walk.read(walk.limitFor(missing - walk.groups.size(), found.size() + walk.groups.size()));
            }
            if (walk.groups.isEmpty()) {
                break;
            }
            var groups = walk.take(missing);
            var nodes = edges.apply(groups);
            if (nodes.size() != groups.size()) {
                throw new IllegalStateException(
                        query.accessPattern() + " made " + nodes.size() + " edges of " + groups.size() + " groups");
            }
            for (var i = 0; i < groups.size(); i++) {
                var last = groups.get(i).getLast();
                nodes.get(i).ifPresent(node -> found.add(new Found<>(node, walk.position(last))));
            }
        }
        return found;
    }

    private <T> List<Found<T>> findMerged(
            int wanted,
            List<Query> queries,
            Direction towards,
            @Nullable Position from,
            Function<Item, Optional<T>> edge) {
        var walks = queries.stream()
                .map(query -> new Walk(query, Consistency.EVENTUAL, towards, from))
                .toList();
        // Together a little more than a page: lists of one kind have about as many entries each.
        var share = Math.ceilDiv(wanted, walks.size()) + 1;
        fill(walks, share);
        var next = new PriorityQueue<>(
                Comparator.comparing(Walk::head, walks.getFirst().inListOrder()));
        walks.stream().filter(Walk::hasHead).forEach(next::add);
        var found = new ArrayList<Found<T>>(wanted);
        while (found.size() < wanted && !next.isEmpty()) {
            var walk = next.remove();
            var item = walk.groups.removeFirst().getFirst();
            edge.apply(item).ifPresent(node -> found.add(new Found<>(node, walk.position(item))));
            walk.fill(Math.clamp(wanted - found.size(), SMALLEST_GROUPED_READ, LARGEST_FURTHER_READ));
            if (walk.hasHead()) {
                next.add(walk);
            }
        }
        return found;
    }

    /** The first read of each list, all at the same time. */
    private static void fill(List<Walk> walks, int limit) {
        if (walks.size() == 1) {
            walks.getFirst().fill(limit);
            return;
        }
        var workload = Workload.current();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var reads = walks.stream()
                    .map(walk -> CompletableFuture.runAsync(() -> workload.run(() -> walk.fill(limit)), threads))
                    .toList();
            for (var read : reads) {
                read.join();
            }
        } catch (CompletionException e) {
            throw e.getCause() instanceof QueryDbException failed ? failed : e;
        }
    }

    private record Found<T>(T node, Position position) {}

    /** Placeholders for names of attributes, any of which may be a reserved word; one each, since DynamoDB parses them. */
    private static final class Names {
        private final Map<String, String> byPlaceholder = new HashMap<>();
        private final Map<String, String> placeholders = new HashMap<>();

        String of(String attribute) {
            return placeholders.computeIfAbsent(attribute, _ -> {
                var placeholder = "#" + byPlaceholder.size();
                byPlaceholder.put(placeholder, attribute);
                return placeholder;
            });
        }
    }

    /** Reads a list in one direction and cuts it into groups, leaving out what has expired. */
    private final class Walk {

        private final Query query;
        private final Consistency consistency;
        private final boolean ascending;
        private final String range;
        private final Instant now = clock.instant();
        private final QueryRequest.Builder request;
        private final Comparator<Item> byPosition;

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

        Walk(Query query, Consistency consistency, Direction towards, @Nullable Position from) {
            this.query = query;
            this.consistency = consistency;
            this.ascending = (towards == Direction.FORWARD) != query.descending();
            var index = query.index() == null ? null : table.index(query.index());
            var hash = index == null ? table.hash() : index.hash();
            this.range = rangeName(index);
            this.byPosition = Comparator.comparing(this::range, Key::compareUtf8)
                    .thenComparing(item -> item.key().partition(), Key::compareUtf8)
                    .thenComparing(item -> item.key().sort(), Key::compareUtf8);
            this.skipped = from == null || query.groupParts() == 0 ? null : group(from.range());
            this.request = request(hash.name());
            if (from != null) {
                start(from, hash.name());
            }
        }

        /** After that position, which may be outside the range when it is another list's. */
        private void start(Position from, String hash) {
            switch (side(from.range())) {
                case 0 -> request.exclusiveStartKey(startKey(from, hash));
                case 1 -> ended = ascending;
                default -> ended = !ascending;
            }
        }

        /** 0 within the range of this list, -1 below it, 1 above it. */
        private int side(String rangeKey) {
            return switch (query.range()) {
                case null -> 0;
                case Query.Range.BeginsWith(var prefix) ->
                    rangeKey.startsWith(prefix) ? 0 : Integer.signum(Key.compareUtf8(rangeKey, prefix));
                case Query.Range.Between(var low, var high) -> {
                    if (Key.compareUtf8(rangeKey, low) < 0) {
                        yield -1;
                    }
                    yield Key.compareUtf8(rangeKey, high) > 0 ? 1 : 0;
                }
            };
        }

        /** Reads until there is an item to take, or the list is at its end. */
        void fill(int limit) {
            while (groups.isEmpty() && !ended) {
                read(limit);
            }
        }

        boolean hasHead() {
            return !groups.isEmpty();
        }

        Item head() {
            return groups.getFirst().getFirst();
        }

        Comparator<Item> inListOrder() {
            return ascending ? byPosition : byPosition.reversed();
        }

        private String rangeName(TableDefinition.@Nullable Index index) {
            var key = index == null ? table.range() : index.range();
            return key == null ? Item.SORT : key.name();
        }

        private String range(Item item) {
            return query.index() == null ? item.key().sort() : item.string(range);
        }

        private QueryRequest.Builder request(String hash) {
            var names = new Names();
            var values = new HashMap<String, AttributeValue>();
            values.put(":h", AttributeValue.fromS(query.partition()));
            var condition = names.of(hash) + " = :h";
            switch (query.range()) {
                case null -> {}
                case Query.Range.BeginsWith(var prefix) -> {
                    values.put(":prefix", AttributeValue.fromS(prefix));
                    condition += " AND begins_with(" + names.of(range) + ", :prefix)";
                }
                case Query.Range.Between(var low, var high) -> {
                    values.put(":low", AttributeValue.fromS(low));
                    values.put(":high", AttributeValue.fromS(high));
                    condition += " AND " + names.of(range) + " BETWEEN :low AND :high";
                }
            }
            return QueryRequest.builder()
                    .tableName(table.name())
                    .indexName(query.index())
                    .projectionExpression(projection(names))
                    .keyConditionExpression(condition)
                    .expressionAttributeNames(names.byPlaceholder)
                    .expressionAttributeValues(values)
                    .scanIndexForward(ascending)
                    .consistentRead(consistency == Consistency.STRONG)
                    .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL);
        }

        private @Nullable String projection(Names names) {
            if (query.attributes().isEmpty()) {
                return null;
            }
            var wanted = new LinkedHashSet<>(List.of(Item.SORT, range));
            if (query.index() != null) {
                wanted.add(Item.PARTITION);
            }
            if (table.ttl() != null) {
                wanted.add(table.ttl());
            }
            wanted.addAll(query.attributes());
            return wanted.stream().map(names::of).collect(joining(", "));
        }

        private Map<String, AttributeValue> startKey(Position from, String hash) {
            var key = new HashMap<String, AttributeValue>();
            key.put(Item.PARTITION, AttributeValue.fromS(from.key().partition()));
            key.put(Item.SORT, AttributeValue.fromS(from.key().sort()));
            // Last, since in the table they are the same attributes, and the position may be another list's.
            key.put(hash, AttributeValue.fromS(query.partition()));
            key.put(range, AttributeValue.fromS(from.range()));
            return key;
        }

        /** How many items to ask for when so many groups are missing and so many were found: one round trip's worth. */
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
                        ? Item.answered(query.partition(), attributes)
                        : Item.answered(attributes);
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
            var group = group(range(item));
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
                open.sort(byPosition);
                groups.add(Collections.unmodifiableList(open));
                open = new ArrayList<>();
            }
        }

        private String group(String rangeKey) {
            var end = -1;
            for (var part = 0; part < query.groupParts(); part++) {
                end = rangeKey.indexOf('#', end + 1);
                if (end < 0) {
                    return rangeKey;
                }
            }
            return rangeKey.substring(0, end);
        }

        List<List<Item>> take(int max) {
            var taken = new ArrayList<List<Item>>(Math.min(max, groups.size()));
            while (taken.size() < max && !groups.isEmpty()) {
                taken.add(groups.removeFirst());
            }
            return taken;
        }

        Position position(Item item) {
            return new Position(item.key(), range(item));
        }
    }

    /** Asks once. */
    private static final class Once implements BooleanSupplier {

        private final BooleanSupplier question;
        private @Nullable Boolean answer;

        Once(BooleanSupplier question) {
            this.question = question;
        }

        @Override
        public synchronized boolean getAsBoolean() {
            if (answer == null) {
                answer = question.getAsBoolean();
            }
            return answer;
        }
    }
}
