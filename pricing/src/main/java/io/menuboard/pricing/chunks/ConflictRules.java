package io.menuboard.pricing.chunks;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.StoredPrice;
import io.menuboard.pricing.StoredPrice.Layer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decisions between change sets that change the same price from the same instant on. The set that was drafted last has the
 * price, in whatever order they are written; the versions of the others are kept beneath it, in the order in which they
 * were drafted, and what was loaded beneath all of them.
 */
final class ConflictRules {
    private ConflictRules() {}

    /** Decision about a version that a set adds. */
    sealed interface Placement {
        /** The set has the price. */
        record OnTop() implements Placement {}

        /**
         * Another set has the price.
         *
         * @param version that of the other set, with this one's beneath it
         */
        record Beneath(StoredPrice version, ChangeSetId winner) implements Placement {}

        /** The set has added its version already. */
        record Present() implements Placement {}
    }

    /** Decision about a version that a set takes back. */
    sealed interface Withdrawal {
        /** The price has no version any more. */
        record Removed(StoredPrice version) implements Withdrawal {}

        /**
         * Another version has the price again.
         *
         * @param version as it is then
         * @param layer the same, as it was beneath
         */
        record Uncovered(StoredPrice version, Layer layer) implements Withdrawal {}

        /**
         * Another set has the price as before.
         *
         * @param version that of the other set, without this one's beneath it
         */
        record FromBeneath(StoredPrice version) implements Withdrawal {}

        /** Another set has the price, and nothing of this one waited for its time when it took it: it was in effect. */
        record WasInEffect() implements Withdrawal {}

        /** The set has no version there. */
        record Absent() implements Withdrawal {}
    }

    /**
     * Places a version that a line of the set adds.
     *
     * @param top the version that has the price now; null for none
     */
    static Placement place(ChangeSetId set, ChangeChunk.Line line, @Nullable StoredPrice top) {
        var owner = top == null ? null : top.changeSet();
        if (top == null || owner == null || owner.compareTo(set) < 0) {
            return new Placement.OnTop();
        }
        if (owner.equals(set) || isBeneath(set, top)) {
            return new Placement.Present();
        }
        var beneath = new ArrayList<>(top.beneath());
        var place = (int) beneath.stream()
                .filter(layer -> layer.changeSet() == null || layer.changeSet().compareTo(set) <= 0)
                .count();
        beneath.add(place, new Layer(set, line.number(), line.after()));
        return new Placement.Beneath(top.over(beneath), owner);
    }

    /**
     * The version of a set that has the price.
     *
     * @param top the version that had it; null for none
     * @param waiting the line of its set that waits for its time there; null for none
     */
    static StoredPrice onTop(
            EffectiveDate date,
            ChangeSetId set,
            @Nullable Money price,
            @Nullable StoredPrice top,
            @Nullable Integer waiting) {
        var beneath = new ArrayList<Layer>();
        if (top != null) {
            beneath.addAll(top.beneath());
            beneath.add(new Layer(top.changeSet(), waiting, top.price()));
        }
        return new StoredPrice(date, price, set, false, null, beneath);
    }

    /**
     * Takes back the version that a set has added.
     *
     * @param top the version that has the price now; null for none
     */
    static Withdrawal withdraw(ChangeSetId set, @Nullable StoredPrice top) {
        if (top == null) {
            return new Withdrawal.Absent();
        }
        var beneath = top.beneath();
        if (!set.equals(top.changeSet())) {
            if (!isBeneath(set, top)) {
                return new Withdrawal.Absent();
            }
            if (beneath.stream().anyMatch(layer -> set.equals(layer.changeSet()) && layer.line() == null)) {
                return new Withdrawal.WasInEffect();
            }
            return new Withdrawal.FromBeneath(top.over(beneath.stream()
                    .filter(layer -> !set.equals(layer.changeSet()))
                    .toList()));
        }
        if (beneath.isEmpty()) {
            return new Withdrawal.Removed(top);
        }
        var layer = beneath.getLast();
        List<Layer> rest = beneath.subList(0, beneath.size() - 1);
        return new Withdrawal.Uncovered(
                new StoredPrice(top.effectiveDate(), layer.price(), layer.changeSet(), false, null, rest), layer);
    }

    private static boolean isBeneath(ChangeSetId set, StoredPrice top) {
        return top.beneath().stream().anyMatch(layer -> Objects.equals(set, layer.changeSet()));
    }
}
