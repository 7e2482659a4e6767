package io.menuboard.local.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexUpdate;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

final class LocalDynamoDbTest {

    private static final String TABLE = "menuboard";
    private static final Map<String, AttributeValue> ITEM =
            Map.of("pk", AttributeValue.fromS("p"), "sk", AttributeValue.fromS("s"));

    @Test
    void onlyThisMachineReachesIt() throws SocketException {
        var port = LocalDynamoDb.shared().endpoint().getPort();
        var others = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .toList();

        assertThat(LocalDynamoDb.shared().endpoint().getHost()).isEqualTo("127.0.0.1");
        assertThat(others).allSatisfy(address -> assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> connect(address, port)));
    }

    @Test
    void dataInAFolderSurvivesARestart(@TempDir Path folder) {
        var data = folder.resolve("created").resolve("on demand");
        try (var local = LocalDynamoDb.inFolder(data, 0)) {
            createTable(local);
            save(local);
        }

        try (var local = LocalDynamoDb.inFolder(data, 0)) {
            createTable(local);
            assertThat(items(local)).isEqualTo(List.of(ITEM));
        }
    }

    @Test
    void dataInMemoryIsGoneAfterwards() {
        try (var local = LocalDynamoDb.inMemory()) {
            createTable(local);
            save(local);
        }

        try (var local = LocalDynamoDb.inMemory()) {
            createTable(local);
            assertThat(items(local)).isEmpty();
        }
    }

    @Test
    void aTableIsAsItWasChangedLast() {
        try (var local = LocalDynamoDb.inMemory()) {
            var client = local.client();
            assertThatExceptionOfType(ResourceNotFoundException.class).isThrownBy(() -> save(local));
            createTable(local);
            save(local);
            client.updateTable(request -> request.tableName(TABLE)
                    .attributeDefinitions(List.of(text("sk")))
                    .globalSecondaryIndexUpdates(List.of(GlobalSecondaryIndexUpdate.builder()
                            .create(index -> index.indexName("by-sk")
                                    .keySchema(List.of(hashKey("sk")))
                                    .projection(all -> all.projectionType(ProjectionType.ALL)))
                            .build())));

            assertThat(client.query(request -> request.tableName(TABLE)
                                    .indexName("by-sk")
                                    .keyConditionExpression("sk = :sk")
                                    .expressionAttributeValues(Map.of(":sk", AttributeValue.fromS("s"))))
                            .items())
                    .containsExactly(ITEM);

            client.deleteTable(request -> request.tableName(TABLE));
            assertThatExceptionOfType(ResourceNotFoundException.class).isThrownBy(() -> save(local));
            client.createTable(request -> request.tableName(TABLE)
                    .attributeDefinitions(List.of(text("id")))
                    .keySchema(List.of(hashKey("id")))
                    .billingMode(BillingMode.PAY_PER_REQUEST));
            assertThatExceptionOfType(DynamoDbException.class)
                    .isThrownBy(() -> save(local))
                    .withMessageContaining("required keys");
        }
    }

    private static AttributeDefinition text(String attribute) {
        return AttributeDefinition.builder()
                .attributeName(attribute)
                .attributeType(ScalarAttributeType.S)
                .build();
    }

    private static KeySchemaElement hashKey(String attribute) {
        return KeySchemaElement.builder()
                .attributeName(attribute)
                .keyType(KeyType.HASH)
                .build();
    }

    private static void createTable(LocalDynamoDb local) {
        var table = new TableResource(Template.table().properties("Table"));
        local.createTable(table.request(TABLE), table.ttl());
    }

    private static void save(LocalDynamoDb local) {
        local.client().putItem(request -> request.tableName(TABLE).item(ITEM));
    }

    private static List<Map<String, AttributeValue>> items(LocalDynamoDb local) {
        return local.client().scan(request -> request.tableName(TABLE)).items();
    }

    private static void connect(InetAddress address, int port) throws IOException {
        new Socket(address, port).close();
    }
}
