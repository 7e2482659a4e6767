package io.menuboard.webadmin.operations;

import io.menuboard.pricing.events.PriceEventReplay;
import io.menuboard.webadmin.tasks.OperationPage;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/** Wires the pages of operations. */
@Factory
final class OperationPagesFactory {

    @Singleton
    OperationPage priceEventReplays() {
        return OperationPage.of(PriceEventReplay.TYPE, "Price event replay");
    }

    @Singleton
    OperationPage webhookReplays() {
        return OperationPage.of(PriceEventReplay.TO_WEBHOOK, "Price event replay to a webhook");
    }
}
