package io.menuboard.app.files;

import io.menuboard.pricing.imports.UploadId;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Places for uploads that arrive: each writes a file of its own until it is complete, so that there are only so many at once, and only
 * two of the same one, as who sends it again has often lost the first connection without anybody knowing. Thread-safe.
 */
final class ArrivingUploads {
    private static final int MOST = 16;
    private static final int MOST_OF_ONE = 2;

    private final Semaphore free = new Semaphore(MOST);
    private final ConcurrentHashMap<UploadId, Integer> arriving = new ConcurrentHashMap<>();

    /** A place, until it is closed; empty where there is none. */
    Optional<Place> take(UploadId id) {
        if (arriving.merge(id, 1, Integer::sum) <= MOST_OF_ONE && free.tryAcquire()) {
            return Optional.of(new Place(id));
        }
        leave(id);
        return Optional.empty();
    }

    private void leave(UploadId id) {
        arriving.computeIfPresent(id, (_, count) -> count == 1 ? null : count - 1);
    }

    /** To be closed once, by whoever took it. */
    final class Place implements AutoCloseable {
        private final UploadId id;

        private Place(UploadId id) {
            this.id = id;
        }

        @Override
        public void close() {
            free.release();
            leave(id);
        }
    }
}
