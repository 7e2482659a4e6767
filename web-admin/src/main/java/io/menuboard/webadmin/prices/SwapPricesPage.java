package io.menuboard.webadmin.prices;

import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.SwapPrice;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Choice;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.lists.Listing;
import java.util.List;

/**
 * View model of {@code stores/swaps}: what it costs to swap options into the combos of one store at one moment.
 *
 * @param at the moment as the form shows it, empty for now
 */
record SwapPricesPage(StoreHeader store, List<Choice> channels, String combo, String at, Listing list, List<Row> rows) {

    /**
     * @param comboHref address of this page with only that combo
     * @param historyHref address of the price's history
     */
    record Row(String combo, String comboHref, String option, String historyHref, String amount, String since) {

        static Row of(SwapPrice price, Link list, Amounts amounts) {
            return new Row(
                    price.combo().value(),
                    list.with("combo", price.combo().value()).toString(),
                    price.option().value(),
                    ChannelField.price(
                                    price.store().id(),
                                    new PriceSubject.Swap(price.combo(), price.option()),
                                    price.channel())
                            .toString(),
                    amounts.of(price.price()),
                    EffectiveDates.text(price.effectiveDate()));
        }
    }
}
