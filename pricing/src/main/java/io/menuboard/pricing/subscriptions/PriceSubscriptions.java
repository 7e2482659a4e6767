package io.menuboard.pricing.subscriptions;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.access.Denied;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.messaging.BackgroundService;
import io.menuboard.pricing.Stores;
import io.menuboard.querydb.QueryDbException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Use case of being told of changes of prices when they take effect. Needs {@link Permission#PRICES_READ}. Thread-safe.
 *
 * <p>Costs a read unit every {@link SubscriptionsConfig#poll()} and after each change of a price of the store, for each store and
 * channel that has subscribers in this instance, however many they are.
 */
public final class PriceSubscriptions implements BackgroundService {
    private static final Logger log = LoggerFactory.getLogger(PriceSubscriptions.class);

    private final Stores stores;
    private final PriceWatches watches;
    private final CurrentAccess current;
    private final SubscriptionsConfig config;
    private final Subscriber.Counts counts;
    private final Set<Subscriber> subscribers = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofVirtual().name("price-subscribers").factory());

    PriceSubscriptions(
            Stores stores,
            PriceWatches watches,
            CurrentAccess current,
            SubscriptionsConfig config,
            MeterRegistry registry) {
        this.stores = stores;
        this.watches = watches;
        this.current = current;
        this.config = config;
        Gauge.builder("menuboard.pricing.subscribers", subscribers, Set::size).register(registry);
        Gauge.builder("menuboard.pricing.watches", watches, PriceWatches::size).register(registry);
        counts = new Subscriber.Counts(
                registry.counter("menuboard.pricing.subscription.events"),
                registry.counter("menuboard.pricing.subscriptions.dropped"));
    }

    /**
     * Changes of prices of a store in exactly that channel, each once and in their order, when they take effect: after a position
     * that an earlier subscription was told, or from now on. Who names no position is first told that of now, without changes; and
     * everybody every hour.
     *
     * <p>A publisher fails with {@link InvalidInput}: {@code INVALID_POSITION}; {@code POSITION_EXPIRED} where what came after it
     * is not known any more, also while it is subscribed to: where prices were loaded, or the store got another time zone;
     * {@code PRICES_LOADING}; {@code SUBSCRIBER_TOO_SLOW} where too much waits; {@code TOO_MANY_SUBSCRIBERS}; with what
     * {@link Stores#require} throws, once the subscriber may not read prices of the store any more. It completes when the instance
     * stops.
     *
     * @throws InvalidInput {@code NOT_FOUND}, also where the access does not reach the store; {@code SUBSCRIPTIONS_UNAVAILABLE} where they are off
     */
    public Flow.Publisher<PriceChanges> changes(Access access, WantedChanges wanted) {
        stores.require(access, wanted.store());
        if (!config.enabled()) {
            throw InvalidInput.sentence(
                    "SUBSCRIPTIONS_UNAVAILABLE", "", "This server tells nobody of changes of prices at present");
        }
        if (wanted.after() != null) {
            var _ = Position.parse(wanted.after(), wanted.store(), wanted.channel());
        }
        return subscriber -> subscribe(access, wanted, subscriber);
    }

    private void subscribe(Access access, WantedChanges wanted, Flow.Subscriber<? super PriceChanges> subscriber) {
        var subscription = new Subscriber(access, wanted, subscriber, config.queue(), counts, this::released);
        subscribers.add(subscription);
        subscriber.onSubscribe(subscription);
        if (timer.isShutdown()) {
            subscription.end(null);
        } else if (subscribers.size() > config.max()) {
            subscription.end(InvalidInput.sentence(
                    "TOO_MANY_SUBSCRIBERS",
                    "",
                    "This server tells " + config.max()
                            + " subscribers of changes of prices, and no more; subscribe again later"));
        } else {
            watches.join(subscription);
        }
    }

    private void released(Subscriber subscriber) {
        subscribers.remove(subscriber);
        watches.wake(subscriber.wanted().store());
    }

    /** Begins to look at the rights of subscribers. */
    @Override
    public void start() {
        var nanos = config.accessChecked().toNanos();
        var _ = timer.scheduleWithFixedDelay(this::check, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /** Ends subscriptions of who may not read the prices any more, and of who has not fetched the end of theirs. */
    void check() {
        var known = new HashMap<Actor, Access>();
        for (var subscriber : List.copyOf(subscribers)) {
            if (subscriber.isEnding()) {
                subscriber.endNow(null);
                continue;
            }
            try {
                var now = known.computeIfAbsent(subscriber.access().actor(), current::of);
                stores.require(now, subscriber.wanted().store());
            } catch (QueryDbException e) {
                QueryDbException.warn(log, e, "rights of a subscriber not read");
            } catch (Denied | InvalidInput e) {
                subscriber.endNow(e);
            } catch (RuntimeException e) {
                // Others are looked at nevertheless, and this one again later.
                log.error("rights of a subscriber not read", e);
            }
        }
    }

    /** Completes all subscriptions, whose clients go on elsewhere after their positions. */
    @Override
    public void close() {
        timer.shutdownNow();
        subscribers.forEach(subscriber -> subscriber.endNow(null));
    }
}
