package io.menuboard.querydb;

import io.menuboard.querydb.requests.Requests;
import java.util.List;

/** A read failed; it does not mean that there is nothing. */
public final class NotLoaded extends QueryDbException {

    private static final long serialVersionUID = 1L;

    NotLoaded(String operation, List<Key> keys, Requests.Failed<?> failed) {
        super(operation, keys, failed.reason(), false, failed.cause());
    }

    NotLoaded(String operation, String partition, Requests.Failed<?> failed) {
        super(operation, List.of(), "partition " + partition + ": " + failed.reason(), false, failed.cause());
    }
}
