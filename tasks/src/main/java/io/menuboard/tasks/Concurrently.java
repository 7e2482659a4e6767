package io.menuboard.tasks;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * Bounded fan-out to virtual threads. Unlike {@link java.util.stream.Gatherers#mapConcurrent}, a call that fails does not
 * interrupt the others: each of them is a write whose effect must be known.
 */
public final class Concurrently {
    private static final int CONCURRENCY = 32;

    private Concurrently() {}

    /** Applies to each on a thread of its own, 32 at once; answers in order, or throws the first failure of the list. */
    public static <T, R> List<R> each(List<T> inputs, Function<T, R> work) {
        if (inputs.size() == 1) {
            return List.of(work.apply(inputs.getFirst()));
        }
        var permits = new Semaphore(CONCURRENCY);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return inputs.stream()
                    .map(input -> threads.submit(() -> {
                        permits.acquire();
                        try {
                            return work.apply(input);
                        } finally {
                            permits.release();
                        }
                    }))
                    .toList()
                    .stream()
                    .map(Concurrently::get)
                    .toList();
        }
    }

    private static <R> R get(Future<R> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        }
    }
}
