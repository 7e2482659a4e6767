package io.menuboard.querydb;

import io.menuboard.querydb.requests.Concurrently;
import io.menuboard.querydb.requests.Requests;
import io.menuboard.querydb.requests.Requests.Done;
import io.menuboard.querydb.requests.Requests.Failed;
import io.menuboard.querydb.requests.Requests.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.PutRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Splits batches, runs the parts concurrently with a bound, and asks again for what was left unprocessed. */
final class Batches {

    // Limits of BatchGetItem and BatchWriteItem, Amazon DynamoDB API Reference.
    private static final int MAX_GET = 100;
    private static final int MAX_WRITE = 25;

    private static final int BAD_REQUEST = 400;

    private final TableDefinition table;
    private final Requests requests;

    Batches(TableDefinition table, Requests requests) {
        this.table = table;
        this.requests = requests;
    }

    /** The items that are there, expired ones too. Throws {@link NotLoaded} if any part failed. */
    Map<Key, Item> get(Set<Key> keys, Consistency consistency) {
        var found = new HashMap<Key, Item>();
        var tasks = chunks(keys, MAX_GET).stream()
                .<Supplier<Map<Key, Item>>>map(chunk -> () -> getChunk(chunk, consistency))
                .toList();
        concurrently(tasks).forEach(found::putAll);
        return found;
    }

    /**
     * Saves as if one after another.
     *
     * @param single saves one item, throws what {@link QueryDb#save} throws
     */
    BatchResult save(List<Save> saves, BiConsumer<Item, SaveMode> single) {
        var byKey = new LinkedHashMap<Key, List<Integer>>();
        for (var i = 0; i < saves.size(); i++) {
            byKey.computeIfAbsent(saves.get(i).item().key(), _ -> new ArrayList<>())
                    .add(i);
        }
        var tasks = new ArrayList<Supplier<Map<Integer, Outcome>>>();
        var puts = new LinkedHashMap<Key, WriteRequest>();
        byKey.forEach((key, inputs) -> {
            if (inputs.stream().allMatch(i -> saves.get(i).mode() == SaveMode.ANY)) {
                puts.put(key, put(saves.get(inputs.getLast()).item()));
            } else {
                tasks.add(() -> inOrder(saves, inputs, single));
            }
        });
        var writing = new Writing(
                "saveBatch",
                Outcome.Saved::new,
                write -> single.accept(Item.fromResponse(write.putRequest().item()), SaveMode.ANY),
                (key, failed) -> new NotSaved("saveBatch", List.of(key), failed),
                true);
        for (var chunk : chunks(puts.entrySet(), MAX_WRITE)) {
            tasks.add(() -> {
                var outcomes = new HashMap<Integer, Outcome>();
                write(chunk, writing).forEach((key, outcome) -> byKey.getOrDefault(key, List.of())
                        .forEach(i -> outcomes.put(i, outcome)));
                return outcomes;
            });
        }
        var outcomes = new Outcome[saves.size()];
        concurrently(tasks).forEach(done -> done.forEach((i, outcome) -> outcomes[i] = outcome));
        return new BatchResult(Arrays.asList(outcomes));
    }

    /**
     * @param single deletes one item, throws what {@link QueryDb#delete} throws
     */
    BatchResult delete(List<Key> keys, Consumer<Key> single) {
        var deletes = new LinkedHashMap<Key, WriteRequest>();
        keys.forEach(key -> deletes.put(key, delete(key)));
        var writing = new Writing(
                "deleteBatch",
                Outcome.Deleted::new,
                write -> single.accept(key(write.deleteRequest().key())),
                (key, failed) -> new NotDeleted("deleteBatch", List.of(key), failed),
                false);
        var tasks = chunks(deletes.entrySet(), MAX_WRITE).stream()
                .<Supplier<Map<Key, Outcome>>>map(chunk -> () -> write(chunk, writing))
                .toList();
        var outcomes = new HashMap<Key, Outcome>();
        concurrently(tasks).forEach(outcomes::putAll);
        return new BatchResult(keys.stream().map(outcomes::get).toList());
    }

    private static Map<Integer, Outcome> inOrder(
            List<Save> saves, List<Integer> inputs, BiConsumer<Item, SaveMode> single) {
        var outcomes = new HashMap<Integer, Outcome>();
        for (var i : inputs) {
            var save = saves.get(i);
            var key = save.item().key();
            outcomes.put(i, outcome(key, new Outcome.Saved(key), () -> single.accept(save.item(), save.mode())));
        }
        return outcomes;
    }

    private static Outcome outcome(Key key, Outcome success, Runnable write) {
        try {
            write.run();
            return success;
        } catch (QueryDbException e) {
            return new Outcome.Failed(key, e);
        }
    }

    /** Kind of batch: its name, its success and its failure, and the write of one item on its own. */
    private record Writing(
            String operation,
            Function<Key, Outcome> success,
            Consumer<WriteRequest> single,
            BiFunction<Key, Failed<?>, QueryDbException> failure,
            boolean repeatable) {}

    private Map<Key, Outcome> write(List<Map.Entry<Key, WriteRequest>> chunk, Writing writing) {
        var outcomes = new HashMap<Key, Outcome>();
        chunk.forEach(write -> outcomes.put(write.getKey(), writing.success().apply(write.getKey())));
        var left = chunk.stream().map(Map.Entry::getValue).toList();
        var fruitless = 0;
        var maybeApplied = false;
        while (!left.isEmpty()) {
            var sent = left;
            var request = request(writing, sent);
            switch (requests.send(request, fruitless > 0)) {
                case Done<BatchWriteItemResponse>(var response, var before) -> {
                    maybeApplied |= before;
                    left = response.unprocessedItems().getOrDefault(table.name(), List.of());
                }
                case Failed<BatchWriteItemResponse> failed -> {
                    outcomes.putAll(
                            failed.refused() && sent.size() > 1
                                    ? oneByOne(sent, writing)
                                    : failures(sent, writing, failed.after(maybeApplied)));
                    left = List.of();
                }
            }
            fruitless = left.size() < sent.size() ? 1 : fruitless + 1;
            if (!left.isEmpty() && !requests.pauseBeforeRepeat(fruitless)) {
                requests.leftUnprocessed(request);
                outcomes.putAll(failures(left, writing, unprocessed(fruitless, maybeApplied)));
                left = List.of();
            }
        }
        return outcomes;
    }

    /** One bad item makes DynamoDB refuse all of them; each alone gets its own answer. */
    private static Map<Key, Outcome> oneByOne(List<WriteRequest> writes, Writing writing) {
        var outcomes = new HashMap<Key, Outcome>();
        for (var write : writes) {
            var key = key(write);
            outcomes.put(key, outcome(key, writing.success().apply(key), () -> writing.single()
                    .accept(write)));
        }
        return outcomes;
    }

    private static Map<Key, Outcome> failures(List<WriteRequest> writes, Writing writing, Failed<?> failed) {
        var outcomes = new HashMap<Key, Outcome>();
        for (var write : writes) {
            var key = key(write);
            outcomes.put(key, new Outcome.Failed(key, writing.failure().apply(key, failed)));
        }
        return outcomes;
    }

    private Request<BatchWriteItemResponse> request(Writing writing, List<WriteRequest> writes) {
        var request = BatchWriteItemRequest.builder()
                .requestItems(Map.of(table.name(), writes))
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .build();
        return new Request<>(
                writing.operation(),
                null,
                false,
                writing.repeatable(),
                client -> client.batchWriteItem(request),
                response -> all(response.consumedCapacity()));
    }

    private Map<Key, Item> getChunk(List<Key> chunk, Consistency consistency) {
        var found = new HashMap<Key, Item>();
        var left = chunk.stream().map(SingleItems::attributes).toList();
        var fruitless = 0;
        while (!left.isEmpty()) {
            var request = request(left, consistency);
            var response =
                    requests.send(request, fruitless > 0).orThrow(failed -> new NotLoaded("getBatch", chunk, failed));
            for (var attributes : response.responses().getOrDefault(table.name(), List.of())) {
                var item = Item.fromResponse(attributes);
                found.put(item.key(), item);
            }
            var unprocessed = unprocessed(response);
            fruitless = unprocessed.size() < left.size() ? 1 : fruitless + 1;
            left = unprocessed;
            if (!left.isEmpty() && !requests.pauseBeforeRepeat(fruitless)) {
                requests.leftUnprocessed(request);
                throw new NotLoaded(
                        "getBatch", left.stream().map(Batches::key).toList(), unprocessed(fruitless, false));
            }
        }
        return found;
    }

    private List<Map<String, AttributeValue>> unprocessed(BatchGetItemResponse response) {
        var keys = response.unprocessedKeys().get(table.name());
        return keys == null ? List.of() : keys.keys();
    }

    private Request<BatchGetItemResponse> request(List<Map<String, AttributeValue>> keys, Consistency consistency) {
        var request = BatchGetItemRequest.builder()
                .requestItems(Map.of(
                        table.name(),
                        KeysAndAttributes.builder()
                                .keys(keys)
                                .consistentRead(consistency == Consistency.STRONG)
                                .build()))
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .build();
        return Request.read(
                "getBatch", null, client -> client.batchGetItem(request), response -> all(response.consumedCapacity()));
    }

    private static Failed<?> unprocessed(int attempts, boolean maybeApplied) {
        // As DynamoDB answers where it does nothing at all, because code and class tell that it is throttling.
        var cause = ProvisionedThroughputExceededException.builder()
                .awsErrorDetails(AwsErrorDetails.builder()
                        .serviceName("DynamoDb")
                        .errorCode("ProvisionedThroughputExceededException")
                        .errorMessage("DynamoDB left it unprocessed")
                        .build())
                .statusCode(BAD_REQUEST)
                .build();
        return new Failed<>(cause, false, maybeApplied, attempts);
    }

    private <T> List<T> concurrently(List<Supplier<T>> tasks) {
        return Concurrently.map(tasks.size(), tasks, this::permitted);
    }

    /** One of as many at once as there are permits in the process. */
    private <T> T permitted(Supplier<T> task) {
        var permits = requests.batches();
        permits.acquireUninterruptibly();
        try {
            return task.get();
        } finally {
            permits.release();
        }
    }

    private static <T> List<List<T>> chunks(Collection<T> all, int size) {
        var list = List.copyOf(all);
        var chunks = new ArrayList<List<T>>();
        for (var from = 0; from < list.size(); from += size) {
            chunks.add(list.subList(from, Math.min(from + size, list.size())));
        }
        return chunks;
    }

    private static Collection<@Nullable ConsumedCapacity> all(List<ConsumedCapacity> capacities) {
        return Collections.unmodifiableList(capacities);
    }

    private static WriteRequest put(Item item) {
        return WriteRequest.builder()
                .putRequest(PutRequest.builder().item(item.attributes()).build())
                .build();
    }

    private static WriteRequest delete(Key key) {
        return WriteRequest.builder()
                .deleteRequest(
                        DeleteRequest.builder().key(SingleItems.attributes(key)).build())
                .build();
    }

    private static Key key(WriteRequest write) {
        return key(
                write.putRequest() == null
                        ? write.deleteRequest().key()
                        : write.putRequest().item());
    }

    private static Key key(Map<String, AttributeValue> attributes) {
        return Item.fromResponse(attributes).key();
    }
}
