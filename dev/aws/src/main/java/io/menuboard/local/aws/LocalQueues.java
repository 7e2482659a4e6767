package io.menuboard.local.aws;

import static io.menuboard.local.aws.LocalDynamoDb.CREDENTIALS;
import static io.menuboard.local.aws.LocalDynamoDb.REGION;

import java.net.InetAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** SQS in this process, reachable from this machine only: ElasticMQ, in memory. */
public final class LocalQueues implements AutoCloseable {
    /** After as many receives a message becomes a dead letter, as in {@code app/deploy/menuboard.yaml}. */
    private static final int MAX_RECEIVES = 5;

    private static final String ACCOUNT = "000000000000";
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final SQSRestServer server;
    private final URI endpoint;
    private final SqsClient client;

    private LocalQueues() {
        var host = InetAddress.getLoopbackAddress().getHostAddress();
        server = SQSRestServerBuilder.withInterface(host)
                .withDynamicPort()
                .withAWSRegion(REGION.id())
                .withAWSAccountId(ACCOUNT)
                .start();
        var port = server.waitUntilStarted().localAddress().getPort();
        endpoint = URI.create("http://" + host + ":" + port);
        client = SqsClient.builder()
                .endpointOverride(endpoint)
                .region(REGION)
                .credentialsProvider(CREDENTIALS)
                .httpClientBuilder(ApacheHttpClient.builder())
                .build();
    }

    /** A standard queue, and where its dead letters go. */
    public record Queue(String name, String url, String arn, String deadUrl, String deadArn) {}

    /** Starts one without queues, on a free port. */
    public static LocalQueues start() {
        return new LocalQueues();
    }

    /** The one that all tests of this process share; started at the first call, never stopped. */
    public static LocalQueues shared() {
        return Shared.INSTANCE;
    }

    public URI endpoint() {
        return endpoint;
    }

    /** Closed with this. */
    public SqsClient client() {
        return client;
    }

    /** As {@link #create}, under a name that no other queue has. */
    public Queue fresh() {
        return create("test-" + NAMES.incrementAndGet());
    }

    /** True if messages are neither waiting in that queue nor being handled. */
    public boolean isEmpty(String url) {
        return counts(
                        url,
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED)
                == 0;
    }

    /** Number of messages of that queue that would be received now. */
    public int waiting(String url) {
        return counts(url, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES);
    }

    /** Where the queue with that ARN is, or would be. */
    String url(String arn) {
        return endpoint + "/" + ACCOUNT + "/" + arn.substring(arn.lastIndexOf(':') + 1);
    }

    private int counts(String url, QueueAttributeName... names) {
        return client
                .getQueueAttributes(request -> request.queueUrl(url).attributeNames(names))
                .attributes()
                .values()
                .stream()
                .mapToInt(Integer::parseInt)
                .sum();
    }

    /** The bodies of up to ten messages that wait in that queue, and go on doing so; each counts as received. */
    public List<String> peek(String url) {
        return client
                .receiveMessage(request -> request.queueUrl(url)
                        .maxNumberOfMessages(10)
                        .visibilityTimeout(0)
                        .waitTimeSeconds(1))
                .messages()
                .stream()
                .map(Message::body)
                .toList();
    }

    /** Creates a queue with a queue for its dead letters. */
    public Queue create(String name) {
        var dead = name + "-dead";
        var deadUrl = create(dead, Map.of());
        var url = create(
                name,
                Map.of(
                        QueueAttributeName.REDRIVE_POLICY,
                        "{\"deadLetterTargetArn\":\"" + arn(dead) + "\",\"maxReceiveCount\":" + MAX_RECEIVES + "}"));
        return new Queue(name, url, arn(name), deadUrl, arn(dead));
    }

    private String create(String name, Map<QueueAttributeName, String> attributes) {
        var all = new HashMap<>(attributes);
        all.put(QueueAttributeName.VISIBILITY_TIMEOUT, "30");
        return client.createQueue(request -> request.queueName(name).attributes(all))
                .queueUrl();
    }

    private static String arn(String name) {
        return "arn:aws:sqs:" + REGION.id() + ":" + ACCOUNT + ":" + name;
    }

    @Override
    public void close() {
        client.close();
        // It lets every long poll come to its end, 20 seconds in which nobody needs to wait for it.
        Thread.ofVirtual().name("stop-queues").start(server::stopAndWait);
    }

    private static final class Shared {
        static final LocalQueues INSTANCE = start();
    }
}
