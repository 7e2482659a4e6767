package io.menuboard.pricing.changes;

import io.menuboard.pricing.chunks.ChangeChunk;
import io.menuboard.querydb.requests.Concurrently;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.workers.TaskRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToIntFunction;
import java.util.stream.Gatherer;

/** Works through the chunks of a set, several at a time. */
final class ChunkRunner {
    private final DynamoChangeLines lines;
    private final int atOnce;

    ChunkRunner(DynamoChangeLines lines, int atOnce) {
        this.lines = lines;
        this.atOnce = atOnce;
    }

    /**
     * Does that with every chunk and adds up the answers. Chunks of one store and channel that follow each other are done one
     * after the other, because they share a batch, and transactions of one item conflict; others are done several at a time.
     */
    int each(ChangeSet set, TaskRun task, ToIntFunction<ChangeChunk> work) throws InterruptedException {
        var sums = new Sums(task, Objects.requireNonNull(set.summary()).written());
        try (var chunks = lines.chunks(set)) {
            Concurrently.forEachInterruptibly(
                    atOnce,
                    chunks.gather(together()),
                    group -> sums.add(group, group.stream().mapToInt(work).sum()));
        }
        return sums.total;
    }

    private static Gatherer<ChangeChunk, ?, List<ChangeChunk>> together() {
        return Gatherer.<ChangeChunk, ArrayList<ChangeChunk>, List<ChangeChunk>>ofSequential(
                ArrayList::new,
                Gatherer.Integrator.ofGreedy((group, chunk, groups) -> {
                    var goesOn = true;
                    if (!group.isEmpty() && !chunk.goesWith(group.getFirst())) {
                        goesOn = groups.push(List.copyOf(group));
                        group.clear();
                    }
                    group.add(chunk);
                    return goesOn;
                }),
                (group, groups) -> {
                    if (!group.isEmpty()) {
                        groups.push(List.copyOf(group));
                    }
                });
    }

    /** Sums of the chunks that are done. */
    private static final class Sums {
        private final TaskRun task;
        private final long expected;
        private int total;
        private long lines;

        Sums(TaskRun task, long expected) {
            this.task = task;
            this.expected = expected;
        }

        synchronized void add(List<ChangeChunk> group, int sum) {
            total += sum;
            lines += group.stream().mapToInt(chunk -> chunk.lines().size()).sum();
            if (lines < expected) { // Else the task ends, which tells as much and costs no write of its own.
                task.progress(new TaskProgress(lines, expected, "lines"));
            }
        }
    }
}
