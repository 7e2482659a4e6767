package io.menuboard.app.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.local.aws.LocalAws;
import io.menuboard.messaging.PeriodicJob;
import io.menuboard.messaging.feed.FeedListener;
import io.menuboard.querydb.ChangeRecord;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sns.SnsClient;

/** A write to the table reaches every instance of the application, where its topic is configured. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FeedOfInstancesTest {
    private static final String TABLE = "feed-of-instances";

    private final LocalAws aws = LocalAws.start(null, TABLE);

    /** Remembers the versions that it heard of. */
    private static final class Versions implements FeedListener {
        private final ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();

        @Override
        public Set<String> types() {
            return Set.of("priceRevision");
        }

        @Override
        public void changed(ChangeRecord record) {
            heard.add(record.key().partition());
        }
    }

    @AfterAll
    void stop() {
        aws.close();
    }

    @Test
    void bothInstancesHearOfAWriteAndLeaveNothingBehind() {
        var one = new Versions();
        var other = new Versions();
        try (var _ = start(one, Set.of());
                var _ = start(other, Set.of())) {
            await().untilAsserted(() -> assertThat(aws.topic().subscribers()).hasSize(4));

            write("PRICES#DE-0001");

            await().untilAsserted(() -> assertThat(one.heard).containsExactly("PRICES#DE-0001"));
            await().untilAsserted(() -> assertThat(other.heard).containsExactly("PRICES#DE-0001"));
        }
        assertThat(aws.topic().subscribers()).hasSize(2);
        assertThat(queues()).isEmpty();
    }

    @Test
    void withoutATopicNothingOfItIsMade() {
        var listener = new Versions();
        try (var context = start(listener, Set.of("menuboard.feed.topic-arn"))) {
            write("PRICES#DE-0002");

            assertThat(context.getBeansOfType(FeedListener.class)).contains(listener);
            assertThat(context.getActiveBeanRegistrations(SnsClient.class)).isEmpty();
            assertThat(context.getBeansOfType(PeriodicJob.class))
                    .extracting(PeriodicJob::name)
                    .isNotEmpty()
                    .doesNotContain("feed");
            assertThat(queues()).isEmpty();
            assertThat(aws.topic().subscribers()).hasSize(2);
            assertThat(listener.heard).isEmpty();
        }
    }

    private ApplicationContext start(FeedListener listener, Set<String> without) {
        var properties = new HashMap<>(aws.properties());
        properties.put("micronaut.server.port", -1);
        properties.put("menuboard.queues.long-poll", "1s");
        properties.keySet().removeAll(without);
        var context = ApplicationContext.builder()
                .properties(properties)
                .singletons(listener)
                .start();
        context.getBean(EmbeddedServer.class).start();
        return context;
    }

    private List<String> queues() {
        var prefix = aws.properties().get("menuboard.feed.queue-prefix");
        return aws.queues()
                .client()
                .listQueues(request -> request.queueNamePrefix(String.valueOf(prefix)))
                .queueUrls();
    }

    private void write(String partition) {
        aws.dynamoDb().client().putItem(request -> request.tableName(TABLE)
                .item(Map.of(
                        "pk", AttributeValue.fromS(partition),
                        "sk", AttributeValue.fromS("ALL"),
                        "type", AttributeValue.fromS("priceRevision"),
                        "version", AttributeValue.fromN("1"))));
    }
}
