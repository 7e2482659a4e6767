package io.menuboard.graphql.streams;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches things by reading them again and again: each once per interval while somebody watches it, and once for all who do,
 * which costs as much however many they are and however often it changes. A subscriber is told what is there when it
 * begins, and then each state that it sees and that is another one; one that does not keep up misses states between, never the last.
 * Thread-safe.
 *
 * @param <K> what tells things apart; what may be seen of a thing must not depend on anything else
 * @param <V> state, compared by {@code equals}
 */
public final class Watches<K, V> {
    private static final Logger log = LoggerFactory.getLogger(Watches.class);

    private final Function<K, Optional<V>> read;
    private final Predicate<V> isLast;
    private final Duration interval;
    private final ScheduledExecutorService timer;
    private final Executor threads;
    private final ConcurrentHashMap<K, Watch> watches = new ConcurrentHashMap<>();

    /**
     * Watches nothing yet.
     *
     * @param read finds a thing; empty where it is not there, or not any more: then nobody is told more of it
     * @param isLast of a state after which none comes
     * @param interval between the end of a read and the next one
     */
    public Watches(
            Function<K, Optional<V>> read, Predicate<V> isLast, Duration interval, ScheduledExecutorService timer) {
        this(read, isLast, interval, timer, Thread::startVirtualThread);
    }

    Watches(
            Function<K, Optional<V>> read,
            Predicate<V> isLast,
            Duration interval,
            ScheduledExecutorService timer,
            Executor threads) {
        this.read = read;
        this.isLast = isLast;
        this.interval = interval;
        this.timer = timer;
        this.threads = threads;
    }

    /** Things that are watched now. */
    public int size() {
        return watches.size();
    }

    /**
     * States of a thing from now on. Completes after the last one, and where it is not there. A read that fails is made again
     * after the interval; subscribers hear nothing of it.
     */
    public Publisher<V> watch(K key) {
        return watch(key, Function.identity());
    }

    /** The same, telling a part of each state; also of one in which that part is as before. */
    public <P> Publisher<P> watch(K key, Function<? super V, ? extends P> part) {
        return subscriber -> {
            var watcher = new Watcher(key, subscriber, state -> subscriber.onNext(part.apply(state)));
            subscriber.onSubscribe(watcher);
            watches.compute(key, (_, known) -> {
                var watch = known == null ? new Watch(key) : known;
                watch.watchers.add(watcher);
                return watch;
            });
            if (watcher.isOver()) {
                leave(watcher);
            }
        };
    }

    private void leave(Watcher watcher) {
        watches.computeIfPresent(watcher.key, (_, watch) -> {
            watch.watchers.remove(watcher);
            if (watch.watchers.isEmpty()) {
                watch.timing.cancel(false);
                return null;
            }
            return watch;
        });
    }

    /** One thing. Reads follow each other. */
    private final class Watch {
        private final K key;
        private final List<Watcher> watchers = new CopyOnWriteArrayList<>();
        private final ScheduledFuture<?> timing;
        private boolean isReading;

        Watch(K key) {
            this.key = key;
            this.timing = timer.scheduleWithFixedDelay(this::tick, 0, interval.toNanos(), TimeUnit.NANOSECONDS);
        }

        private void tick() {
            synchronized (this) {
                if (isReading) {
                    return;
                }
                isReading = true;
            }
            threads.execute(this::look);
        }

        /** The edge: whatever a read throws, the next one is made. */
        private void look() {
            try {
                var told = List.copyOf(watchers);
                var found = read.apply(key);
                told.forEach(watcher -> watcher.tell(found));
            } catch (RuntimeException e) {
                log.warn("What somebody watches was not read: {}", e.toString());
            } finally {
                synchronized (this) {
                    isReading = false;
                }
            }
        }
    }

    /** A subscriber, and the state that it has not been told yet. */
    private final class Watcher implements Subscription {
        private final K key;
        private final Subscriber<?> subscriber;
        private final Consumer<V> news;
        private @Nullable V seen;
        private @Nullable V next;
        private boolean isEnding;
        private boolean isOver;
        private boolean isTelling;
        private long demand;

        Watcher(K key, Subscriber<?> subscriber, Consumer<V> news) {
            this.key = key;
            this.subscriber = subscriber;
            this.news = news;
        }

        synchronized boolean isOver() {
            return isOver;
        }

        void tell(Optional<V> found) {
            synchronized (this) {
                if (isEnding || isOver) {
                    return;
                }
                if (found.isEmpty()) {
                    isEnding = true;
                } else if (!found.get().equals(seen)) {
                    seen = found.get();
                    next = seen;
                    isEnding = isLast.test(seen);
                }
            }
            emit();
        }

        @Override
        public void request(long n) {
            synchronized (this) {
                demand = demand + n < 0 ? Long.MAX_VALUE : demand + n;
            }
            emit();
        }

        @Override
        public void cancel() {
            synchronized (this) {
                isOver = true;
                next = null;
            }
            leave(this);
        }

        /** Whoever comes while somebody is at it leaves it to them. */
        private void emit() {
            while (true) {
                V state;
                synchronized (this) {
                    if (isTelling || isOver) {
                        return;
                    }
                    if (next != null && demand > 0) {
                        state = next;
                        next = null;
                        demand--;
                    } else if (next == null && isEnding) {
                        state = null;
                        isOver = true;
                    } else {
                        return;
                    }
                    isTelling = true;
                }
                if (state == null) {
                    leave(this);
                    subscriber.onComplete();
                    return;
                }
                news.accept(state);
                synchronized (this) {
                    isTelling = false;
                }
            }
        }
    }
}
