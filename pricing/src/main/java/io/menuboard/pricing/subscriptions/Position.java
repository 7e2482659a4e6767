package io.menuboard.pricing.subscriptions;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.revisions.Revision;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Base64;

/**
 * Place in the order of all changes of a store and channel: those of the log until one of them, and those that were scheduled until
 * an instant, are before it, and no others.
 *
 * @param zone in which scheduled changes have their instants
 * @param loads as {@link Revision#loads}
 * @param logged number of the last entry of the log that is before it
 * @param passed instant until which scheduled changes are before it
 */
record Position(StoreId store, Channel channel, ZoneId zone, long loads, long logged, Instant passed) {
    private static final String VERSION = "1";
    private static final int PARTS = 7;
    private static final int MOST_CHARS = 1_000;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    static Position of(StoreId store, Channel channel, ZoneId zone, Revision revision) {
        return new Position(store, channel, zone, revision.loads(), revision.logged(), revision.passed());
    }

    Position at(long newLogged, Instant newPassed) {
        return new Position(store, channel, zone, loads, newLogged, newPassed);
    }

    /** True where everything before the other one is before this one, too. */
    boolean includes(Position other) {
        return logged >= other.logged && !passed.isBefore(other.passed);
    }

    /**
     * Reads what {@link #text} wrote. Whoever makes one up is told of other changes of the same store and channel.
     *
     * @throws InvalidInput {@code INVALID_POSITION} on {@code after} for anything else, and for that of another store or channel
     */
    static Position parse(String text, StoreId store, Channel channel) {
        try {
            var parts = text.length() > MOST_CHARS
                    ? new String[0]
                    : new String(Base64.getUrlDecoder().decode(text), UTF_8).split("#", -1);
            if (parts.length == PARTS
                    && parts[0].equals(VERSION)
                    && parts[1].equals(store.value())
                    && parts[2].equals(channel.value())) {
                return new Position(
                        store,
                        channel,
                        ZoneId.of(parts[3]),
                        count(parts[4]),
                        count(parts[5]),
                        Instant.ofEpochSecond(Long.parseLong(parts[6])));
            }
        } catch (IllegalArgumentException | DateTimeException _) {
            // As any other text.
        }
        throw new InvalidInput("INVALID_POSITION", "after", "must be a position that this store and channel had");
    }

    private static long count(String text) {
        var count = Long.parseLong(text);
        if (count < 0) {
            throw new IllegalArgumentException("below zero");
        }
        return count;
    }

    /** Opaque to clients; a letter, digit, {@code -} or {@code _} each. */
    String text() {
        var text = String.join(
                "#",
                VERSION,
                store.value(),
                channel.value(),
                zone.getId(),
                Long.toString(loads),
                Long.toString(logged),
                Long.toString(passed.getEpochSecond()));
        return ENCODER.encodeToString(text.getBytes(UTF_8));
    }
}
