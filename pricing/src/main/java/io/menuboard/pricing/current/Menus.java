package io.menuboard.pricing.current;

import io.menuboard.access.Access;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.current.CurrentPrices.Asked;
import io.menuboard.querydb.Key;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    private Menu menu(Store store, Asked asked) {
        var own = snapshots.orRead(asked.store(), asked.channel(), asked.consistency());
        var general = asked.channel().equals(Channel.ALL)
                ? PriceSnapshot.EMPTY
                : snapshots.orRead(asked.store(), Channel.ALL, asked.consistency());
        return new Making(store, asked, own, general).menu();
    }

    /** One menu, made of the prices of its channel and those of all channels, which are in the same order. */
    private static final class Making {
        private final Store store;
        private final Asked asked;
        private final PriceSnapshot own;
        private final PriceSnapshot general;
        private final EffectiveDate latest;
        private final Map<EffectiveDate, Instant> instants = new HashMap<>();
        private final List<MenuItem> items = new ArrayList<>();
        private @Nullable Instant first;

        Making(Store store, Asked asked, PriceSnapshot own, PriceSnapshot general) {
            this.store = store;
            this.asked = asked;
            this.own = own;
            this.general = general;
            latest = EffectiveDate.latestAt(asked.at(), store.timeZone());
        }

        Menu menu() {
            var ofOwn = 0;
            var ofGeneral = 0;
            while (ofOwn < own.size() || ofGeneral < general.size()) {
                var order = order(ofOwn, ofGeneral);
                add(order <= 0 ? ofOwn++ : -1, order >= 0 ? ofGeneral++ : -1);
            }
            return new Menu(store, asked.channel(), asked.at(), items, first);
        }

        /** Which of two subjects comes first; zero where they are the same. */
        private int order(int ofOwn, int ofGeneral) {
            if (ofOwn == own.size()) {
                return 1;
            }
            if (ofGeneral == general.size()) {
                return -1;
            }
            return own.subject(ofOwn).equals(general.subject(ofGeneral))
                    ? 0
                    : Key.compareUtf8(
                            PriceSnapshot.inOrder(own.subject(ofOwn)),
                            PriceSnapshot.inOrder(general.subject(ofGeneral)));
        }

        /** Adds a subject, by its number in both; negative where it is not there. */
        private void add(int ofOwn, int ofGeneral) {
            var now = inEffect(ofOwn, ofGeneral, latest);
            var end = end(ofOwn, ofGeneral, now);
            if (now != null) {
                var subject = ofOwn < 0 ? general.subject(ofGeneral) : own.subject(ofOwn);
                items.add(new MenuItem(subject, now.channel(), now.amount(), instant(now.date()), end));
            }
            if (end != null && (first == null || end.isBefore(first))) {
                first = end;
            }
        }

        /** The version that counts then; null where nothing is sold. */
        private @Nullable InEffect inEffect(int ofOwn, int ofGeneral, EffectiveDate date) {
            var version = ofOwn < 0 ? -1 : own.inEffect(ofOwn, date);
            if (version >= 0) {
                return new InEffect(asked.channel(), own.date(version), own.amount(version));
            }
            version = ofGeneral < 0 ? -1 : general.inEffect(ofGeneral, date);
            return version < 0 ? null : new InEffect(Channel.ALL, general.date(version), general.amount(version));
        }

        /** When something else counts than now; null where that is not planned. */
        private @Nullable Instant end(int ofOwn, int ofGeneral, @Nullable InEffect now) {
            var date = latest;
            while (true) {
                var next = earlier(
                        ofOwn < 0 ? null : own.firstAfter(ofOwn, date),
                        ofGeneral < 0 ? null : general.firstAfter(ofGeneral, date));
                if (next == null) {
                    return null;
                }
                var then = inEffect(ofOwn, ofGeneral, next);
                if (then == null ? now != null : !then.equals(now)) {
                    return instant(next);
                }
                date = next;
            }
        }

        private static @Nullable EffectiveDate earlier(@Nullable EffectiveDate one, @Nullable EffectiveDate other) {
            return one == null || (other != null && other.compareTo(one) < 0) ? other : one;
        }

        private Instant instant(EffectiveDate date) {
            return instants.computeIfAbsent(date, unknown -> unknown.startsAt(store.timeZone()));
        }
    }

    private record InEffect(Channel channel, EffectiveDate date, Money amount) {}
}
