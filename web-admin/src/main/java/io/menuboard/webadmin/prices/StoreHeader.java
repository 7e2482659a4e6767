package io.menuboard.webadmin.prices;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.Address;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreStatus;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.NotFound;
import java.time.Instant;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * View model of {@code stores/parts :: header}: what every page of one store begins with.
 *
 * @param address in one line, empty if nothing is known
 * @param offset of the store's clock to UTC
 * @param time what the store's clock shows
 */
public record StoreHeader(
        String id,
        String name,
        String href,
        String swapsHref,
        String changesHref,
        String address,
        String zone,
        String offset,
        String time,
        String currency,
        Badge status) {

    public static StoreHeader of(Store store, Instant now) {
        var id = store.id().value();
        var address = store.address();
        return new StoreHeader(
                id,
                store.name(),
                Link.to("stores", id).toString(),
                Link.to("stores", id, "swaps").toString(),
                Link.to("stores", id, "changes").toString(),
                joined(
                        address.street(),
                        (address.postalCode() + " " + address.city()).strip(),
                        address.region(),
                        country(address)),
                store.timeZone().getId(),
                Moments.offset(now, store.timeZone()),
                Moments.clock(now, store.timeZone()),
                store.currency().getCurrencyCode(),
                badge(store.status()));
    }

    /** Town and country, as far as they are known. */
    static String place(Address address) {
        return joined(address.city(), country(address));
    }

    private static String country(Address address) {
        return address.country().isEmpty()
                ? ""
                : Locale.of("", address.country()).getDisplayCountry(Locale.ENGLISH);
    }

    private static String joined(String... parts) {
        return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(", "));
    }

    static Badge badge(StoreStatus status) {
        return switch (status) {
            case OPEN -> new Badge("badge-good", "Open");
            case TEMPORARILY_CLOSED -> new Badge("badge-warn", "Temporarily closed");
            case CLOSED -> new Badge("", "Closed");
        };
    }

    public static InvalidInput notFound(String store) {
        return NotFound.of("store", "There is no store " + store + ".");
    }
}
