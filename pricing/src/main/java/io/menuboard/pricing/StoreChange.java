package io.menuboard.pricing;

import io.menuboard.kernel.Actor;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One change of what is known of a store.
 *
 * @param isNew whether the store was added
 * @param fields those that changed
 */
public record StoreChange(Instant changedAt, Actor changedBy, boolean isNew, List<Changed> fields) {

    public StoreChange {
        fields = List.copyOf(fields);
    }

    /** What can change. */
    public enum Field {
        NAME,
        STREET,
        CITY,
        REGION,
        POSTAL_CODE,
        COUNTRY,
        TIME_ZONE,
        CURRENCY,
        STATUS;

        private String of(Store store) {
            var address = store.address();
            return switch (this) {
                case NAME -> store.name();
                case STREET -> address.street();
                case CITY -> address.city();
                case REGION -> address.region();
                case POSTAL_CODE -> address.postalCode();
                case COUNTRY -> address.country();
                case TIME_ZONE -> store.timeZone().getId();
                case CURRENCY -> store.currency().getCurrencyCode();
                case STATUS -> store.status().name();
            };
        }
    }

    /**
     * A field, and its texts.
     *
     * @param before null where it was not known
     * @param after null where it is not known any more
     */
    public record Changed(
            Field field, @Nullable String before, @Nullable String after) {}

    private static final String BEFORE = " before";
    private static final String AFTER = " after";

    /** What changed, by name, as {@link #fields(Map)} reads it. */
    static Map<String, String> details(@Nullable Store before, Store after) {
        var details = new HashMap<String, String>();
        for (var field : Field.values()) {
            var old = before == null ? "" : field.of(before);
            var changed = field.of(after);
            if (!old.equals(changed)) {
                put(details, field + BEFORE, old);
                put(details, field + AFTER, changed);
            }
        }
        return details;
    }

    private static void put(Map<String, String> details, String name, String text) {
        if (!text.isEmpty()) {
            details.put(name, text);
        }
    }

    /** The fields that this version knows. */
    static List<Changed> fields(Map<String, String> details) {
        return Arrays.stream(Field.values())
                .map(field -> new Changed(field, details.get(field + BEFORE), details.get(field + AFTER)))
                .filter(changed -> changed.before() != null || changed.after() != null)
                .toList();
    }
}
