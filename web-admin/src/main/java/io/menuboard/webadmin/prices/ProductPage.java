package io.menuboard.webadmin.prices;

import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.lists.Listing;
import java.util.List;

/**
 * View model of {@code products/show}: what one product costs in every store now.
 *
 * @param changeHref address of the form that changes it in every store, in that channel
 * @param channel empty for ALL
 */
record ProductPage(String product, String href, String changeHref, String channel, Listing list, List<Row> rows) {

    /** Which prices are changed there. Public because templates call nothing else. */
    public String everywhere() {
        return "In every store, in channel " + (channel.isEmpty() ? Channel.ALL : channel) + ".";
    }

    /** @param href address of the price's timeline */
    record Row(String store, String name, String href, String place, String amount, String since) {

        static Row of(BasePrice price, Amounts amounts) {
            return new Row(
                    price.store().id().value(),
                    price.store().name(),
                    ChannelField.timeline(price).toString(),
                    StoreHeader.place(price.store().address()),
                    amounts.of(price.price()),
                    EffectiveDates.text(price.effectiveDate()));
        }
    }
}
