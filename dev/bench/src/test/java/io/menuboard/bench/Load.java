package io.menuboard.bench;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Sends one request after the other on a number of connections, and takes the time of each. */
final class Load {
    private Load() {}

    /** One request; throws when the answer is not the one that was expected. */
    @FunctionalInterface
    interface Request {
        void send() throws Exception;
    }

    /** @param cpu the CPU time that the measured process has used so far */
    static Samples run(int connections, int requests, Request request, Supplier<Duration> cpu)
            throws InterruptedException, ExecutionException {
        var each = requests / connections;
        var cpuBefore = cpu.get();
        var start = System.nanoTime();
        long[] nanos;
        try (var threads = Executors.newFixedThreadPool(connections)) {
            var running = IntStream.range(0, connections)
                    .mapToObj(_ -> threads.submit(() -> times(each, request)))
                    .toList();
            for (Future<long[]> thread : running) {
                thread.get();
            }
            nanos = running.stream()
                    .map(Future::resultNow)
                    .flatMapToLong(Arrays::stream)
                    .toArray();
        }
        var wall = Duration.ofNanos(System.nanoTime() - start);
        return new Samples(nanos, wall, cpu.get().minus(cpuBefore));
    }

    private static long[] times(int requests, Request request) throws Exception {
        var nanos = new long[requests];
        for (var i = 0; i < requests; i++) {
            var start = System.nanoTime();
            request.send();
            nanos[i] = System.nanoTime() - start;
        }
        return nanos;
    }
}
