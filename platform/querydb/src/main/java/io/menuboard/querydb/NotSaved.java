package io.menuboard.querydb;

import io.menuboard.querydb.requests.Requests;
import java.util.List;

/** A write failed for a reason that is no condition: throttled to the end of its retries, refused by DynamoDB, no answer. */
public final class NotSaved extends QueryDbException {

    private static final long serialVersionUID = 1L;

    NotSaved(String operation, List<Key> keys, Requests.Failed<?> failed) {
        super(operation, keys, failed.reason(), failed.maybeApplied(), failed.cause());
    }
}
