package io.menuboard.pricing;

import io.menuboard.kernel.InvalidInput;
import java.util.List;
import java.util.Locale;

/** Selection of the stores that a change is for. */
public sealed interface StoreSelection {

    /**
     * These.
     *
     * @param stores 1 to {@value #MOST}
     */
    record Listed(List<StoreId> stores) implements StoreSelection {
        /** Most stores of one selection; more make another rule. */
        public static final int MOST = 1_000;

        public Listed {
            stores = stores.stream()
                    .distinct()
                    .sorted(java.util.Comparator.comparing(StoreId::value))
                    .toList();
            if (stores.isEmpty() || stores.size() > MOST) {
                throw new InvalidInput("NO_STORES", "stores", "must name 1 to " + MOST + " stores");
            }
        }
    }

    /** Stores that {@link Stores#list} finds with that search when the change is previewed. */
    record Found(String search) implements StoreSelection {
        public Found {
            if (search.isBlank() || search.chars().anyMatch(Character::isISOControl)) {
                throw new InvalidInput("INVALID_SEARCH", "search", "must not be blank, nor have control characters");
            }
        }
    }

    /**
     * Every store whose address is in one of these countries when the change is previewed.
     *
     * @param codes 1 to {@value #MOST} ISO 3166-1 alpha-2 codes, in whatever case; kept in capitals
     */
    record Countries(List<String> codes) implements StoreSelection {
        /** As many as there can be. */
        public static final int MOST = 250;

        public Countries {
            if (codes.isEmpty() || codes.size() > MOST) {
                throw new InvalidInput("NO_COUNTRIES", "countries", "must name 1 to " + MOST + " countries");
            }
            codes = codes.stream()
                    .map(code -> code.toUpperCase(Locale.ROOT))
                    .distinct()
                    .sorted()
                    .toList();
            if (!codes.stream().allMatch(Address::isCountry)) {
                throw new InvalidInput("INVALID_COUNTRY", "countries", "must be ISO 3166-1 alpha-2 codes, such as DE");
            }
        }
    }

    /** Every store that there is when the change is previewed. */
    record All() implements StoreSelection {}
}
