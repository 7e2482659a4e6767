package io.menuboard.querydb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.FaultInjectingHttpClient.Sent;
import io.menuboard.querydb.TableDefinition.Index;
import io.menuboard.querydb.TableDefinition.KeyAttribute;
import io.menuboard.querydb.TableDefinition.Projection;
import io.menuboard.querydb.audit.AuditTrail;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;

final class TableDefinitionTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    private static Stream<Arguments> tables() {
        return Stream.of(
                Arguments.of(TableDefinition.menuboard("menuboard"), """
                        TableName: {Ref: TableName}
                        BillingMode: PAY_PER_REQUEST
                        Replicas:
                          - Region: {Ref: "AWS::Region"}
                            DeletionProtectionEnabled: true
                            PointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: true}
                        AttributeDefinitions:
                          - {AttributeName: pk, AttributeType: S}
                          - {AttributeName: sk, AttributeType: S}
                          - {AttributeName: gsi1pk, AttributeType: S}
                          - {AttributeName: gsi1sk, AttributeType: S}
                          - {AttributeName: gsi2pk, AttributeType: S}
                          - {AttributeName: gsi2sk, AttributeType: S}
                        KeySchema:
                          - {AttributeName: pk, KeyType: HASH}
                          - {AttributeName: sk, KeyType: RANGE}
                        GlobalSecondaryIndexes:
                          - IndexName: gsi1
                            KeySchema:
                              - {AttributeName: gsi1pk, KeyType: HASH}
                              - {AttributeName: gsi1sk, KeyType: RANGE}
                            Projection: {ProjectionType: ALL}
                            WriteOnDemandThroughputSettings: &limit
                              "Fn::If": [LimitsWrites, {MaxWriteRequestUnits: {Ref: MostWriteUnits}}, {Ref: "AWS::NoValue"}]
                          - IndexName: gsi2
                            KeySchema:
                              - {AttributeName: gsi2pk, KeyType: HASH}
                              - {AttributeName: gsi2sk, KeyType: RANGE}
                            Projection: {ProjectionType: ALL}
                            WriteOnDemandThroughputSettings: *limit
                        TimeToLiveSpecification: {AttributeName: ttl, Enabled: true}
                        StreamSpecification: {StreamViewType: NEW_AND_OLD_IMAGES}
                        """),
                Arguments.of(odd(), """
                        TableName: {Ref: TableName}
                        BillingMode: PAY_PER_REQUEST
                        Replicas:
                          - Region: {Ref: "AWS::Region"}
                            DeletionProtectionEnabled: true
                            PointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: true}
                        AttributeDefinitions:
                          - {AttributeName: id, AttributeType: S}
                          - {AttributeName: version, AttributeType: "N"}
                          - {AttributeName: digest, AttributeType: B}
                        KeySchema:
                          - {AttributeName: id, KeyType: HASH}
                          - {AttributeName: version, KeyType: RANGE}
                        GlobalSecondaryIndexes:
                          - IndexName: byDigest
                            KeySchema:
                              - {AttributeName: digest, KeyType: HASH}
                            Projection: {ProjectionType: KEYS_ONLY}
                            WriteOnDemandThroughputSettings: &limit
                              "Fn::If": [LimitsWrites, {MaxWriteRequestUnits: {Ref: MostWriteUnits}}, {Ref: "AWS::NoValue"}]
                          - IndexName: byVersion
                            KeySchema:
                              - {AttributeName: version, KeyType: HASH}
                              - {AttributeName: id, KeyType: RANGE}
                            Projection:
                              ProjectionType: INCLUDE
                              NonKeyAttributes: [title, 'a "quoted" name']
                            WriteOnDemandThroughputSettings: *limit
                        """),
                Arguments.of(bare(), """
                        TableName: {Ref: TableName}
                        BillingMode: PAY_PER_REQUEST
                        Replicas:
                          - Region: {Ref: "AWS::Region"}
                            DeletionProtectionEnabled: true
                            PointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: true}
                        AttributeDefinitions:
                          - {AttributeName: id, AttributeType: S}
                        KeySchema:
                          - {AttributeName: id, KeyType: HASH}
                        """));
    }

    private static TableDefinition odd() {
        return new TableDefinition(
                "odd",
                KeyAttribute.string("id"),
                number("version"),
                List.of(
                        new Index(
                                "byDigest",
                                new KeyAttribute("digest", ScalarAttributeType.B),
                                null,
                                new Projection.KeysOnly()),
                        new Index(
                                "byVersion",
                                number("version"),
                                KeyAttribute.string("id"),
                                new Projection.Include(List.of("title", "a \"quoted\" name")))),
                null,
                null);
    }

    private static TableDefinition bare() {
        return new TableDefinition("bare", KeyAttribute.string("id"), null, List.of(), null, null);
    }

    private static KeyAttribute number(String name) {
        return new KeyAttribute(name, ScalarAttributeType.N);
    }

    @ParameterizedTest
    @MethodSource("tables")
    void theTemplateSaysWhatTheDefinitionSays(TableDefinition definition, String properties) {
        var resources = unordered(yaml(TableTemplate.resource(definition, "Table")));

        assertThat(resources)
                .isEqualTo(Map.of(
                        "Table",
                        Map.of(
                                "Type", "AWS::DynamoDB::GlobalTable",
                                "DeletionPolicy", "Retain",
                                "UpdateReplacePolicy", "Retain",
                                "Properties", unordered(yaml(properties)))));
    }

    @ParameterizedTest
    @MethodSource("tables")
    void theLocalTableIsWhatTheDefinitionSays(TableDefinition definition, String properties) {
        var client = LocalDynamoDb.shared().client();
        LocalTables.createWithStream(LocalDynamoDb.shared(), definition);

        var described = client.describeTable(request -> request.tableName(definition.name()))
                .table();
        var expiry = client.describeTimeToLive(request -> request.tableName(definition.name()))
                .timeToLiveDescription();
        client.deleteTable(request -> request.tableName(definition.name()));

        assertThat(unordered(properties(described, expiry))).isEqualTo(unordered(yaml(properties)));
    }

    @Test
    void theRoleMayDoWhatTheOperationsDoAndNothingElse() {
        useEveryOperation();
        var arn = "arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/${TableName}";

        var statements = unordered(yaml(TableTemplate.statements(table.definition())));

        assertThat(statements)
                .isEqualTo(Set.of(
                        Map.of(
                                "Effect", "Allow",
                                "Action", actions(sent -> !sent.body().has("IndexName")),
                                "Resource", Set.of(Map.of("Fn::Sub", arn))),
                        Map.of(
                                "Effect", "Allow",
                                "Action", actions(sent -> sent.body().has("IndexName")),
                                "Resource",
                                        Set.of(
                                                Map.of("Fn::Sub", arn + "/index/gsi1"),
                                                Map.of("Fn::Sub", arn + "/index/gsi2")))));
    }

    @Test
    void aTableWithoutIndexesNeedsNoPermissionOnIndexes() {
        assertThat(yaml(TableTemplate.statements(bare()))).asInstanceOf(LIST).hasSize(1);
    }

    @Test
    void anAttributeHasOneType() {
        var index = new Index("byId", number("id"), null, new Projection.All());

        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new TableDefinition("table", KeyAttribute.string("id"), null, List.of(index), null, null))
                .withMessage("attribute id of table table is both S and N");
    }

    @Test
    void anIndexHasANameOfItsOwn() {
        var index = new Index("byName", KeyAttribute.string("name"), null, new Projection.All());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TableDefinition(
                        "table", KeyAttribute.string("id"), null, List.of(index, index), null, null))
                .withMessage("table table has two indexes byName");
    }

    @Test
    void hashAndRangeKeyAreTwoAttributes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TableDefinition(
                        "table", KeyAttribute.string("id"), KeyAttribute.string("id"), List.of(), null, null))
                .withMessage("table table has the hash key id as range key too");
    }

    @ParameterizedTest
    @MethodSource("unusable")
    void theOperationsRefuseATableTheyCannotWorkOn(TableDefinition definition, String fault) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LocalTables.queryDb(
                        LocalDynamoDb.shared().client(), definition, Clock.fixed(NOW, ZoneOffset.UTC)))
                .withMessage(fault);
    }

    private static Stream<Arguments> unusable() {
        var pk = KeyAttribute.string("pk");
        var sk = KeyAttribute.string("sk");
        var noRange = new Index("byName", KeyAttribute.string("name"), null, new Projection.All());
        var noTtl = new Index("byName", KeyAttribute.string("name"), sk, new Projection.KeysOnly());
        return Stream.of(
                Arguments.of(odd(), "table odd has other keys than the strings pk and sk"),
                Arguments.of(
                        new TableDefinition("table", pk, number("sk"), List.of(), null, null),
                        "table table has other keys than the strings pk and sk"),
                Arguments.of(
                        new TableDefinition("table", pk, sk, List.of(), "expires", null),
                        "table table has another TTL attribute than ttl"),
                Arguments.of(
                        new TableDefinition("table", pk, sk, List.of(noRange), null, null),
                        "table table has an index without two string keys: byName"),
                Arguments.of(
                        new TableDefinition("table", pk, sk, List.of(noTtl), "ttl", null),
                        "table table has an index that cannot tell what has expired: byName"));
    }

    private void useEveryOperation() {
        var clock = Clock.fixed(NOW, ZoneOffset.UTC);
        var db = table.queryDb(clock);
        var key = new Key("p", "s");
        var item = Item.at(key).type("thing").build();
        var set = Update.of(key).set("a", 1);
        db.save(item, SaveMode.INIT);
        db.saveBatch(List.of(new Save(item, SaveMode.ANY))).orThrow();
        db.update(set.when(Condition.exists()));
        db.transact(List.of(
                set,
                Write.put(Item.at(new Key("p", "put")).build(), SaveMode.INIT),
                Write.check(new Key("p", "check"), Condition.absent()),
                Write.delete(new Key("p", "delete"))));
        var expired = new Key("p", "count");
        db.save(Item.at(expired).ttl(NOW).build(), SaveMode.ANY);
        db.count(expired, "n", 1);
        var audit = new AuditTrail(db, clock, new Random(1), new AuditTrail.Settings(1, Duration.ofDays(1)));
        audit.record(new Actor(Actor.Kind.USER, "ada", Actor.Source.PAGE), "subject", "action", Map.of());
        audit.bySubject("subject", PageRequest.forward(1, null));
        db.get(key);
        db.getBatch(List.of(key));
        db.load("p");
        db.query(Query.table("items", "p"), PageRequest.forward(1, null));
        db.query(
                Query.index("items", "gsi1", "p").groupedBy(1),
                PageRequest.backward(1, null),
                groups -> groups.stream().map(Optional::of).toList());
        assertThat(db.all(Query.table("items", "p"))).isNotEmpty();
        db.delete(key);
        db.deleteBatch(List.of(key)).orThrow();
    }

    /** Permissions that the requests made so far needed: a transaction those of its parts, any other its own. */
    private Set<String> actions(Predicate<Sent> which) {
        return table.faults().sent().stream()
                .filter(which)
                .flatMap(sent -> sent.operation().equals("TransactWriteItems")
                        ? sent.body().get("TransactItems").valueStream().map(part -> part.fieldNames()
                                .next())
                        : Stream.of(sent.operation()))
                .map(action ->
                        "dynamodb:" + (action.matches("Put|Update|Delete|ConditionCheck") ? action + "Item" : action))
                .collect(Collectors.toSet());
    }

    /** What DynamoDB says about a table, in the words of a template. */
    private static Map<String, Object> properties(TableDescription table, TimeToLiveDescription expiry) {
        var properties = new HashMap<String, Object>();
        properties.put("TableName", Map.of("Ref", "TableName"));
        properties.put("BillingMode", table.billingModeSummary().billingModeAsString());
        // DynamoDB Local has neither replicas nor backups to tell about.
        properties.put(
                "Replicas",
                List.of(Map.of(
                        "Region", Map.of("Ref", "AWS::Region"),
                        "DeletionProtectionEnabled", true,
                        "PointInTimeRecoverySpecification", Map.of("PointInTimeRecoveryEnabled", true))));
        properties.put(
                "AttributeDefinitions",
                table.attributeDefinitions().stream()
                        .map(attribute -> Map.of(
                                "AttributeName", attribute.attributeName(),
                                "AttributeType", attribute.attributeTypeAsString()))
                        .toList());
        properties.put("KeySchema", keys(table.keySchema()));
        if (table.hasGlobalSecondaryIndexes()) {
            properties.put(
                    "GlobalSecondaryIndexes",
                    table.globalSecondaryIndexes().stream()
                            .map(TableDefinitionTest::index)
                            .toList());
        }
        if (expiry.attributeName() != null) {
            properties.put("TimeToLiveSpecification", Map.of("AttributeName", expiry.attributeName(), "Enabled", true));
        }
        if (table.streamSpecification() != null) {
            properties.put(
                    "StreamSpecification",
                    Map.of("StreamViewType", table.streamSpecification().streamViewTypeAsString()));
        }
        return properties;
    }

    private static Map<String, Object> index(GlobalSecondaryIndexDescription index) {
        var projection = new HashMap<String, Object>();
        projection.put("ProjectionType", index.projection().projectionTypeAsString());
        if (index.projection().hasNonKeyAttributes()) {
            projection.put("NonKeyAttributes", index.projection().nonKeyAttributes());
        }
        return Map.of(
                "IndexName", index.indexName(),
                "KeySchema", keys(index.keySchema()),
                "Projection", projection,
                // DynamoDB Local has no limits either.
                "WriteOnDemandThroughputSettings",
                        Map.of(
                                "Fn::If",
                                List.of(
                                        "LimitsWrites",
                                        Map.of("MaxWriteRequestUnits", Map.of("Ref", "MostWriteUnits")),
                                        Map.of("Ref", "AWS::NoValue"))));
    }

    private static List<Map<String, String>> keys(List<KeySchemaElement> keys) {
        return keys.stream()
                .map(key -> Map.of("AttributeName", key.attributeName(), "KeyType", key.keyTypeAsString()))
                .toList();
    }

    private static Object yaml(String text) {
        return new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
    }

    /** Lists as sets: neither DynamoDB nor CloudFormation minds their order. */
    private static Object unordered(Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                var unordered = new HashMap<Object, Object>();
                map.forEach((key, content) -> unordered.put(key, unordered(content)));
                yield unordered;
            }
            case List<?> list -> {
                var unordered = new HashSet<Object>();
                list.forEach(content -> unordered.add(unordered(content)));
                yield unordered;
            }
            default -> value;
        };
    }
}
