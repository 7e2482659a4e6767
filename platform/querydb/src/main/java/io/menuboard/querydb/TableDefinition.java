package io.menuboard.querydb;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamSpecification;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveSpecification;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveRequest;

/**
 * A table described once, as data: what local creation, the deployment template and the permissions are made from.
 * Every table is billed on demand, has point-in-time recovery and is protected from being deleted. Attribute definitions follow from keys and indexes.
 *
 * @param name table name, at least three characters
 * @param indexes global secondary indexes
 * @param ttl attribute that holds the second at which an item expires; null for a table whose items stay
 * @param stream what the stream's records hold; null for no stream
 */
public record TableDefinition(
        String name,
        KeyAttribute hash,
        @Nullable KeyAttribute range,
        List<Index> indexes,
        @Nullable String ttl,
        @Nullable StreamViewType stream) {

    /** IAM actions that {@link QueryDb} needs on the table; of them only Query on its indexes. */
    private static final List<String> ACTIONS = List.of(
            "BatchGetItem",
            "BatchWriteItem",
            "ConditionCheckItem",
            "DeleteItem",
            "GetItem",
            "PutItem",
            "Query",
            "UpdateItem");

    /** Throws {@link IllegalArgumentException} when keys and indexes contradict each other. */
    public TableDefinition {
        indexes = List.copyOf(indexes);
        var names = new HashSet<String>();
        for (var index : indexes) {
            if (!names.add(index.name())) {
                throw new IllegalArgumentException("table " + name + " has two indexes " + index.name());
            }
        }
        requireDistinct("table " + name, hash, range);
        attributes(name, hash, range, indexes);
    }

    /** The table of architecture section 2. */
    public static TableDefinition menuboard(String name) {
        return new TableDefinition(
                name,
                KeyAttribute.string(Item.PARTITION),
                KeyAttribute.string(Item.SORT),
                List.of(
                        new Index(
                                "gsi1",
                                KeyAttribute.string(Item.INDEX_PARTITION),
                                KeyAttribute.string(Item.INDEX_SORT),
                                new Projection.All()),
                        new Index(
                                "gsi2",
                                KeyAttribute.string(Item.SECOND_INDEX_PARTITION),
                                KeyAttribute.string(Item.SECOND_INDEX_SORT),
                                new Projection.All())),
                Item.TTL,
                StreamViewType.NEW_AND_OLD_IMAGES);
    }

    /** Throws {@link IllegalArgumentException} naming it when the table has no such index. */
    Index index(String indexName) {
        return indexes.stream()
                .filter(index -> index.name().equals(indexName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("table " + name + " has no index " + indexName));
    }

    /** Every key attribute of table and indexes once, in order of first use. */
    public List<KeyAttribute> attributes() {
        return attributes(name, hash, range, indexes);
    }

    public CreateTableRequest createTableRequest() {
        var request = CreateTableRequest.builder()
                .tableName(name)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .keySchema(keySchema(hash, range))
                .attributeDefinitions(attributes().stream()
                        .map(attribute -> AttributeDefinition.builder()
                                .attributeName(attribute.name())
                                .attributeType(attribute.type())
                                .build())
                        .toList());
        if (!indexes.isEmpty()) {
            request.globalSecondaryIndexes(
                    indexes.stream().map(TableDefinition::secondaryIndex).toList());
        }
        if (stream != null) {
            request.streamSpecification(StreamSpecification.builder()
                    .streamEnabled(true)
                    .streamViewType(stream)
                    .build());
        }
        return request.build();
    }

    /** What switches expiry on once the table exists; empty for a table whose items stay. */
    public Optional<UpdateTimeToLiveRequest> timeToLiveRequest() {
        return Optional.ofNullable(ttl).map(attribute -> UpdateTimeToLiveRequest.builder()
                .tableName(name)
                .timeToLiveSpecification(TimeToLiveSpecification.builder()
                        .attributeName(attribute)
                        .enabled(true)
                        .build())
                .build());
    }

    /**
     * The table as a YAML entry of a CloudFormation template's {@code Resources}, indented by two: a global table, with a
     * replica where the stack is. Its name is the template's parameter {@code TableName}. Lines that follow may go on with
     * the replica and then with the table's properties.
     */
    public String cloudFormationResource(String logicalId) {
        var yaml = new StringBuilder();
        line(yaml, 1, logicalId + ":");
        line(yaml, 2, "Type: AWS::DynamoDB::GlobalTable");
        line(yaml, 2, "DeletionPolicy: Retain");
        line(yaml, 2, "UpdateReplacePolicy: Retain");
        line(yaml, 2, "Properties:");
        line(yaml, 3, "TableName:");
        line(yaml, 4, "Ref: TableName");
        line(yaml, 3, "BillingMode: PAY_PER_REQUEST");
        line(yaml, 3, "AttributeDefinitions:");
        for (var attribute : attributes()) {
            line(yaml, 4, "- AttributeName: " + quoted(attribute.name()));
            line(yaml, 4, "  AttributeType: " + quoted(attribute.type().toString()));
        }
        keySchema(yaml, 3, hash, range);
        if (!indexes.isEmpty()) {
            line(yaml, 3, "GlobalSecondaryIndexes:");
        }
        for (var index : indexes) {
            line(yaml, 4, "- IndexName: " + quoted(index.name()));
            keySchema(yaml, 5, index.hash(), index.range());
            line(yaml, 5, "Projection:");
            line(yaml, 6, "ProjectionType: " + index.projection().type());
            if (index.projection() instanceof Projection.Include(var attributes)) {
                line(yaml, 6, "NonKeyAttributes:");
                attributes.forEach(attribute -> line(yaml, 7, "- " + quoted(attribute)));
            }
        }
        if (ttl != null) {
            line(yaml, 3, "TimeToLiveSpecification:");
            line(yaml, 4, "AttributeName: " + quoted(ttl));
            line(yaml, 4, "Enabled: true");
        }
        if (stream != null) {
            line(yaml, 3, "StreamSpecification:");
            line(yaml, 4, "StreamViewType: " + stream);
        }
        line(yaml, 3, "Replicas:");
        line(yaml, 4, "- Region:");
        line(yaml, 4, "    Ref: AWS::Region");
        line(yaml, 4, "  DeletionProtectionEnabled: true");
        line(yaml, 4, "  PointInTimeRecoverySpecification:");
        line(yaml, 4, "    PointInTimeRecoveryEnabled: true");
        return yaml.toString();
    }

    /**
     * What {@link QueryDb} must be allowed to do with the table, and nothing else, as YAML entries of an IAM policy's
     * {@code Statement} list. Its name is the template's parameter {@code TableName}.
     */
    public String iamStatements() {
        var arn = "arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/${TableName}";
        var yaml = new StringBuilder();
        line(yaml, 0, "- Effect: Allow");
        line(yaml, 1, "Action:");
        ACTIONS.forEach(action -> line(yaml, 2, "- dynamodb:" + action));
        line(yaml, 1, "Resource:");
        line(yaml, 2, "- Fn::Sub: " + quoted(arn));
        if (!indexes.isEmpty()) {
            line(yaml, 0, "- Effect: Allow");
            line(yaml, 1, "Action:");
            line(yaml, 2, "- dynamodb:Query");
            line(yaml, 1, "Resource:");
            indexes.forEach(index -> line(yaml, 2, "- Fn::Sub: " + quoted(arn + "/index/" + index.name())));
        }
        return yaml.toString();
    }

    private static List<KeyAttribute> attributes(
            String table, KeyAttribute hash, @Nullable KeyAttribute range, List<Index> indexes) {
        var byName = new LinkedHashMap<String, KeyAttribute>();
        Stream.concat(keys(hash, range), indexes.stream().flatMap(index -> keys(index.hash(), index.range())))
                .forEach(attribute -> {
                    var before = byName.putIfAbsent(attribute.name(), attribute);
                    if (before != null && !before.equals(attribute)) {
                        throw new IllegalArgumentException("attribute " + attribute.name() + " of table " + table
                                + " is both " + before.type() + " and " + attribute.type());
                    }
                });
        return List.copyOf(byName.values());
    }

    private static Stream<KeyAttribute> keys(KeyAttribute hash, @Nullable KeyAttribute range) {
        return range == null ? Stream.of(hash) : Stream.of(hash, range);
    }

    private static void requireDistinct(String what, KeyAttribute hash, @Nullable KeyAttribute range) {
        if (range != null && range.name().equals(hash.name())) {
            throw new IllegalArgumentException(what + " has the hash key " + hash.name() + " as range key too");
        }
    }

    private static GlobalSecondaryIndex secondaryIndex(Index index) {
        var projection = software.amazon.awssdk.services.dynamodb.model.Projection.builder()
                .projectionType(index.projection().type());
        if (index.projection() instanceof Projection.Include(var attributes)) {
            projection.nonKeyAttributes(attributes);
        }
        return GlobalSecondaryIndex.builder()
                .indexName(index.name())
                .keySchema(keySchema(index.hash(), index.range()))
                .projection(projection.build())
                .build();
    }

    private static List<KeySchemaElement> keySchema(KeyAttribute hash, @Nullable KeyAttribute range) {
        return keyTypes(hash, range).entrySet().stream()
                .map(key -> KeySchemaElement.builder()
                        .attributeName(key.getKey())
                        .keyType(key.getValue())
                        .build())
                .toList();
    }

    private static void keySchema(StringBuilder yaml, int depth, KeyAttribute hash, @Nullable KeyAttribute range) {
        line(yaml, depth, "KeySchema:");
        keyTypes(hash, range).forEach((attribute, type) -> {
            line(yaml, depth + 1, "- AttributeName: " + quoted(attribute));
            line(yaml, depth + 1, "  KeyType: " + type);
        });
    }

    private static Map<String, KeyType> keyTypes(KeyAttribute hash, @Nullable KeyAttribute range) {
        var types = new LinkedHashMap<String, KeyType>();
        types.put(hash.name(), KeyType.HASH);
        if (range != null) {
            types.put(range.name(), KeyType.RANGE);
        }
        return Collections.unmodifiableMap(types);
    }

    private static void line(StringBuilder yaml, int depth, String text) {
        yaml.append("  ".repeat(depth)).append(text).append('\n');
    }

    // Quoted, because YAML reads a bare N as false.
    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** An attribute that is a key of the table or of an index. */
    public record KeyAttribute(String name, ScalarAttributeType type) {

        public static KeyAttribute string(String name) {
            return new KeyAttribute(name, ScalarAttributeType.S);
        }

        public static KeyAttribute number(String name) {
            return new KeyAttribute(name, ScalarAttributeType.N);
        }

        public static KeyAttribute binary(String name) {
            return new KeyAttribute(name, ScalarAttributeType.B);
        }
    }

    /** A global secondary index. */
    public record Index(
            String name, KeyAttribute hash, @Nullable KeyAttribute range, Projection projection) {
        public Index {
            requireDistinct("index " + name, hash, range);
        }
    }

    /** Which attributes an index copies; keys of table and index always. */
    public sealed interface Projection {

        /** Every attribute. */
        record All() implements Projection {}

        /** No others. */
        record KeysOnly() implements Projection {}

        /** These others, at least one. */
        record Include(List<String> attributes) implements Projection {
            public Include {
                attributes = List.copyOf(attributes);
                if (attributes.isEmpty()) {
                    throw new IllegalArgumentException("INCLUDE needs an attribute; use KEYS_ONLY");
                }
            }
        }

        /** Whether that attribute, which is no key, is copied. */
        default boolean includes(String attribute) {
            return switch (this) {
                case All() -> true;
                case KeysOnly() -> false;
                case Include(var attributes) -> attributes.contains(attribute);
            };
        }

        private ProjectionType type() {
            return switch (this) {
                case All() -> ProjectionType.ALL;
                case KeysOnly() -> ProjectionType.KEYS_ONLY;
                case Include(var _) -> ProjectionType.INCLUDE;
            };
        }
    }
}
