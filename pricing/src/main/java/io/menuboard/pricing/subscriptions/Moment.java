package io.menuboard.pricing.subscriptions;

/**
 * What takes effect together.
 *
 * @param position just after it
 * @param event the same for whoever wants all of it
 */
record Moment(Position position, PriceChanges event) {

    /** What of it somebody wants. */
    PriceChanges wanted(WantedChanges wanted) {
        return wanted.areAll()
                ? event
                : new PriceChanges(
                        event.position(),
                        event.at(),
                        event.changes().stream()
                                .filter(change -> wanted.isOf(change.subject()))
                                .toList());
    }
}
