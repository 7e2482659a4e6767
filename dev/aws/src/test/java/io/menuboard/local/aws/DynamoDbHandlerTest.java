package io.menuboard.local.aws;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DynamoDbHandlerTest {
    @Test
    void othersServeWhileOneIsMade() throws InterruptedException {
        try (var dynamoDb = LocalDynamoDb.inMemory()) {
            var requests = DynamoDbRequests.of(null);
            var isServed = new AtomicBoolean();
            var made = new AtomicInteger();
            var making = Thread.ofPlatform().start(() -> {
                while (!isServed.get()) {
                    DynamoDbHandler.of(requests);
                    made.incrementAndGet();
                }
            });
            try {
                for (var i = 0; i < 100; i++) {
                    assertThat(dynamoDb.client().listTables().tableNames()).isEmpty();
                }
            } finally {
                isServed.set(true);
                making.join();
            }
            assertThat(made).hasPositiveValue();
        }
    }
}
