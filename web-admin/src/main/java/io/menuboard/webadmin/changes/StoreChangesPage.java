package io.menuboard.webadmin.changes;

import io.menuboard.pricing.batches.UpcomingChange;
import io.menuboard.webadmin.prices.ChannelField;
import io.menuboard.webadmin.prices.EffectiveDates;
import io.menuboard.webadmin.prices.StoreHeader;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Choice;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Reference;
import io.menuboard.webadmin.ui.lists.Listing;
import java.time.Instant;
import java.util.List;

/**
 * View model of {@code stores/changes}: what is to change in one store.
 *
 * @param from as the form shows it, on the store's clock; empty for all, as is {@code to}
 * @param newHref address of the form for another change
 */
record StoreChangesPage(
        StoreHeader store,
        List<Choice> channels,
        String from,
        String to,
        String newHref,
        Listing list,
        List<Row> rows) {

    /** @param href address of the price's timeline, or of the history of what is swapped into a combo */
    record Row(
            String subject,
            String href,
            String amount,
            String effective,
            String startsAt,
            String distance,
            Reference changeSet) {

        static Row of(UpcomingChange change, Instant now, Amounts amounts, ChangeSetNames names) {
            var after = change.after();
            return new Row(
                    ChangeWords.subject(change.subject()),
                    ChannelField.price(change.store().id(), change.subject(), change.channel())
                            .toString(),
                    after == null ? "None" : amounts.of(after),
                    EffectiveDates.text(change.effectiveDate()),
                    Moments.utc(change.startsAt()),
                    Moments.distance(now, change.startsAt()),
                    names.reference(change.changeSet()));
        }
    }
}
