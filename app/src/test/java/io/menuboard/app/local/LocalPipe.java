package io.menuboard.app.local;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toUnmodifiableSet;

import io.menuboard.querydb.LocalDynamoDb;
import io.menuboard.querydb.PipeFormat;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SqsException;

/**
 * A pipe from the table's stream to a queue, as {@code app/deploy/menuboard.yaml} has two of them: one thread that reads
 * all shards from the oldest record on, parents before children, and sends the records of some types in their order. Like
 * the real one it delivers at least once, and gives a record up that the queue refuses.
 */
public final class LocalPipe implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LocalPipe.class);
    private static final Duration IDLE = Duration.ofMillis(25);
    private static final Duration BETWEEN_LOOKS_FOR_SHARDS = Duration.ofSeconds(1);
    private static final int MOST_MESSAGES = 10;
    private static final int CLIENT_ERROR = 400;
    private static final int SERVER_ERROR = 500;

    private final DynamoDbStreamsClient streams;
    private final SqsClient sqs;
    private final String queueUrl;
    private final Filter filter;
    private final String streamArn;
    private final Thread thread;
    private final CountDownLatch stopping = new CountDownLatch(1);

    private final Set<String> finished = new HashSet<>();
    private final Map<String, Reading> open = new HashMap<>();
    private long lookedForShards;

    private LocalPipe(
            URI dynamoDb, DynamoDbClient tables, String table, Filter filter, SqsClient sqs, String queueUrl) {
        this.sqs = sqs;
        this.queueUrl = queueUrl;
        this.filter = filter;
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
    public static LocalPipe start(LocalDynamoDb dynamoDb, String table, Filter filter, SqsClient sqs, String queueUrl) {
        var pipe = new LocalPipe(dynamoDb.endpoint(), dynamoDb.client(), table, filter, sqs, queueUrl);
        pipe.thread.start();
        return pipe;
    }

    /** Where a shard is read. */
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
                    lookForShards();
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
    private void lookForShards() {
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

    /** Sends what is new in that shard, and answers how many records that were. */
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
            var wanted = answer.records().stream().filter(filter::passes).toList();
            // Ten records at a time; but of those that have an order, none before the one in front of it is in.
            var atOnce = isFifo() ? 1 : MOST_MESSAGES;
            for (var first = 0; first < wanted.size(); first += atOnce) {
                send(wanted.subList(first, Math.min(wanted.size(), first + atOnce)));
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

    /** Until each is sent or refused, because what follows must not overtake it. */
    private void send(List<Record> records) throws InterruptedException {
        var left = IntStream.range(0, records.size())
                .mapToObj(i -> message(Integer.toString(i), records.get(i)))
                .toList();
        while (stopping.getCount() > 0) {
            try {
                var entries = left;
                var failed =
                        sqs
                                .sendMessageBatch(
                                        request -> request.queueUrl(queueUrl).entries(entries))
                                .failed()
                                .stream()
                                .collect(toMap(BatchResultErrorEntry::id, Function.identity()));
                failed.values().stream()
                        .filter(BatchResultErrorEntry::senderFault)
                        .forEach(entry -> log.error(
                                "the queue refuses a record of {}: {}",
                                records.get(Integer.parseInt(entry.id()))
                                        .dynamodb()
                                        .keys(),
                                entry.message()));
                left = entries.stream()
                        .filter(entry -> failed.containsKey(entry.id())
                                && !failed.get(entry.id()).senderFault())
                        .toList();
                if (left.isEmpty()) {
                    return;
                }
            } catch (SqsException e) {
                if (e.statusCode() >= CLIENT_ERROR && e.statusCode() < SERVER_ERROR) {
                    log.error("the queue refuses {} records", left.size(), e);
                    return;
                }
                log.warn("sending again: {}", e.getMessage());
            } catch (SdkException e) {
                log.warn("sending again: {}", e.getMessage());
            }
            stopping.await(IDLE.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private SendMessageBatchRequestEntry message(String id, Record record) {
        var message = SendMessageBatchRequestEntry.builder().id(id).messageBody(PipeFormat.of(record, streamArn));
        if (isFifo()) {
            message.messageGroupId(
                            Objects.requireNonNull(record.dynamodb().keys().get("pk"))
                                    .s())
                    .messageDeduplicationId(record.eventID());
        }
        return message.build();
    }

    private boolean isFifo() {
        return queueUrl.endsWith(".fifo");
    }

    /**
     * What a pipe lets through.
     *
     * @param written types of items that are new, or new as they are now, by the name of the event
     * @param gone types of items that are no longer, or no longer as they were, by the name of the event
     */
    public record Filter(Map<String, Set<String>> written, Map<String, Set<String>> gone) {
        /** Of the pipe to the queue of changes. */
        public static final Filter CHANGES = new Filter(
                Map.of("INSERT", Set.of("changeBatch", "priceHistory")), Map.of("REMOVE", Set.of("changeBatch")));

        private static final Set<String> MARKS = Set.of("favorite", "favoriteBeat");

        /** Of the pipe to the queue of favorites. */
        public static final Filter FAVORITES =
                new Filter(Map.of("INSERT", MARKS, "MODIFY", MARKS), Map.of("MODIFY", MARKS, "REMOVE", MARKS));

        /** All types of which something is let through. */
        public Set<String> types() {
            return Stream.of(written, gone)
                    .flatMap(types -> types.values().stream())
                    .flatMap(Set::stream)
                    .collect(toUnmodifiableSet());
        }

        public boolean passes(Record record) {
            var event = record.eventNameAsString();
            return isOf(written.getOrDefault(event, Set.of()), record.dynamodb().newImage())
                    || isOf(
                            gone.getOrDefault(event, Set.of()),
                            record.dynamodb().oldImage());
        }

        private static boolean isOf(Set<String> types, Map<String, AttributeValue> image) {
            var type = image.get("type");
            return type != null && type.s() != null && types.contains(type.s());
        }
    }
}
