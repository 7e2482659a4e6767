package io.menuboard.pricing.events;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.workers.TaskWork;

/** Replays of events on a test's own table, wired as {@link PriceEventsFactory} does. */
public final class EventsFixture {
    /** There is no receiver but the bus. */
    static final ReplayReceivers NONE = new ReplayReceivers() {
        @Override
        public void check(Access access, String webhook) {
            throw new InvalidInput("WEBHOOK_NOT_FOUND", "webhook", "must exist: there is no " + webhook);
        }

        @Override
        public PriceEvents to(String webhook, TaskId replay) {
            throw new IllegalStateException("there is no " + webhook);
        }
    };

    private EventsFixture() {}

    /** Of an instance without a bus. */
    public static PriceEventReplay replay(ChangesFixture fixture, ReplayReceivers receivers) {
        return new PriceEventReplay(fixture.tasks.submission(), fixture.stores, fixture.clock, receivers, false);
    }

    /** What does replays to webhooks. */
    public static TaskWork workForWebhooks(ChangesFixture fixture, ReplayReceivers receivers, CurrentAccess current) {
        return runs(fixture, receivers).workForWebhooks(current);
    }

    static PriceEventReplayRuns runs(ChangesFixture fixture, ReplayReceivers receivers) {
        return new PriceEventReplayRuns(
                fixture.stores,
                fixture.pricing,
                fixture.storedHistory,
                new DynamoEventReplays(fixture.db, fixture.audit),
                receivers,
                fixture.clock);
    }
}
