package io.menuboard.pricing.current;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Store;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that a store sells through a channel in a time, and every change in it, as far as it is planned.
 *
 * @param revisions of the channel and of {@link Channel#ALL} by name, those of which the prices were remembered
 * @param from inclusive
 * @param until exclusive
 * @param items products by id, then options by combo and id, those that are sold at some instant of that time
 */
public record MenuPlan(
        Store store,
        Channel channel,
        SortedMap<String, Long> revisions,
        Instant from,
        Instant until,
        List<Item> items) {
    public MenuPlan {
        revisions = Collections.unmodifiableSortedMap(new TreeMap<>(revisions));
        items = List.copyOf(items);
    }

    /**
     * One product, or one option of a combo.
     *
     * @param steps by instant, no two at the same; at least one. The first began at {@code from} or earlier, unless nothing is
     *     sold then
     */
    public record Item(PriceSubject subject, List<Step> steps) {
        public Item {
            steps = List.copyOf(steps);
        }
    }

    /**
     * What counts from an instant until the next step.
     *
     * @param date the same as the store's clock has it
     * @param price null where nothing is sold
     */
    public record Step(
            Instant startsAt, EffectiveDate date, @Nullable Charge price) {}

    /**
     * An amount that is charged.
     *
     * @param channel whose price it is: the plan's, or {@link Channel#ALL} where that has none of its own
     */
    public record Charge(Channel channel, Money amount) {}
}
