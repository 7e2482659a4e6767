package io.menuboard.local.aws;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DynamoDbHandlerTest {
    @Test
    void othersServeWhileOneIsMade() throws InterruptedException {
        try (var dynamoDb = LocalDynamoDb.inMemory()) {
            var requests = LocalDynamoDb.requests(null);
            var making = Thread.ofPlatform().start(() -> {
                for (var i = 0; i < 20_000; i++) {
                    DynamoDbHandler.of(requests);
                }
            });
            var served = 0;
            while (making.isAlive()) {
                assertThat(dynamoDb.client().listTables().tableNames()).isEmpty();
                served++;
            }
            making.join();
            assertThat(served).isPositive();
        }
    }
}
