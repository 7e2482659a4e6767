package io.menuboard.webadmin.operations;

import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.events.ReplayPriceEvents;
import io.menuboard.webadmin.ui.Problem;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code operations/price-events}.
 *
 * @param possible whether there is a bus to publish on
 */
record PriceEventsPage(
        PriceEventsForm form, boolean possible, @Nullable Problem problem) {

    public int mostStores() {
        return StoreSelection.Listed.MOST;
    }

    public long mostDays() {
        return ReplayPriceEvents.LONGEST.toDays();
    }

    public boolean invalid(String field) {
        return problem != null && problem.field().equals(field);
    }
}
