package io.menuboard.pricing.revisions;

import io.menuboard.pricing.Channel;
import java.util.Map;

/**
 * Revisions of a store's channels, as they all were at one moment.
 *
 * @param readAt {@link System#nanoTime()} just before they were read: what was committed by then is in them
 */
public record Revisions(Map<Channel, Revision> byChannel, long readAt) {
    public Revisions {
        byChannel = Map.copyOf(byChannel);
    }

    public Revision of(Channel channel) {
        return byChannel.getOrDefault(channel, Revision.NONE);
    }

    boolean isReadSince(long nanoTime) {
        return readAt - nanoTime >= 0;
    }
}
