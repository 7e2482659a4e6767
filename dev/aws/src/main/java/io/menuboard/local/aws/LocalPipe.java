package io.menuboard.local.aws;

import static java.util.stream.Collectors.toMap;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ExpiredIteratorException;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * A pipe from the table's stream to a topic, as {@code app/deploy/menuboard.yaml} has it: one thread that reads all shards
 * from the oldest record on, parents before children, and publishes those that match a filter. Like the real one it
 * delivers at least once, and gives a record up that the topic refuses.
 */
final class LocalPipe implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LocalPipe.class);
    private static final Duration IDLE = Duration.ofMillis(25);
    private static final Duration BETWEEN_LOOKS_FOR_SHARDS = Duration.ofSeconds(1);
    private static final int MOST_MESSAGES = 10;
    private static final JsonMapper JSON = new JsonMapper();

    private final DynamoDbStreamsClient streams;
    private final List<EventPattern> filters;
    private final LocalTopic topic;
    private final String streamArn;
    private final Thread thread;
    private final CountDownLatch stopping = new CountDownLatch(1);

    private final Set<String> finished = new HashSet<>();
    private final Map<String, Reading> open = new HashMap<>();
    private long lookedForShards;

    private LocalPipe(URI dynamoDb, DynamoDbClient tables, String table, List<EventPattern> filters, LocalTopic topic) {
        this.filters = List.copyOf(filters);
        this.topic = topic;
        streams = DynamoDbStreamsClient.builder()
                .endpointOverride(dynamoDb)
                .region(LocalDynamoDb.REGION)
                .credentialsProvider(LocalDynamoDb.CREDENTIALS)
                .httpClientBuilder(ApacheHttpClient.builder())
                .build();
        streamArn = tables.describeTable(request -> request.tableName(table))
                .table()
                .latestStreamArn();
        thread = Thread.ofPlatform().name("local-pipe").daemon().unstarted(this::run);
    }

    /** Starts reading the stream of that table. */
    static LocalPipe start(LocalDynamoDb dynamoDb, String table, List<EventPattern> filters, LocalTopic topic) {
        var pipe = new LocalPipe(dynamoDb.endpoint(), dynamoDb.client(), table, filters, topic);
        pipe.thread.start();
        return pipe;
    }

    /** Position in a shard. */
    private static final class Reading {
        @Nullable
        String iterator;

        @Nullable
        String lastSequenceNumber;
    }

    @Override
    public void close() {
        stopping.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        streams.close();
    }

    private void run() {
        try {
            while (true) {
                var idle = true;
                try {
                    findShards();
                    for (var shard : Set.copyOf(open.keySet())) {
                        idle &= read(shard) == 0;
                    }
                } catch (SdkException e) {
                    log.warn("reading the stream again: {}", e.getMessage());
                }
                if (stopping.await(idle ? IDLE.toNanos() : 0, TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Opens every shard whose parent has been read to its end, or is gone. */
    private void findShards() {
        var now = System.nanoTime();
        if (!open.isEmpty() && now - lookedForShards < BETWEEN_LOOKS_FOR_SHARDS.toNanos()) {
            return;
        }
        lookedForShards = now;
        var shards = new HashMap<String, Shard>();
        String last = null;
        do {
            var from = last;
            var stream = streams.describeStream(
                            request -> request.streamArn(streamArn).exclusiveStartShardId(from))
                    .streamDescription();
            stream.shards().forEach(shard -> shards.put(shard.shardId(), shard));
            last = stream.lastEvaluatedShardId();
        } while (last != null);
        for (var shard : shards.values()) {
            var parent = shard.parentShardId();
            if (!finished.contains(shard.shardId())
                    && (parent == null || finished.contains(parent) || !shards.containsKey(parent))) {
                open.putIfAbsent(shard.shardId(), new Reading());
            }
        }
    }

    /** Publishes what is new in that shard, and answers how many records that were. */
    private int read(String shard) throws InterruptedException {
        var reading = open.get(shard);
        if (reading == null) {
            return 0;
        }
        var iterator = reading.iterator;
        if (iterator == null) {
            iterator = iterator(shard, reading);
        }
        try {
            var from = iterator;
            var answer = streams.getRecords(request -> request.shardIterator(from));
            var wanted = answer.records().stream()
                    .filter(this::passes)
                    .map(this::message)
                    .toList();
            for (var first = 0; first < wanted.size(); first += MOST_MESSAGES) {
                publish(wanted.subList(first, Math.min(wanted.size(), first + MOST_MESSAGES)));
            }
            if (!answer.records().isEmpty()) {
                reading.lastSequenceNumber =
                        answer.records().getLast().dynamodb().sequenceNumber();
            }
            reading.iterator = answer.nextShardIterator();
            if (reading.iterator == null) {
                open.remove(shard);
                finished.add(shard);
                // Its children may be read now.
                lookedForShards = System.nanoTime() - BETWEEN_LOOKS_FOR_SHARDS.toNanos();
            }
            return answer.records().size();
        } catch (ExpiredIteratorException _) {
            reading.iterator = null;
            return 0;
        }
    }

    private String iterator(String shard, Reading reading) {
        var after = reading.lastSequenceNumber;
        return streams.getShardIterator(request -> request.streamArn(streamArn)
                        .shardId(shard)
                        .shardIteratorType(
                                after == null
                                        ? ShardIteratorType.TRIM_HORIZON
                                        : ShardIteratorType.AFTER_SEQUENCE_NUMBER)
                        .sequenceNumber(after))
                .shardIterator();
    }

    /** By its texts, the only values that filters compare; of others DynamoDB Local does not tell all as they are. */
    private boolean passes(Record record) {
        var change = record.dynamodb();
        var texts = change.toBuilder()
                .newImage(change.hasNewImage() ? texts(change.newImage()) : null)
                .oldImage(change.hasOldImage() ? texts(change.oldImage()) : null)
                .build();
        var content = message(record.toBuilder().dynamodb(texts).build()).content();
        return filters.stream().anyMatch(filter -> filter.matches(content));
    }

    private static Map<String, AttributeValue> texts(Map<String, AttributeValue> image) {
        return image.entrySet().stream()
                .filter(attribute -> attribute.getValue().s() != null)
                .collect(toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private LocalTopic.Published message(Record record) {
        var body = PipeFormat.of(record, streamArn);
        try {
            return new LocalTopic.Published(body, JSON.readTree(body));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a record that is no JSON", e);
        }
    }

    /** Until each is published, again where it has to be, or given up because it is too long for the topic. */
    private void publish(List<LocalTopic.Published> messages) throws InterruptedException {
        messages.stream()
                .filter(LocalTopic.Published::isTooLong)
                .forEach(message -> log.error(
                        "the topic refuses a record of {}",
                        message.content().path("dynamodb").path("Keys")));
        var left = messages.stream().filter(message -> !message.isTooLong()).toList();
        do {
            try {
                topic.publish(left);
                return;
            } catch (SdkException e) {
                log.warn("publishing again: {}", e.getMessage());
            }
        } while (!stopping.await(IDLE.toNanos(), TimeUnit.NANOSECONDS));
    }
}
