package io.menuboard.webadmin.prices;

import io.menuboard.pricing.BasePrice;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Choice;
import io.menuboard.webadmin.ui.lists.Listing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code stores/prices}: what the products of one store cost at one moment.
 *
 * @param channel the one that is shown
 * @param packHref address of the price pack of the channel; null where there are none
 * @param at the moment as the form shows it, empty for now
 */
record PricesPage(
        StoreHeader store,
        List<Choice> channels,
        String channel,
        @Nullable String packHref,
        String product,
        String at,
        Listing list,
        List<Row> rows) {

    /**
     * @param href address of the price's timeline
     * @param changeHref address of the form that changes it
     */
    record Row(String product, String href, String changeHref, String amount, String since) {

        static Row of(BasePrice price, Amounts amounts) {
            return new Row(
                    price.product().value(),
                    ChannelField.timeline(price).toString(),
                    ChannelField.change(price).toString(),
                    amounts.of(price.price()),
                    EffectiveDates.text(price.effectiveDate()));
        }
    }
}
