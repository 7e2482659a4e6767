package io.menuboard.pricing;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Texts;
import java.util.Locale;
import java.util.Set;

/**
 * A store's postal address; parts that are not known are empty.
 *
 * @param street street and number, as written locally
 * @param city town or city
 * @param region state, province or county
 * @param postalCode as written locally
 * @param country ISO 3166-1 alpha-2 code in capitals, or empty
 */
public record Address(String street, String city, String region, String postalCode, String country) {
    private static final int MAX_LENGTH = 200;
    private static final Set<String> COUNTRIES = Locale.getISOCountries(Locale.IsoCountryCode.PART1_ALPHA2);

    /** Nothing is known. */
    public static final Address UNKNOWN = new Address("", "", "", "", "");

    /** Refuses with {@link InvalidInput} {@code INVALID_ADDRESS} on the part that breaks a rule. */
    public Address {
        check("street", street);
        check("city", city);
        check("region", region);
        check("postalCode", postalCode);
        if (!country.isEmpty() && !isCountry(country)) {
            throw new InvalidInput(
                    "INVALID_ADDRESS", "country", "must be an ISO 3166-1 alpha-2 code in capitals, such as DE");
        }
    }

    /** One that people typed: refuses with {@code INVALID_ADDRESS} what {@link Texts} refuses, too. */
    public static Address typed(String street, String city, String region, String postalCode, String country) {
        checkTyped("street", street);
        checkTyped("city", city);
        checkTyped("region", region);
        checkTyped("postalCode", postalCode);
        return new Address(street, city, region, postalCode, country);
    }

    private static void checkTyped(String field, String value) {
        Texts.checkOptional("INVALID_ADDRESS", field, value, MAX_LENGTH);
    }

    /** True for the ISO 3166-1 alpha-2 code of a country, in capitals. */
    static boolean isCountry(String code) {
        return COUNTRIES.contains(code);
    }

    private static void check(String field, String value) {
        if (value.length() > MAX_LENGTH) {
            throw new InvalidInput("INVALID_ADDRESS", field, "must have at most " + MAX_LENGTH + " characters");
        }
    }
}
