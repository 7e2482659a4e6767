package io.menuboard.querydb.requests;

import io.menuboard.querydb.Outcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Cost of one request to DynamoDB, its retries included.
 *
 * @param operation the query's access pattern, or the method of {@link io.menuboard.querydb.QueryDb}
 * @param index index that was read; null for the table
 * @param readUnits consumed read capacity units, as DynamoDB reports them
 * @param writeUnits consumed write capacity units; 0 for a refused write, whose units DynamoDB does not report
 * @param duration of all attempts and the pauses between them
 * @param attempts 1 when nothing was retried
 */
public record Usage(
        String operation,
        @Nullable String index,
        double readUnits,
        double writeUnits,
        Duration duration,
        int attempts,
        Outcome outcome) {

    /** End of the request. */
    public enum Outcome {
        DONE,
        /** A condition did not hold. */
        REFUSED,
        FAILED
    }
}
