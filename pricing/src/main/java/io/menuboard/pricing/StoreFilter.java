package io.menuboard.pricing;

import java.util.Currency;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Choice of stores for a list. Sets that are empty leave nothing out.
 *
 * @param search as {@link Stores#list} has it
 * @param countries ISO 3166-1 alpha-2 codes in capitals
 */
public record StoreFilter(
        @Nullable String search, Set<String> countries, Set<StoreStatus> statuses, Set<Currency> currencies) {

    public StoreFilter {
        countries = Set.copyOf(countries);
        statuses = Set.copyOf(statuses);
        currencies = Set.copyOf(currencies);
    }

    boolean allowsAll() {
        return countries.isEmpty() && statuses.isEmpty() && currencies.isEmpty();
    }

    /** True where no set leaves the store out. */
    boolean allows(Store store) {
        return allows(countries, store.address().country())
                && allows(statuses, store.status())
                && allows(currencies, store.currency());
    }

    private static <T> boolean allows(Set<T> allowed, T value) {
        return allowed.isEmpty() || allowed.contains(value);
    }
}
