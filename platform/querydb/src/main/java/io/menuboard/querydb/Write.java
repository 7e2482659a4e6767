package io.menuboard.querydb;

import org.jspecify.annotations.Nullable;

/**
 * One part of a transaction. No condition ever holds for an expired item, not even one that asks for absence: to
 * create an item where nothing is, put it {@link SaveMode#INIT}.
 */
public sealed interface Write {

    Key key();

    /** Saves a whole item, as {@link QueryDb#save} does. */
    static Write put(Item item, SaveMode mode) {
        return new Put(item, mode, null);
    }

    /** Saves a whole item if the condition holds for what is there now. */
    static Write put(Item item, Expression condition) {
        return new Put(item, SaveMode.ANY, condition);
    }

    /** Changes attributes; creates the item if it is absent and the condition allows that. Refused if it has expired. */
    static Write update(Key key, Expression update, Expression condition) {
        return new Update(key, update, condition);
    }

    /** Changes attributes; creates the item if it is absent. Refused if it has expired. */
    static Write update(Key key, Expression update) {
        return new Update(key, update, null);
    }

    /** Removes the item, if there is one. */
    static Write delete(Key key) {
        return new Delete(key, null);
    }

    /** Removes the item if the condition holds. */
    static Write delete(Key key, Expression condition) {
        return new Delete(key, condition);
    }

    /** Changes nothing; the transaction happens only if the condition holds. */
    static Write check(Key key, Expression condition) {
        return new Check(key, condition);
    }

    /**
     * A whole item.
     *
     * @param condition takes the place of the mode's; null for the mode's
     */
    record Put(Item item, SaveMode mode, @Nullable Expression condition) implements Write {
        @Override
        public Key key() {
            return item.key();
        }
    }

    /** Changed attributes. */
    record Update(Key key, Expression update, @Nullable Expression condition) implements Write {}

    /** A removed item. */
    record Delete(Key key, @Nullable Expression condition) implements Write {}

    /** A condition alone. */
    record Check(Key key, Expression condition) implements Write {}
}
