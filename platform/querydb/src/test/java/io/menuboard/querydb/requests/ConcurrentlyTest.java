package io.menuboard.querydb.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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

    @Test
    void anInterruptedCallerThatWaitsForRoomBeginsNoMoreCalls() throws InterruptedException {
        var begun = new CountDownLatch(1);
        var calls = new AtomicInteger();
        var thrown = new AtomicReference<Throwable>();
        var caller = Thread.ofVirtual().start(() -> {
            thrown.set(catchThrowable(() -> Concurrently.forEach(1, List.of(1, 2, 3), _ -> {
                calls.incrementAndGet();
                begun.countDown();
                pause(Duration.ofMinutes(1));
            })));
            calls.addAndGet(Thread.interrupted() ? 100 : 0);
        });
        await(begun);

        caller.interrupt();
        caller.join();

        assertThat(thrown.get()).isInstanceOf(CancellationException.class);
        assertThat(calls).as("one call, and the interrupt flag").hasValue(101);
    }

    @Test
    void aCallerThatWasInterruptedBeforeGetsTheResultsOfItsCalls() {
        Thread.currentThread().interrupt();

        var results = Concurrently.map(2, List.of(1, 2), input -> "r" + input);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(results).containsExactly("r1", "r2");
    }

    @Test
    void aFailureOfInterruptibleWorkBeginsNoMoreCallsAndLetsOthersEnd() {
        var failing = new CountDownLatch(1);
        var done = new ConcurrentLinkedQueue<Integer>();

        assertThatThrownBy(() -> Concurrently.forEachInterruptibly(2, Stream.iterate(1, input -> input + 1), input -> {
                    if (input == 2) {
                        failing.countDown();
                        throw new IllegalStateException("failed " + input);
                    }
                    failing.await();
                    Thread.sleep(20);
                    done.add(input);
                }))
                .hasMessage("failed 2");
        assertThat(done).containsExactly(1);
    }

    @Test
    void anInterruptionEndsInterruptibleWork() throws InterruptedException {
        var begun = new CountDownLatch(2);
        var calls = new AtomicInteger();
        var thrown = new AtomicReference<Throwable>();
        var caller = Thread.ofVirtual()
                .start(() -> thrown.set(
                        catchThrowable(() -> Concurrently.forEachInterruptibly(2, Stream.generate(() -> 1), _ -> {
                            calls.incrementAndGet();
                            begun.countDown();
                            Thread.sleep(Duration.ofMinutes(1));
                        }))));
        await(begun);

        caller.interrupt();
        caller.join();

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(calls).hasValue(2);
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
