package io.menuboard.bench;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * The writes that apply batches whose time has come, made with the SDK's client alone: the same items and conditions in
 * transactions of the same shape, and nothing read.
 */
final class RawChanges implements AutoCloseable {
    private static final int LINES_AT_ONCE = 32;
    private static final String ALIVE = "(attribute_not_exists(#_ttl) OR #_ttl > :_now)";
    private static final DateTimeFormatter SORTABLE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSX").withZone(ZoneOffset.UTC);

    private final DynamoDbClient client;

    RawChanges(URI table) {
        client = DynamoDbClient.builder()
                .httpClientBuilder(ApacheHttpClient.builder().maxConnections(64))
                .endpointOverride(table)
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
                .build();
    }

    /**
     * What is to be applied.
     *
     * @param set id of the change set
     * @param effectiveDate on the clock of UTC
     * @param before of every product, since {@code since}
     */
    record Batch(
            String store,
            List<String> products,
            String set,
            String effectiveDate,
            Instant at,
            String since,
            String before,
            String after) {}

    /** Applies each, by so many threads that take one after the other. */
    void apply(List<Batch> batches, int threads) throws InterruptedException, ExecutionException {
        var left = new ConcurrentLinkedQueue<>(batches);
        TaskBenchmark.together(IntStream.range(0, threads)
                .<Callable<Void>>mapToObj(_ -> () -> {
                    for (var batch = left.poll(); batch != null; batch = left.poll()) {
                        apply(batch);
                    }
                    return null;
                })
                .toList());
    }

    private void apply(Batch batch) {
        batch.products().stream().gather(Gatherers.windowFixed(LINES_AT_ONCE)).forEach(products -> {
            var writes = new ArrayList<TransactWriteItem>();
            for (var product : products) {
                writes.add(delete(
                        batch,
                        "ALL#Change#" + batch.effectiveDate() + "#Base#" + product,
                        "changeSet = :changeSet",
                        Map.of(":changeSet", s(batch.set()))));
                writes.add(history(batch, product));
                writes.add(supersede(batch, product));
            }
            writes.add(audit(batch, products));
            write(writes);
        });
        write(List.of(delete(batch, "ALL#Batch#" + batch.effectiveDate(), "attribute_exists(pk)", Map.of())));
    }

    private void write(List<TransactWriteItem> writes) {
        client.transactWriteItems(request -> request.transactItems(writes)
                .clientRequestToken(UUID.randomUUID().toString())
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL));
    }

    private static TransactWriteItem delete(
            Batch batch, String sort, String condition, Map<String, AttributeValue> values) {
        return TransactWriteItem.builder()
                .delete(Delete.builder()
                        .tableName(BenchTable.TABLE)
                        .key(key(batch, sort))
                        .conditionExpression(ALIVE + " AND (" + condition + ")")
                        .expressionAttributeNames(Map.of("#_ttl", "ttl"))
                        .expressionAttributeValues(withNow(values))
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                        .build())
                .build();
    }

    private static TransactWriteItem history(Batch batch, String product) {
        var item = key(batch, "ALL#History#Base#" + product + "#" + SORTABLE.format(batch.at()) + "#" + batch.set());
        item.put("type", s("priceHistory"));
        item.put("effectiveDate", s(batch.effectiveDate()));
        item.put("actor", s("TOKEN\tWORKER\tbench"));
        item.put("reason", s("measured"));
        item.put("ttl", n(batch.at().plus(Duration.ofDays(1_095)).getEpochSecond()));
        item.put("beforeSince", s(batch.since()));
        item.put("before", s(batch.before()));
        item.put("after", s(batch.after()));
        return TransactWriteItem.builder()
                .put(Put.builder()
                        .tableName(BenchTable.TABLE)
                        .item(item)
                        .conditionExpression("attribute_not_exists(#_pk) OR #_ttl <= :_now")
                        .expressionAttributeNames(Map.of("#_pk", "pk", "#_ttl", "ttl"))
                        .expressionAttributeValues(withNow(Map.of()))
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                        .build())
                .build();
    }

    private static TransactWriteItem supersede(Batch batch, String product) {
        return TransactWriteItem.builder()
                .update(Update.builder()
                        .tableName(BenchTable.TABLE)
                        .key(key(batch, "ALL#Base#" + product + "#" + batch.since()))
                        .updateExpression("SET #ttl = :ttl")
                        .conditionExpression(ALIVE + " AND (attribute_exists(pk) AND attribute_not_exists(#ttl))")
                        .expressionAttributeNames(Map.of("#_ttl", "ttl", "#ttl", "ttl"))
                        .expressionAttributeValues(withNow(Map.of(
                                ":ttl",
                                n(Instant.now().plus(Duration.ofDays(35)).getEpochSecond()))))
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                        .build())
                .build();
    }

    private static TransactWriteItem audit(Batch batch, List<String> products) {
        var now = Instant.now();
        var place = SORTABLE.format(now) + "#" + UUID.randomUUID().toString().substring(20);
        var shard = Math.floorMod(place.hashCode(), 4);
        var item = new HashMap<String, AttributeValue>();
        item.put("pk", s("AUDIT#" + LocalDate.ofInstant(now, ZoneOffset.UTC) + "#" + shard));
        item.put("sk", s(place));
        item.put("type", s("audit"));
        item.put("gsi1pk", s("AUDIT#STORE#" + batch.store()));
        item.put("gsi1sk", s(place));
        item.put("actorKind", s("TOKEN"));
        item.put("actorName", s("bench"));
        item.put("source", s("WORKER"));
        item.put("subject", s("STORE#" + batch.store()));
        item.put("action", s("prices changed"));
        item.put(
                "details",
                AttributeValue.fromM(Map.of(
                        "changeSet", s(batch.set()),
                        "channel", s("ALL"),
                        "effectiveDate", s(batch.effectiveDate()),
                        "reason", s("measured"),
                        "prices", s("Base#" + String.join(", Base#", products)))));
        item.put("ttl", n(now.plus(Duration.ofDays(730)).getEpochSecond()));
        return TransactWriteItem.builder()
                .put(Put.builder().tableName(BenchTable.TABLE).item(item).build())
                .build();
    }

    private static Map<String, AttributeValue> key(Batch batch, String sort) {
        var key = new HashMap<String, AttributeValue>();
        key.put("pk", s("STORE#" + batch.store()));
        key.put("sk", s(sort));
        return key;
    }

    private static Map<String, AttributeValue> withNow(Map<String, AttributeValue> values) {
        var all = new HashMap<>(values);
        all.put(":_now", n(Instant.now().getEpochSecond()));
        return all;
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
