package io.menuboard.pricing.subscriptions;

import io.menuboard.access.Access;
import io.menuboard.kernel.InvalidInput;
import io.micrometer.core.instrument.Counter;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One subscription, with what waits for its subscriber. A watch gives it events without ever waiting for it: those are told by a
 * thread of its own, as many as are requested. Thread-safe.
 */
final class Subscriber implements Flow.Subscription {
    private final Access access;
    private final WantedChanges wanted;
    private final Flow.Subscriber<? super PriceChanges> subscriber;
    private final int most;
    private final Counts counts;
    private final Consumer<Subscriber> released;
    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    /** Events in the queue that were not missed. */
    private int live;

    private long requested;
    private boolean isEmitting;
    private boolean isOver;
    /** What it ends with once all that waits is told; null while more may come. */
    private @Nullable Ending ending;

    /** Before it; null until it has joined a watch. Only a watch uses it. */
    private @Nullable Position position;

    /** That of its last event, from which it can go on; null until it has joined a watch. Only a watch uses it. */
    private @Nullable Position told;

    /**
     * @param most events that may wait, besides those that were missed
     * @param released is told once, when it is over
     */
    Subscriber(
            Access access,
            WantedChanges wanted,
            Flow.Subscriber<? super PriceChanges> subscriber,
            int most,
            Counts counts,
            Consumer<Subscriber> released) {
        this.access = access;
        this.wanted = wanted;
        this.subscriber = subscriber;
        this.most = most;
        this.counts = counts;
        this.released = released;
    }

    /** Counts events that subscribers were told, and subscribers that were too slow. */
    record Counts(Counter events, Counter dropped) {}

    private record Waiting(PriceChanges event, boolean isMissed) {}

    /** @param error null where it completes */
    private record Ending(@Nullable Throwable error) {}

    Access access() {
        return access;
    }

    WantedChanges wanted() {
        return wanted;
    }

    @Nullable
    Position position() {
        return position;
    }

    /** Joins the changes at that position, and is told it if it has named none itself. */
    void begin(Position at) {
        position = at;
        told = at;
        if (wanted.after() == null) {
            offer(PriceChanges.none(at), true);
        }
    }

    /** Joins at the position that it has named, from which on it is told everything. */
    void resume(Position at) {
        position = at;
        told = at;
    }

    /** True where scheduled changes since before that instant are after the position that it was told last. */
    boolean isToldBefore(Instant instant) {
        return told != null && told.passed().isBefore(instant);
    }

    /** Tells what it has not been told. */
    void tell(List<Moment> moments, boolean areMissed) {
        for (var moment : moments) {
            if (position != null && !position.includes(moment.position())) {
                position = moment.position();
                var event = moment.wanted(wanted);
                if (!event.changes().isEmpty()) {
                    told = position;
                    offer(event, areMissed);
                }
            }
        }
    }

    /** Tells the position alone, from which somebody who has heard nothing for long can go on. */
    void tellPosition(Position now) {
        position = now;
        told = now;
        offer(PriceChanges.none(now), false);
    }

    private synchronized void offer(PriceChanges event, boolean isMissed) {
        if (isOver || ending != null) {
            return;
        }
        if (live >= most && !isMissed) {
            counts.dropped().increment();
            ending = new Ending(InvalidInput.sentence(
                    "SUBSCRIBER_TOO_SLOW",
                    "",
                    "More than " + most
                            + " events wait for this subscriber; subscribe again after the position of the last"
                            + " event that it has got"));
        } else {
            queue.add(new Waiting(event, isMissed));
            live += isMissed ? 0 : 1;
        }
        emit();
    }

    /** Ends it once what waits is told. */
    synchronized void end(@Nullable Throwable error) {
        if (!isOver && ending == null) {
            ending = new Ending(error);
            emit();
        }
    }

    /** Ends it at once, whatever waits; the first reason counts. */
    synchronized void endNow(@Nullable Throwable error) {
        queue.clear();
        end(error);
        if (!isOver) {
            emit();
        }
    }

    synchronized boolean isOver() {
        return isOver;
    }

    /** True where it has ended, but has not fetched what waits. */
    synchronized boolean isEnding() {
        return ending != null;
    }

    @Override
    public synchronized void request(long n) {
        if (n <= 0) {
            endNow(new IllegalArgumentException("request of " + n + " (reactive streams, rule 3.9)"));
            return;
        }
        requested = Long.MAX_VALUE - requested < n ? Long.MAX_VALUE : requested + n;
        emit();
    }

    @Override
    public void cancel() {
        synchronized (this) {
            if (isOver) {
                return;
            }
            isOver = true;
            queue.clear();
        }
        released.accept(this);
    }

    private void emit() {
        if (!isEmitting && !isOver && (queue.isEmpty() ? ending != null : requested > 0)) {
            isEmitting = true;
            Thread.ofVirtual().name("price-changes").start(this::emitAll);
        }
    }

    private void emitAll() {
        while (true) {
            Waiting next;
            Ending last = null;
            synchronized (this) {
                next = !isOver && requested > 0 ? queue.poll() : null;
                if (next != null) {
                    requested--;
                    live -= next.isMissed() ? 0 : 1;
                } else {
                    isEmitting = false;
                    if (isOver || !queue.isEmpty() || ending == null) {
                        return;
                    }
                    isOver = true;
                    last = ending;
                }
            }
            if (next != null) {
                counts.events().increment();
                subscriber.onNext(next.event());
            } else if (last != null) {
                released.accept(this);
                if (last.error() == null) {
                    subscriber.onComplete();
                } else {
                    subscriber.onError(last.error());
                }
                return;
            }
        }
    }
}
