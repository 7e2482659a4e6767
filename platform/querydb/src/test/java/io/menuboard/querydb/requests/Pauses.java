package io.menuboard.querydb.requests;

import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Requests for tests that do something between two attempts. */
public final class Pauses {
    private Pauses() {}

    /**
     * Requests that do not wait.
     *
     * @param pause is called instead of each pause, which would have taken that long
     */
    public static Requests requests(DynamoDbClient client, RetryPolicy retries, Meter meter, Consumer<Duration> pause) {
        var bulkhead = new Bulkhead(client, retries, 1);
        return new Requests(bulkhead, bulkhead, meter, pause::accept, new Random(1));
    }
}
