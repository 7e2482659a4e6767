package io.menuboard.querydb;

import io.menuboard.querydb.requests.Requests;
import java.util.List;

/**
 * A count failed. An addition is never repeated after an attempt without an answer, so it happened at most once:
 * {@link #maybeApplied()} says whether it may have.
 */
public final class NotCounted extends QueryDbException {

    private static final long serialVersionUID = 1L;

    NotCounted(Key key, Requests.Failed<?> failed) {
        super("count", List.of(key), failed.reason(), failed.maybeApplied(), failed.cause());
    }
}
