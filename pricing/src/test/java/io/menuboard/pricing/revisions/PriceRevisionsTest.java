package io.menuboard.pricing.revisions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.menuboard.pricing.StoreId;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.InterruptedClient;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.NotLoaded;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.requests.Bulkhead;
import io.menuboard.querydb.requests.Meter;
import io.menuboard.querydb.requests.Requests;
import io.menuboard.querydb.requests.Workload;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Who waits for whose reads. */
@Timeout(120)
class PriceRevisionsTest {
    private static final StoreId STORE = new StoreId("DE-0001");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CompletableFuture<Boolean> begun = new CompletableFuture<>();
    private final CompletableFuture<Boolean> goOn = new CompletableFuture<>();

    @AfterEach
    void end() {
        goOn.complete(true);
        threads.close();
    }

    /** Of an instance that makes requests through the one client where somebody waits, and else through the other. */
    private PriceRevisions revisions(DynamoDbClient interactive, DynamoDbClient background) {
        var requests = new Requests(
                new Bulkhead(interactive, FreshTable.RETRIES, 1),
                new Bulkhead(background, FreshTable.RETRIES, 1),
                Meter.NONE);
        return RevisionsFixture.revisions(
                new QueryDb(table.definition(), new MovingClock(), requests, FreshTable.CURSOR_KEY));
    }

    /** Its first request does not end before it is told to go on. */
    private DynamoDbClient blocked() {
        return InterruptedClient.before(_ -> true, 1, table.client(), () -> {
            begun.complete(true);
            goOn.join();
        });
    }

    @Test
    void somebodyWhoIsWaitedForDoesNotWaitForTheBackground() {
        var revisions = revisions(table.client(), blocked());
        var moment = System.nanoTime();
        var background = threads.submit(() -> Workload.BACKGROUND.call(() -> revisions.since(STORE, moment)));
        begun.join();

        var found = Workload.interactive(Duration.ofSeconds(3)).call(() -> revisions.since(STORE, moment));

        assertThat(found.isReadSince(moment)).isTrue();
        assertThat(background.isDone()).isFalse();
    }

    @Test
    void whoHasADeadlineWaitsForTheReadOfAnotherAsLongAsTimeIsLeftForItsOwn() throws Exception {
        var revisions = revisions(blocked(), table.client());
        var moment = System.nanoTime();
        var patient = threads.submit(() -> revisions.since(STORE, moment));
        begun.join();

        var found = Workload.interactive(Duration.ofSeconds(3)).call(() -> revisions.since(STORE, moment));

        assertThat(found.isReadSince(moment)).isTrue();
        assertThat(patient.isDone()).isFalse();
        goOn.complete(true);
        assertThat(patient.get().isReadSince(moment)).isTrue();
    }

    @Test
    void whoHasNoTimeLeftMakesNobodyElseReadAgain() throws Exception {
        var requests = new AtomicInteger();
        var counted = InterruptedClient.before(_ -> true, Integer.MAX_VALUE, blocked(), requests::incrementAndGet);
        var revisions = revisions(counted, table.client());
        var moment = System.nanoTime();
        var first = threads.submit(() -> revisions.since(STORE, moment));
        begun.join();
        var late = Workload.interactive(Duration.ZERO);
        assertThatThrownBy(() -> late.call(() -> revisions.since(STORE, moment)))
                .isInstanceOf(NotLoaded.class);

        var found = new CompletableFuture<Revisions>();
        var second = Thread.ofVirtual().start(() -> found.complete(revisions.since(STORE, moment)));
        await().until(() ->
                Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING).contains(second.getState()));
        goOn.complete(true);

        assertThat(found.get(30, TimeUnit.SECONDS)).isSameAs(first.get());
        assertThat(requests).hasValue(1);
    }

    @Test
    void oneReadsInPlaceOfAReadThatIsSlowAndTheOthersWaitForThat() throws Exception {
        var requests = new AtomicInteger();
        var counted = InterruptedClient.before(_ -> true, Integer.MAX_VALUE, blocked(), requests::incrementAndGet);
        var revisions = revisions(counted, table.client());
        var moment = System.nanoTime();
        var slow = threads.submit(() -> revisions.since(STORE, moment));
        begun.join();

        var waiting = Stream.generate(() -> threads.submit(
                        () -> Workload.interactive(Duration.ofSeconds(3)).call(() -> revisions.since(STORE, moment))))
                .limit(8)
                .toList();

        for (var one : waiting) {
            assertThat(one.get().isReadSince(moment)).isTrue();
        }
        assertThat(slow.isDone()).isFalse();
        assertThat(requests).hasValue(2);
    }
}
