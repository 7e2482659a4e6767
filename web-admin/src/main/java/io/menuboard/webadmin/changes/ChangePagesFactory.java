package io.menuboard.webadmin.changes;

import io.menuboard.access.Permission;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.webadmin.tasks.OperationPage;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/** Wires the pages of price changes. */
@Factory
final class ChangePagesFactory {

    @Singleton
    OperationPage priceChanges() {
        return OperationPage.of(
                ChangeSets.TYPE, "Price changes", Permission.PRICES_READ, payload -> ChangeSets.changeSetOf(payload)
                        .map(ChangeWords::link));
    }
}
