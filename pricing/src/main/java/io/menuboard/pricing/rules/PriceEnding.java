package io.menuboard.pricing.rules;

import io.menuboard.kernel.InvalidInput;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Pattern;

/**
 * The last digits that prices are rounded to, counted in the currency's smallest unit: {@code 99} makes 4.99 and 5.99 in
 * EUR, and 499 and 599 in JPY.
 *
 * @param digits 1 to 4 digits; anything else is refused with {@link InvalidInput} {@code INVALID_ENDING} on
 *     {@code ending}
 */
public record PriceEnding(String digits) {
    private static final Pattern FORM = Pattern.compile("[0-9]{1,4}");

    public PriceEnding {
        if (!FORM.matcher(digits).matches()) {
            throw new InvalidInput("INVALID_ENDING", "ending", "must be 1 to 4 digits, such as 99");
        }
    }

    /** The nearest amount of that scale with this ending that is not negative; the higher one of two equally near. */
    BigDecimal nearest(BigDecimal amount, int scale) {
        var step = BigInteger.TEN.pow(digits.length());
        var end = new BigInteger(digits);
        var exact = amount.movePointRight(scale);
        // The last one that is not above, then whichever is nearer of it and the next.
        var below = exact.toBigInteger().subtract(end);
        var floor = below.subtract(below.mod(step)).add(end);
        if (new BigDecimal(floor).compareTo(exact) > 0) {
            floor = floor.subtract(step);
        }
        var next = floor.add(step);
        var toFloor = exact.subtract(new BigDecimal(floor));
        var toNext = new BigDecimal(next).subtract(exact);
        var nearest = floor.signum() < 0 || toNext.compareTo(toFloor) <= 0 ? next : floor;
        return new BigDecimal(nearest).movePointLeft(scale).setScale(scale);
    }

    @Override
    public String toString() {
        return digits;
    }
}
