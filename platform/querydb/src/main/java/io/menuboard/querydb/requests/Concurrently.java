package io.menuboard.querydb.requests;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Bounded fan-out over virtual threads, which work for the {@link Workload} of the caller. Returns, and throws, when all calls
 * have ended. An interruption of the caller interrupts the calls, which ends their pauses and requests; {@link
 * java.util.stream.Gatherers#mapConcurrent} would let them go on (ADR 6).
 */
public final class Concurrently {

    private Concurrently() {}

    /**
     * Results in the order of the inputs; throws the first failure in that order, when all calls have been made.
     *
     * @param atOnce most calls at a time
     */
    public static <T, R> List<R> map(int atOnce, Collection<T> inputs, Function<T, R> call) {
        return inputs.size() == 1 ? List.of(call.apply(inputs.iterator().next())) : map(atOnce, inputs.stream(), call);
    }

    /**
     * As {@link #map}, without results.
     *
     * @param atOnce most calls at a time
     */
    public static <T> void forEach(int atOnce, Collection<T> inputs, Consumer<T> call) {
        map(atOnce, inputs, done(call));
    }

    /**
     * As {@link #forEach(int, Collection, Consumer)}, taking each input when there is room for it.
     *
     * @param atOnce most calls at a time
     */
    public static <T> void forEach(int atOnce, Stream<T> inputs, Consumer<T> call) {
        map(atOnce, inputs, done(call));
    }

    private static <T, R> List<R> map(int atOnce, Stream<T> inputs, Function<T, R> call) {
        var workload = Workload.current();
        var room = new Semaphore(atOnce);
        var calls = new ArrayList<Future<R>>();
        // Closing waits for all of them; interrupted, it interrupts them.
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            inputs.forEachOrdered(input -> {
                room.acquireUninterruptibly();
                calls.add(threads.submit(() -> {
                    try {
                        return workload.call(() -> call.apply(input));
                    } finally {
                        room.release();
                    }
                }));
            });
        }
        return calls.stream().map(Concurrently::result).toList();
    }

    private static <T> Function<T, Boolean> done(Consumer<T> call) {
        return input -> {
            call.accept(input);
            return true;
        };
    }

    private static <R> R result(Future<R> done) {
        if (done.state() == Future.State.FAILED && done.exceptionNow() instanceof RuntimeException failure) {
            throw failure;
        }
        return done.resultNow();
    }
}
