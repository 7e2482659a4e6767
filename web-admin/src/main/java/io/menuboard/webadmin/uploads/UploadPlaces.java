package io.menuboard.webadmin.uploads;

import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** The few places for uploads: each is taken before a byte is stored, and kept while what came in is imported. Thread-safe. */
public final class UploadPlaces {
    private final Semaphore places;

    /** @param atOnce how many there are */
    UploadPlaces(int atOnce) {
        places = new Semaphore(atOnce);
    }

    /** Empty where none is free; never waits. Whoever takes one leaves it. */
    Optional<Place> take() {
        return places.tryAcquire() ? Optional.of(new Place()) : Optional.empty();
    }

    /** Is free again once everybody who shares it has left. */
    public final class Place {
        private final AtomicInteger sharing = new AtomicInteger(1);

        private Place() {}

        /** For one more, who leaves it too. The caller must not have left it. */
        public void share() {
            sharing.incrementAndGet();
        }

        /** To be called once by each who shares it. */
        public void leave() {
            if (sharing.decrementAndGet() == 0) {
                places.release();
            }
        }
    }
}
