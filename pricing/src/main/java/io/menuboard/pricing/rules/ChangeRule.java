package io.menuboard.pricing.rules;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.StoreSelection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The same change of many prices: every product in every channel of every store.
 *
 * @param subjects at least one
 * @param channels at least one; each has the change where it has a price of its own, and {@link Channel#ALL} is one more
 * @param ending what results are rounded to; null for the currency's scale
 */
public record ChangeRule(
        StoreSelection stores,
        List<PriceSubject> subjects,
        List<Channel> channels,
        PriceOperation operation,
        @Nullable PriceEnding ending) {

    public ChangeRule {
        subjects = subjects.stream().distinct().toList();
        channels = channels.stream().distinct().toList();
        if (subjects.isEmpty()) {
            throw new InvalidInput("NO_PRODUCTS", "products", "must name at least one product");
        }
        if (channels.isEmpty()) {
            throw new InvalidInput("NO_CHANNELS", "channels", "must name at least one channel");
        }
        if (operation instanceof PriceOperation.Round && ending == null) {
            throw new InvalidInput("INVALID_ENDING", "ending", "must be given where prices are only rounded");
        }
        if (operation instanceof PriceOperation.Delete && ending != null) {
            throw new InvalidInput("INVALID_ENDING", "ending", "must not be given where prices are deleted");
        }
    }
}
