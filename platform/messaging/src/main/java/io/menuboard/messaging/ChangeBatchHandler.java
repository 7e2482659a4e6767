package io.menuboard.messaging;

import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.Item;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Handles changes of a context's items many at a time, where their order does not matter. Each comes at least once, perhaps
 * late, perhaps twice in one batch, and again until it is handled or given up. So a handler records in the same write what
 * it has handled, and never decides by what it read before.
 */
public interface ChangeBatchHandler {

    /** The types of items ({@link Item#type()}) whose changes it wants; the same at every call. */
    Set<String> types();

    /**
     * Returns when everything is done that can be done now. Several batches may be handled at the same time.
     *
     * @return those that failed, and why: they are retried. When it throws, all of them are
     */
    Map<ChangeRecord, RuntimeException> handle(List<ChangeRecord> records);

    /**
     * Called before this instance receives changes, and when its slot among the few instances that do has changed; slots
     * are numbered from 0 on. Now and then two instances believe that they have the same one.
     */
    default void slotAssigned(int slot) {}

    /** Called about every second on each instance that receives changes, to measure how far behind they are. */
    default void heartbeat() {}
}
