package io.menuboard.querydb;

import static java.util.stream.Collectors.joining;

import io.menuboard.querydb.Cursors.Position;
import io.menuboard.querydb.PageRequest.Direction;
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
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

/** Reads of partitions of the table and its indexes: whole, lazily, and page by page in both directions. */
final class Lists {

    private static final int SMALLEST_GROUPED_READ = 4;
    private static final int LARGEST_FURTHER_READ = 1000;

    private final DynamoDbClient client;
    private final TableDefinition table;
    private final Clock clock;
    private final Requests requests;
    private final SecretKey cursorKey;

    Lists(DynamoDbClient client, TableDefinition table, Clock clock, Requests requests, SecretKey cursorKey) {
        this.client = client;
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
        var cursors = new Cursors(cursorKey, table.name(), query);
        var towards = request.direction();
        var from = position(cursors, request);
        var found = find(request.size() + 1, query, towards, from, edges);
        var more = found.size() > request.size();
        var nearest = found.isEmpty() ? null : found.getFirst().position();
        var onPage = more ? found.subList(0, request.size()) : found;
        var inOrder = towards == Direction.FORWARD ? onPage : onPage.reversed();
        BooleanSupplier ahead = () -> more;
        // Nothing lies beyond the cursor when the page is empty, so the last edge of the list is the one before it.
        var behind = from == null
                ? (BooleanSupplier) () -> false
                : new Once(() ->
                        !find(1, query, towards.opposite(), nearest, edges).isEmpty());
        var onPageEdges = new ArrayList<Edge<T>>(inOrder.size());
        for (var edge : inOrder) {
            onPageEdges.add(new Edge<>(edge.node(), () -> cursors.write(edge.position())));
        }
        return new Page<>(
                onPageEdges,
                towards == Direction.FORWARD ? ahead : behind,
                towards == Direction.FORWARD ? behind : ahead);
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
                request.exclusiveStartKey(startKey(from, hash.name()));
            }
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
            key.put(hash, AttributeValue.fromS(query.partition()));
            key.put(range, AttributeValue.fromS(from.range()));
            key.put(Item.PARTITION, AttributeValue.fromS(from.key().partition()));
            key.put(Item.SORT, AttributeValue.fromS(from.key().sort()));
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
                            () -> client.query(page),
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
