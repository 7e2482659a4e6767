package io.menuboard.graphql.streams;

import io.menuboard.access.Principal;
import io.menuboard.access.http.Caller;
import io.menuboard.access.http.Principals;
import io.menuboard.graphql.streams.Stream.Ending;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Streams that are open, whatever the protocol. Asks every few seconds, once for all streams with the same credentials, whether
 * these are still good for the same, and ends them where they are not; ends all where this instance stops. However many are due at
 * once, it waits for {@value #ASKED_AT_ONCE} answers at a time, so that requests find places to be looked up as well. Thread-safe.
 */
final class OpenStreams {
    private static final Logger log = LoggerFactory.getLogger(OpenStreams.class);
    private static final Duration TICK = Duration.ofMillis(250);
    static final int ASKED_AT_ONCE = 64;

    private final Principals principals;
    private final StreamsConfig config;
    private final LongSupplier nanos;
    private final ConcurrentHashMap<Credentials, Audience> audiences = new ConcurrentHashMap<>();

    /** Who is to be asked about, those who have waited longest first. */
    private final Queue<Audience> due = new ConcurrentLinkedQueue<>();

    private final Semaphore places = new Semaphore(ASKED_AT_ONCE);
    private final Object emptied = new Object();
    private volatile boolean isStopping;

    /** @param nanos time that passes, in nanoseconds since whenever */
    OpenStreams(Principals principals, StreamsConfig config, LongSupplier nanos) {
        this.principals = principals;
        this.config = config;
        this.nanos = nanos;
    }

    /** Has streams looked after from now on. */
    @SuppressWarnings("FutureReturnValueIgnored") // ends with its executor
    void lookAfter(ScheduledExecutorService timer) {
        timer.scheduleWithFixedDelay(this::tick, TICK.toNanos(), TICK.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** What identifies a client, and whom it identified when a stream began. */
    private record Credentials(List<String> authorization, List<String> cookies, Principal principal) {
        static Credentials of(HttpRequest<?> request, Principal principal) {
            return new Credentials(
                    request.getHeaders().getAll(HttpHeaders.AUTHORIZATION),
                    request.getHeaders().getAll(HttpHeaders.COOKIE),
                    principal);
        }
    }

    /**
     * Keeps a stream until it leaves.
     *
     * @param request that began it
     * @param principal who has sent that
     * @return has it leave; more than once does nothing more
     */
    Runnable enter(HttpRequest<?> request, Principal principal, Stream stream) {
        var credentials = Credentials.of(request, principal);
        audiences.compute(credentials, (_, known) -> {
            var audience = known == null ? new Audience(request, principal) : known;
            audience.streams.add(stream);
            return audience;
        });
        if (isStopping) {
            stream.end(Ending.STOPPING);
        }
        return () -> leave(credentials, stream);
    }

    private void leave(Credentials credentials, Stream stream) {
        audiences.computeIfPresent(credentials, (_, audience) -> {
            audience.streams.remove(stream);
            return audience.streams.isEmpty() ? null : audience;
        });
        if (isStopping && audiences.isEmpty()) {
            synchronized (emptied) {
                emptied.notifyAll();
            }
        }
    }

    /** The edge: whatever is wrong with one stream must not keep the others from being looked after. */
    void tick() {
        var now = nanos.getAsLong();
        for (var audience : audiences.values()) {
            try {
                audience.streams.forEach(stream -> stream.tick(now));
                if (audience.becomesDue(now)) {
                    due.add(audience);
                }
            } catch (RuntimeException e) {
                log.error("A stream could not be looked after", e);
            }
        }
        askWhoIsDue();
    }

    /** Asks about as many as there are places for; each answer that comes later goes on with the next. */
    @SuppressWarnings("FutureReturnValueIgnored") // its outcome is looked at
    private void askWhoIsDue() {
        while (places.tryAcquire()) {
            var next = due.poll();
            if (next == null) {
                places.release();
                return;
            }
            var answer = next.ask();
            if (answer.isDone()) {
                // Not as below: thousands that are known without a read would be asked about within each other.
                places.release();
            } else {
                answer.whenComplete((_, _) -> {
                    places.release();
                    askWhoIsDue();
                });
            }
        }
    }

    /** Ends all streams, and waits for a short while until their clients have been told. */
    void stop() {
        isStopping = true;
        audiences.values().forEach(audience -> audience.end(Ending.STOPPING));
        var until = nanos.getAsLong() + config.stopTimeout().toNanos();
        synchronized (emptied) {
            while (!audiences.isEmpty() && nanos.getAsLong() - until < 0) {
                try {
                    TimeUnit.NANOSECONDS.timedWait(emptied, Math.max(1, until - nanos.getAsLong()));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
    }

    /** Streams with the same credentials. */
    private final class Audience {
        private final HttpRequest<?> request;
        private final Principal principal;
        private final Set<Stream> streams = ConcurrentHashMap.newKeySet();
        private volatile boolean isDue;
        private volatile long asked;
        private volatile long confirmed;

        Audience(HttpRequest<?> request, Principal principal) {
            this.request = request;
            this.principal = principal;
            this.asked = nanos.getAsLong();
            this.confirmed = asked;
        }

        /** Whether it is to be asked about from now on; once until there is an answer. */
        boolean becomesDue(long now) {
            if (isDue || now - asked < config.accessCheck().toNanos()) {
                return false;
            }
            isDue = true;
            return true;
        }

        /** @return done when the answer has been seen to */
        CompletableFuture<Caller> ask() {
            asked = nanos.getAsLong();
            return caller().whenComplete((caller, fault) -> {
                isDue = false;
                if (fault == null) {
                    found(caller);
                } else if (nanos.getAsLong() - confirmed
                        >= config.accessUnknown().toNanos()) {
                    end(Ending.ACCESS_UNKNOWN);
                }
            });
        }

        private CompletableFuture<Caller> caller() {
            try {
                return principals.of(request);
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        private void found(Caller caller) {
            switch (caller) {
                case Caller.Known(var known) when isSame(known) -> confirmed = nanos.getAsLong();
                case Caller.Known _ -> end(Ending.ACCESS_CHANGED);
                case Caller.MustChangePassword _, Caller.Nobody _ -> end(Ending.UNAUTHENTICATED);
            }
        }

        /** People may be renamed. */
        private boolean isSame(Principal known) {
            return known.grants().equals(principal.grants())
                    && known.kind() == principal.kind()
                    && (known.id() == null ? principal.id() == null : known.id().equals(principal.id()));
        }

        void end(Ending ending) {
            streams.forEach(stream -> stream.end(ending));
        }
    }
}
