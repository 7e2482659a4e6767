package io.menuboard.querydb;

import org.jspecify.annotations.Nullable;

/**
 * One part of a transaction. No condition ever holds for an expired item, not even one that asks for absence: to
 * create an item where nothing is, put it {@link SaveMode#INIT}. An {@link Update} of an expired item is refused.
 */
public sealed interface Write permits Update, Write.Put, Write.Delete, Write.Check {

    Key key();

    /** Saves a whole item, as {@link QueryDb#save} does. */
    static Write put(Item item, SaveMode mode) {
        return new Put(item, mode, null);
    }

    /** Saves a whole item if the condition holds for what is there now. */
    static Write put(Item item, Condition condition) {
        return new Put(item, SaveMode.ANY, condition);
    }

    /** Removes the item, if there is one. */
    static Write delete(Key key) {
        return new Delete(key, null);
    }

    /** Removes the item if the condition holds. */
    static Write delete(Key key, Condition condition) {
        return new Delete(key, condition);
    }

    /** Changes nothing; the transaction happens only if the condition holds. */
    static Write check(Key key, Condition condition) {
        return new Check(key, condition);
    }

    /**
     * A whole item.
     *
     * @param condition takes the place of the mode's; null for the mode's
     */
    record Put(Item item, SaveMode mode, @Nullable Condition condition) implements Write {
        @Override
        public Key key() {
            return item.key();
        }
    }

    /** A removed item. */
    record Delete(Key key, @Nullable Condition condition) implements Write {}

    /** A condition alone. */
    record Check(Key key, Condition condition) implements Write {}
}
