package io.menuboard.local.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sns.model.InvalidParameterException;
import software.amazon.awssdk.services.sns.model.NotFoundException;
import software.amazon.awssdk.services.sns.model.SnsException;
import software.amazon.awssdk.services.sns.model.Subscription;

/** The stand-in answers the real client as the API reference says. */
@Timeout(60)
class LocalTopicTest {
    private static final String FILTER = "{\"type\":[\"price\"]}";
    private static final String PRICE = "{\"type\":\"price\"}";
    private static final String STORE = "{\"type\":\"store\"}";

    private final LocalQueues queues = LocalQueues.shared();
    private final LocalTopic topic = LocalTopic.start(queues);
    private final SnsClient client = SnsClient.builder()
            .endpointOverride(topic.endpoint())
            .region(LocalDynamoDb.REGION)
            .credentialsProvider(LocalDynamoDb.CREDENTIALS)
            .httpClientBuilder(ApacheHttpClient.builder())
            .build();

    @AfterEach
    void stop() {
        client.close();
        topic.close();
    }

    @Test
    void whoSubscribesGetsWhatMatchesUntilUnsubscribed() {
        var queue = queues.fresh();
        var subscription = subscribe(queue.arn(), FILTER);

        topic.publish(PRICE);
        topic.publish(STORE);

        assertThat(queues.peek(queue.url())).containsExactly(PRICE);
        client.unsubscribe(request -> request.subscriptionArn(subscription));
        topic.publish(PRICE);
        assertThat(queues.waiting(queue.url())).isEqualTo(1);
    }

    @Test
    void aQueueThatIsGoneDoesNotKeepOthersFromTheirMessages() {
        var gone = queues.fresh();
        var queue = queues.fresh();
        subscribe(gone.arn(), FILTER);
        subscribe(queue.arn(), FILTER);
        queues.client().deleteQueue(request -> request.queueUrl(gone.url()));

        topic.publish(PRICE);

        assertThat(queues.peek(queue.url())).containsExactly(PRICE);
        assertThat(topic.subscribers()).contains(gone.arn());
    }

    @Test
    void theSameSubscriptionIsMadeOnce() {
        var queue = queues.fresh();
        var first = subscribe(queue.arn(), FILTER);

        assertThat(subscribe(queue.arn(), FILTER)).isEqualTo(first);
        assertThatThrownBy(() -> subscribe(queue.arn(), "{\"type\":[\"store\"]}"))
                .isInstanceOf(InvalidParameterException.class)
                .hasMessageContaining("Subscription already exists with different attributes");
        assertThat(topic.subscribers()).containsExactly(queue.arn());
    }

    @Test
    void listsAreInPages() {
        IntStream.range(0, 250).forEach(i -> subscribe("arn:aws:sqs:eu-central-1:000000000000:queue-" + i, FILTER));

        var pages = List.of(list(null), list(list(null).token), list(list(list(null).token).token));

        assertThat(pages.stream().map(page -> page.subscriptions.size())).containsExactly(100, 100, 50);
        assertThat(pages.getLast().token).isNull();
        var endpoints = new TreeSet<String>();
        pages.forEach(page -> page.subscriptions.forEach(one -> {
            assertThat(one.topicArn()).isEqualTo(topic.arn());
            assertThat(one.protocol()).isEqualTo("sqs");
            assertThat(one.subscriptionArn()).startsWith(topic.arn() + ":");
            endpoints.add(one.endpoint());
        }));
        assertThat(endpoints).hasSize(250);
    }

    @Test
    void aSubscriptionCanBeEndedTwice() {
        var subscription = subscribe(queues.fresh().arn(), FILTER);

        client.unsubscribe(request -> request.subscriptionArn(subscription));
        client.unsubscribe(request -> request.subscriptionArn(subscription));

        assertThat(topic.subscribers()).isEmpty();
    }

    @Test
    void whatIsWrongIsRefused() {
        assertThatThrownBy(() -> client.listSubscriptionsByTopic(request -> request.topicArn(topic.arn() + "-2")))
                .isInstanceOfSatisfying(
                        NotFoundException.class, e -> assertThat(e.statusCode()).isEqualTo(404))
                .hasMessageContaining("Topic does not exist");
        assertThatThrownBy(() -> subscribe("arn:aws:lambda:eu-central-1:000000000000:function:x", FILTER))
                .isInstanceOf(InvalidParameterException.class)
                .hasMessageContaining("Endpoint");
        assertThatThrownBy(() -> subscribe(queues.fresh().arn(), "{"))
                .isInstanceOf(InvalidParameterException.class)
                .hasMessageContaining("FilterPolicy");
        assertThatThrownBy(() -> client.unsubscribe(request -> request.subscriptionArn("one")))
                .isInstanceOf(InvalidParameterException.class);
        assertThatThrownBy(() -> client.subscribe(request ->
                        request.topicArn(topic.arn()).protocol("email").endpoint("ada@example.com")))
                .isInstanceOf(InvalidParameterException.class)
                .hasMessageContaining("Protocol");
        assertThatThrownBy(client::listTopics).isInstanceOfSatisfying(SnsException.class, e -> assertThat(
                        e.awsErrorDetails().errorCode())
                .isEqualTo("InvalidAction"));
    }

    private String subscribe(String queueArn, String filter) {
        return client.subscribe(request -> request.topicArn(topic.arn())
                        .protocol("sqs")
                        .endpoint(queueArn)
                        .returnSubscriptionArn(true)
                        .attributes(Map.of(
                                "RawMessageDelivery", "true",
                                "FilterPolicyScope", "MessageBody",
                                "FilterPolicy", filter)))
                .subscriptionArn();
    }

    private Page list(@Nullable String token) {
        var answer = client.listSubscriptionsByTopic(
                request -> request.topicArn(topic.arn()).nextToken(token));
        return new Page(answer.subscriptions(), answer.nextToken());
    }

    private record Page(
            List<Subscription> subscriptions, @Nullable String token) {}
}
