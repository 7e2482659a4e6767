package io.menuboard.pricing.chunks;

import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.chunks.ChangeChunk.State;
import io.menuboard.querydb.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Plan for one chunk: each write has the condition that what was read is still so, so that a plan is carried out as a
 * whole or made again.
 *
 * @param writes without that of the chunk itself
 * @param date for which the chunk is written; null for none
 * @param gone when the chunk is kept no more then; null where that stays as it was
 * @param failures reasons why lines are not written, by number
 * @param overtaken number of further lines that another set has overtaken, by their set; fewer where it is negative
 */
public record DynamoChunkPlan(
        ChangeChunk chunk,
        State state,
        Timing timing,
        @Nullable EffectiveDate date,
        @Nullable Instant gone,
        List<Write> writes,
        Map<Integer, String> failures,
        Map<ChangeSetId, Integer> overtaken) {

    static DynamoChunkPlan begin(ChangeChunk chunk, State state, Timing timing, @Nullable EffectiveDate date) {
        return begin(chunk, state, timing, date, null);
    }

    static DynamoChunkPlan begin(
            ChangeChunk chunk, State state, Timing timing, @Nullable EffectiveDate date, @Nullable Instant gone) {
        return new DynamoChunkPlan(
                chunk, state, timing, date, gone, new ArrayList<>(), new TreeMap<>(), new HashMap<>());
    }

    /**
     * Plan that writes nothing, because nobody may.
     *
     * @param date for which the chunk was to be written; null for at once
     * @param lines of it that fail
     */
    public static DynamoChunkPlan refused(
            ChangeChunk chunk, @Nullable EffectiveDate date, List<ChangeChunk.Line> lines, String reason) {
        var plan = begin(chunk, date == null ? State.APPLIED : State.WRITTEN, new Timing.Never(), date);
        lines.forEach(line -> plan.fail(line, reason));
        return plan;
    }

    void add(Write write) {
        writes.add(write);
    }

    void fail(ChangeChunk.Line line, String reason) {
        failures.put(line.number(), reason);
    }

    void overtake(ChangeSetId set, int more) {
        overtaken.merge(set, more, Integer::sum);
    }

    /** The writes of the plan, with that of the chunk, which that run has written then. */
    public List<Write> writesOf(int run) {
        var all = new ArrayList<>(writes);
        all.add(DynamoChunks.written(chunk, run, state, date, gone, failures));
        return all;
    }

    /** The chunk as it is once that run has carried out the plan. */
    public ChangeChunk after(int run) {
        return chunk.written(run, state, date == null ? chunk.date() : date, failures);
    }
}
