package io.menuboard.pricing.chunks;

import io.menuboard.pricing.ChangeSetId;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import java.time.Instant;

/**
 * Lines whose price another set changes from the same instant on, as items {@code CHANGESET#{id}}/{@code OVERTAKEN#{line}}. They
 * expire with the chunks.
 */
public final class DynamoOvertakenLines {
    private static final String PREFIX = "OVERTAKEN#";
    private static final String BY = "by";

    private DynamoOvertakenLines() {}

    /** The item of a line that another set has overtaken, which is kept until then. */
    static Item item(ChangeSetId id, int line, ChangeSetId by, Instant gone) {
        return Item.at(key(id, line))
                .type("overtakenLine")
                .string(BY, by.value())
                .ttl(gone)
                .build();
    }

    /** Key of the line's item; keys of a set sort by the number of the line. */
    public static Key key(ChangeSetId id, int line) {
        return new Key("CHANGESET#" + id, PREFIX + "%09d".formatted(line));
    }

    /** The line that an item is of. */
    public static int line(Item item) {
        return Integer.parseInt(item.key().sort().substring(PREFIX.length()));
    }

    /** The set that has overtaken the line. */
    public static ChangeSetId by(Item item) {
        return new ChangeSetId(item.string(BY));
    }
}
