package io.menuboard.messaging.feed;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.local.aws.LocalQueues;
import io.menuboard.local.aws.LocalTopic;
import io.menuboard.querydb.MovingClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Instances that hear of the changes of one topic, with a clock that tests move. */
final class FeedFixture implements AutoCloseable {
    static final Duration RENEW = Duration.ofMinutes(1);
    static final Duration EXPIRY = Duration.ofMinutes(10);

    private static final AtomicInteger PREFIXES = new AtomicInteger();
    private static final Duration LONG_POLL = Duration.ofSeconds(1);

    private final LocalQueues queues = LocalQueues.shared();
    private final LocalTopic topic = LocalTopic.start(queues);
    private final SnsClient sns = sns(topic.endpoint());
    private final MovingClock clock = new MovingClock(Clock.systemUTC().instant());
    private final List<Instance> instances = new ArrayList<>();
    private final FeedConfig config =
            new FeedConfig(topic.arn(), "feed-" + PREFIXES.incrementAndGet() + "-", RENEW, EXPIRY);
    private final SqsClient sqs = SqsClient.builder()
            .endpointOverride(queues.endpoint())
            .region(LocalDynamoDb.REGION)
            .credentialsProvider(LocalDynamoDb.CREDENTIALS)
            // ElasticMQ never answers who waits for messages of a queue that is deleted meanwhile.
            .httpClientBuilder(ApacheHttpClient.builder().socketTimeout(LONG_POLL.plusSeconds(1)))
            .build();
    private final FeedQueues feedQueues = new FeedQueues(sqs, config, LONG_POLL);

    /** An instance's part of the feed. */
    record Instance(Feed feed, SimpleMeterRegistry meters) {}

    static SnsClient sns(URI endpoint) {
        return SnsClient.builder()
                .endpointOverride(endpoint)
                .region(LocalDynamoDb.REGION)
                .credentialsProvider(LocalDynamoDb.CREDENTIALS)
                .httpClientBuilder(ApacheHttpClient.builder())
                .build();
    }

    /** Starts one; closed with this. */
    Instance start(FeedListener... listeners) {
        var instance = instance(List.of(listeners));
        instance.feed().start();
        instances.add(instance);
        return instance;
    }

    /** One that does not hear yet. */
    Instance instance(List<FeedListener> listeners) {
        var meters = new SimpleMeterRegistry();
        var metrics = new FeedMetrics(meters, clock);
        var all = new FeedListeners(listeners, metrics);
        return new Instance(new Feed(feedQueues, topic(all), all, metrics, config, clock), meters);
    }

    /** One that asks another topic's API than the others, with the same queues. */
    Instance instance(URI topicEndpoint, List<FeedListener> listeners) {
        var meters = new SimpleMeterRegistry();
        var metrics = new FeedMetrics(meters, clock);
        var all = new FeedListeners(listeners, metrics);
        var elsewhere = new FeedTopic(sns(topicEndpoint), topic.arn(), all.types());
        return new Instance(new Feed(feedQueues, elsewhere, all, metrics, config, clock), meters);
    }

    private FeedTopic topic(FeedListeners listeners) {
        return new FeedTopic(sns, topic.arn(), listeners.types());
    }

    /** What an instance leaves behind that is killed: a queue that subscribes. */
    FeedQueue leave(FeedListener listener) {
        var queue = feedQueues.create(clock.instant());
        topic(new FeedListeners(List.of(listener), new FeedMetrics(new SimpleMeterRegistry(), clock)))
                .subscribe(feedQueues.arn(queue));
        return queue;
    }

    /** Subscribes a queue that is not this feed's, and does not exist. */
    void subscribe(String name) {
        topic(new FeedListeners(List.of(new Listening("price")), new FeedMetrics(new SimpleMeterRegistry(), clock)))
                .subscribe("arn:aws:sqs:eu-central-1:000000000000:" + name);
    }

    /** Ends all subscriptions, as somebody may who looks at the topic. */
    void unsubscribeAll() {
        sns.listSubscriptionsByTopic(request -> request.topicArn(topic.arn()))
                .subscriptions()
                .forEach(one -> sns.unsubscribe(request -> request.subscriptionArn(one.subscriptionArn())));
    }

    String prefix() {
        return config.queuePrefix();
    }

    /** The job that one instance at a time does. */
    void sweep() {
        new FeedSweep(feedQueues, new FeedTopic(sns, topic.arn(), new TreeSet<>()), clock).run();
    }

    MovingClock clock() {
        return clock;
    }

    LocalTopic topic() {
        return topic;
    }

    SqsClient sqs() {
        return sqs;
    }

    FeedQueues feedQueues() {
        return feedQueues;
    }

    /** URLs of the queues that instances made and nobody has removed. */
    List<String> urls() {
        return feedQueues.list(1000);
    }

    /** Publishes a change of an item of that type, as the pipe does. */
    void publish(String type, String sk) {
        topic.publish("""
                {"eventID": "e1", "eventName": "MODIFY", "eventSource": "aws:dynamodb", "dynamodb": {
                  "ApproximateCreationDateTime": 1764000000, "Keys": {"pk": {"S": "p"}, "sk": {"S": "%2$s"}},
                  "NewImage": {"pk": {"S": "p"}, "sk": {"S": "%2$s"}, "type": {"S": "%1$s"}},
                  "OldImage": {"pk": {"S": "p"}, "sk": {"S": "%2$s"}, "type": {"S": "%1$s"}}}}
                """.formatted(type, sk));
    }

    /** An attribute of a queue. */
    String attribute(String url, QueueAttributeName name) {
        return sqs().getQueueAttributes(request -> request.queueUrl(url).attributeNames(name))
                .attributes()
                .getOrDefault(name, "");
    }

    @Override
    public void close() {
        instances.forEach(instance -> instance.feed().close());
        sns.close();
        sqs.close();
        topic.close();
    }
}
