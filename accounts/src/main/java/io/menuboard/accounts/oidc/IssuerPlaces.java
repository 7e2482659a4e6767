package io.menuboard.accounts.oidc;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Who may wait for the issuer: so many at once, and so many of one network, so that whoever holds all places of its own keeps nobody
 * else out. Thread-safe.
 */
final class IssuerPlaces {
    private final Semaphore free;
    private final int mostOfNetwork;
    private final ConcurrentHashMap<String, Integer> byNetwork = new ConcurrentHashMap<>();

    IssuerPlaces(int most, int mostOfNetwork) {
        free = new Semaphore(most);
        this.mostOfNetwork = mostOfNetwork;
    }

    /** A place, until it is closed; empty where there is none. */
    Optional<Place> take(String network) {
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
    final class Place implements AutoCloseable {
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
