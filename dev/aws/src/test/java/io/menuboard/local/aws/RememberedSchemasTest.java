package io.menuboard.local.aws;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexUpdate;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.dynamodb.services.local.shared.access.sqlite.TableSchemaInfo;

class RememberedSchemasTest {
    @Test
    void parsesTheSameOnce() throws IOException {
        try (var _ = LocalDynamoDb.inMemory()) {
            var mapper = RememberedSchemas.mapper();
            var json = mapper.writeValueAsBytes(new TableSchemaInfo());

            assertThat(mapper.readValue(json.clone(), TableSchemaInfo.class))
                    .isSameAs(mapper.readValue(json.clone(), TableSchemaInfo.class));
        }
    }

    @Test
    void anIndexAddedLaterIsOneOfThatTable() {
        try (var dynamoDb = LocalDynamoDb.inMemory()) {
            var client = dynamoDb.client();
            create(client, "one");
            create(client, "other");
            put(client, "one", "before");
            put(client, "other", "before");
            addIndex(client, "one");

            put(client, "one", "after");
            put(client, "other", "after");

            assertThat(keys(client, "one", null)).containsExactly("after");
            assertThat(keys(client, "one", "by-colour")).containsExactlyInAnyOrder("before", "after");
            assertThat(keys(client, "other", null)).containsExactly("after");
            assertThatThrownBy(() -> keys(client, "other", "by-colour")).isInstanceOf(DynamoDbException.class);
        }
    }

    private static void create(DynamoDbClient client, String table) {
        client.createTable(request -> request.tableName(table)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(text("id"))
                .keySchema(hash("id")));
    }

    private static void addIndex(DynamoDbClient client, String table) {
        client.updateTable(request -> request.tableName(table)
                .attributeDefinitions(text("id"), text("colour"))
                .globalSecondaryIndexUpdates(GlobalSecondaryIndexUpdate.builder()
                        .create(index -> index.indexName("by-colour")
                                .keySchema(hash("colour"))
                                .projection(projection -> projection.projectionType(ProjectionType.ALL)))
                        .build()));
        // It describes the index before it has the columns, and fails.
        await().ignoreExceptionsInstanceOf(DynamoDbException.class)
                .until(() -> client.describeTable(request -> request.tableName(table))
                                .table()
                                .globalSecondaryIndexes()
                                .getFirst()
                                .indexStatus()
                        == IndexStatus.ACTIVE);
    }

    private static AttributeDefinition text(String name) {
        return AttributeDefinition.builder()
                .attributeName(name)
                .attributeType(ScalarAttributeType.S)
                .build();
    }

    private static KeySchemaElement hash(String name) {
        return KeySchemaElement.builder()
                .attributeName(name)
                .keyType(KeyType.HASH)
                .build();
    }

    private static void put(DynamoDbClient client, String table, String id) {
        client.putItem(request -> request.tableName(table).item(Map.of("id", fromS(id), "colour", fromS("red"))));
    }

    /** What has the colour by that index, or the key "after" without one. */
    private static List<String> keys(DynamoDbClient client, String table, @Nullable String index) {
        var name = index == null ? "id" : "colour";
        var value = index == null ? "after" : "red";
        return client
                .query(request -> request.tableName(table)
                        .indexName(index)
                        .keyConditionExpression(name + " = :value")
                        .expressionAttributeValues(Map.of(":value", fromS(value))))
                .items()
                .stream()
                .map(item -> requireNonNull(item.get("id")).s())
                .toList();
    }
}
