package io.menuboard.pricing.changes;

import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.batches.BatchedChangeSets;

/** Change sets as batches of their changes see them. */
record StoredChangeSets(DynamoChangeSets sets, ChangeSetTasks tasks) implements BatchedChangeSets {
    private static final int NEWEST = 200;

    @Override
    public Attribution attribution(ChangeSetId set) {
        return sets.attribution(set);
    }

    /** Reads the newest {@value #NEWEST} sets: about 25 read units, and one for each set in progress. */
    @Override
    public int countStuck() {
        return tasks.countGivenUp(NEWEST);
    }
}
