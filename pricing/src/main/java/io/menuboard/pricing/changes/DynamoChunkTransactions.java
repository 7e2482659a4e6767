package io.menuboard.pricing.changes;

import io.menuboard.pricing.Contention;
import io.menuboard.pricing.batches.DynamoPriceBatches;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.pricing.changes.DynamoChangeWrites.Plan;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Write;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/** Writes of chunks, each a transaction with the prices, pending changes and batches that it changes. Thread-safe. */
final class DynamoChunkTransactions {
    /** Lines of one transaction: at most three writes each, and three more, of the hundred that there may be. */
    static final int LINES_AT_ONCE = 32;

    private final QueryDb db;
    private final DynamoPriceBatches batches;

    DynamoChunkTransactions(QueryDb db, DynamoPriceBatches batches) {
        this.db = db;
        this.batches = batches;
    }

    /** Plans what a chunk takes, from what the table has now; empty where there is nothing that may be done. */
    @FunctionalInterface
    interface Planner {
        Optional<Plan> plan(ChangeChunk chunk);
    }

    /**
     * Writes a chunk, once for each run, in one transaction with what it takes.
     *
     * @return the chunk as it is then; as it was where the planner has nothing to do
     */
    ChangeChunk write(ChangeChunk found, int run, Planner planner) {
        var write = new ChunkWrite(found, run, planner);
        return Contention.retry("chunk " + found.number() + " at " + found.key(), write::attempt);
    }

    /** Attempts to write one chunk, each as the last one has found it. */
    private final class ChunkWrite {
        private final int run;
        private final Planner planner;
        private ChangeChunk chunk;

        ChunkWrite(ChangeChunk found, int run, Planner planner) {
            this.run = run;
            this.planner = planner;
            chunk = found;
        }

        Optional<ChangeChunk> attempt() {
            var plan = chunk.run() >= run ? Optional.<Plan>empty() : planner.plan(chunk);
            if (plan.isEmpty()) {
                return Optional.of(chunk);
            }
            var writes = plan.get().writesOf(run);
            plan.get().overtaken().forEach((set, more) -> writes.add(DynamoChangeSets.overtaken(set, more)));
            try {
                db.transact(writes);
                return Optional.of(chunk.after(plan.get(), run));
            } catch (ConditionFailed e) {
                // Another run has written the chunk, or somebody has changed one of its prices since they were read.
                if (e.keys().contains(chunk.key())) {
                    var kind = chunk.kind();
                    chunk = db.read(e.current(chunk.key()).orElseThrow(), item -> ChangeChunk.of(item, kind));
                }
                return Optional.empty();
            }
        }
    }

    /**
     * Writes plans of several chunks and a change of their set in one transaction.
     *
     * @return keys of what has been changed since they were made, so that nothing was written; none where it was
     */
    List<Key> write(List<Plan> plans, int run, List<Write> more) {
        var writes = new ArrayList<>(more);
        plans.forEach(plan -> writes.addAll(plan.writesOf(run)));
        // Chunks of one store and channel may all ask whether first prices are being loaded there.
        var checked = new HashSet<Key>();
        writes.removeIf(write -> write instanceof Write.Check && !checked.add(write.key()));
        try {
            db.transact(writes);
            return List.of();
        } catch (ConditionFailed e) {
            return e.keys();
        }
    }

    /** Removes the batch that a chunk has left empty, if that was taken back. */
    void removeIfEmpty(ChangeChunk chunk) {
        if (chunk.date() != null && chunk.state() == ChangeChunk.State.CANCELLED) {
            batches.removeIfEmpty(new PriceBatch(chunk.store(), chunk.channel(), chunk.date()));
        }
    }
}
