package io.menuboard.pricing.subscriptions;

import io.menuboard.access.Access;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.subscriptions.MissedChanges.Seen;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.UnreadableItem;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the prices of a store and channel for all who subscribe to them in this instance. One thread does all of it, so that
 * who joins finds everything before its place, and what comes after.
 */
final class PriceWatch {
    private static final Logger log = LoggerFactory.getLogger(PriceWatch.class);

    private static final Access SYSTEM = Access.ofSystem("price changes", Actor.Source.SCHEDULER);

    /** How often a subscriber is told a position that hears of nothing: often enough that it never expires. */
    private static final Duration POSITION_TOLD = Duration.ofHours(1);

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final StoreId store;
    private final Channel channel;
    private final Around around;
    private final ConcurrentLinkedQueue<Subscriber> joining = new ConcurrentLinkedQueue<>();
    private final Semaphore wake = new Semaphore(0);

    // Only the thread of the watch uses these.
    private final List<Subscriber> subscribers = new ArrayList<>();
    private @Nullable Seen seen;
    private boolean hasFailed;

    PriceWatch(StoreId store, Channel channel, Around around) {
        this.store = store;
        this.channel = channel;
        this.around = around;
    }

    /** What all watches share. */
    record Around(MissedChanges changes, Stores stores, Clock clock, Duration poll) {}

    /** Takes somebody in; the caller sees to it that the watch goes on meanwhile. */
    void join(Subscriber subscriber) {
        joining.add(subscriber);
        wake.release();
    }

    /** Has it look now. */
    void wake() {
        wake.release();
    }

    /** False where nobody is left. Only for its own thread, while nobody can join. */
    boolean isWatched() {
        return !subscribers.isEmpty() || !joining.isEmpty();
    }

    /** Waits until there is something to do, and does it. */
    void watch() throws InterruptedException {
        var _ = wake.tryAcquire(pause().toNanos(), TimeUnit.NANOSECONDS);
        wake.drainPermits();
        subscribers.removeIf(Subscriber::isOver);
        joining.removeIf(Subscriber::isOver);
        if (!isWatched()) {
            return;
        }
        hasFailed = false;
        try {
            look();
        } catch (QueryDbException e) {
            hasFailed = true;
            QueryDbException.warn(log, e, "prices not watched: store={} channel={}", store, channel);
        } catch (UnreadableItem e) {
            // Until the upgrade has come to this instance; another one may be further.
            log.warn("prices not watched: store={} channel={}: {}", store, channel, e.getMessage());
            end(e);
        } catch (MissedChanges.Busy e) {
            hasFailed = true;
            log.info("prices not watched yet: {}", e.getMessage());
        }
    }

    private Duration pause() {
        if (hasFailed) {
            return AFTER_FAILURE;
        }
        if (seen == null) {
            return around.poll();
        }
        var longest = seen.isSettled()
                ? around.poll()
                : least(around.poll(), around.changes().settleAfter());
        var next = seen.next();
        return next == null
                ? longest
                : least(longest, Duration.between(around.clock().instant(), next));
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private void look() {
        // What they name is before what is read now; who comes later may name what another instance has told meanwhile.
        var waiting = joining.size();
        var known = around.stores().require(SYSTEM, store);
        if (seen != null) {
            try {
                goOn(known);
            } catch (InvalidInput e) {
                // Who joins now may be told of what is there now.
                endKnown(e);
            }
        }
        if (seen == null) {
            try {
                seen = around.changes().now(known, channel);
            } catch (InvalidInput e) {
                end(e);
                return;
            }
        }
        joinAll(known, waiting);
    }

    /** Tries once with each of the first who wait. */
    private void joinAll(Store known, int waiting) {
        MissedChanges.Busy busy = null;
        for (var left = waiting; left > 0; left--) {
            var subscriber = joining.element();
            try {
                join(known, subscriber);
                joining.remove();
            } catch (MissedChanges.Busy e) {
                // It keeps nobody behind it waiting.
                joining.add(joining.remove());
                busy = e;
            }
        }
        if (busy != null) {
            throw busy;
        }
    }

    /** Tells those who are there what has taken effect since. */
    private void goOn(Store known) {
        var changes = around.changes();
        boolean isDue;
        do {
            var now = around.clock().instant();
            var before = seen();
            var next = before.next();
            isDue = next != null && !now.isBefore(next);
            var isOld = subscribers.stream().anyMatch(subscriber -> subscriber.isToldBefore(now.minus(POSITION_TOLD)));
            if (next != null && isDue) {
                changes.pass(store, channel, next);
            } else if (isOld) {
                changes.passNow(store, channel);
            }
            var found = changes.since(known, before.position(), before);
            seen = found.seen();
            subscribers.forEach(subscriber -> subscriber.tell(found.moments(), false));
            if (isOld) {
                subscribers.forEach(
                        subscriber -> subscriber.tellPosition(found.seen().position()));
            }
        } while (isDue);
    }

    private void join(Store known, Subscriber subscriber) {
        var after = subscriber.wanted().after();
        if (after == null) {
            subscriber.begin(seen().position());
        } else {
            try {
                var from = Position.parse(after, store, channel);
                subscriber.resume(from);
                if (!seen().position().includes(from)) {
                    // Made up: to go on from it, the others would miss what is before it.
                    throw MissedChanges.expired();
                }
                if (!from.equals(seen().position())) {
                    var found = around.changes().since(known, from, null);
                    seen = found.seen();
                    subscribers.forEach(other -> other.tell(found.moments(), false));
                    subscriber.tell(found.moments(), true);
                }
            } catch (InvalidInput e) {
                subscriber.end(e);
                return;
            }
        }
        subscribers.add(subscriber);
    }

    private Seen seen() {
        if (seen == null) {
            throw new IllegalStateException("nothing is seen of " + store + " " + channel);
        }
        return seen;
    }

    /** Ends all subscriptions. */
    void end(Throwable error) {
        endKnown(error);
        for (var subscriber = joining.poll(); subscriber != null; subscriber = joining.poll()) {
            subscriber.end(error);
        }
    }

    private void endKnown(Throwable error) {
        seen = null;
        subscribers.forEach(subscriber -> subscriber.end(error));
        subscribers.clear();
    }
}
