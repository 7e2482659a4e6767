package io.menuboard.querydb;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.TableDefinition.Index;
import io.menuboard.querydb.TableDefinition.KeyAttribute;
import io.menuboard.querydb.TableDefinition.Projection;
import io.menuboard.querydb.requests.Bulkhead;
import io.menuboard.querydb.requests.Meter;
import io.menuboard.querydb.requests.Requests;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;

/** Tables of DynamoDB Local, made from their definitions. */
public final class LocalTables {
    private LocalTables() {}

    /** Creates that table, unless one of that name exists, with everything the definition says but the stream. */
    public static void create(LocalDynamoDb server, TableDefinition table) {
        server.createTable(request(table).build(), table.ttl());
    }

    /** The same with the stream, for those who read it: it makes every request slower. */
    static void createWithStream(LocalDynamoDb server, TableDefinition table) {
        var request = request(table);
        if (table.stream() != null) {
            request.streamSpecification(stream -> stream.streamEnabled(true).streamViewType(table.stream()));
        }
        server.createTable(request.build(), table.ttl());
    }

    /** The way to a table through some client, without pauses between attempts and without a meter. */
    public static QueryDb queryDb(DynamoDbClient through, TableDefinition table, Clock clock) {
        var requests = new Requests(new Bulkhead(through, FreshTable.RETRIES, 8), Meter.NONE);
        return new QueryDb(table, clock, requests, FreshTable.CURSOR_KEY);
    }

    private static CreateTableRequest.Builder request(TableDefinition table) {
        var request = CreateTableRequest.builder()
                .tableName(table.name())
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .keySchema(keySchema(table.hash(), table.range()))
                .attributeDefinitions(table.attributes().stream()
                        .map(attribute -> AttributeDefinition.builder()
                                .attributeName(attribute.name())
                                .attributeType(attribute.type())
                                .build())
                        .toList());
        if (!table.indexes().isEmpty()) {
            request.globalSecondaryIndexes(
                    table.indexes().stream().map(LocalTables::index).toList());
        }
        return request;
    }

    private static GlobalSecondaryIndex index(Index index) {
        var projection = software.amazon.awssdk.services.dynamodb.model.Projection.builder()
                .projectionType(type(index.projection()));
        if (index.projection() instanceof Projection.Include(var attributes)) {
            projection.nonKeyAttributes(attributes);
        }
        return GlobalSecondaryIndex.builder()
                .indexName(index.name())
                .keySchema(keySchema(index.hash(), index.range()))
                .projection(projection.build())
                .build();
    }

    static ProjectionType type(Projection projection) {
        return switch (projection) {
            case Projection.All() -> ProjectionType.ALL;
            case Projection.KeysOnly() -> ProjectionType.KEYS_ONLY;
            case Projection.Include(var _) -> ProjectionType.INCLUDE;
        };
    }

    static List<KeySchemaElement> keySchema(KeyAttribute hash, @Nullable KeyAttribute range) {
        var first = key(hash, KeyType.HASH);
        return range == null ? List.of(first) : List.of(first, key(range, KeyType.RANGE));
    }

    private static KeySchemaElement key(KeyAttribute attribute, KeyType type) {
        return KeySchemaElement.builder()
                .attributeName(attribute.name())
                .keyType(type)
                .build();
    }
}
