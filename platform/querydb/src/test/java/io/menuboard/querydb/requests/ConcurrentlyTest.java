package io.menuboard.querydb.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class ConcurrentlyTest {

    @Test
    void resultsAreInTheOrderOfTheInputs() {
        var second = new CountDownLatch(1);

        var results = Concurrently.map(2, List.of(1, 2, 3), input -> {
            if (input == 1) {
                await(second);
            } else {
                second.countDown();
            }
            return "r" + input;
        });

        assertThat(results).containsExactly("r1", "r2", "r3");
        assertThat(Concurrently.map(1, List.of(), input -> input)).isEmpty();
    }

    @Test
    void noMoreCallsRunAtOnceThanAllowed() {
        var running = new AtomicInteger();
        var most = new AtomicInteger();

        Concurrently.forEach(3, IntStream.range(0, 50).boxed(), _ -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            pause(Duration.ofMillis(2));
            running.decrementAndGet();
        });

        assertThat(most).hasValue(3);
    }

    @Test
    void callsWorkForTheWorkloadOfTheCaller() {
        var request = Workload.interactive(Duration.ofMinutes(1));

        var workloads = request.call(() -> Concurrently.map(2, List.of(1, 2), _ -> Workload.current()));

        assertThat(workloads).containsExactly(request, request);
    }

    @Test
    void theFirstFailureIsThrownWhenAllCallsHaveEnded() {
        var done = new ConcurrentLinkedQueue<Integer>();

        assertThatThrownBy(() -> Concurrently.forEach(2, List.of(1, 2, 3), input -> {
                    if (input < 3) {
                        throw new IllegalStateException("failed " + input);
                    }
                    pause(Duration.ofMillis(50));
                    done.add(input);
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("failed 1");
        assertThat(done).containsExactly(3);
    }

    @Test
    void anInterruptedCallerInterruptsItsCalls() throws InterruptedException {
        var begun = new CountDownLatch(2);
        var interrupted = new AtomicInteger();
        var caller = Thread.ofVirtual()
                .start(() -> Concurrently.forEach(2, List.of(1, 2), _ -> {
                    begun.countDown();
                    if (!pause(Duration.ofMinutes(1))) {
                        interrupted.incrementAndGet();
                    }
                }));
        await(begun);

        caller.interrupt();
        caller.join();

        assertThat(interrupted).hasValue(2);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether it was not interrupted. */
    private static boolean pause(Duration time) {
        try {
            Thread.sleep(time);
            return true;
        } catch (InterruptedException _) {
            return false;
        }
    }
}
