package io.menuboard.pricing.changes;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.rules.PriceEnding;
import io.menuboard.pricing.rules.PriceOperation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One price that is to be changed, and how.
 *
 * @param number unique in its set; the row of the file where the set is imported
 * @param date from when on, where it has a date of its own; null for that of the set
 */
public record RequestedChange(
        int number,
        StoreId store,
        Channel channel,
        PriceSubject subject,
        @Nullable EffectiveDate date,
        Change change) {

    /** True where both are of one store and channel. */
    boolean goesWith(RequestedChange other) {
        return store.equals(other.store) && channel.equals(other.channel);
    }

    /** Numbers of the changes of that price from later dates on that came before this one. */
    List<Integer> later() {
        return change instanceof Change.To(var _, var _, var _, var later) ? later : List.of();
    }

    RequestedChange to(Change newChange) {
        return new RequestedChange(number, store, channel, subject, date, newChange);
    }

    /** Ways to change a price. */
    public sealed interface Change {
        /**
         * As a rule says.
         *
         * @param mixed whether the rule gives one amount to stores of several currencies
         */
        record Rule(PriceOperation operation, @Nullable PriceEnding ending, boolean mixed) implements Change {

            /** Why its amount may be meant for another currency than the price has; null where it is not. */
            @Nullable
            String mixture(@Nullable Money before, Store store) {
                var currency = store.currency().getCurrencyCode();
                if (mixed) {
                    return "one amount for stores of several currencies; this one is in " + currency;
                }
                // As where a country has another currency now, and its prices have not.
                return operation instanceof PriceOperation.SetTo set
                                && set.currency() == null
                                && before != null
                                && !before.currency().equals(store.currency())
                        ? "the price is in " + before.currency().getCurrencyCode() + ", and its store sells in "
                                + currency
                        : null;
            }
        }

        /**
         * To what a file says, or what an earlier preview said.
         *
         * @param price null for no price
         * @param follows whether the set may also change that price from an earlier date on, so that it counts even where the
         *     price is so without the set
         * @param earlier numbers of the changes of that price from earlier dates on that came before this one: where one of them
         *     changes it, this one counts, too
         * @param later numbers of the changes of that price from later dates on that came before this one
         */
        record To(@Nullable Money price, boolean follows, List<Integer> earlier, List<Integer> later)
                implements Change {
            To(@Nullable Money price, boolean follows) {
                this(price, follows, List.of(), List.of());
            }
        }

        /**
         * To what it was before one of those sets changed it, provided that nobody has changed it since.
         *
         * @param undone the set, and what has brought its prices back since
         * @param to null for no price, or where that is not known
         * @param isKnown false where history does not say what it was, or not yet
         */
        record PutBack(List<ChangeSetId> undone, @Nullable Money to, boolean isKnown) implements Change {
            PutBack(List<ChangeSetId> undone, @Nullable Money to) {
                this(undone, to, true);
            }
        }

        /** To nothing, as if what was loaded from that date on had never been, provided that nobody has changed it since. */
        record Unload(EffectiveDate from, @Nullable Money loaded) implements Change {}
    }
}
