package io.menuboard.app;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.menuboard.app.local.LocalAws;
import io.menuboard.app.local.LocalPipe;
import io.menuboard.querydb.PipeFormat;
import io.menuboard.querydb.TableDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;

/** The deployment template says what the application and its stand-ins do. */
class DeploymentTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String text = read(Path.of("deploy", "menuboard.yaml"));
    private final JsonNode template = JSON.valueToTree(new Yaml().<Object>load(text));
    private final JsonNode resources = template.path("Resources");

    @Test
    void theTableAndTheRightToUseItAreThoseOfItsDefinition() {
        var table = TableDefinition.menuboard("menuboard");

        assertThat(text).contains("Resources:\n" + table.cloudFormationResource("Table"));
        assertThat(text)
                .contains("        Statement:\n"
                        + table.iamStatements("Table").stripTrailing().indent(10));
    }

    @Test
    void everythingThatIsReferredToExists() {
        var names = new TreeSet<String>();
        template.findValuesAsText("Ref").forEach(names::add);
        template.findValues("Fn::GetAtt")
                .forEach(target -> names.add(target.path(0).asText()));
        names.removeIf(name -> name.startsWith("AWS::"));

        assertThat(resources.properties()).extracting(Map.Entry::getKey).containsAll(names);
        assertThat(names).contains("Table", "Changes", "Due", "Favorites", "PipeRole", "SchedulerRole", "Bus", "Files");
    }

    @Test
    void queuesAreEncryptedAndGiveMessagesUpAfterAsManyReceivesAsTheApplicationThinks() {
        var maxReceives = 5;
        var queues = resources.properties().stream()
                .map(Map.Entry::getValue)
                .filter(resource -> resource.path("Type").asText().equals("AWS::SQS::Queue"))
                .map(queue -> queue.path("Properties"))
                .toList();

        assertThat(queues).hasSize(7).allSatisfy(queue -> assertThat(
                        queue.path("SqsManagedSseEnabled").asBoolean())
                .isTrue());
        for (var name : List.of("Changes", "Due", "Favorites")) {
            var queue = resources.path(name).path("Properties");
            var policy = queue.path("RedrivePolicy");
            var dead = resources
                    .path(attributeOf(policy.path("deadLetterTargetArn")))
                    .path("Properties");
            assertThat(policy.path("maxReceiveCount").asInt()).isEqualTo(maxReceives);
            assertThat(dead.path("FifoQueue").asBoolean())
                    .isEqualTo(queue.path("FifoQueue").asBoolean());
            assertThat(dead.path("MessageRetentionPeriod").asInt())
                    .isGreaterThanOrEqualTo(queue.path("MessageRetentionPeriod").asInt());
        }
        assertThat(read(Path.of("src/main/java/io/menuboard/app/queues/QueuesConfig.java")))
                .contains("@Bindable(defaultValue = \"" + maxReceives + "\") int maxReceives");
    }

    @Test
    void pipesLetThroughWhatTheLocalOnesDo() throws JsonProcessingException {
        var local = Map.of("Pipe", LocalPipe.Filter.CHANGES, "FavoritesPipe", LocalPipe.Filter.FAVORITES);

        for (var name : pipes()) {
            var filter = Objects.requireNonNull(local.get(name));
            for (var record : records()) {
                assertThat(filter.passes(record))
                        .as("%s: %s", name, record)
                        .isEqualTo(passes(name, JSON.readTree(PipeFormat.of(record, "arn"))));
            }
            var parameters = resources.path(name).path("Properties").path("SourceParameters");
            assertThat(parameters
                            .path("DynamoDBStreamParameters")
                            .path("StartingPosition")
                            .asText())
                    .isEqualTo("TRIM_HORIZON");
        }
        assertThat(pipes()).isEqualTo(local.keySet());
    }

    @Test
    void historyThatExpiresAndBatchesThatGrowStayOutOfTheQueueOfChanges() throws JsonProcessingException {
        var passed = new TreeSet<String>();
        for (var record : records()) {
            var change = record.dynamodb();
            var image = change.hasNewImage() ? change.newImage() : change.oldImage();
            if (passes("Pipe", JSON.readTree(PipeFormat.of(record, "arn")))) {
                passed.add(record.eventName() + " "
                        + Objects.requireNonNull(image.get("type")).s());
            }
        }

        assertThat(passed).containsExactly("INSERT changeBatch", "INSERT priceHistory", "REMOVE changeBatch");
    }

    /** Each event of each type of item, and of one without. */
    private static List<Record> records() {
        return Stream.of("changeBatch", "priceHistory", "favorite", "favoriteBeat", "price", "")
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

    /** Whether one of the filters of that pipe matches the record. */
    private boolean passes(String pipe, JsonNode record) throws JsonProcessingException {
        var filters = resources
                .path(pipe)
                .path("Properties")
                .path("SourceParameters")
                .path("FilterCriteria")
                .path("Filters");
        for (var filter : filters) {
            if (matches(JSON.readTree(filter.path("Pattern").asText()), record)) {
                return true;
            }
        }
        return false;
    }

    /** Event patterns as far as the template has them: every field, and one of the texts that are listed for it. */
    private static boolean matches(JsonNode pattern, JsonNode value) {
        return pattern.isArray()
                ? texts(pattern).contains(value.asText())
                : pattern.properties().stream()
                        .allMatch(field -> matches(field.getValue(), value.path(field.getKey())));
    }

    @Test
    void pipesSendToTheirQueuesWhichTheirRoleAllows() {
        var targets = Map.of("Pipe", "Changes", "FavoritesPipe", "Favorites");

        for (var name : pipes()) {
            var pipe = resources.path(name).path("Properties");
            assertThat(attributeOf(pipe.path("Target"))).isEqualTo(targets.get(name));
            assertThat(attributeOf(pipe.path("RoleArn"))).isEqualTo("PipeRole");
            assertThat(attributeOf(pipe.path("Source"))).isEqualTo("Table");
        }
        assertThat(resources.path("PipeRole").findValues("Fn::GetAtt"))
                .extracting(target -> target.path(0).asText())
                .containsAll(targets.values());
        // Only a queue with an order has use for a group.
        assertThat(resources.path("FavoritesPipe").path("Properties").has("TargetParameters"))
                .isFalse();
    }

    /** No more than two: a shard of a stream bears two readers. */
    private Set<String> pipes() {
        return resources.properties().stream()
                .filter(resource -> resource.getValue().path("Type").asText().equals("AWS::Pipes::Pipe"))
                .map(Map.Entry::getKey)
                .collect(toSet());
    }

    private static String attributeOf(JsonNode value) {
        return value.path("Fn::GetAtt").path(0).asText();
    }

    @Test
    void thePipeFindsGroupAndDeduplicationIdInARecord() throws JsonProcessingException {
        var record = JSON.readTree(PipeFormat.of(
                Record.builder()
                        .eventID("e1")
                        .dynamodb(change -> change.keys(Map.of("pk", AttributeValue.fromS("STORE#1")))
                                .sizeBytes(1L))
                        .build(),
                "arn"));
        var target = resources
                .path("Pipe")
                .path("Properties")
                .path("TargetParameters")
                .path("SqsQueueParameters");

        assertThat(record.at(pointer(target.path("MessageGroupId"))).asText()).isEqualTo("STORE#1");
        assertThat(record.at(pointer(target.path("MessageDeduplicationId"))).asText())
                .isEqualTo("e1");
    }

    @Test
    void instancesMayCallWhatTheClientsCallAndNothingElse() throws IOException {
        var queues = called("queues", "sqs|scheduler|events");
        // The role is passed on by CreateSchedule.
        queues.add("PassRole");
        var files = called("files", "s3");
        // Who may list is told that an object is not there; who may not, that it may not be read.
        files.add("ListBucket");

        assertThat(allowed("QueuesPolicy")).isEqualTo(queues);
        assertThat(allowed("FilesPolicy")).isEqualTo(files);
    }

    private Set<String> allowed(String policy) {
        var allowed = new TreeSet<String>();
        for (var statement :
                resources.path(policy).path("Properties").path("PolicyDocument").path("Statement")) {
            texts(statement.path("Action")).forEach(action -> allowed.add(action.replaceAll(".*:", "")));
        }
        return allowed;
    }

    private static Set<String> called(String folder, String clients) throws IOException {
        var sources = new ArrayList<String>();
        try (var files = Files.list(Path.of("src/main/java/io/menuboard/app", folder))) {
            files.forEach(file -> sources.add(read(file)));
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
        assertThat(properties.path("LifecycleConfiguration").path("Rules").findValuesAsText("NoncurrentDays"))
                .containsExactly("35");
    }

    @Test
    void nobodyReachesFilesWithoutTls() {
        var policy = resources.path("FilesBucketPolicy").path("Properties");
        var statements = policy.path("PolicyDocument").path("Statement");

        assertThat(policy.path("Bucket").path("Ref").asText()).isEqualTo("Files");
        assertThat(statements).singleElement().satisfies(statement -> {
            assertThat(statement.path("Effect").asText()).isEqualTo("Deny");
            assertThat(statement.path("Principal").asText()).isEqualTo("*");
            assertThat(statement.path("Action").asText()).isEqualTo("s3:*");
            assertThat(statement.path("Resource")).hasSize(2);
            assertThat(statement.findValuesAsText("aws:SecureTransport")).containsExactly("false");
        });
    }

    @Test
    void outputsNameTheSettingsThatTheLocalEnvironmentMakes() {
        var settings = StreamSupport.stream(template.path("Outputs").spliterator(), false)
                .map(output -> output.path("Description").asText())
                .filter(description -> description.startsWith("MENUBOARD_"))
                .collect(toSet());

        var expected = LocalAws.propertyNames().stream()
                .filter(name -> !name.equals("menuboard.table-name"))
                .map(name -> name.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT))
                .collect(toSet());
        assertThat(settings).isEqualTo(expected);
    }

    private static String pointer(JsonNode path) {
        return path.asText().replace("$", "").replace('.', '/');
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
