package io.menuboard.pricing.events;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.Stores;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.TaskType;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Use cases that have events of price changes published again, from history: what the feed lost because it stood still for
 * longer than the table's stream keeps. Each replay is {@linkplain PriceEventReplayRuns a task}. Thread-safe.
 */
public final class PriceEventReplay {
    /** The type of tasks that replay on the bus. */
    public static final TaskType TYPE = new TaskType(TaskType.OPERATION_PREFIX + "price-events");

    /** The type of tasks that replay to one webhook, which versions that know the bus alone leave alone. */
    public static final TaskType TO_WEBHOOK = new TaskType(TaskType.OPERATION_PREFIX + "price-events.webhook");

    /** Events go to no one person, and operators need not read prices. */
    static final Access SYSTEM = Access.ofSystem("price events", Actor.Source.SCHEDULER);

    private final TaskSubmission submission;
    private final Stores stores;
    private final Clock clock;
    private final ReplayReceivers receivers;
    private final boolean hasEventBus;

    PriceEventReplay(
            TaskSubmission submission, Stores stores, Clock clock, ReplayReceivers receivers, boolean hasEventBus) {
        this.submission = submission;
        this.stores = stores;
        this.clock = clock;
        this.receivers = receivers;
        this.hasEventBus = hasEventBus;
    }

    /** True where this instance has a bus to publish on. */
    public boolean hasEventBus() {
        return hasEventBus;
    }

    /**
     * Checks that it can be replayed, by whoever has {@link Permission#OPERATIONS_ACT}; listed stores are read, half a read unit each where they are not remembered.
     *
     * @throws InvalidInput {@code NOT_FOUND} on {@code stores}, or {@code INVALID_RANGE} on {@code from} where that is to
     *     come; and as {@link ReplayReceivers#check}
     */
    public void check(Access access, ReplayPriceEvents command) {
        access.requireForAll(Permission.OPERATIONS_ACT);
        if (command.from().isAfter(clock.instant())) {
            throw new InvalidInput("INVALID_RANGE", "from", "must have passed");
        }
        if (command.webhook() != null) {
            receivers.check(access, command.webhook());
        }
        if (command.stores() instanceof StoreSelection.Listed(var ids)) {
            var found = stores.findAllNow(SYSTEM, ids);
            ids.stream().filter(id -> !found.containsKey(id)).findFirst().ifPresent(missing -> {
                throw new InvalidInput("NOT_FOUND", "stores", "must exist: there is no " + missing);
            });
        }
    }

    /**
     * Has them published, soon, if whoever asked still may have that done then; for a webhook, a delivery is begun for each. Two write units, one per KB of listed ids, and 16 for being done; for every 32 stores one
     * more; for each store a request for each channel and two, and half a read unit per 4 KB of its history, all of it. With a
     * key, two read units more, or one for a repetition.
     *
     * @param idempotencyKey the same for every repetition of one request, so that it is one task, which is not checked again; null
     *     for none
     * @throws InvalidInput as {@link #check}, {@code INVALID_ID} on {@code idempotencyKey}, and {@code TOO_MANY_STORES} on
     *     {@code stores} where their ids are longer together than the payload of a task may be
     */
    public ReplayPriceEventsResult start(Access access, ReplayPriceEvents command, @Nullable String idempotencyKey) {
        access.requireForAll(Permission.OPERATIONS_ACT);
        if (!hasEventBus && command.webhook() == null) {
            return new ReplayPriceEventsResult.NoEventBus();
        }
        // A bus can be gone for hours.
        var type = command.webhook() == null ? TYPE : TO_WEBHOOK;
        var task = SubmitTask.operation(type, command.payload()).idempotencyKey(idempotencyKey);
        if (!submission.isKeyUsed(access, task)) {
            check(access, command);
        }
        return switch (submission.submit(access, task)) {
            case SubmitResult.Created(var created, var _) -> new ReplayPriceEventsResult.Started(created.id(), true);
            case SubmitResult.Replayed(var before, var _) -> new ReplayPriceEventsResult.Started(before.id(), false);
            case SubmitResult.Conflict(var existing, var key) -> new ReplayPriceEventsResult.KeyReused(existing, key);
            case SubmitResult.Invalid _ ->
                throw new InvalidInput("TOO_MANY_STORES", "stores", "must be fewer: their ids are too long together");
        };
    }
}
