package io.menuboard.messaging;

import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.Item;
import java.util.Set;

/**
 * Handles changes of a context's items in the table. They come in any order, several of the same item at the same time too;
 * each comes at least once, perhaps late, and again until it is handled or given up. So a handler decides by a condition, a
 * version or a record in the same write, never by what it read before; where there is no such write, it reads again
 * afterwards.
 */
public interface ChangeHandler {

    /** The types of items ({@link Item#type()}) whose changes it wants; the same at every call. */
    Set<String> types();

    /** Returns when everything is done; whatever it throws, the record is retried. */
    void handle(ChangeRecord record);
}
