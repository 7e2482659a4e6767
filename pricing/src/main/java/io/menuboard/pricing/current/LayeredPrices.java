package io.menuboard.pricing.current;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.querydb.Key;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a store charges through a channel: the channel's own prices, and beneath them those of {@link Channel#ALL}. */
final class LayeredPrices {
    private final Channel channel;
    private final PriceSnapshot own;
    private final PriceSnapshot general;

    /** @param general empty where {@code own} are those of all channels */
    LayeredPrices(Channel channel, PriceSnapshot own, PriceSnapshot general) {
        this.channel = channel;
        this.own = own;
        this.general = general;
    }

    /** A price that counts, with the channel whose it is and the date from which on it counts. */
    record InEffect(Channel channel, EffectiveDate date, Money amount) {}

    /** Gives each subject of either once, in the order of the table's keys, which both have. */
    void forEach(Consumer<OfSubject> each) {
        var ofOwn = 0;
        var ofGeneral = 0;
        while (ofOwn < own.size() || ofGeneral < general.size()) {
            var order = order(ofOwn, ofGeneral);
            each.accept(new OfSubject(order <= 0 ? ofOwn++ : -1, order >= 0 ? ofGeneral++ : -1));
        }
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
                        PriceSnapshot.inOrder(own.subject(ofOwn)), PriceSnapshot.inOrder(general.subject(ofGeneral)));
    }

    /** One subject, by its number in both; negative where it is not there. */
    final class OfSubject {
        private final int ofOwn;
        private final int ofGeneral;

        private OfSubject(int ofOwn, int ofGeneral) {
            this.ofOwn = ofOwn;
            this.ofGeneral = ofGeneral;
        }

        PriceSubject subject() {
            return ofOwn < 0 ? general.subject(ofGeneral) : own.subject(ofOwn);
        }

        /** The price that counts on the latest date that has begun; null where nothing is sold. */
        @Nullable
        InEffect inEffect(EffectiveDate latest) {
            var version = ofOwn < 0 ? -1 : own.inEffect(ofOwn, latest);
            if (version >= 0) {
                return new InEffect(channel, own.date(version), own.amount(version));
            }
            version = ofGeneral < 0 ? -1 : general.inEffect(ofGeneral, latest);
            if (version < 0) {
                return null;
            }
            var ended = ofOwn < 0 ? null : own.endedOn(ofOwn, latest);
            return new InEffect(Channel.ALL, later(general.date(version), ended), general.amount(version));
        }

        private static EffectiveDate later(EffectiveDate date, @Nullable EffectiveDate other) {
            return other == null || other.compareTo(date) < 0 ? date : other;
        }

        /** The first date after that one from which on something else counts than on it; null where that is not planned. */
        @Nullable
        EffectiveDate changeAfter(EffectiveDate latest) {
            var now = inEffect(latest);
            var date = latest;
            while (true) {
                var next = earlier(
                        ofOwn < 0 ? null : own.firstAfter(ofOwn, date),
                        ofGeneral < 0 ? null : general.firstAfter(ofGeneral, date));
                if (next == null) {
                    return null;
                }
                var then = inEffect(next);
                if (then == null ? now != null : !then.equals(now)) {
                    return next;
                }
                date = next;
            }
        }

        private static @Nullable EffectiveDate earlier(@Nullable EffectiveDate one, @Nullable EffectiveDate other) {
            return one == null || (other != null && other.compareTo(one) < 0) ? other : one;
        }
    }
}
