package io.menuboard.bench;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.stream.IntStream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The three writes of a task's life, made with the SDK's client alone: the same items, conditions and answers. */
final class RawTasks implements AutoCloseable {
    private static final String ID = "01KAHM3Z5E7Q9V2X4N6P8R0T";
    private static final int SHARDS = 4;

    private final DynamoDbClient client;
    private final AtomicInteger next = new AtomicInteger();
    private final DoubleAdder units = new DoubleAdder();

    RawTasks(URI table) {
        client = DynamoDbClient.builder()
                .httpClientBuilder(ApacheHttpClient.builder().maxConnections(64))
                .endpointOverride(table)
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
                .build();
    }

    /** Seconds for so many, by so many threads that each do one after the other. */
    double lifeCycles(int threads, int count) throws InterruptedException, ExecutionException {
        var left = new AtomicInteger(count);
        var begin = System.nanoTime();
        TaskBenchmark.together(IntStream.range(0, threads)
                .<Callable<Void>>mapToObj(_ -> () -> {
                    while (left.getAndDecrement() > 0) {
                        lifeCycle(next.getAndIncrement());
                    }
                    return null;
                })
                .toList());
        return (System.nanoTime() - begin) / 1e9;
    }

    /** Write units for each life cycle, as the table reports them. */
    double unitsEach() {
        return units.sum() / next.get();
    }

    private void lifeCycle(int number) {
        var id = ID.substring(0, 18) + "%08d".formatted(number);
        var shard = number % SHARDS;
        var item = new HashMap<String, AttributeValue>();
        item.put("pk", s("TASK#" + id));
        item.put("sk", s("META"));
        item.put("type", s("task"));
        item.put("gsi1pk", s("STATUS#PENDING#labels.raw00#" + shard));
        item.put("gsi1sk", s("2#" + id));
        item.put("status", s("PENDING"));
        item.put("taskType", s("labels.raw00"));
        item.put("priority", s("NORMAL"));
        item.put("by", s("TOKEN\tWORKER\tbench"));
        item.put("availableAt", n(1_795_000_000_000L));
        item.put("maxAttempts", n(5));
        item.put("attempt", n(0));
        item.put("failures", n(0));
        item.put("payload", s("{\"labels\":12,\"store\":\"DE-0001\"}"));
        item.put("events", events("SUBMITTED\tPENDING\t0", ""));
        var put = client.putItem(PutItemRequest.builder()
                .tableName(BenchTable.TABLE)
                .item(item)
                .conditionExpression("attribute_not_exists(#_pk) OR #_ttl <= :_now")
                .expressionAttributeNames(Map.of("#_pk", "pk", "#_ttl", "ttl"))
                .expressionAttributeValues(Map.of(":_now", n(1_795_000_000L)))
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .build());
        units.add(put.consumedCapacity().capacityUnits());
        update(
                id,
                "SET #s = :s, gsi1pk = :p, gsi1sk = :k, worker = :w, leaseEnd = :l, attempt = :a, startedAt = :t,"
                        + " events = list_append(events, :e)",
                "#s = :before AND attempt = :b AND NOT contains(events, :m)",
                Map.ofEntries(
                        Map.entry(":s", s("RUNNING")),
                        Map.entry(":p", s("STATUS#RUNNING#" + shard)),
                        Map.entry(":k", s("2026-11-21T16:20:00.123000Z#" + id)),
                        Map.entry(":w", s("worker-1")),
                        Map.entry(":l", n(1_795_000_060_000L)),
                        Map.entry(":a", n(1)),
                        Map.entry(":t", n(1_795_000_000_000L)),
                        Map.entry(":e", events("CLAIMED\tRUNNING\t1", "worker-1")),
                        Map.entry(":before", s("PENDING")),
                        Map.entry(":b", n(0)),
                        Map.entry(":m", s("none"))));
        update(
                id,
                "SET #s = :s, gsi1pk = :p, gsi1sk = :k, finishedAt = :t, #ttl = :x, events = list_append(events, :e)"
                        + " REMOVE leaseEnd, reason",
                "#s = :before AND attempt = :a AND leaseEnd > :now AND NOT contains(events, :m)",
                Map.ofEntries(
                        Map.entry(":s", s("COMPLETED")),
                        Map.entry(":p", s("STATUS#COMPLETED#labels.raw00#" + shard)),
                        Map.entry(":k", s(id)),
                        Map.entry(":t", n(1_795_000_000_000L)),
                        Map.entry(":x", n(1_895_000_000L)),
                        Map.entry(":e", events("COMPLETED\tCOMPLETED\t1", "worker-1")),
                        Map.entry(":before", s("RUNNING")),
                        Map.entry(":a", n(1)),
                        Map.entry(":now", n(1_795_000_000_001L)),
                        Map.entry(":m", s("none"))));
    }

    private void update(String id, String update, String condition, Map<String, AttributeValue> values) {
        var all = new HashMap<>(values);
        all.put(":_now", n(1_795_000_000L));
        var updated = client.updateItem(UpdateItemRequest.builder()
                .tableName(BenchTable.TABLE)
                .key(Map.of("pk", s("TASK#" + id), "sk", s("META")))
                .updateExpression(update)
                .conditionExpression("(attribute_not_exists(#ttl) OR #ttl > :_now) AND (" + condition + ")")
                .expressionAttributeNames(Map.of("#s", "status", "#ttl", "ttl"))
                .expressionAttributeValues(all)
                .returnValues(ReturnValue.ALL_NEW)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .build());
        units.add(updated.consumedCapacity().capacityUnits());
    }

    private static AttributeValue events(String step, String worker) {
        return AttributeValue.fromL(
                List.of(s("mhbqkd0w\t" + step + "\tTOKEN\tWORKER\tbench\t" + worker + "\tq8w7e6r5t4z3\t")));
    }

    private static AttributeValue s(String text) {
        return AttributeValue.fromS(text);
    }

    private static AttributeValue n(long number) {
        return AttributeValue.fromN(Long.toString(number));
    }

    @Override
    public void close() {
        client.close();
    }
}
