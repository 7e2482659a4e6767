package io.menuboard.local.aws;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything of AWS that {@code app/deploy/menuboard.yaml} describes, in this process. While it runs, SDK clients of this
 * process find it by the settings of the SDK, which are system properties; so there is one at a time.
 */
public final class LocalAws implements AutoCloseable {
    private static final Duration PRECISION = Duration.ofMillis(100);
    private static final String BUS = "menuboard";
    private static final String FEED = "menuboard-feed-";
    private static final String GROUP = "menuboard";
    private static final String BUCKET = "menuboard-files";
    private static final String UPLOADS_BUCKET = "menuboard-uploads";

    private static final List<String> PROPERTY_NAMES = List.of(
            "menuboard.table-name",
            "menuboard.queues.changes-url",
            "menuboard.queues.due-url",
            "menuboard.queues.favorites-url",
            "menuboard.scheduler.group",
            "menuboard.scheduler.target-arn",
            "menuboard.scheduler.dead-letter-arn",
            "menuboard.scheduler.role-arn",
            "menuboard.events.bus",
            "menuboard.feed.topic-arn",
            "menuboard.feed.queue-prefix",
            "menuboard.files.bucket",
            "menuboard.uploads.bucket");

    private final String table;
    private final LocalDynamoDb dynamoDb;
    private final LocalQueues queues;
    private final LocalQueues.Queue changes;
    private final LocalQueues.Queue due;
    private final LocalQueues.Queue favorites;
    private final LocalScheduler scheduler;
    private final LocalBus bus;
    private final LocalS3 s3;
    private final TableResource resource;
    private final LocalTopic topic;
    private @Nullable LocalPipe pipe;

    private LocalAws(@Nullable Path data, String table) {
        this.table = table;
        dynamoDb = data == null ? LocalDynamoDb.inMemory() : LocalDynamoDb.inFolder(data, 0);
        resource = new TableResource(Template.table().properties("Table"));
        dynamoDb.createTable(resource.request(table), resource.ttl());
        queues = LocalQueues.start();
        changes = queues.create("menuboard-changes");
        due = queues.create("menuboard-due");
        favorites = queues.create("menuboard-favorites");
        scheduler = LocalScheduler.start(Clock.systemUTC(), PRECISION, queues.client());
        scheduler.createGroup(GROUP);
        bus = new LocalBus();
        s3 = LocalS3.start(data == null ? null : data.resolve("s3"));
        s3.createBucket(BUCKET);
        s3.createBucket(UPLOADS_BUCKET);
        var template = Template.menuboard();
        topic = LocalTopic.start(queues);
        topic.subscribe(template.subscriptionFilter("ChangesSubscription"), changes);
        topic.subscribe(template.subscriptionFilter("FavoritesSubscription"), favorites);
    }

    /**
     * Starts all of it.
     *
     * @param data folder that keeps the table and the buckets; null for a table in memory and buckets in a temporary
     *     folder. Everything else is in memory anyway
     */
    public static LocalAws start(@Nullable Path data, String table) {
        var aws = new LocalAws(data, table);
        aws.openStream();
        return aws;
    }

    /**
     * Starts all of it but the stream of the table and the pipe that reads it, for who loads a lot first: where a table has a
     * stream, DynamoDB Local looks for its oldest record at every request, which takes longer with each write.
     */
    public static LocalAws startWithoutStream(@Nullable Path data, String table) {
        return new LocalAws(data, table);
    }

    /** Delivers what is changed from now on. To be called once where it was started without; a stream of before is kept. */
    public void openStream() {
        var client = dynamoDb.client();
        if (client.describeTable(request -> request.tableName(table)).table().latestStreamArn() == null) {
            client.updateTable(request -> request.tableName(table).streamSpecification(resource.stream()));
        }
        pipe = LocalPipe.start(dynamoDb, table, Template.menuboard().pipeFilters("StreamPipe"), topic);
    }

    public LocalDynamoDb dynamoDb() {
        return dynamoDb;
    }

    public LocalQueues queues() {
        return queues;
    }

    public LocalQueues.Queue changes() {
        return changes;
    }

    public LocalQueues.Queue due() {
        return due;
    }

    public LocalQueues.Queue favorites() {
        return favorites;
    }

    public LocalTopic topic() {
        return topic;
    }

    public LocalScheduler scheduler() {
        return scheduler;
    }

    public LocalBus bus() {
        return bus;
    }

    public LocalS3 s3() {
        return s3;
    }

    /** With which another process finds all of it, by name. */
    public SortedMap<String, String> environment() {
        var environment = new TreeMap<>(Map.of(
                "AWS_REGION", LocalDynamoDb.REGION.id(),
                "AWS_ACCESS_KEY_ID", "local",
                "AWS_SECRET_ACCESS_KEY", "local"));
        endpoints()
                .forEach((service, endpoint) ->
                        environment.put("AWS_ENDPOINT_URL_" + service.toUpperCase(Locale.ROOT), endpoint.toString()));
        return environment;
    }

    /** By the service's name, as settings and environment variables of the SDK have it. */
    private Map<String, URI> endpoints() {
        return Map.of(
                "dynamodb", dynamoDb.endpoint(),
                "s3", s3.endpoint(),
                "sns", topic.endpoint(),
                "sqs", queues.endpoint(),
                "scheduler", scheduler.endpoint(),
                "eventbridge", bus.endpoint());
    }

    /** With which the application uses all of it. */
    public Map<String, Object> properties() {
        var values = List.<Object>of(
                table,
                changes.url(),
                due.url(),
                favorites.url(),
                GROUP,
                due.arn(),
                due.deadArn(),
                "arn:aws:iam::000000000000:role/menuboard-scheduler",
                BUS,
                topic.arn(),
                FEED,
                BUCKET,
                UPLOADS_BUCKET);
        var properties = new TreeMap<String, Object>();
        for (var i = 0; i < values.size(); i++) {
            properties.put(PROPERTY_NAMES.get(i), values.get(i));
        }
        properties.put("menuboard.cursor-secret", "a secret that only tests know, 32+");
        properties.putAll(LocalDynamoDb.properties(dynamoDb.endpoint()));
        endpoints()
                .forEach((service, endpoint) -> properties.put(LocalDynamoDb.endpointOf(service), endpoint.toString()));
        return properties;
    }

    /** Those of {@link #properties} that name what is there, rather than who asks where. */
    public static List<String> propertyNames() {
        return PROPERTY_NAMES;
    }

    @Override
    public void close() {
        if (pipe != null) {
            pipe.close();
        }
        topic.close();
        scheduler.close();
        bus.close();
        s3.close();
        queues.close();
        dynamoDb.close();
    }
}
