package io.menuboard.messaging.feed;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sns.model.NotFoundException;

/** The topic of changes, to which queues subscribe. Thread-safe. */
final class FeedTopic {
    private static final String PROTOCOL = "sqs";
    private static final String AN_ARN = "arn:";
    private static final JsonMapper JSON = new JsonMapper();

    private final SnsClient sns;
    private final String arn;
    private final String filter;

    /** @param types of items whose changes queues get */
    FeedTopic(SnsClient sns, String arn, SortedSet<String> types) {
        this.sns = sns;
        this.arn = arn;
        filter = filter(types);
    }

    /**
     * A queue that subscribes.
     *
     * @param queue name of the queue
     */
    record Subscription(String arn, String queue) {}

    /** Subscribes the queue, unless it has done so; one request. Answers with the ARN of its subscription, always the same. */
    String subscribe(String queueArn) {
        return sns.subscribe(request -> request.topicArn(arn)
                        .protocol(PROTOCOL)
                        .endpoint(queueArn)
                        .returnSubscriptionArn(true)
                        .attributes(Map.of(
                                "RawMessageDelivery", "true",
                                "FilterPolicyScope", "MessageBody",
                                "FilterPolicy", filter)))
                .subscriptionArn();
    }

    /** Ends a subscription, if it is still there; one request. */
    void unsubscribe(String subscription) {
        try {
            sns.unsubscribe(request -> request.subscriptionArn(subscription).overrideConfiguration(FeedQueues.SOON));
        } catch (NotFoundException _) {
            // Somebody else was first.
        }
    }

    /** Queues that subscribe, of up to that many pages of a hundred, which are a request each. */
    List<Subscription> subscriptions(int pages) {
        var found = new ArrayList<Subscription>();
        @Nullable String token = null;
        for (var page = 0; page < pages; page++) {
            var from = token;
            var answer = sns.listSubscriptionsByTopic(
                    request -> request.topicArn(arn).nextToken(from));
            answer.subscriptions().stream()
                    // One that waits to be confirmed, or was just ended, has no ARN.
                    .filter(one -> one.protocol().equals(PROTOCOL)
                            && one.subscriptionArn().startsWith(AN_ARN))
                    .map(one -> new Subscription(one.subscriptionArn(), queue(one.endpoint())))
                    .forEach(found::add);
            token = answer.nextToken();
            if (token == null || token.isEmpty()) {
                break;
            }
        }
        return found;
    }

    private static String queue(String queueArn) {
        return queueArn.substring(queueArn.lastIndexOf(':') + 1);
    }

    /** By the type of the item, as it is or was: what the subscriptions of the template ask for. */
    private static String filter(SortedSet<String> types) {
        var filter = JSON.createObjectNode();
        var either = filter.putObject("dynamodb").putArray("$or");
        Stream.of("NewImage", "OldImage").forEach(image -> {
            ObjectNode pattern = either.addObject();
            var texts = pattern.putObject(image).putObject("type").putArray("S");
            types.forEach(texts::add);
        });
        return filter.toString();
    }
}
