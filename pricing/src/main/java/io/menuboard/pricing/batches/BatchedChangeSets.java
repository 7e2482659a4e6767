package io.menuboard.pricing.batches;

import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.ChangeSetId;
import java.util.Optional;

/** Port: the change sets that batches have changes of. */
public interface BatchedChangeSets {

    /** The author of a set, and the reason that its changes have in history; empty where it is not kept any more. */
    Optional<Attribution> attribution(ChangeSetId set);

    /** Number of recent sets in progress, or being previewed, that no task works on any more. */
    int countStuck();
}
