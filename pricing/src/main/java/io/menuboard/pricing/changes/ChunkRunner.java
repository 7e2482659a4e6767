package io.menuboard.pricing.changes;

import io.menuboard.pricing.chunks.ChangeChunk;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.workers.TaskRun;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Works through the chunks of a set, several at a time. */
final class ChunkRunner {
    private final DynamoChangeLines lines;
    private final int atOnce;

    ChunkRunner(DynamoChangeLines lines, int atOnce) {
        this.lines = lines;
        this.atOnce = atOnce;
    }

    private record Done(int total, int lines) {}

    /**
     * Does that with every chunk and adds up the answers. Chunks of one store and channel that follow each other are done one
     * after the other, because they share a batch, and transactions of one item conflict; others are done several at a time.
     */
    int each(ChangeSet set, TaskRun task, ToIntFunction<ChangeChunk> work) throws InterruptedException {
        var total = 0;
        var done = 0L;
        var summary = Objects.requireNonNull(set.summary());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                var chunks = lines.chunks(set)) {
            var inFlight = new ArrayDeque<Future<Done>>();
            try {
                var each = chunks.iterator();
                for (var next = nextOf(each); next != null; ) {
                    var together = new ArrayList<ChangeChunk>();
                    do {
                        together.add(next);
                        next = nextOf(each);
                    } while (next != null && next.goesWith(together.getFirst()));
                    if (inFlight.size() == atOnce) {
                        var result = get(inFlight.remove());
                        total += result.total();
                        done += result.lines();
                        task.progress(new TaskProgress(done, Math.max(done, summary.written()), "lines"));
                    }
                    inFlight.add(threads.submit(() -> new Done(
                            together.stream().mapToInt(work).sum(),
                            together.stream()
                                    .mapToInt(chunk -> chunk.lines().size())
                                    .sum())));
                }
                while (!inFlight.isEmpty()) {
                    total += get(inFlight.remove()).total();
                }
            } finally {
                threads.shutdownNow();
            }
        }
        return total;
    }

    private static @Nullable ChangeChunk nextOf(Iterator<ChangeChunk> chunks) {
        return chunks.hasNext() ? chunks.next() : null;
    }

    private static <T> T get(Future<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        }
    }
}
