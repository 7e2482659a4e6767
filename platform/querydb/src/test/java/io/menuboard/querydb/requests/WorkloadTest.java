package io.menuboard.querydb.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.FaultInjectingHttpClient;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.http.apache.ApacheHttpClient;

/** Who is served by which bulkhead. */
final class WorkloadTest {
    private static final Key KEY = new Key("p", "s");

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    @Test
    void eachKindOfWorkHasAClientOfItsOwn() throws Exception {
        try (var http = ApacheHttpClient.create()) {
            var faults = new FaultInjectingHttpClient(http);
            try (var other = LocalDynamoDb.shared()
                    .client(faults, QueryDb.clientOverrides().build())) {
                var db = new QueryDb(
                        table.definition(),
                        Clock.systemUTC(),
                        new Requests(
                                new Bulkhead(table.client(), FreshTable.RETRIES, 1),
                                new Bulkhead(other, FreshTable.RETRIES, 1),
                                Meter.NONE),
                        FreshTable.CURSOR_KEY);
                var keys = IntStream.range(0, 250)
                        .mapToObj(i -> new Key("p", "s" + i))
                        .toList();

                Workload.BACKGROUND.run(() -> db.getBatch(keys));
                assertThat(faults.sent()).as("threads of its own included").hasSize(3);
                assertThat(table.faults().sent()).isEmpty();

                db.getBatch(keys);
                Workload.interactive(Duration.ofMinutes(1)).run(() -> db.get(KEY));
                assertThat(faults.sent()).hasSize(3);
                assertThat(table.faults().sent()).hasSize(4);
            }
        }
    }

    @Test
    void countsWhatIsRequestedBeforeItsDeadline() {
        var db = table.queryDb(Clock.systemUTC());
        var request = Workload.interactive(Duration.ofMinutes(1));
        var other = Workload.interactive(Duration.ofMinutes(1));

        request.run(() -> db.get(KEY));
        request.run(() -> Concurrently.map(2, List.of(KEY, new Key("p", "t")), db::get));
        Workload.BACKGROUND.run(() -> db.get(KEY));

        assertThat(request.requests()).isEqualTo(3);
        assertThat(request.units()).isEqualTo(1.5);
        assertThat(other.requests()).isZero();
        assertThat(Workload.BACKGROUND.requests()).isZero();
    }

    @Test
    void whatMustFollowHasTimeAfterTheDeadlineAndCountsForTheSame() {
        var db = table.queryDb(Clock.systemUTC());
        var late = Workload.interactive(Duration.ZERO);
        var early = Workload.interactive(Duration.ofHours(1));

        late.withAtLeast(Duration.ofMinutes(1)).run(() -> db.get(KEY));

        assertThat(late.requests()).isOne();
        assertThat(early.withAtLeast(Duration.ofMinutes(1))).isSameAs(early);
        assertThat(Workload.BACKGROUND.withAtLeast(Duration.ofMinutes(1))).isSameAs(Workload.BACKGROUND);
    }

    @Test
    void threadsOfBackgroundWorkWorkInTheBackground() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var seen = Workload.BACKGROUND.call(
                    () -> List.of(threads.submit(Workload::current), threads.submit(Workload::current)));
            for (var one : seen) {
                assertThat(one.get()).isSameAs(Workload.BACKGROUND);
            }
            assertThat(threads.submit(Workload::current).get().isBackground()).isFalse();
            var late = Workload.interactive(Duration.ZERO).call(() -> threads.submit(Workload::current));
            assertThat(late.get().isOverAfter(Duration.ZERO))
                    .as("a thread may live longer than a request")
                    .isFalse();
        }
    }

    @Test
    void aThreadWorksForTheSameAsBeforeAfterwards() {
        var hour = Workload.interactive(Duration.ofHours(1));
        hour.run(() -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> Workload.BACKGROUND.run(() -> {
                        throw new IllegalStateException("failed");
                    }));
            assertThat(Workload.current()).isSameAs(hour);
        });
        assertThat(Workload.current().isOverAfter(Duration.ofDays(10_000))).isFalse();
    }
}
