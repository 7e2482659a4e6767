package io.menuboard.local.aws;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;
import software.amazon.dynamodb.services.exceptions.DynamoDBLocalServiceException;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.shared.access.LocalDBOutputConverter;

/** DynamoDB Local, called and not sent to. Refuses with the SDK's exceptions, as its HTTP server would. */
final class DirectDynamoDb implements DynamoDbClient {
    private final LocalDynamoDBRequestHandler requests;
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("direct-dynamodb-", 0).factory());

    private final String accessKey;
    private final String region;

    DirectDynamoDb(LocalDynamoDBRequestHandler requests, String accessKey, String region) {
        this.requests = requests;
        this.accessKey = accessKey;
        this.region = region;
    }

    @Override
    public GetItemResponse getItem(GetItemRequest request) {
        return translated(() -> requests.getItem(accessKey, region, request));
    }

    @Override
    public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
        return translated(() -> requests.batchGetItem(accessKey, region, request));
    }

    @Override
    public QueryResponse query(QueryRequest request) {
        return translated(() -> requests.query(accessKey, region, request));
    }

    @Override
    public PutItemResponse putItem(PutItemRequest request) {
        return translated(() -> requests.putItem(accessKey, region, request));
    }

    @Override
    public UpdateItemResponse updateItem(UpdateItemRequest request) {
        return translated(() -> requests.updateItem(accessKey, region, request));
    }

    @Override
    public DeleteItemResponse deleteItem(DeleteItemRequest request) {
        return translated(() -> requests.deleteItem(accessKey, region, request));
    }

    @Override
    public BatchWriteItemResponse batchWriteItem(BatchWriteItemRequest request) {
        return translated(() -> requests.batchWriteItem(accessKey, region, request));
    }

    @Override
    public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
        return translated(() -> requests.transactWriteItems(accessKey, region, request));
    }

    /** A caller that is interrupted in the middle would leave the server's lock locked for ever. */
    private static <R> R uninterrupted(Supplier<R> call) {
        var answer = CompletableFuture.supplyAsync(call, THREADS);
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }

    private static <R> R translated(Supplier<R> call) {
        try {
            return uninterrupted(call);
        } catch (DynamoDBLocalServiceException e) {
            throw switch (e.getErrorCode()) {
                case "ConditionalCheckFailedException" ->
                    ConditionalCheckFailedException.builder()
                            .message(e.getMessage())
                            .statusCode(e.statusCode())
                            .awsErrorDetails(e.awsErrorDetails())
                            .item(new LocalDBOutputConverter().internalToExternalAttributes(e.getItem()))
                            .build();
                case "TransactionCanceledException" ->
                    TransactionCanceledException.builder()
                            .message(e.getMessage())
                            .statusCode(e.statusCode())
                            .awsErrorDetails(e.awsErrorDetails())
                            .cancellationReasons(e.getCancellationReasons())
                            .build();
                default -> e;
            };
        }
    }

    @Override
    public String serviceName() {
        return SERVICE_NAME;
    }

    @Override
    public void close() {
        // There is nothing to close but the server.
    }
}
