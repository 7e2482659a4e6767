package io.menuboard.pricing.events;

import io.menuboard.tasks.TaskId;

/** Outcome of {@link PriceEventReplay#start}. */
public sealed interface ReplayPriceEventsResult {

    /**
     * The task that publishes them was started.
     *
     * @param isNew false where the same request had started it before
     */
    record Started(TaskId task, boolean isNew) implements ReplayPriceEventsResult {}

    /** The idempotency key belongs to another request, with that task; nothing was begun. */
    record KeyReused(TaskId existing, String idempotencyKey) implements ReplayPriceEventsResult {}

    /** This instance has no bus to publish on; nothing was begun. */
    record NoEventBus() implements ReplayPriceEventsResult {}
}
