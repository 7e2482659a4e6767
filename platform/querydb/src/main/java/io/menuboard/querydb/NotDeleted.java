package io.menuboard.querydb;

import io.menuboard.querydb.requests.Requests;
import java.util.List;

/** A delete failed; deleting again is safe. */
public final class NotDeleted extends QueryDbException {

    private static final long serialVersionUID = 1L;

    NotDeleted(String operation, List<Key> keys, Requests.Failed<?> failed) {
        super(operation, keys, failed.reason(), failed.maybeApplied(), failed.cause());
    }
}
