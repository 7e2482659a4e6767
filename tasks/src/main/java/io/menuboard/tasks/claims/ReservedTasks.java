package io.menuboard.tasks.claims;

import io.menuboard.kernel.Actor;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.tasks.DynamoTasks;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives workers the tasks that are reserved for them, with their heartbeats. Thread-safe. */
final class ReservedTasks {
    /** Most that one claim reads, so that it is answered in time, whatever has come together for a worker. */
    private static final int AT_ONCE = 100;

    private static final Logger log = LoggerFactory.getLogger(ReservedTasks.class);

    private final DynamoTasks store;
    private final TaskQueue queue;
    private final WorkerPresence presence;

    ReservedTasks(DynamoTasks store, TaskQueue queue, WorkerPresence presence) {
        this.store = store;
        this.queue = queue;
        this.presence = presence;
    }

    /**
     * Records the claim as the worker's heartbeat, and claims what is reserved for the worker and of the claim's types. Half a read
     * unit every few seconds where nothing is; else a read unit for each task that was reserved, up to {@value #AT_ONCE}, as long
     * as the claim has room.
     *
     * @param operations true for workers in this process, for whom nothing is reserved
     */
    List<Task> claim(ClaimTasks claim, Duration lease, boolean operations, Actor actor, PayloadBudget payloads) {
        var worker = claim.worker();
        var claimed = new ArrayList<Task>();
        try {
            var ids = presence.recordHeartbeat(worker, claim.types());
            if (!operations && !ids.isEmpty()) {
                claim(claim, lease, actor, ids, payloads, claimed);
            }
        } catch (QueryDbException e) {
            // The rest with the next heartbeat; what was claimed must be answered.
            presence.readAgain(worker);
            QueryDbException.warn(log, e, "reserved tasks not collected: worker={} claimed={}", worker, claimed.size());
        }
        return claimed;
    }

    private void claim(
            ClaimTasks claim,
            Duration lease,
            Actor actor,
            List<TaskId> ids,
            PayloadBudget payloads,
            List<Task> claimed) {
        var worker = claim.worker();
        var some = some(ids);
        var collected = new ArrayList<TaskId>();
        var read = 0;
        var noRoom = false;
        // As many as there is room for, and twice as many each time while there is room left.
        for (var count = claim.max(); payloads.room(claim, claimed) > 0 && read < some.size(); count *= 2) {
            var next = some.subList(read, Math.min(read + count, some.size()));
            read += next.size();
            var reserved = store.findReadable(next).stream()
                    .filter(task -> worker.equals(task.reservedFor()))
                    .collect(Collectors.toMap(Task::id, Function.identity()));
            for (var id : next) {
                var task = reserved.get(id);
                if (task == null) {
                    collected.add(id);
                } else if (claim.types().contains(task.type())) {
                    if (payloads.room(claim, claimed) > 0) {
                        collected.add(id);
                        queue.attempt(task, worker, lease, actor).ifPresent(won -> {
                            payloads.spend(won);
                            claimed.add(won);
                        });
                    } else {
                        noRoom = true;
                    }
                }
            }
        }
        if (!collected.isEmpty()) {
            presence.collected(worker, collected);
        }
        if (noRoom || (read < ids.size() && !collected.isEmpty())) {
            // Some of the rest may be of this claim's types, too.
            presence.readAgain(worker);
        } else if (collected.size() < ids.size()) {
            presence.leftByClaimOf(worker, claim.types());
        }
    }

    /** From a random place on: those of other types must not hide the rest for ever. */
    private static List<TaskId> some(List<TaskId> ids) {
        if (ids.size() <= AT_ONCE) {
            return ids;
        }
        var first = ThreadLocalRandom.current().nextInt(ids.size());
        return IntStream.range(first, first + AT_ONCE)
                .mapToObj(i -> ids.get(i % ids.size()))
                .toList();
    }
}
