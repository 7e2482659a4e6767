package io.menuboard.local.aws;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.StreamSpecification;

/**
 * The table that a template describes.
 *
 * @param properties of the resource
 */
record TableResource(JsonNode properties) {

    /** The request that creates it under that name, without its stream. */
    CreateTableRequest request(String name) {
        return CreateTableRequest.builder()
                .tableName(name)
                .billingMode(text(properties, "BillingMode"))
                .attributeDefinitions(list(properties, "AttributeDefinitions", TableResource::attribute))
                .keySchema(keys(properties))
                .globalSecondaryIndexes(list(properties, "GlobalSecondaryIndexes", TableResource::index))
                .build();
    }

    StreamSpecification stream() {
        return StreamSpecification.builder()
                .streamEnabled(true)
                .streamViewType(text(properties.path("StreamSpecification"), "StreamViewType"))
                .build();
    }

    /** The attribute that holds the second at which an item expires. */
    String ttl() {
        return text(properties.path("TimeToLiveSpecification"), "AttributeName");
    }

    private static AttributeDefinition attribute(JsonNode attribute) {
        return AttributeDefinition.builder()
                .attributeName(text(attribute, "AttributeName"))
                .attributeType(text(attribute, "AttributeType"))
                .build();
    }

    private static GlobalSecondaryIndex index(JsonNode index) {
        return GlobalSecondaryIndex.builder()
                .indexName(text(index, "IndexName"))
                .keySchema(keys(index))
                .projection(projection -> projection.projectionType(text(index.path("Projection"), "ProjectionType")))
                .build();
    }

    private static List<KeySchemaElement> keys(JsonNode of) {
        return list(of, "KeySchema", key -> KeySchemaElement.builder()
                .attributeName(text(key, "AttributeName"))
                .keyType(text(key, "KeyType"))
                .build());
    }

    private static <T> List<T> list(JsonNode of, String name, Function<JsonNode, T> read) {
        return of.required(name).valueStream().map(read).toList();
    }

    private static String text(JsonNode of, String name) {
        return of.required(name).textValue();
    }
}
