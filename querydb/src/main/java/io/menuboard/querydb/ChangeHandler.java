package io.menuboard.querydb;

import java.util.Set;

/**
 * What a context does about changes of its items in the table. Changes of one partition key come one after the other, in
 * their order; each comes at least once, perhaps late, and again, after later ones of the same key too, until it is
 * handled or given up. So a handler decides by a condition, a version or a record in the same write, never by what it
 * read before.
 */
public interface ChangeHandler {

    /** The types of items ({@link Item#type()}) whose changes it wants; the same at every call. */
    Set<String> types();

    /** Returns when everything is done; whatever it throws, the record comes again. */
    void handle(ChangeRecord record);
}
