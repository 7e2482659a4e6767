package io.menuboard.local.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.menuboard.local.aws.LocalHttp.Refusal;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;

/** The API of SNS, and its subscriptions, as far as queues subscribe with it to the one topic that there is. */
final class SnsApi {
    static final String TOPIC = "arn:aws:sns:" + LocalDynamoDb.REGION.id() + ":000000000000:menuboard";

    private static final int PAGE = 100;
    private static final Pattern QUEUE = Pattern.compile("arn:aws:sqs:[a-z0-9-]+:\\d{12}:[A-Za-z0-9_-]{1,80}");

    private final TreeMap<String, Subscription> subscriptions = new TreeMap<>();

    /** Of the queue with the ARN {@code endpoint}. */
    record Subscription(String endpoint, EventPattern filter) {}

    /** All of them. */
    synchronized List<Subscription> subscriptions() {
        return List.copyOf(subscriptions.values());
    }

    /** Answers a request. */
    synchronized String serve(Map<String, String> request) {
        var action = request.getOrDefault("Action", "");
        var result =
                switch (action) {
                    case "Subscribe" -> subscribe(request);
                    case "Unsubscribe" -> unsubscribe(request);
                    case "ListSubscriptionsByTopic" -> list(request);
                    default -> throw new Refusal(400, "InvalidAction", "no action " + action);
                };
        return "<" + action + "Response>" + result + "</" + action + "Response>";
    }

    private String subscribe(Map<String, String> request) {
        requireTopic(request);
        var protocol = request.getOrDefault("Protocol", "");
        if (!protocol.equals("sqs")) {
            throw invalid("Protocol", "does not support " + protocol);
        }
        var endpoint = request.getOrDefault("Endpoint", "");
        if (!QUEUE.matcher(endpoint).matches()) {
            throw invalid("Endpoint", "SQS endpoint ARN");
        }
        var arn = subscribe(endpoint, filter(attributes(request)));
        return "<SubscribeResult>" + element("SubscriptionArn", arn) + "</SubscribeResult>";
    }

    /** Subscribes that queue, once, and answers with the ARN of its subscription. */
    synchronized String subscribe(String endpoint, EventPattern filter) {
        var subscription = new Subscription(endpoint, filter);
        for (var existing : subscriptions.entrySet()) {
            if (existing.getValue().equals(subscription)) {
                return existing.getKey();
            }
            if (existing.getValue().endpoint().equals(endpoint)) {
                throw invalid("Attributes", "Subscription already exists with different attributes");
            }
        }
        var arn = TOPIC + ":" + UUID.randomUUID();
        subscriptions.put(arn, subscription);
        return arn;
    }

    /** Raw delivery by what is in the message: nothing else is known here. */
    private static EventPattern filter(Map<String, String> attributes) {
        if (!"true".equals(attributes.get("RawMessageDelivery"))) {
            throw invalid("Attributes", "RawMessageDelivery: this topic knows no other");
        }
        if (!"MessageBody".equals(attributes.get("FilterPolicyScope"))) {
            throw invalid("Attributes", "FilterPolicyScope: this topic knows no other than MessageBody");
        }
        try {
            return new EventPattern(LocalHttp.JSON.readTree(attributes.getOrDefault("FilterPolicy", "")));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw invalid("Attributes", "FilterPolicy: " + e.getMessage());
        }
    }

    private static Map<String, String> attributes(Map<String, String> request) {
        var attributes = new TreeMap<String, String>();
        for (var i = 1; request.containsKey("Attributes.entry." + i + ".key"); i++) {
            attributes.put(
                    request.getOrDefault("Attributes.entry." + i + ".key", ""),
                    request.getOrDefault("Attributes.entry." + i + ".value", ""));
        }
        return attributes;
    }

    /** Of a subscription that is not there, too: SNS answers the same. */
    private String unsubscribe(Map<String, String> request) {
        var arn = request.getOrDefault("SubscriptionArn", "");
        if (!arn.startsWith("arn:aws:sns:") || arn.split(":", -1).length != 7) {
            throw invalid("SubscriptionArn", "An ARN must have at least 6 elements, not " + arn);
        }
        subscriptions.remove(arn);
        return "";
    }

    private String list(Map<String, String> request) {
        requireTopic(request);
        var token = request.get("NextToken");
        var rest = token == null ? subscriptions : subscriptions.tailMap(decoded(token), false);
        var members = new StringBuilder();
        var last = "";
        var count = 0;
        for (var entry : rest.entrySet()) {
            if (count == PAGE) {
                break;
            }
            members.append("<member>")
                    .append(element("TopicArn", TOPIC))
                    .append(element("Protocol", "sqs"))
                    .append(element("SubscriptionArn", entry.getKey()))
                    .append(element("Owner", "000000000000"))
                    .append(element("Endpoint", entry.getValue().endpoint()))
                    .append("</member>");
            last = entry.getKey();
            count++;
        }
        var next = count < rest.size()
                ? element("NextToken", Base64.getUrlEncoder().encodeToString(last.getBytes(UTF_8)))
                : "";
        return "<ListSubscriptionsByTopicResult><Subscriptions>" + members + "</Subscriptions>" + next
                + "</ListSubscriptionsByTopicResult>";
    }

    private static String decoded(String token) {
        try {
            return new String(Base64.getUrlDecoder().decode(token), UTF_8);
        } catch (IllegalArgumentException _) {
            throw invalid("NextToken", token);
        }
    }

    private static void requireTopic(Map<String, String> request) {
        if (!TOPIC.equals(request.get("TopicArn"))) {
            throw new Refusal(404, "NotFound", "Topic does not exist");
        }
    }

    private static Refusal invalid(String parameter, String reason) {
        return new Refusal(400, "InvalidParameter", "Invalid parameter: " + parameter + " Reason: " + reason);
    }

    private static String element(String name, String text) {
        return "<" + name + ">" + LocalHttp.escaped(text) + "</" + name + ">";
    }
}
