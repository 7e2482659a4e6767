package io.menuboard.webadmin.prices;

import io.menuboard.pricing.Store;
import io.menuboard.pricing.imports.ImportKind;
import java.util.List;

/** A store as a row of the file that the import reads, in the order of {@link ImportKind#STORES}. */
final class StoreCsv {
    private StoreCsv() {}

    static List<String> row(Store store) {
        var address = store.address();
        return List.of(
                store.id().value(),
                store.name(),
                address.street(),
                address.city(),
                address.region(),
                address.postalCode(),
                address.country(),
                store.timeZone().getId(),
                store.currency().getCurrencyCode(),
                store.status().name());
    }
}
