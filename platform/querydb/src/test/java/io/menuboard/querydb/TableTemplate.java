package io.menuboard.querydb;

import io.menuboard.querydb.TableDefinition.KeyAttribute;
import io.menuboard.querydb.TableDefinition.Projection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a CloudFormation template that follow from a table's definition, as YAML. The table's name is the
 * template's parameter {@code TableName}.
 */
public final class TableTemplate {

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

    private TableTemplate() {}

    /**
     * The table as an entry of {@code Resources}, indented by two: a global table, with a replica where the stack is,
     * billed on demand, with point-in-time recovery, protected from being deleted. Each index takes no more writes than the
     * template's parameter {@code MostWriteUnits} says, where its condition {@code LimitsWrites} is met. Lines that follow may
     * go on with the replica and then with the table's properties.
     */
    public static String resource(TableDefinition table, String logicalId) {
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
        for (var attribute : table.attributes()) {
            line(yaml, 4, "- AttributeName: " + quoted(attribute.name()));
            line(yaml, 4, "  AttributeType: " + quoted(attribute.type().toString()));
        }
        keySchema(yaml, 3, table.hash(), table.range());
        if (!table.indexes().isEmpty()) {
            line(yaml, 3, "GlobalSecondaryIndexes:");
        }
        for (var index : table.indexes()) {
            line(yaml, 4, "- IndexName: " + quoted(index.name()));
            keySchema(yaml, 5, index.hash(), index.range());
            line(yaml, 5, "Projection:");
            line(yaml, 6, "ProjectionType: " + LocalTables.type(index.projection()));
            if (index.projection() instanceof Projection.Include(var attributes)) {
                line(yaml, 6, "NonKeyAttributes:");
                attributes.forEach(attribute -> line(yaml, 7, "- " + quoted(attribute)));
            }
            line(yaml, 5, "WriteOnDemandThroughputSettings:");
            line(yaml, 6, "Fn::If:");
            line(yaml, 7, "- LimitsWrites");
            line(yaml, 7, "- MaxWriteRequestUnits:");
            line(yaml, 9, "Ref: MostWriteUnits");
            line(yaml, 7, "- Ref: AWS::NoValue");
        }
        if (table.ttl() != null) {
            line(yaml, 3, "TimeToLiveSpecification:");
            line(yaml, 4, "AttributeName: " + quoted(table.ttl()));
            line(yaml, 4, "Enabled: true");
        }
        if (table.stream() != null) {
            line(yaml, 3, "StreamSpecification:");
            line(yaml, 4, "StreamViewType: " + table.stream());
        }
        line(yaml, 3, "Replicas:");
        line(yaml, 4, "- Region:");
        line(yaml, 4, "    Ref: AWS::Region");
        line(yaml, 4, "  DeletionProtectionEnabled: true");
        line(yaml, 4, "  PointInTimeRecoverySpecification:");
        line(yaml, 4, "    PointInTimeRecoveryEnabled: true");
        return yaml.toString();
    }

    /** The right to do with the table what {@link QueryDb} does, as entries of an IAM policy's {@code Statement} list. */
    public static String statements(TableDefinition table) {
        var arn = "arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/${TableName}";
        var yaml = new StringBuilder();
        line(yaml, 0, "- Effect: Allow");
        line(yaml, 1, "Action:");
        ACTIONS.forEach(action -> line(yaml, 2, "- dynamodb:" + action));
        line(yaml, 1, "Resource:");
        line(yaml, 2, "- Fn::Sub: " + quoted(arn));
        if (!table.indexes().isEmpty()) {
            line(yaml, 0, "- Effect: Allow");
            line(yaml, 1, "Action:");
            line(yaml, 2, "- dynamodb:Query");
            line(yaml, 1, "Resource:");
            table.indexes().forEach(index -> line(yaml, 2, "- Fn::Sub: " + quoted(arn + "/index/" + index.name())));
        }
        return yaml.toString();
    }

    private static void keySchema(StringBuilder yaml, int depth, KeyAttribute hash, @Nullable KeyAttribute range) {
        line(yaml, depth, "KeySchema:");
        for (var key : LocalTables.keySchema(hash, range)) {
            line(yaml, depth + 1, "- AttributeName: " + quoted(key.attributeName()));
            line(yaml, depth + 1, "  KeyType: " + key.keyType());
        }
    }

    private static void line(StringBuilder yaml, int depth, String text) {
        yaml.append("  ".repeat(depth)).append(text).append('\n');
    }

    // Quoted, because YAML reads a bare N as false.
    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
