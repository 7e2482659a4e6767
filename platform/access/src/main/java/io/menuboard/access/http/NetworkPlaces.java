package io.menuboard.access.http;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Places to wait for something: so many at once, and so many of one network, as of {@link ClientAddress#network}, so that whoever
 * holds all places of its own keeps nobody else out. Thread-safe.
 */
public final class NetworkPlaces {
    private final Semaphore free;
    private final int mostOfNetwork;
    private final ConcurrentHashMap<String, Integer> byNetwork = new ConcurrentHashMap<>();

    /** As many places, in all and of one network. */
    public NetworkPlaces(int most, int mostOfNetwork) {
        free = new Semaphore(most);
        this.mostOfNetwork = mostOfNetwork;
    }

    /** A place, until it is closed; empty where there is none. */
    public Optional<Place> take(ClientAddress client) {
        var network = client.network();
        if (byNetwork.merge(network, 1, Integer::sum) <= mostOfNetwork && free.tryAcquire()) {
            return Optional.of(new Place(network));
        }
        leave(network);
        return Optional.empty();
    }

    private void leave(String network) {
        byNetwork.computeIfPresent(network, (_, count) -> count == 1 ? null : count - 1);
    }

    /** To be closed once, by whoever took it. */
    public final class Place implements AutoCloseable {
        private final String network;

        private Place(String network) {
            this.network = network;
        }

        @Override
        public void close() {
            free.release();
            leave(network);
        }
    }
}
