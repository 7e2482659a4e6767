package io.menuboard.messaging;

import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.Item;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a context does about changes of its items that it wants many at a time, because their order does not matter to it.
 * Each comes at least once, perhaps late, perhaps twice in one batch, and again until it is handled or given up. So a
 * handler remembers in the same write what it has handled, never by what it read before.
 */
public interface ChangeBatchHandler {

    /** The types of items ({@link Item#type()}) whose changes it wants; the same at every call. */
    Set<String> types();

    /**
     * Returns when everything is done that can be done now. Several batches may be handled at once.
     *
     * @return those that could not be handled, and why: they come again. When it throws, all of them do
     */
    Map<ChangeRecord, RuntimeException> handle(List<ChangeRecord> records);

    /**
     * Called before changes are handed over, and when it has changed: which of the few it is that does so here, from 0 on.
     * Now and then two believe that they are the same.
     */
    default void seated(int seat) {}

    /** Called about every second by each of the few that hand it changes, for who wants to know how far behind they are. */
    default void beat() {}
}
