package io.menuboard.bench;

import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.PutRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** What billing writes and reads, made with the SDK's client alone: the same items in requests of the same shape. */
final class RawBilling implements AutoCloseable {
    private static final int SHARDS = 4;
    private static final int CHUNK = 49;
    private static final int FILLERS = 8;
    private static final String BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    private static final DateTimeFormatter QUARTER =
            DateTimeFormatter.ofPattern("uuuuMMddHHmm").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter MONTH =
            DateTimeFormatter.ofPattern("uuuu-MM").withZone(ZoneOffset.UTC);

    private final SecureRandom random = new SecureRandom();
    private final DynamoDbClient client;

    RawBilling(URI table) {
        client = DynamoDbClient.builder()
                .httpClientBuilder(ApacheHttpClient.builder().maxConnections(64))
                .endpointOverride(table)
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
                .build();
    }

    /** As one call does, its chunks at the same time. */
    void record(String prefix, int count, Instant time, int agencies) {
        var chunks = new ArrayList<CompletableFuture<Void>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            IntStream.range(0, count)
                    .boxed()
                    .gather(Gatherers.windowFixed(CHUNK))
                    .forEach(chunk -> chunks.add(
                            CompletableFuture.runAsync(() -> write(prefix, chunk, time, agencies), threads)));
        }
        chunks.forEach(CompletableFuture::join);
    }

    private void write(String prefix, List<Integer> numbers, Instant time, int agencies) {
        var shard = random.nextInt(SHARDS);
        var writes = new ArrayList<TransactWriteItem>();
        var sum = BigDecimal.ZERO;
        for (var number : numbers) {
            var item = item(prefix, number, time, agencies, shard);
            writes.add(put(marker(item)));
            writes.add(put(item));
            sum = sum.add(new BigDecimal(value(item, "amount").n()));
        }
        // A counter of its own: transactions that meet at one would have to be repeated.
        writes.add(TransactWriteItem.builder()
                .update(Update.builder()
                        .tableName(BenchTable.TABLE)
                        .key(Map.of("pk", s("BILLQ#raw"), "sk", s("INGESTED#" + prefix + numbers.getFirst())))
                        .updateExpression("SET #type = :type ADD #count :count, #EUR :EUR")
                        .conditionExpression("attribute_not_exists(#_ttl) OR #_ttl > :_now")
                        .expressionAttributeNames(
                                Map.of("#type", "type", "#count", "count", "#EUR", "sumEUR", "#_ttl", "ttl"))
                        .expressionAttributeValues(Map.of(
                                ":type",
                                s("billableCount"),
                                ":count",
                                n(Integer.toString(numbers.size())),
                                ":EUR",
                                n(sum.toPlainString()),
                                ":_now",
                                n(Long.toString(time.getEpochSecond()))))
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                        .build())
                .build());
        client.transactWriteItems(request -> request.transactItems(writes)
                .clientRequestToken(UUID.randomUUID().toString())
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL));
    }

    private static TransactWriteItem put(Map<String, AttributeValue> item) {
        return TransactWriteItem.builder()
                .put(Put.builder()
                        .tableName(BenchTable.TABLE)
                        .item(item)
                        .conditionExpression("attribute_not_exists(#_pk) OR #_ttl <= :_now")
                        .expressionAttributeNames(Map.of("#_pk", "pk", "#_ttl", "ttl"))
                        .expressionAttributeValues(Map.of(":_now", n("1800000000")))
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                        .build())
                .build();
    }

    /** Fills a quarter hour for reading, as fast as it goes: without markers and counters. */
    void fill(String prefix, int count, Instant time, int agencies) {
        try (var threads = Executors.newFixedThreadPool(FILLERS)) {
            IntStream.range(0, count)
                    .boxed()
                    .gather(Gatherers.windowFixed(25))
                    .forEach(numbers -> threads.execute(() -> {
                        var writes = numbers.stream()
                                .map(number -> WriteRequest.builder()
                                        .putRequest(PutRequest.builder()
                                                .item(item(prefix, number, time, agencies, random.nextInt(SHARDS)))
                                                .build())
                                        .build())
                                .toList();
                        client.batchWriteItem(request -> request.requestItems(Map.of(BenchTable.TABLE, writes)));
                    }));
        }
    }

    /** Pages through a quarter hour and counts. */
    int read(Instant time) {
        var rows = 0;
        for (var shard = 0; shard < SHARDS; shard++) {
            Map<String, AttributeValue> start = null;
            do {
                var answer = client.query(QueryRequest.builder()
                        .tableName(BenchTable.TABLE)
                        .keyConditionExpression("pk = :pk")
                        .expressionAttributeValues(Map.of(":pk", s("BILL#" + QUARTER.format(time) + "#" + shard)))
                        .exclusiveStartKey(start)
                        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                        .build());
                rows += answer.items().size();
                start = answer.hasLastEvaluatedKey() ? answer.lastEvaluatedKey() : null;
            } while (start != null);
        }
        return rows;
    }

    private Map<String, AttributeValue> item(String prefix, int number, Instant time, int agencies, int shard) {
        var place = new StringBuilder(SECOND.format(time)).append('.');
        random.ints(16, 0, BASE58.length()).forEach(i -> place.append(BASE58.charAt(i)));
        var agency = "agency-" + number % agencies;
        var item = new HashMap<String, AttributeValue>();
        item.put("pk", s("BILL#" + QUARTER.format(time) + "#" + shard));
        item.put("sk", s(place.toString()));
        item.put("gsi1pk", s("AGENCY#" + agency + "#" + MONTH.format(time) + "#" + shard));
        item.put("gsi1sk", s(place.toString()));
        item.put("type", s("billableTransaction"));
        item.put("id", s(prefix + number));
        item.put("agency", s(agency));
        item.put("product", s("PRODUCT-" + number % 500));
        item.put("customer", s("customer-" + number));
        item.put("amount", n(BigDecimal.valueOf(199 + number, 2).toPlainString()));
        item.put("currency", s("EUR"));
        item.put("occurredAt", s(time.toString()));
        item.put("rate", n("0.15"));
        item.put("rounding", s("HALF_UP"));
        item.put("agencyShare", n("1.23"));
        item.put("houseShare", n("4.56"));
        item.put("recordedBy", s("TOKEN bench WORKER"));
        return item;
    }

    private static Map<String, AttributeValue> marker(Map<String, AttributeValue> item) {
        return Map.of(
                "pk", s("BILLTX#" + value(item, "id").s()),
                "sk", s("META"),
                "type", s("billableTransactionId"),
                "fingerprint", s(fingerprint(item)),
                "agency", item.get("agency"),
                "currency", item.get("currency"),
                "quarter", s("202601050000"),
                "shard", n("0"),
                "sortKey", item.get("sk"));
    }

    private static String fingerprint(Map<String, AttributeValue> item) {
        try {
            return Base64.getUrlEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-256")
                            .digest(value(item, "id").s().getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static AttributeValue s(String text) {
        return AttributeValue.fromS(text);
    }

    private static AttributeValue n(String number) {
        return AttributeValue.fromN(number);
    }

    @Override
    public void close() {
        client.close();
    }

    private static AttributeValue value(Map<String, AttributeValue> item, String name) {
        return Objects.requireNonNull(item.get(name));
    }
}
