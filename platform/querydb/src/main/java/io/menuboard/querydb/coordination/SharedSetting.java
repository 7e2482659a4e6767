package io.menuboard.querydb.coordination;

/**
 * A setting that all instances must share, because it shaped what is in the table or what they do together. A context
 * provides its own; {@link SharedSettings} compares them.
 *
 * @param name as it is configured, {@code menuboard.tasks.shards}
 * @param key as it is kept in the table: the name, or that which it had first
 * @param value nothing secret: it is kept in the table
 */
public record SharedSetting(String name, String key, String value, Rule rule) {

    /** Rule for a setting that differs between two instances. */
    public enum Rule {
        /** A number that may be raised; an instance with a lower one would not find what the others wrote. */
        NEVER_LOWERED,
        /** The same everywhere, or work is done twice, late, without approval, or is refused; no data is lost. */
        EQUAL
    }

    /** A number of partitions, counters or the like, that readers read through. */
    public static SharedSetting neverLowered(String name, int value) {
        return new SharedSetting(name, name, Integer.toString(value), Rule.NEVER_LOWERED);
    }

    /** Anything that has to be the same. */
    public static SharedSetting equal(String name, Object value) {
        return new SharedSetting(name, name, value.toString(), Rule.EQUAL);
    }

    /** The same setting, kept under the name that it had in earlier versions, whose instances compare it, too. */
    public SharedSetting storedAs(String earlierName) {
        return new SharedSetting(name, earlierName, value, rule);
    }
}
