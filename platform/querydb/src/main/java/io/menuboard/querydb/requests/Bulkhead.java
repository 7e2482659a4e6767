package io.menuboard.querydb.requests;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * A way to the table that is not used up by those who use another one: its connections, its retries, its batches. After the
 * pattern of that name in Michael Nygard, <i>Release It!</i>, 2nd edition, chapter 5.
 *
 * @param client without retries of its own; its connection pool is the bound of requests at once; closed by the caller
 * @param retries how often a request is repeated, as long as the {@link RetryBudget} lasts
 * @param batchConcurrency most requests of batches at once, at least 1
 */
public record Bulkhead(DynamoDbClient client, RetryPolicy retries, int batchConcurrency) {

    public Bulkhead {
        if (batchConcurrency < 1) {
            throw new IllegalArgumentException("batches need a concurrency of at least 1, not " + batchConcurrency);
        }
    }
}
