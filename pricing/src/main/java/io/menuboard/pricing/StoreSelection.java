package io.menuboard.pricing;

import io.menuboard.querydb.InvalidInput;
import java.util.List;

/** Which stores a change is for. */
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
                throw new InvalidInput("NO_STORES", "stores", "stores must name 1 to " + MOST + " stores");
            }
        }
    }

    /** Those that {@link Stores#list} finds with that search when the change is previewed. */
    record Found(String search) implements StoreSelection {
        public Found {
            if (search.isBlank() || search.chars().anyMatch(Character::isISOControl)) {
                throw new InvalidInput(
                        "INVALID_SEARCH", "search", "search must not be blank, nor have control characters");
            }
        }
    }

    /** Every store that there is when the change is previewed. */
    record All() implements StoreSelection {}
}
