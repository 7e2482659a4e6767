package io.menuboard.pricing.subscriptions;

import io.menuboard.pricing.Channel;
import io.menuboard.pricing.StoreId;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches of the stores and channels that somebody subscribes to, each with a thread while it has subscribers. Thread-safe. */
final class PriceWatches {
    private static final Logger log = LoggerFactory.getLogger(PriceWatches.class);

    private final PriceWatch.Around around;
    private final ConcurrentHashMap<StoreId, Map<Channel, PriceWatch>> watches = new ConcurrentHashMap<>();

    PriceWatches(PriceWatch.Around around) {
        this.around = around;
    }

    /** Begins to tell a subscriber, and goes on until it is over. */
    void join(Subscriber subscriber) {
        var wanted = subscriber.wanted();
        watches.compute(wanted.store(), (store, some) -> {
            var ofStore = some == null ? new HashMap<Channel, PriceWatch>() : new HashMap<>(some);
            ofStore.computeIfAbsent(wanted.channel(), channel -> started(store, channel))
                    .join(subscriber);
            return Map.copyOf(ofStore);
        });
    }

    /** Has the watches of a store look now. */
    void wake(StoreId store) {
        watches.getOrDefault(store, Map.of()).values().forEach(PriceWatch::wake);
    }

    /** Number of stores and channels that are watched. */
    int size() {
        return watches.values().stream().mapToInt(Map::size).sum();
    }

    private PriceWatch started(StoreId store, Channel channel) {
        var watch = new PriceWatch(store, channel, around);
        Thread.ofVirtual().name("price-watch " + store + " " + channel).start(() -> {
            do {
                try {
                    watch.watch();
                } catch (InterruptedException e) {
                    throw new IllegalStateException("nobody interrupts a watch", e);
                } catch (RuntimeException e) {
                    log.error("price watch failed: store={} channel={}", store, channel, e);
                    watch.end(e);
                }
            } while (isWatched(store, channel, watch));
        });
        return watch;
    }

    /** False where nobody is left, and nobody can join this one any more. */
    private boolean isWatched(StoreId store, Channel channel, PriceWatch watch) {
        var ofStore = watches.computeIfPresent(store, (_, some) -> {
            if (watch.isWatched()) {
                return some;
            }
            var others = new HashMap<>(some);
            others.remove(channel);
            return others.isEmpty() ? null : Map.copyOf(others);
        });
        return ofStore != null && ofStore.get(channel) == watch;
    }
}
