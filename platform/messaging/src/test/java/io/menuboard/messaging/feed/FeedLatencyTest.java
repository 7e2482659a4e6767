package io.menuboard.messaging.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.local.aws.LocalAws;
import io.menuboard.querydb.ChangeRecord;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** From a write until two instances know, through the table's stream, the pipe and the topic. */
@Timeout(120)
class FeedLatencyTest {
    private static final String TABLE = "feed-latency";
    private static final int WRITES = "full".equals(System.getProperty("soak")) ? 200 : 50;
    private static final int INSTANCES = 2;

    /** Counts down for what an instance hears first. */
    private record Knowing(Map<String, CountDownLatch> waiting, Set<String> heard) implements FeedListener {
        @Override
        public Set<String> types() {
            return Set.of("priceRevision");
        }

        @Override
        public void changed(ChangeRecord record) {
            var sort = record.key().sort();
            if (heard.add(sort)) {
                waiting.computeIfAbsent(sort, _ -> new CountDownLatch(INSTANCES))
                        .countDown();
            }
        }
    }

    @Test
    void twoInstancesKnowOfEachWriteSoon() {
        try (var aws = LocalAws.start(null, TABLE);
                var sns = FeedFixture.sns(aws.topic().endpoint())) {
            var config = new FeedConfig(aws.topic().arn(), "latency-", Duration.ofMinutes(1), Duration.ofMinutes(10));
            var queues = new FeedQueues(aws.queues().client(), config, Duration.ofSeconds(1));
            var waiting = new ConcurrentHashMap<String, CountDownLatch>();
            var feeds = IntStream.range(0, INSTANCES)
                    .mapToObj(_ -> {
                        var metrics = new FeedMetrics(new SimpleMeterRegistry(), Clock.systemUTC());
                        var listeners = new FeedListeners(
                                List.of(new Knowing(waiting, ConcurrentHashMap.newKeySet())), metrics);
                        var topic = new FeedTopic(sns, aws.topic().arn(), listeners.types());
                        return new Feed(queues, topic, listeners, metrics, config, Clock.systemUTC());
                    })
                    .toList();
            feeds.forEach(Feed::start);
            // The queues of changes and of favorites subscribe, too.
            await().until(() -> aws.topic().subscribers().size() == 2 + INSTANCES);
            write(aws, waiting, "warm-up");

            var times = IntStream.range(0, WRITES)
                    .mapToObj(i -> write(aws, waiting, "channel-" + i))
                    .sorted()
                    .toList();

            System.out.printf(
                    "feed: from a write until %d instances know: p50 %d ms, p99 %d ms, most %d ms, of %d writes%n",
                    INSTANCES,
                    times.get(WRITES / 2).toMillis(),
                    times.get(WRITES * 99 / 100).toMillis(),
                    times.getLast().toMillis(),
                    WRITES);
            feeds.forEach(Feed::close);
            assertThat(aws.topic().subscribers()).hasSize(2);
        }
    }

    /** Writes a version, and answers how long it took until all instances knew. */
    private static Duration write(LocalAws aws, Map<String, CountDownLatch> waiting, String channel) {
        var latch = waiting.computeIfAbsent(channel, _ -> new CountDownLatch(INSTANCES));
        var begun = System.nanoTime();
        aws.dynamoDb().client().putItem(request -> request.tableName(TABLE)
                .item(Map.of(
                        "pk", AttributeValue.fromS("PRICES#1"),
                        "sk", AttributeValue.fromS(channel),
                        "type", AttributeValue.fromS("priceRevision"),
                        "version", AttributeValue.fromN("1"))));
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).as(channel).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Duration.ofNanos(System.nanoTime() - begun);
    }
}
