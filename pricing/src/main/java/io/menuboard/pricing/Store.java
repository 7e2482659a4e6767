package io.menuboard.pricing;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.Texts;
import java.time.ZoneId;
import java.util.Currency;
import java.util.Set;

/**
 * A place that sells.
 *
 * @param id unique in the group
 * @param name what people call it, 1 to 200 characters
 * @param address where it is; parts may be empty
 * @param timeZone IANA time zone whose clock its effective dates mean
 * @param currency what it sells in now; older prices keep the currency they had
 * @param status whether it sells
 */
public record Store(StoreId id, String name, Address address, ZoneId timeZone, Currency currency, StoreStatus status) {
    private static final int MAX_NAME = 200;
    private static final Set<String> TIME_ZONES = Set.copyOf(ZoneId.getAvailableZoneIds());

    /** Refuses with {@link InvalidInput} {@code INVALID_NAME} or {@code INVALID_CURRENCY}. */
    public Store {
        // Others than checkedName takes may have been stored before there was a rule for them.
        if (name.isBlank() || name.length() > MAX_NAME) {
            throw new InvalidInput("INVALID_NAME", "name", "must have 1 to " + MAX_NAME + " characters");
        }
        Money.scaleOf(currency);
    }

    /**
     * The IANA time zone called {@code id}.
     *
     * @throws InvalidInput {@code INVALID_TIME_ZONE} on {@code timeZone} for anything that is not a region of the
     *     time zone database; a bare offset such as {@code +01:00} has no daylight-saving rules and is refused
     */
    public static ZoneId timeZoneOf(String id) {
        if (!TIME_ZONES.contains(id)) {
            throw new InvalidInput("INVALID_TIME_ZONE", "timeZone", "must be an IANA time zone, such as Europe/Berlin");
        }
        return ZoneId.of(id);
    }

    /** The name, if it may be given to a store; {@link InvalidInput} {@code INVALID_NAME} for what {@link Texts} refuses. */
    public static String checkedName(String name) {
        Texts.check("INVALID_NAME", "name", name, MAX_NAME);
        return name;
    }
}
