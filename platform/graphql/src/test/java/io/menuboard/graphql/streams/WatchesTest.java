package io.menuboard.graphql.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

@Timeout(60)
class WatchesTest {
    private static final String END = "end";

    private final ConcurrentHashMap<String, Integer> things = new ConcurrentHashMap<>();
    private final AtomicInteger reads = new AtomicInteger();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Watches<String, Integer> watches = new Watches<>(
            key -> {
                reads.incrementAndGet();
                var found = things.get(key);
                if (found != null && found < 0) {
                    throw new IllegalStateException("no table");
                }
                return Optional.ofNullable(found);
            },
            value -> value >= 100,
            Duration.ofMillis(20),
            timer,
            Runnable::run);

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    /** Hears what it asks for. */
    private static final class Watcher extends BaseSubscriber<Integer> {
        final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        private final long first;

        Watcher(long first) {
            this.first = first;
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            if (first > 0) {
                request(first);
            }
        }

        @Override
        protected void hookOnNext(Integer value) {
            heard.add(value.toString());
        }

        @Override
        protected void hookOnComplete() {
            heard.add(END);
        }
    }

    private Watcher watch(String key, long first) {
        var watcher = new Watcher(first);
        watches.watch(key).subscribe(watcher);
        return watcher;
    }

    @Test
    void tellsWhatThereIsAndWhatBecomesOfIt() throws InterruptedException {
        things.put("a", 1);
        var watcher = watch("a", Long.MAX_VALUE);

        assertThat(watcher.heard.take()).isEqualTo("1");
        things.put("a", 2);
        assertThat(watcher.heard.take()).isEqualTo("2");
        var before = reads.get();
        await().until(() -> reads.get() > before + 3);
        assertThat(watcher.heard).isEmpty();
        things.put("a", 100);
        assertThat(watcher.heard.take()).isEqualTo("100");
        assertThat(watcher.heard.take()).isEqualTo(END);
        assertThat(watches.size()).isZero();
    }

    @Test
    void endsWhereThereIsNothing() throws InterruptedException {
        assertThat(watch("nothing", 0).heard.take()).isEqualTo(END);
        assertThat(watches.size()).isZero();
    }

    @Test
    void tellsTheLastStateToWhoDidNotKeepUp() throws InterruptedException {
        things.put("a", 1);
        var slow = watch("a", 1);
        assertThat(slow.heard.take()).isEqualTo("1");
        for (var value = 2; value < 5; value++) {
            things.put("a", value);
            var before = reads.get();
            await().until(() -> reads.get() > before + 1);
        }
        things.put("a", 100);
        var before = reads.get();
        await().until(() -> reads.get() > before + 1);

        slow.request(1);

        assertThat(slow.heard.take()).isEqualTo("100");
        assertThat(slow.heard.take()).isEqualTo(END);
    }

    @Test
    void readsOnceForAllWhoWatchAndNotAtAllForNobody() throws InterruptedException {
        things.put("a", 1);
        var first = watch("a", Long.MAX_VALUE);
        for (var i = 0; i < 100; i++) {
            var watcher = watch("a", Long.MAX_VALUE);
            assertThat(watcher.heard.take()).isEqualTo("1");
            watcher.cancel();
        }
        assertThat(watches.size()).isOne();
        first.cancel();
        assertThat(watches.size()).isZero();

        var before = reads.get();
        var pause = new CountDownLatch(1);
        assertThat(pause.await(200, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(reads.get()).isLessThanOrEqualTo(before + 1);
    }

    @Test
    void goesOnAfterAReadThatFails() throws InterruptedException {
        things.put("a", -1);
        var watcher = watch("a", Long.MAX_VALUE);
        var before = reads.get();
        await().until(() -> reads.get() > before + 1);
        assertThat(watcher.heard).isEmpty();

        things.put("a", 7);

        assertThat(watcher.heard.take()).isEqualTo("7");
    }
}
