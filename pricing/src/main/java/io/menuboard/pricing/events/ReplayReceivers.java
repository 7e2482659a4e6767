package io.menuboard.pricing.events;

import io.menuboard.access.Access;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.tasks.TaskId;

/** Port: receivers that can be named to have events sent to one of them again, and not published on the bus. */
public interface ReplayReceivers {

    /**
     * Checks that there is one of that id, which takes events, and that whoever asks may have some sent to it.
     *
     * @throws InvalidInput naming the rule, on {@code webhook}; {@code WEBHOOK_NOT_FOUND}, also where it is not to be seen
     */
    void check(Access access, String webhook);

    /**
     * What sends events to that receiver, each once for each replay, under the id that it has always had there. What it is not
     * told of, nothing is sent of. It goes by what the receiver is some seconds before, and throws the {@link InvalidInput} of
     * {@link #check} once that is gone or takes no events.
     */
    PriceEvents to(String webhook, TaskId replay);
}
