package io.menuboard.pricing;

import io.menuboard.kernel.Money;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All stored versions of one price, oldest effective date first. */
public record StoredPrices(List<StoredPrice> versions) {
    /** A price that has no version. */
    public static final StoredPrices NONE = new StoredPrices(List.of());

    public StoredPrices {
        versions = List.copyOf(versions);
    }

    public boolean isEmpty() {
        return versions.isEmpty();
    }

    /** The version of exactly that date; null for none. */
    public @Nullable StoredPrice startingAt(EffectiveDate date) {
        return versions.stream()
                .filter(version -> version.effectiveDate().equals(date))
                .findFirst()
                .orElse(null);
    }

    /** The last version that begins on that date or earlier; null for none. */
    public @Nullable StoredPrice until(EffectiveDate date) {
        return last(versions.stream().filter(version -> version.effectiveDate().compareTo(date) <= 0));
    }

    /** The last version that begins earlier than that date; null for none. */
    public @Nullable StoredPrice before(EffectiveDate date) {
        return last(versions.stream().filter(version -> version.effectiveDate().compareTo(date) < 0));
    }

    /**
     * The lowest price that was in effect from the one date until the other, both included, of those in the currency of the latest of
     * them.
     *
     * @param replaced prices that were in effect between them, too, and of which there is no version any more
     */
    Optional<Money> lowest(EffectiveDate from, EffectiveDate to, List<Money> replaced) {
        var inEffect = new ArrayList<Money>();
        for (var version : versions) {
            if (version.effectiveDate().compareTo(to) > 0) {
                break;
            }
            if (version.effectiveDate().compareTo(from) <= 0) {
                inEffect.clear();
            }
            if (version.price() != null) {
                inEffect.add(version.price());
            }
        }
        inEffect.addAll(0, replaced);
        return inEffect.stream()
                .filter(price -> price.currency().equals(inEffect.getLast().currency()))
                .min(Comparator.comparing(Money::amount));
    }

    /** The price of a version; null where there is no version, or it deletes. */
    public static @Nullable Money priceOf(@Nullable StoredPrice version) {
        return version == null ? null : version.price();
    }

    /** These versions and another one. */
    public StoredPrices with(StoredPrice another) {
        return new StoredPrices(Stream.concat(versions.stream(), Stream.of(another))
                .sorted(Comparator.comparing(StoredPrice::effectiveDate))
                .toList());
    }

    private static @Nullable StoredPrice last(Stream<StoredPrice> some) {
        return some.reduce((_, later) -> later).orElse(null);
    }
}
