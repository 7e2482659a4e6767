package io.menuboard.billing.reports;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/**
 * Reads a stream in another thread, some hundred elements ahead of who takes them, so that waiting for the table and
 * working on its answers go on at the same time. Used by one thread.
 */
final class ReadAhead<T> implements Iterator<T>, AutoCloseable {
    private static final int CHUNK = 500;
    private static final Executor THREADS = Thread::startVirtualThread;

    private final Stream<T> stream;
    private final Iterator<T> source;
    private Iterator<T> chunk = List.<T>of().iterator();
    private CompletableFuture<List<T>> next;

    /** @param stream closed with this */
    ReadAhead(Stream<T> stream) {
        this.stream = stream;
        this.source = stream.iterator();
        this.next = read();
    }

    private CompletableFuture<List<T>> read() {
        return CompletableFuture.supplyAsync(
                () -> {
                    var elements = new ArrayList<T>(CHUNK);
                    while (elements.size() < CHUNK && source.hasNext()) {
                        elements.add(source.next());
                    }
                    return elements;
                },
                THREADS);
    }

    @Override
    public boolean hasNext() {
        if (!chunk.hasNext()) {
            var elements = join();
            chunk = elements.iterator();
            next = elements.isEmpty() ? CompletableFuture.completedFuture(List.of()) : read();
        }
        return chunk.hasNext();
    }

    private List<T> join() {
        try {
            return next.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return chunk.next();
    }

    @Override
    public void close() {
        next.cancel(false);
        stream.close();
    }
}
