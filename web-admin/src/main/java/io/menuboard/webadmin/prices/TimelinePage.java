package io.menuboard.webadmin.prices;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceVersion;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Choice;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.charts.Chart;
import io.menuboard.webadmin.ui.lists.Listing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code stores/timeline}: one price, when it changed and when it will.
 *
 * @param chart null where there is nothing to draw
 */
record TimelinePage(
        StoreHeader store,
        String product,
        Links links,
        List<Choice> channels,
        Figures figures,
        @Nullable Chart chart,
        Listing list,
        List<Row> rows) {

    /** Address of the timeline. */
    static Link link(Store store, ProductId product, Channel channel) {
        return Link.to("stores", store.id().value(), "products", product.value())
                .with(ChannelField.NAME, ChannelField.text(channel));
    }

    /**
     * Addresses of pages about the same price.
     *
     * @param form that the channel is chosen with
     * @param product the same product in every store
     * @param change form that changes the price
     */
    record Links(String form, String product, String history, String change) {
        static Links of(Store store, ProductId product, Channel channel) {
            return new Links(
                    link(store, product, Channel.ALL).toString(),
                    Link.to("products", product.value())
                            .with(ChannelField.NAME, ChannelField.text(channel))
                            .toString(),
                    about(Link.to("prices", "history"), store, product, channel),
                    about(Link.to("changes", "new"), store, product, channel));
        }

        private static String about(Link link, Store store, ProductId product, Channel channel) {
            return link.with("store", store.id().value())
                    .with("product", product.value())
                    .with(ChannelField.NAME, ChannelField.text(channel))
                    .toString();
        }
    }

    /**
     * The price now and next.
     *
     * @param current price in effect now
     * @param deleted since when there is none, where there was one before
     * @param next the next change that is known, also of the price of channel ALL where that is or will be the one
     */
    record Figures(
            @Nullable Current current,
            @Nullable String deleted,
            @Nullable Next next) {
        static final Figures NONE = new Figures(null, null, null);
    }

    /** @param note where the price comes from, if that is not the channel that was asked for */
    record Current(String amount, String since, @Nullable String note) {

        /**
         * @param asked the channel that was asked for, which may have no price of its own
         * @param deleted since when it has none any more; null where it has one, or never had
         */
        static Current of(BasePrice price, Channel asked, @Nullable EffectiveDate deleted, Amounts amounts) {
            var since = price.effectiveDate();
            return new Current(
                    amounts.of(price.price()),
                    EffectiveDates.text(deleted != null && deleted.compareTo(since) > 0 ? deleted : since),
                    price.channel().equals(asked)
                            ? null
                            : "Channel " + asked + " has no price of its own: this is the one of channel "
                                    + price.channel() + ".");
        }
    }

    /** Text in place of an amount where there is none. */
    private static String words(@Nullable Money price, Amounts amounts) {
        return price == null ? "No price" : amounts.of(price);
    }

    /** @param distance how far away it is, in words */
    record Next(String amount, String from, String distance, String difference) {

        /** @param price in effect from then on, null for none */
        static Next of(
                EffectiveDate from,
                @Nullable BasePrice price,
                @Nullable BasePrice current,
                String distance,
                Amounts amounts) {
            return new Next(
                    words(price == null ? null : price.price(), amounts),
                    EffectiveDates.text(from),
                    distance,
                    current == null || price == null ? "" : amounts.change(current.price(), price.price()));
        }
    }

    /**
     * @param from effective date on the store's clock
     * @param difference to the price before, empty where there is none before or after
     * @param percent the same as a share, empty where there is none
     * @param status null if it is over
     */
    record Row(
            String from,
            String amount,
            String difference,
            String percent,
            @Nullable Badge status) {

        /** @param before the version that this one replaces, null for the first one */
        static Row of(PriceVersion version, @Nullable PriceVersion before, @Nullable Badge status, Amounts amounts) {
            var from = before == null ? null : before.price();
            var to = version.price();
            return new Row(
                    EffectiveDates.text(version.effectiveDate()),
                    words(to, amounts),
                    from == null || to == null ? "" : difference(from, to, amounts),
                    from == null || to == null ? "" : amounts.percent(from, to),
                    status);
        }

        private static String difference(Money from, Money to, Amounts amounts) {
            return from.currency().equals(to.currency())
                    ? amounts.difference(from, to)
                    : from.currency() + " → " + to.currency();
        }
    }
}
