package io.menuboard.querydb.requests;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Bounded fan-out over virtual threads, which work for the {@link Workload} of the caller. Returns, and throws, when all calls
 * have ended. An interruption of the caller interrupts the calls, which ends their pauses and requests, and begins no more of
 * them once it has to wait for room; {@link java.util.stream.Gatherers#mapConcurrent} would let them go on (ADR 6).
 */
public final class Concurrently {

    private Concurrently() {}

    /**
     * Work on one input, which may be interrupted.
     *
     * @param <T> type of the input
     */
    @FunctionalInterface
    public interface Interruptible<T> {

        /** Works on the input. */
        void accept(T input) throws InterruptedException;
    }

    /**
     * Results in the order of the inputs; throws the first failure in that order, when all calls have been made.
     *
     * @param atOnce most calls at a time
     * @throws CancellationException where the caller was interrupted before all calls had begun; its interrupt flag stays set
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

    /**
     * As {@link #forEach(int, Stream, Consumer)} for work that is done again from where it was: begins no more calls once one
     * has failed.
     *
     * @param atOnce most calls at a time
     * @throws InterruptedException where the caller was interrupted, whatever its calls have thrown
     */
    public static <T> void forEachInterruptibly(int atOnce, Stream<T> inputs, Interruptible<T> call)
            throws InterruptedException {
        var calls = new Calls<T, Boolean>(atOnce, true, input -> {
            call.accept(input);
            return true;
        });
        calls.make(inputs);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        calls.results();
    }

    private static <T, R> List<R> map(int atOnce, Stream<T> inputs, Function<T, R> call) {
        var calls = new Calls<T, R>(atOnce, false, call::apply);
        calls.make(inputs);
        if (calls.interrupted) {
            throw new CancellationException("interrupted before all calls had begun");
        }
        return calls.results();
    }

    private static <T> Function<T, Boolean> done(Consumer<T> call) {
        return input -> {
            call.accept(input);
            return true;
        };
    }

    @FunctionalInterface
    private interface Call<T, R> {
        R on(T input) throws InterruptedException;
    }

    /** Calls of one fan-out. */
    private static final class Calls<T, R> {
        private final Workload workload = Workload.current();
        private final List<Future<R>> begun = new ArrayList<>();
        private final Semaphore room;
        private final boolean untilFailure;
        private final Call<T, R> call;
        private volatile boolean failed;
        private boolean interrupted;

        Calls(int atOnce, boolean untilFailure, Call<T, R> call) {
            this.room = new Semaphore(atOnce);
            this.untilFailure = untilFailure;
            this.call = call;
        }

        void make(Stream<T> inputs) {
            // Closing waits for all of them; interrupted, it interrupts them.
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                inputs.takeWhile(_ -> mayBegin())
                        .forEachOrdered(input -> begun.add(threads.submit(() -> onThread(input))));
            }
        }

        private boolean mayBegin() {
            try {
                // An interrupted caller still begins calls for which there is room: they say by themselves how they
                // ended.
                if (!room.tryAcquire()) {
                    room.acquire();
                }
                return !(failed && untilFailure);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                interrupted = true;
                return false;
            }
        }

        private R onThread(T input) throws InterruptedException {
            // The thread ends with the call.
            Workload.restore(workload);
            try {
                return call.on(input);
            } catch (Throwable e) {
                failed = true;
                throw e;
            } finally {
                room.release();
            }
        }

        List<R> results() {
            return begun.stream().map(Calls::result).toList();
        }

        private static <R> R result(Future<R> done) {
            if (done.state() == Future.State.FAILED) {
                switch (done.exceptionNow()) {
                    case RuntimeException failure -> throw failure;
                    case Error failure -> throw failure;
                    case Throwable failure -> throw new IllegalStateException(failure);
                }
            }
            return done.resultNow();
        }
    }
}
