package io.menuboard.billing.reports;

import io.menuboard.billing.transactions.Quarter;
import io.menuboard.kernel.InvalidInput;
import java.time.YearMonth;

/**
 * A report run is its range.
 *
 * @param from first quarter hour of the range
 * @param to first quarter hour after it; those that are opened end no later than the month of {@code from}
 */
public record RunId(Quarter from, Quarter to) {
    public RunId {
        if (from.compareTo(to) >= 0) {
            throw new IllegalArgumentException("a run from " + from + " cannot be to " + to);
        }
    }

    /** The month of UTC that it is of. */
    YearMonth month() {
        return from.month();
    }

    /**
     * Reads {@code YYYYMMDDHHmm-YYYYMMDDHHmm}.
     *
     * @throws InvalidInput {@code INVALID_RUN} on {@code run}
     */
    public static RunId parse(String text) {
        var dash = text.indexOf('-');
        try {
            return new RunId(
                    Quarter.parse("run", text.substring(0, Math.max(dash, 0))),
                    Quarter.parse("run", text.substring(dash + 1)));
        } catch (InvalidInput | IllegalArgumentException _) {
            throw new InvalidInput(
                    "INVALID_RUN", "run", "must be two quarter hours of UTC such as 202611220000-202611220100");
        }
    }

    @Override
    public String toString() {
        return from.label() + "-" + to.label();
    }
}
