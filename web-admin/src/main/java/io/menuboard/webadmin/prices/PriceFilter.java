package io.menuboard.webadmin.prices;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.Scope;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.ComboId;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.batches.UpcomingChange;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.lists.Listing;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Fields of the form above the prices of a store, as they were sent; absent fields are empty.
 *
 * @param what the field that not every list has
 * @param text what that field says
 * @param at a moment on the store's clock
 */
record PriceFilter(Store store, String channel, What what, String text, String at) {

    static PriceFilter of(
            Store store, @Nullable String channel, What what, @Nullable String text, @Nullable String at) {
        return new PriceFilter(store, trimmed(channel), what, trimmed(text), trimmed(at));
    }

    /** @throws InvalidInput {@code INVALID_ID} on {@code channel} */
    Channel askedChannel() {
        return ChannelField.parse(channel);
    }

    /** @throws InvalidInput {@code INVALID_DATE_TIME} on {@code at} */
    Instant moment(Instant now) {
        return at.isEmpty() ? now : EffectiveDates.parse("at", at).startsAt(store.timeZone());
    }

    /** @throws InvalidInput {@code INVALID_ID} on {@code combo} */
    @Nullable
    ComboId combo() {
        return text.isEmpty() ? null : new ComboId(text);
    }

    /** The address with this filter. */
    Link on(Link list) {
        return list.with(ChannelField.NAME, ChannelField.text(channel))
                .with(what.field, text)
                .with("at", at);
    }

    /** Advice where the filter lets nothing through, for who may import prices of the store or not. */
    Listing.Empty nothing(Access access) {
        var list = what.list(store);
        if (!text.isEmpty()) {
            return new Listing.Empty(
                    what.notFound(text),
                    "At this moment and in this channel there is none in this store.",
                    new PriceFilter(store, channel, what, "", at).on(list).toString(),
                    "Show all " + what.many);
        }
        if (!at.isEmpty()) {
            return new Listing.Empty(
                    "No prices at that moment",
                    "The first ones may come into effect later.",
                    new PriceFilter(store, channel, what, text, "").on(list).toString(),
                    "Show the prices of now");
        }
        if (!askedChannel().equals(Channel.ALL)) {
            return new Listing.Empty(
                    "Channel " + channel + " has no " + what.prices + " of its own now",
                    "It sells at the prices of channel ALL.",
                    list.toString(),
                    "Show channel ALL");
        }
        var title = "No " + what.prices + " yet";
        return access.may(Permission.PRICES_APPLY, Scope.Kind.STORES, store.id().value())
                ? new Listing.Empty(title, "Import a file of this store's prices.", "/imports", "Import prices")
                : new Listing.Empty(title, "Nobody has imported any for this store.", "/stores", "All stores");
    }

    /** Tells whether it asks for everything that the store sells at now. */
    boolean isOpen() {
        return text.isEmpty() && at.isEmpty() && askedChannel().equals(Channel.ALL);
    }

    /** Advice where all prices of the store are to come. */
    Listing.Empty nothingBefore(UpcomingChange first) {
        return new Listing.Empty(
                "No " + what.prices + " yet",
                "The first one takes effect on " + EffectiveDates.text(first.effectiveDate())
                        + ", on the store's own clock.",
                Link.to("stores", store.id().value(), "changes").toString(),
                "Show upcoming changes");
    }

    private static String trimmed(@Nullable String parameter) {
        return parameter == null ? "" : parameter.strip();
    }

    /** Kind of thing that has a price. */
    enum What {
        PRODUCT("product", "products", "base prices") {
            @Override
            boolean prices(PriceSubject subject) {
                return subject instanceof PriceSubject.Product;
            }

            @Override
            Link list(Store store) {
                return Link.to("stores", store.id().value());
            }

            @Override
            String notFound(String text) {
                return "No price of a product that begins with “" + text + "”";
            }
        },
        COMBO("combo", "combos", "swap prices") {
            @Override
            boolean prices(PriceSubject subject) {
                return subject instanceof PriceSubject.Swap;
            }

            @Override
            Link list(Store store) {
                return Link.to("stores", store.id().value(), "swaps");
            }

            @Override
            String notFound(String text) {
                return "No swap prices of combo “" + text + "”";
            }
        };

        final String field;
        final String many;
        final String prices;

        What(String field, String many, String prices) {
            this.field = field;
            this.many = many;
            this.prices = prices;
        }

        /** Tells whether the list has prices of that. */
        abstract boolean prices(PriceSubject subject);

        /** Address of the list of a store. */
        abstract Link list(Store store);

        abstract String notFound(String text);
    }
}
