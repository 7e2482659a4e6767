package io.menuboard.local.aws;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import software.amazon.dynamodb.services.dataMembers.RequestData;
import software.amazon.dynamodb.services.dataMembers.ResponseData;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/**
 * Handler of DynamoDB Local that can be made while others serve. Each one that is made empties and fills a table of operations
 * which all of a process share, and requests to others were refused as {@code InvalidAction} meanwhile: here they wait.
 */
final class DynamoDbHandler extends LocalDynamoDBServerHandler {
    private static final ReadWriteLock OPERATIONS = new ReentrantReadWriteLock();

    private DynamoDbHandler(LocalDynamoDBRequestHandler requests) {
        super(requests, null);
    }

    static DynamoDbHandler of(LocalDynamoDBRequestHandler requests) {
        OPERATIONS.writeLock().lock();
        try {
            return new DynamoDbHandler(requests);
        } finally {
            OPERATIONS.writeLock().unlock();
        }
    }

    /** Does what a request asks for, once all of it has arrived. */
    @Override
    protected void packageDynamoDBResponse(RequestData request, ResponseData response) {
        OPERATIONS.readLock().lock();
        try {
            super.packageDynamoDBResponse(request, response);
        } finally {
            OPERATIONS.readLock().unlock();
        }
    }
}
