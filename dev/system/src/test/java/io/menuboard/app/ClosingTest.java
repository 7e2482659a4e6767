package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.menuboard.local.aws.LocalAws;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.messaging.ChangeHandler;
import io.menuboard.messaging.PeriodicJob;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.runtime.server.EmbeddedServer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** An instance that stops finishes what it is at, with clients that work, which it closes last. */
@Timeout(120)
class ClosingTest {
    private final LocalAws aws = LocalAws.start(null, "closing");
    private final Blocked message = new Blocked();
    private final Blocked turn = new Blocked();
    private ApplicationContext context;

    @BeforeEach
    void start() {
        var properties = new HashMap<>(aws.properties());
        properties.put("micronaut.server.port", -1);
        properties.put("menuboard.queues.long-poll", "1s");
        context = ApplicationContext.builder()
                .properties(properties)
                .singletons(new BlockedHandler(), new PeriodicJob("closing", Duration.ofDays(1), this::takeTurn))
                .start();
    }

    @AfterEach
    void stop() {
        message.goOn.countDown();
        turn.goOn.countDown();
        context.close();
        aws.close();
    }

    @Test
    void messagesThatAreUnderWayAreHandledBeforeClientsClose() throws InterruptedException {
        turn.goOn.countDown();
        context.getBean(EmbeddedServer.class).start();
        context.getBean(QueryDb.class)
                .save(
                        Item.at(new Key("STORE#closing", "ALL#Batch#2036-07-01"))
                                .type("changeBatch")
                                .number(
                                        "instant",
                                        Instant.parse("2036-07-01T00:00:00Z").getEpochSecond())
                                .build(),
                        SaveMode.ANY);

        closeDuring(message);

        assertThat(aws.queues().isEmpty(aws.changes().url())).isTrue();
    }

    @Test
    void aTurnThatIsUnderWayIsFinishedBeforeClientsClose() throws InterruptedException {
        context.getBean(EmbeddedServer.class).start();

        closeDuring(turn);
    }

    private void closeDuring(Blocked work) throws InterruptedException {
        var client = context.getBean(DynamoDbClient.class, Qualifiers.byName("background"));
        work.begun.await();

        var closing = Thread.ofVirtual().start(context::close);
        await().during(Duration.ofSeconds(1)).until(closing::isAlive);
        work.goOn.countDown();
        closing.join();

        assertThat(work.finished).isTrue();
        // Credentials come with the request: the context, which those of the client are read from, is closed.
        assertThatIllegalStateException()
                .isThrownBy(() -> client.listTables(request -> request.overrideConfiguration(
                        overrides -> overrides.credentialsProvider(LocalDynamoDb.CREDENTIALS))));
    }

    private void takeTurn() {
        turn.work(context.getBean(QueryDb.class), "TURN");
    }

    /** Work that begins, waits, and then needs the table. */
    private static final class Blocked {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);
        private volatile boolean finished;

        void work(QueryDb db, String sort) {
            begun.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException("cut off", e);
            }
            db.save(Item.at(new Key("CLOSING", sort)).build(), SaveMode.ANY);
            finished = true;
        }
    }

    private final class BlockedHandler implements ChangeHandler {
        @Override
        public Set<String> types() {
            return Set.of("changeBatch");
        }

        @Override
        public void handle(ChangeRecord record) {
            if (record.key().partition().equals("STORE#closing")) {
                message.work(context.getBean(QueryDb.class), "MESSAGE");
            }
        }
    }
}
