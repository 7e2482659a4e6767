package io.menuboard.pricing.current;

import io.menuboard.access.Access;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.current.CurrentPrices.Asked;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Use case of menus. Thread-safe. */
public final class Menus {
    private final Stores stores;
    private final DynamoPriceVersions versions;
    private final PriceSnapshots snapshots;
    private final Clock clock;

    Menus(Stores stores, DynamoPriceVersions versions, PriceSnapshots snapshots, Clock clock) {
        this.stores = stores;
        this.versions = versions;
        this.snapshots = snapshots;
        this.clock = clock;
    }

    /** The instant that a menu is true for when its caller names none. */
    public Instant now() {
        return clock.instant();
    }

    /**
     * What a store sells through a channel then: of each product and option the channel's own price, or, where it has none in
     * effect, the one of {@link Channel#ALL}. Costs nothing where the prices are remembered and known to be fresh, one read
     * unit where they are remembered, and otherwise one for every 4 KB of all versions that there are of the channel and
     * {@code ALL}, and three.
     *
     * @return empty where there is no such store, or it is not to be seen
     * @throws InvalidInput {@code INVALID_TIME} on {@code at}, for an instant of which prices are not kept any more
     * @throws io.menuboard.querydb.UnreadableItem where another version of the application wrote one of the prices and this
     *     one cannot read it
     */
    public Optional<Menu> menu(Access access, Asked asked) {
        if (versions.mayHaveExpired(asked.at(), clock.instant())) {
            throw new InvalidInput(
                    "INVALID_TIME", "at", "must not be earlier than prices are kept that others have replaced");
        }
        return stores.find(access, asked.store()).map(store -> menu(store, asked));
    }

    /**
     * The same from {@code asked.at()} until a later instant, with every change in that time that is planned. Costs as much.
     *
     * @param asked at an instant that prices are kept for; none of the last month is too early
     * @param until exclusive
     * @return empty where there is no such store, or it is not to be seen
     * @throws io.menuboard.querydb.UnreadableItem as {@link #menu}
     */
    public Optional<MenuPlan> plan(Access access, Asked asked, Instant until) {
        return stores.find(access, asked.store()).map(store -> {
            var own = snapshots.orRead(asked.store(), asked.channel(), asked.consistency());
            var general = general(asked);
            var revisions = new TreeMap<String, Long>();
            if (own.revision() >= 0) {
                revisions.put(asked.channel().value(), own.revision());
            }
            if (!asked.channel().equals(Channel.ALL) && general.revision() >= 0) {
                revisions.put(Channel.ALL.value(), general.revision());
            }
            var items = new Planning(store, asked.at(), until).items(new LayeredPrices(asked.channel(), own, general));
            return new MenuPlan(store, asked.channel(), revisions, asked.at(), until, items);
        });
    }

    /** Whether the store, if it is to be seen, has or had a price for exactly this channel; one read unit at most. */
    public boolean isUsed(Access access, StoreId store, Channel channel) {
        return stores.find(access, store).isPresent() && snapshots.isUsed(store, channel);
    }

    private Menu menu(Store store, Asked asked) {
        var own = snapshots.orRead(asked.store(), asked.channel(), asked.consistency());
        return new Making(store, asked).menu(new LayeredPrices(asked.channel(), own, general(asked)));
    }

    private PriceSnapshot general(Asked asked) {
        return asked.channel().equals(Channel.ALL)
                ? PriceSnapshot.EMPTY
                : snapshots.orRead(asked.store(), Channel.ALL, asked.consistency());
    }

    /** Instants of dates on the clock of a store, each found out once. */
    private static final class Instants {
        private final ZoneId zone;
        private final Map<EffectiveDate, Instant> known = new HashMap<>();

        Instants(ZoneId zone) {
            this.zone = zone;
        }

        Instant of(EffectiveDate date) {
            return known.computeIfAbsent(date, unknown -> unknown.startsAt(zone));
        }
    }

    /** One menu. */
    private static final class Making {
        private final Store store;
        private final Asked asked;
        private final EffectiveDate latest;
        private final Instants instants;
        private final List<MenuItem> items = new ArrayList<>();
        private @Nullable Instant first;

        Making(Store store, Asked asked) {
            this.store = store;
            this.asked = asked;
            latest = EffectiveDate.latestAt(asked.at(), store.timeZone());
            instants = new Instants(store.timeZone());
        }

        Menu menu(LayeredPrices prices) {
            prices.forEach(this::add);
            return new Menu(store, asked.channel(), asked.at(), items, first);
        }

        private void add(LayeredPrices.OfSubject prices) {
            var now = prices.inEffect(latest);
            var change = prices.changeAfter(latest);
            var end = change == null ? null : instants.of(change);
            if (now != null) {
                items.add(new MenuItem(prices.subject(), now.channel(), now.amount(), instants.of(now.date()), end));
            }
            if (end != null && (first == null || end.isBefore(first))) {
                first = end;
            }
        }
    }

    /** Items of one plan. */
    private static final class Planning {
        private final EffectiveDate first;
        private final EffectiveDate last;
        private final Instants instants;
        private final List<MenuPlan.Item> items = new ArrayList<>();

        Planning(Store store, Instant from, Instant until) {
            first = EffectiveDate.latestAt(from, store.timeZone());
            last = EffectiveDate.latestAt(until.minusNanos(1), store.timeZone());
            instants = new Instants(store.timeZone());
        }

        List<MenuPlan.Item> items(LayeredPrices prices) {
            prices.forEach(one -> {
                var steps = steps(one);
                if (!steps.isEmpty()) {
                    items.add(new MenuPlan.Item(one.subject(), steps));
                }
            });
            return items;
        }

        private List<MenuPlan.Step> steps(LayeredPrices.OfSubject prices) {
            var steps = new ArrayList<MenuPlan.Step>();
            var now = prices.inEffect(first);
            if (now != null) {
                steps.add(step(now.date(), now));
            }
            for (var date = prices.changeAfter(first);
                    date != null && date.compareTo(last) <= 0;
                    date = prices.changeAfter(date)) {
                var step = step(date, prices.inEffect(date));
                // A clock that jumps over several dates begins all of them at once: the last one counts.
                if (!steps.isEmpty() && steps.getLast().startsAt().equals(step.startsAt())) {
                    steps.removeLast();
                }
                if (step.price() != null || !steps.isEmpty()) {
                    steps.add(step);
                }
            }
            return steps;
        }

        private MenuPlan.Step step(EffectiveDate date, LayeredPrices.@Nullable InEffect price) {
            return new MenuPlan.Step(
                    instants.of(date),
                    date,
                    price == null ? null : new MenuPlan.Charge(price.channel(), price.amount()));
        }
    }
}
