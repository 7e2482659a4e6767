package io.menuboard.messaging.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.querydb.ChangeRecord;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class FeedTest {
    private final FeedFixture fixture = new FeedFixture();
    private final Listening listening = new Listening("price", "store");

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void everyInstanceHearsOfEachChangeOfItsTypes() {
        var other = new Listening("price");
        var one = fixture.start(listening);
        var two = fixture.start(other);
        awaitSubscribers(2);

        fixture.publish("price", "1");
        fixture.publish("store", "2");
        fixture.publish("menu", "3");

        await().untilAsserted(() -> assertThat(listening.heard()).containsExactlyInAnyOrder("1", "2"));
        await().untilAsserted(() -> assertThat(other.heard()).containsExactly("1"));
        await().untilAsserted(() -> assertThat(
                        one.meters().get("menuboard.feed.age").timer().count())
                .isEqualTo(2));
        await().untilAsserted(() -> assertThat(
                        two.meters().get("menuboard.feed.age").timer().count())
                .isEqualTo(1));
        await().untilAsserted(() -> assertThat(fixture.urls()).allSatisfy(url -> assertThat(
                        fixture.attribute(url, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE))
                .isEqualTo("0")));
    }

    @Test
    void aQueueKeepsMessagesForAMinuteAndTakesThemFromTheTopicAlone() {
        assertThat(fixture.feedQueues().attributes())
                .containsOnly(
                        Map.entry(QueueAttributeName.MESSAGE_RETENTION_PERIOD, "60"),
                        Map.entry(
                                QueueAttributeName.POLICY,
                                "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\","
                                        + "\"Principal\":{\"Service\":\"sns.amazonaws.com\"},"
                                        + "\"Action\":\"sqs:SendMessage\",\"Resource\":\"*\","
                                        + "\"Condition\":{\"ArnEquals\":{\"aws:SourceArn\":\""
                                        + fixture.topic().arn() + "\"}}}]}"));
    }

    @Test
    void anInstanceThatStopsLeavesNeitherQueueNorSubscription() {
        var instance = fixture.start(listening);
        fixture.start(new Listening("price"));
        awaitSubscribers(2);

        instance.feed().close();

        assertThat(fixture.topic().subscribers()).hasSize(1);
        assertThat(fixture.urls()).hasSize(1);
    }

    @Test
    void whatADeadInstanceLeftIsRemovedOnceItsTimeIsOver() {
        var dead = fixture.feedQueues().create(fixture.clock().instant());
        fixture.start(listening);
        awaitSubscribers(1);
        var living = fixture.urls().stream()
                .filter(url -> !url.equals(dead.url()))
                .findFirst()
                .orElseThrow();

        fixture.clock().advance(FeedFixture.EXPIRY);
        awaitRenewal(living);
        fixture.sweep();

        assertThat(fixture.urls()).as("to the second, it may live").contains(dead.url());
        fixture.clock().advance(FeedFixture.RENEW);
        fixture.sweep();
        assertThat(fixture.urls()).containsExactly(living);
        fixture.publish("price", "1");
        await().untilAsserted(() -> assertThat(listening.heard()).containsExactly("1"));
    }

    @Test
    void theSubscriptionOfADeadInstanceGoesWithItsQueue() {
        var dead = fixture.leave(listening);
        assertThat(fixture.topic().subscribers())
                .containsExactly(fixture.feedQueues().arn(dead));

        fixture.sweep();
        assertThat(fixture.topic().subscribers())
                .as("it may live")
                .containsExactly(fixture.feedQueues().arn(dead));
        fixture.clock().advance(FeedFixture.EXPIRY.plusSeconds(1));
        fixture.sweep();

        assertThat(fixture.topic().subscribers()).isEmpty();
        assertThat(fixture.urls()).isEmpty();
    }

    @Test
    void subscriptionsOfQueuesThatAreGoneAreRemovedAndThoseOfOthersStay() {
        var dead = fixture.leave(listening);
        fixture.subscribe("somebody-elses");
        fixture.sqs().deleteQueue(request -> request.queueUrl(dead.url()));

        fixture.sweep();

        assertThat(fixture.topic().subscribers()).singleElement().asString().endsWith(":somebody-elses");
    }

    @Test
    void aQueueWithoutThatTagIsLeftAlone() {
        var url = fixture.sqs()
                .createQueue(request -> request.queueName(fixture.prefix() + "by-hand"))
                .queueUrl();

        fixture.clock().advance(FeedFixture.EXPIRY.multipliedBy(2));
        fixture.sweep();

        assertThat(fixture.urls()).containsExactly(url);
    }

    @Test
    void aQueueThatIsDeletedUnderneathIsMadeAgain() {
        fixture.start(listening);
        awaitSubscribers(1);
        var first = fixture.topic().subscribers();
        fixture.clock().advance(Duration.ofSeconds(10));

        fixture.sqs().deleteQueue(request -> request.queueUrl(fixture.urls().getFirst()));

        await().untilAsserted(() ->
                assertThat(fixture.topic().subscribers()).hasSize(1).doesNotContainAnyElementsOf(first));
        fixture.publish("price", "1");
        await().untilAsserted(() -> assertThat(listening.heard()).containsExactly("1"));
    }

    @Test
    void aQueueThatWasJustMadeMayNotBeFoundYet() {
        var instance = fixture.start(listening);
        awaitSubscribers(1);
        fixture.clock().advance(Duration.ofSeconds(1));
        await().until(() -> deaf(instance) == 0);
        var first = fixture.topic().subscribers();
        fixture.sqs().deleteQueue(request -> request.queueUrl(fixture.urls().getFirst()));

        await().until(() -> {
            fixture.clock().advance(Duration.ofMillis(10));
            return deaf(instance) > 0;
        });

        // Longer than the pause after which it looks again.
        await().during(Duration.ofSeconds(2)).until(() -> fixture.urls().isEmpty());
        fixture.clock().advance(Duration.ofSeconds(10));
        await().untilAsserted(() ->
                assertThat(fixture.topic().subscribers()).hasSize(1).doesNotContainAnyElementsOf(first));
    }

    @Test
    void aSubscriptionThatSomebodyEndsIsMadeAgain() {
        fixture.start(listening);
        awaitSubscribers(1);
        fixture.unsubscribeAll();
        assertThat(fixture.topic().subscribers()).isEmpty();

        fixture.clock().advance(FeedFixture.RENEW);

        awaitSubscribers(1);
        fixture.publish("price", "1");
        await().untilAsserted(() -> assertThat(listening.heard()).containsExactly("1"));
        assertThat(fixture.urls()).hasSize(1);
    }

    @Test
    void aListenerThatThrowsDoesNotKeepOthersFromHearing() {
        var throwing = new FeedListener() {
            @Override
            public Set<String> types() {
                return Set.of("price");
            }

            @Override
            public void changed(ChangeRecord record) {
                throw new IllegalStateException("planted");
            }
        };
        var instance = fixture.start(throwing, listening);
        awaitSubscribers(1);

        fixture.topic().publish("{\"dynamodb\":{\"NewImage\":{\"type\":{\"S\":\"price\"}}}}");
        fixture.publish("price", "1");
        fixture.publish("price", "2");

        await().untilAsserted(() -> assertThat(listening.heard()).containsExactlyInAnyOrder("1", "2"));
        await().untilAsserted(() -> assertThat(
                        instance.meters().get("menuboard.feed.failed").counter().count())
                .isEqualTo(3));
    }

    @Test
    void aTopicThatFailsIsAskedAgainWithoutAnotherQueue() {
        // More than the SDK asks by itself.
        fixture.topic().failNext(5);

        var instance = fixture.start(listening);

        fixture.clock().advance(Duration.ofSeconds(7));
        assertThat(deaf(instance)).isEqualTo(7);
        awaitSubscribers(1);
        await().untilAsserted(() -> assertThat(deaf(instance)).isZero());
        assertThat(fixture.urls()).hasSize(1);
    }

    @Test
    void anInstanceThatNeverStartedStopsWithoutAWord() {
        var listeners = List.<FeedListener>of(listening);

        fixture.instance(listeners).feed().close();

        assertThat(fixture.urls()).isEmpty();
    }

    @Test
    void anInstanceStopsWhileAwsIsSilent() throws IOException {
        try (var silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            var instance =
                    fixture.instance(URI.create("http://127.0.0.1:" + silent.getLocalPort()), List.of(listening));
            instance.feed().start();
            await().until(() -> !fixture.urls().isEmpty());

            var begun = System.nanoTime();
            instance.feed().close();

            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
            assertThat(fixture.urls()).isEmpty();
        }
    }

    private static double deaf(FeedFixture.Instance instance) {
        return instance.meters().get("menuboard.feed.deaf").timeGauge().value(TimeUnit.SECONDS);
    }

    private void awaitSubscribers(int count) {
        await().untilAsserted(() -> assertThat(fixture.topic().subscribers()).hasSize(count));
    }

    private void awaitRenewal(String url) {
        await().untilAsserted(() -> assertThat(fixture.feedQueues().expires(url))
                .contains(fixture.clock().instant().plus(FeedFixture.EXPIRY)));
    }

    @Test
    void anInstanceHearsAlsoWhileItsSubscriptionCannotBeRenewed() {
        fixture.start(listening);
        awaitSubscribers(1);
        // More than are sent in the time of this test.
        fixture.topic().failNext(1_000);
        fixture.clock().advance(FeedFixture.RENEW);
        awaitRenewal(fixture.urls().getFirst());

        fixture.publish("price", "1");

        await().untilAsserted(() -> assertThat(listening.heard()).containsExactly("1"));
        fixture.topic().failNext(0);
        fixture.unsubscribeAll();
        fixture.clock().advance(FeedFixture.RENEW);
        awaitSubscribers(1);
    }
}
