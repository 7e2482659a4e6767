package io.menuboard.graphql;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.graphql.Admission.Overloaded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class AdmissionTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch stall = new CountDownLatch(1);

    @AfterEach
    void stop() {
        stall.countDown();
        threads.close();
    }

    @Test
    void whoFindsNoPlaceWaitsForOne() {
        var admission = new Admission(2, 10, LONG, LONG, SampleDataAccess.UNLIMITED, threads);
        var most = new AtomicInteger();
        var now = new AtomicInteger();
        var done = new ArrayList<CompletableFuture<Integer>>();
        for (var i = 0; i < 12; i++) {
            done.add(admission.admit(admission.begin(), () -> {
                most.accumulateAndGet(now.incrementAndGet(), Math::max);
                await();
                now.decrementAndGet();
                return completedFuture(1);
            }));
        }

        stall.countDown();

        assertThat(done.stream().mapToInt(CompletableFuture::join).sum()).isEqualTo(12);
        assertThat(most).hasValueLessThanOrEqualTo(2);
    }

    @Test
    void oneMoreThanMayWaitIsRefusedAtOnce() {
        var admission = new Admission(1, 2, LONG, LONG, SampleDataAccess.UNLIMITED, threads);
        var first = admission.admit(admission.begin(), this::stalled);
        var second = admission.admit(admission.begin(), this::stalled);
        var third = admission.admit(admission.begin(), this::stalled);

        var fourth = admission.admit(admission.begin(), this::stalled);

        assertThat(fourth).isCompletedExceptionally();
        assertThat(fourth.handle((_, fault) -> fault).join()).hasRootCauseInstanceOf(Overloaded.class);
        stall.countDown();
        assertThat(first.thenCombine(second, Integer::sum)
                        .thenCombine(third, Integer::sum)
                        .join())
                .isEqualTo(3);
    }

    @Test
    void whoHasWaitedLongEnoughIsRefusedAndTakesNoPlaceLater() {
        var admission = new Admission(1, 5, Duration.ofMillis(1), LONG, SampleDataAccess.UNLIMITED, threads);
        var first = admission.admit(admission.begin(), this::stalled);

        var late = admission.admit(admission.begin(), () -> completedFuture(7));

        assertThat(late.handle((_, fault) -> fault).join()).hasRootCauseInstanceOf(Overloaded.class);
        stall.countDown();
        assertThat(first.join()).isEqualTo(1);
        assertThat(admission.admit(admission.begin(), () -> completedFuture(2)).join())
                .isEqualTo(2);
    }

    @Test
    void whatIsToBeCompletedLaterHoldsNoPlace() {
        var admission = new Admission(1, 0, LONG, LONG, SampleDataAccess.UNLIMITED, threads);
        var later = new CompletableFuture<Integer>();
        var waits = admission.admit(admission.begin(), () -> later);
        var next = admission.admit(admission.begin(), () -> completedFuture(2));
        while (next.isCompletedExceptionally()) {
            // The first has not returned yet.
            next = admission.admit(admission.begin(), () -> completedFuture(2));
        }

        assertThat(next.join()).isEqualTo(2);
        later.complete(1);
        assertThat(waits.join()).isEqualTo(1);
    }

    @Test
    void workThatFailsGivesItsPlaceBack() {
        var admission = new Admission(1, 1, LONG, LONG, SampleDataAccess.UNLIMITED, threads);
        var failed = admission.<Integer>admit(admission.begin(), () -> {
            throw new IllegalStateException("a fault");
        });

        assertThat(failed.handle((_, fault) -> fault).join()).hasRootCauseInstanceOf(IllegalStateException.class);
        assertThat(admission.admit(admission.begin(), () -> completedFuture(2)).join())
                .isEqualTo(2);
    }

    private CompletableFuture<Integer> stalled() {
        await();
        return completedFuture(1);
    }

    private void await() {
        try {
            stall.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
