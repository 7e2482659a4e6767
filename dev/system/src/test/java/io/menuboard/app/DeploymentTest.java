package io.menuboard.app;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.menuboard.local.aws.LocalAws;
import io.menuboard.local.aws.PipeFormat;
import io.menuboard.local.aws.Template;
import io.menuboard.querydb.TableDefinition;
import io.menuboard.querydb.TableDefinition.Index;
import io.menuboard.querydb.TableTemplate;
import io.menuboard.querydb.coordination.SharedSetting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;

/** The deployment templates say what the application does; its stand-ins read what they need to know from there. */
class DeploymentTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path APPLICATION = ProjectFiles.ROOT.resolve("app/src/main/java/io/menuboard/app");
    private static final Path QUEUES =
            ProjectFiles.ROOT.resolve("platform/messaging/src/main/java/io/menuboard/messaging");

    private final Template template = Template.menuboard();
    private final JsonNode resources = template.resources();

    @Test
    void theTableAndTheRightToUseItAreThoseOfItsDefinition() {
        var table = TableDefinition.menuboard("menuboard");

        assertThat(Template.table().text()).contains("Resources:\n" + TableTemplate.resource(table, "Table"));
        assertThat(template.text())
                .contains("        Statement:\n"
                        + TableTemplate.statements(table).stripTrailing().indent(10));
    }

    /** DynamoDB counts and charges what an index reads and writes by itself. */
    @Test
    void theLimitsOfTheTableAreThoseOfEachIndex() {
        var indexes = TableDefinition.menuboard("menuboard").indexes().stream()
                .map(Index::name)
                .toList();
        var table = Template.table().properties("Table");

        assertLimited(table, "WriteOnDemandThroughputSettings", indexes, "MaxWriteRequestUnits", "MostWriteUnits");
        assertLimited(
                table.path("Replicas").path(0),
                "ReadOnDemandThroughputSettings",
                indexes,
                "MaxReadRequestUnits",
                "MostReadUnits");
    }

    private static void assertLimited(
            JsonNode owner, String settings, List<String> indexes, String property, String parameter) {
        var limit = owner.path(settings);
        assertThat(limit.at("/Fn::If/1/" + property + "/Ref").asText()).isEqualTo(parameter);
        assertThat(owner.path("GlobalSecondaryIndexes").findValuesAsText("IndexName"))
                .isEqualTo(indexes);
        assertThat(owner.path("GlobalSecondaryIndexes"))
                .allSatisfy(index -> assertThat(index.path(settings)).isEqualTo(limit));
    }

    @Test
    void everythingThatIsReferredToExists() {
        for (var one : List.of(template, Template.table())) {
            var names = new TreeSet<String>();
            one.tree().findValuesAsText("Ref").forEach(names::add);
            one.tree()
                    .findValues("Fn::GetAtt")
                    .forEach(target -> names.add(target.path(0).asText()));
            var substitutes = Pattern.compile("\\$\\{(\\w+)[}.]").matcher(one.text());
            while (substitutes.find()) {
                names.add(substitutes.group(1));
            }
            names.removeIf(name -> name.startsWith("AWS"));

            assertThat(Stream.of("Resources", "Parameters")
                            .flatMap(part -> one.tree().path(part).properties().stream())
                            .map(Map.Entry::getKey))
                    .containsAll(names);
        }
    }

    @Test
    void theParametersOfTheRegionAreWhatTheTablesStackTells() {
        assertThat(fields(Template.table().tree().path("Outputs"))).isEqualTo(Set.of("TableName", "TableStreamArn"));
        assertThat(fields(template.tree().path("Parameters"))).contains("TableName", "TableStreamArn");
    }

    @Test
    void severalStacksCanBeInOneRegion() {
        var names =
                List.of("Name", "QueueName", "TopicName", "BucketName", "RoleName", "ManagedPolicyName", "AlarmName");
        assertThat(resources).allSatisfy(resource -> {
            var properties = resource.path("Properties");
            for (var name : names) {
                assertThat(properties.path(name).path("Fn::Sub").asText("${AWS::StackName}"))
                        .startsWith("${AWS::StackName}");
                assertThat(properties.path(name).isTextual()).isFalse();
            }
        });
    }

    @Test
    void whatHoldsDataStaysWhenTheStackGoes() {
        for (var type : List.of("AWS::SQS::Queue", "AWS::S3::Bucket")) {
            assertThat(template.ofType(type)).isNotEmpty().allSatisfy(name -> {
                assertThat(resources.path(name).path("DeletionPolicy").asText()).startsWith("Retain");
                assertThat(resources.path(name).path("UpdateReplacePolicy").asText())
                        .isEqualTo("Retain");
            });
        }
        assertThat(template.ofType("AWS::DynamoDB::GlobalTable")).isEmpty();
    }

    @Test
    void queuesAreEncryptedAndGiveMessagesUpAfterAsManyReceivesAsTheApplicationThinks() {
        var maxReceives = 5;

        assertThat(template.ofType("AWS::SQS::Queue")).hasSize(7).allSatisfy(name -> {
            var queue = template.properties(name);
            assertThat(queue.path("SqsManagedSseEnabled").asBoolean()).isTrue();
            // SNS sends to no FIFO queue.
            assertThat(queue.has("FifoQueue")).isFalse();
        });
        for (var name : List.of("Changes", "Due", "Favorites")) {
            var queue = resources.path(name).path("Properties");
            var policy = queue.path("RedrivePolicy");
            var dead = resources
                    .path(attributeOf(policy.path("deadLetterTargetArn")))
                    .path("Properties");
            assertThat(policy.path("maxReceiveCount").asInt()).isEqualTo(maxReceives);
            assertThat(dead.path("MessageRetentionPeriod").asInt())
                    .isGreaterThanOrEqualTo(queue.path("MessageRetentionPeriod").asInt());
        }
        assertThat(read(QUEUES.resolve("QueuesConfig.java")))
                .contains("@Bindable(defaultValue = \"" + maxReceives + "\") int maxReceives");
    }

    /** A shard of a stream bears two readers; where the table has replicas, one of them is needed for those. */
    @Test
    void onePipeReadsTheStream() {
        assertThat(template.ofType("AWS::Pipes::Pipe")).containsExactly("StreamPipe");
        var pipe = template.properties("StreamPipe");
        assertThat(pipe.path("Source").path("Ref").asText()).isEqualTo("TableStreamArn");
        assertThat(pipe.path("Target").path("Ref").asText()).isEqualTo("Topic");
        assertThat(attributeOf(pipe.path("RoleArn"))).isEqualTo("PipeRole");
        assertThat(pipe.at("/SourceParameters/DynamoDBStreamParameters/StartingPosition")
                        .asText())
                .isEqualTo("TRIM_HORIZON");
        assertThat(allowed(resources.at("/PipeRole/Properties/Policies/0/PolicyDocument"), "sns"))
                .isEqualTo(Set.of("Publish"));
    }

    @Test
    void thePipeLetsThroughWhatIsHandledAndNothingElse() {
        var passed = new TreeSet<String>();
        for (var record : records()) {
            if (passes(record)) {
                passed.add(name(record));
            }
        }

        assertThat(passed)
                .containsExactly(
                        "INSERT changeBatch",
                        "INSERT favorite",
                        "INSERT favoriteBeat",
                        "INSERT priceHistory",
                        "INSERT priceRevision",
                        "INSERT store",
                        "MODIFY favorite",
                        "MODIFY favoriteBeat",
                        "MODIFY priceRevision",
                        "MODIFY store",
                        "REMOVE changeBatch",
                        "REMOVE favorite",
                        "REMOVE store");
    }

    @Test
    void whatThePipeLetsThroughIsForOneQueueOrForThoseOfInstances() {
        var types = Map.of(
                "ChangesSubscription",
                Set.of("changeBatch", "priceHistory"),
                "FavoritesSubscription",
                Set.of("favorite", "favoriteBeat"));
        assertThat(template.ofType("AWS::SNS::Subscription").stream()
                        .filter(name -> template.properties(name).has("FilterPolicy")))
                .containsExactlyInAnyOrderElementsOf(types.keySet());
        var records = records().stream().filter(this::passes).toList();

        types.forEach((name, wanted) -> {
            var filter = template.subscriptionFilter(name);
            assertThat(records).allSatisfy(record -> assertThat(filter.matches(json(record)))
                    .as("%s: %s", name, name(record))
                    .isEqualTo(wanted.contains(name(record).split(" ", -1)[1])));
        });
    }

    @Test
    void subscriptionsHandRecordsOnAsTheyAreAndKeepWhatCannotBeDelivered() {
        for (var name : List.of("Changes", "Favorites")) {
            var subscription = template.properties(name + "Subscription");
            assertThat(subscription.path("TopicArn").path("Ref").asText()).isEqualTo("Topic");
            assertThat(attributeOf(subscription.path("Endpoint"))).isEqualTo(name);
            assertThat(subscription.path("RawMessageDelivery").asBoolean()).isTrue();
            assertThat(subscription.path("FilterPolicyScope").asText()).isEqualTo("MessageBody");
            assertThat(attributeOf(subscription.path("RedrivePolicy").path("deadLetterTargetArn")))
                    .isEqualTo(name + "DeadLetters");
        }
        assertThat(template.properties("TopicQueuesPolicy").path("Queues").findValuesAsText("Ref"))
                .containsExactlyInAnyOrder("Changes", "ChangesDeadLetters", "Favorites", "FavoritesDeadLetters");
        assertThat(template.properties("TopicQueuesPolicy")
                        .findValue("aws:SourceArn")
                        .path("Ref")
                        .asText())
                .isEqualTo("Topic");
    }

    /** Each event of each type of item, and of one without. */
    private static List<Record> records() {
        return Stream.of(
                        "changeBatch",
                        "priceHistory",
                        "priceRevision",
                        "store",
                        "favorite",
                        "favoriteBeat",
                        "price",
                        "")
                .map(type ->
                        type.isEmpty() ? Map.<String, AttributeValue>of() : Map.of("type", AttributeValue.fromS(type)))
                .flatMap(image -> Stream.of(OperationType.INSERT, OperationType.MODIFY, OperationType.REMOVE)
                        .map(event -> Record.builder()
                                .eventName(event)
                                .dynamodb(change -> change.keys(Map.of("pk", AttributeValue.fromS("STORE#1")))
                                        .newImage(event == OperationType.REMOVE ? null : image)
                                        .oldImage(event == OperationType.INSERT ? null : image)
                                        .sizeBytes(1L))
                                .build()))
                .toList();
    }

    private boolean passes(Record record) {
        return template.pipeFilters("StreamPipe").stream().anyMatch(filter -> filter.matches(json(record)));
    }

    private static JsonNode json(Record record) {
        try {
            return JSON.readTree(PipeFormat.of(record, "arn"));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Event and type of item. */
    private static String name(Record record) {
        var change = record.dynamodb();
        var type = (change.hasNewImage() ? change.newImage() : change.oldImage()).get("type");
        return record.eventName() + " " + (type == null ? "" : type.s());
    }

    private static String attributeOf(JsonNode value) {
        return value.path("Fn::GetAtt").path(0).asText();
    }

    @Test
    void instancesMayCallWhatTheClientsCallAndNothingElse() throws IOException {
        var queues = called("sqs|sns|scheduler|events", QUEUES, QUEUES.resolve("feed"), APPLICATION.resolve("queues"));
        // The role is passed on by CreateSchedule.
        queues.add("PassRole");
        var files = called("s3", APPLICATION.resolve("files"));
        // Who may list is told that an object is not there; who may not, that it may not be read.
        files.add("ListBucket");

        assertThat(allowed(template.properties("QueuesPolicy").path("PolicyDocument"), "\\w+"))
                .isEqualTo(queues);
        assertThat(allowed(template.properties("FilesPolicy").path("PolicyDocument"), "\\w+"))
                .isEqualTo(files);
    }

    /** What an instance makes and removes for itself is what has the prefix that it is given. */
    @Test
    void instancesMakeAndRemoveNoOtherQueuesThanTheirOwn() throws IOException {
        var prefix =
                template.tree().at("/Outputs/FeedQueuePrefix/Value/Fn::Sub").asText();
        var statements =
                template.properties("QueuesPolicy").path("PolicyDocument").path("Statement");
        var own = StreamSupport.stream(statements.spliterator(), false)
                .filter(statement -> texts(statement.path("Action")).contains("sqs:CreateQueue"))
                .toList();

        assertThat(own).singleElement().satisfies(statement -> assertThat(
                        statement.path("Resource").findValuesAsText("Fn::Sub"))
                .containsExactly("arn:${AWS::Partition}:sqs:${AWS::Region}:${AWS::AccountId}:" + prefix + "*"));
        var used = called("sqs", QUEUES.resolve("feed"));
        used.remove("ListQueues");
        assertThat(own).singleElement().satisfies(statement -> assertThat(texts(statement.path("Action")))
                .isEqualTo(used.stream().map("sqs:"::concat).collect(toSet())));
        assertThat(StreamSupport.stream(statements.spliterator(), false)
                        .filter(statement -> statement.path("Resource").asText().equals("*"))
                        .flatMap(statement -> texts(statement.path("Action")).stream()))
                .containsExactlyInAnyOrder("sns:Unsubscribe", "sqs:ListQueues");
    }

    private static Set<String> allowed(JsonNode document, String service) {
        var allowed = new TreeSet<String>();
        for (var statement : document.path("Statement")) {
            texts(statement.path("Action")).stream()
                    .filter(action -> action.matches(service + ":.*"))
                    .forEach(action -> allowed.add(action.replaceAll(".*:", "")));
        }
        return allowed;
    }

    private static Set<String> called(String clients, Path... folders) throws IOException {
        var sources = new ArrayList<String>();
        for (var folder : folders) {
            try (var files = Files.list(folder)) {
                files.filter(Files::isRegularFile).forEach(file -> sources.add(read(file)));
            }
        }
        var called = new TreeSet<String>();
        for (var source : sources) {
            var calls = Pattern.compile("\\b(?:" + clients + ")\\s*\\.([a-z][A-Za-z]+)\\(")
                    .matcher(source);
            while (calls.find()) {
                var call = calls.group(1);
                called.add((Character.toUpperCase(call.charAt(0)) + call.substring(1)).replaceAll("Batch$", ""));
            }
        }
        return called;
    }

    @Test
    void filesArePrivateEncryptedAndKept() {
        var bucket = resources.path("Files");
        var properties = bucket.path("Properties");

        assertThat(bucket.path("DeletionPolicy").asText()).isEqualTo("Retain");
        assertThat(bucket.path("UpdateReplacePolicy").asText()).isEqualTo("Retain");
        assertThat(properties.path("PublicAccessBlockConfiguration")).hasSize(4).allMatch(JsonNode::booleanValue);
        assertThat(properties.findValuesAsText("SSEAlgorithm")).containsExactly("AES256");
        assertThat(properties.path("VersioningConfiguration").path("Status").asText())
                .isEqualTo("Enabled");
        assertThat(properties
                        .path("LifecycleConfiguration")
                        .findValue("NoncurrentDays")
                        .path("Ref")
                        .asText())
                .isEqualTo("OldFilesKeptDays");
        assertThat(template.tree().at("/Parameters/OldFilesKeptDays/Default").asInt())
                .isEqualTo(35);
    }

    @Test
    void filesAreRefusedWithoutTls() {
        var statement = deniedOfFiles("TlsOnly");

        assertThat(statement.path("Action").asText()).isEqualTo("s3:*");
        assertThat(statement.path("Resource")).hasSize(2);
        assertThat(statement.path("Condition").toString()).isEqualTo("{\"Bool\":{\"aws:SecureTransport\":\"false\"}}");
    }

    @Test
    void filesCannotBeOverwritten() {
        var statement = deniedOfFiles("WriteOnce");

        assertThat(statement.path("Action").asText()).isEqualTo("s3:PutObject");
        assertThat(statement.path("Resource").findValuesAsText("Fn::Sub")).containsExactly("${Files.Arn}/*");
        assertThat(statement.path("Condition").toString())
                .isEqualTo("{\"Null\":{\"s3:if-none-match\":\"true\"},"
                        + "\"Bool\":{\"s3:ObjectCreationOperation\":\"true\"}}");
    }

    private JsonNode deniedOfFiles(String sid) {
        var policy = template.properties("FilesBucketPolicy");
        assertThat(policy.path("Bucket").path("Ref").asText()).isEqualTo("Files");
        var statement = StreamSupport.stream(
                        policy.path("PolicyDocument").path("Statement").spliterator(), false)
                .filter(one -> one.path("Sid").asText().equals(sid))
                .findFirst()
                .orElseThrow();
        assertThat(statement.path("Effect").asText()).isEqualTo("Deny");
        assertThat(statement.path("Principal").asText()).isEqualTo("*");
        return statement;
    }

    @Test
    void everyAlarmTellsSomebodyAndIsInTheGuide() {
        var guide = read(ProjectFiles.OPERATIONS_GUIDE);

        assertThat(template.ofType("AWS::CloudWatch::Alarm")).hasSize(29).allSatisfy(name -> {
            assertThat(template.properties(name).path("AlarmActions").findValuesAsText("Ref"))
                    .containsExactly("AlarmTopic");
            assertThat(guide).contains("`" + name + "`");
        });
    }

    /** All others take it for good that there is no number, and of an unreadable table instances have none. */
    @Test
    void alarmsRingWhereNobodyMeasuresAndWhereNobodyReadsTheTable() {
        var onSilence = template.ofType("AWS::CloudWatch::Alarm").stream()
                .filter(name -> template.properties(name)
                        .path("TreatMissingData")
                        .asText()
                        .equals("breaching"))
                .toList();

        assertThat(onSilence).allSatisfy(name -> {
            assertThat(resources.path(name).path("Condition").asText()).isEqualTo("HasAgent");
            assertThat(template.properties(name).path("Statistic").asText()).isEqualTo("SampleCount");
        });
        assertThat(onSilence.stream()
                        .map(name ->
                                template.properties(name).path("MetricName").asText()))
                .containsExactly("menuboard_table_clock_correction_seconds", "menuboard_tasks_overdue_seconds");
    }

    /** A message of any other queue tells of what a restored table may not have; one about a due batch is only a question. */
    @Test
    void theGuidePurgesWhatTellsOfLostItemsBeforeARestoredTableIsUsed() {
        var guide = read(ProjectFiles.OPERATIONS_GUIDE);
        var restore = guide.substring(guide.indexOf("## Restoring the table"));
        var purge = restore.substring(restore.indexOf("4. Purge"), restore.indexOf("Leave `Due`"));

        assertThat(template.ofType("AWS::SQS::Queue"))
                .filteredOn(name -> !name.startsWith("Due"))
                .hasSize(5)
                .allSatisfy(name -> assertThat(purge).contains("`" + name + "`"));
    }

    /** An instance with a lower one does not start. */
    @Test
    void theGuideGivesTheInstanceOfARestoreWhatMustNeverBeLowered() {
        var settings = settingsOfTheInstanceOfARestore();

        assertThat(shared(SharedSetting.Rule.NEVER_LOWERED))
                .hasSize(8)
                .allMatch(name -> settings.contains("`" + name + "`")
                        || (name.matches("MENUBOARD_.*_SHARDS") && settings.contains("each `MENUBOARD_…_SHARDS`")));
    }

    /** The instances that come after it would differ from it. */
    @Test
    void theGuideGivesTheInstanceOfARestoreWhatInstancesShareAndIsNoKey() {
        var settings = settingsOfTheInstanceOfARestore();

        assertThat(shared(SharedSetting.Rule.EQUAL))
                .filteredOn(name -> !name.endsWith("_KEY"))
                .hasSizeGreaterThan(4)
                .allMatch(name -> settings.contains("`" + name + "`")
                        || (name.startsWith("MENUBOARD_PRICING_CHANGES_APPROVAL_")
                                && settings.contains("each `MENUBOARD_PRICING_CHANGES_APPROVAL_…`")));
    }

    private static String settingsOfTheInstanceOfARestore() {
        var guide = read(ProjectFiles.OPERATIONS_GUIDE);
        var restore = guide.substring(guide.indexOf("## Restoring the table"));
        return restore.substring(restore.indexOf("with these settings alone"), restore.indexOf("2. `aws"));
    }

    /** Variables of the settings that instances share. */
    private static List<String> shared(SharedSetting.Rule rule) {
        return ApplicationServer.shared().beans(SharedSetting.class).stream()
                .filter(setting -> setting.rule() == rule)
                .map(setting -> setting.name().replaceAll("[.-]", "_").toUpperCase(Locale.ROOT))
                .toList();
    }

    /** The guide cuts them off where a table is imported. */
    @Test
    void theTablesTemplateEndsWithItsOutputs() {
        assertThat(read(ProjectFiles.OPERATIONS_GUIDE)).contains("sed '/^Outputs:/,$d' app/deploy/table.yaml");
        assertThat(Template.table().tree().properties())
                .last()
                .extracting(Map.Entry::getKey)
                .isEqualTo("Outputs");
    }

    @Test
    void alarmsAreAboutWhatTheAgentReadsAndTheApplicationMeasures() throws IOException {
        var metrics = StreamSupport.stream(resources.spliterator(), false)
                .flatMap(resource -> resource.findValuesAsText("MetricName").stream())
                .filter(metric -> metric.startsWith("menuboard_"))
                .collect(toCollection(TreeSet::new));
        var agent = JSON.readTree(read(ProjectFiles.DEPLOYMENT.resolve("cloudwatch-agent.json")));

        assertThat(texts(agent.findValue("metric_selectors")))
                .isEqualTo(metrics.stream().map(metric -> "^" + metric + "$").collect(toSet()));
        assertThat(agent.findValue("metric_namespace").asText()).isEqualTo("Menuboard");
        assertThat(agent.findValue("prometheus_config_path").asText()).endsWith("/prometheus.yaml");
        assertThat(read(ProjectFiles.DEPLOYMENT.resolve("prometheus.yaml")))
                .contains("job_name: menuboard", "stack: menuboard");
        var sources = sources();
        assertThat(metrics).allSatisfy(metric -> {
            var name = metric.replace('_', '.');
            assertThat(Stream.of(name, name.replaceAll("\\.(seconds|total)$", "")))
                    .as(name)
                    .anyMatch(one -> sources.contains('"' + one + '"'));
        });
    }

    private static String sources() throws IOException {
        try (var files = Files.find(
                ProjectFiles.ROOT,
                12,
                (file, _) -> file.toString().contains("/src/main/java/")
                        && file.toString().endsWith(".java"))) {
            return files.map(DeploymentTest::read).collect(joining());
        }
    }

    /** In time, with all that an instance ends one after the other by default; and not for ever half dead. */
    @Test
    void theServiceHasTimeToStopAndIsStartedAgain() {
        var unit = read(ProjectFiles.DEPLOYMENT.resolve("menuboard.service"));

        assertThat(unit).contains("TimeoutStopSec=60", "Restart=always", "-XX:+ExitOnOutOfMemoryError");
    }

    @Test
    void outputsNameTheSettingsThatTheLocalEnvironmentMakes() {
        var settings = StreamSupport.stream(template.tree().path("Outputs").spliterator(), false)
                .map(output -> output.path("Description").asText())
                .filter(description -> description.startsWith("MENUBOARD_"))
                .collect(toSet());

        var expected = LocalAws.propertyNames().stream()
                .filter(name -> !name.equals("menuboard.table-name"))
                .map(name -> name.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT))
                .collect(toSet());
        assertThat(settings).isEqualTo(expected);
    }

    private static Set<String> fields(JsonNode object) {
        return object.properties().stream().map(Map.Entry::getKey).collect(toSet());
    }

    private static Set<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(JsonNode::asText)
                .collect(toSet());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
