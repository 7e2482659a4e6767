package io.menuboard.webadmin.prices;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.webadmin.ui.Moments;

/** Effective dates as pages write and read them. */
public final class EffectiveDates {
    private EffectiveDates() {}

    /** {@code 2026-03-01} for midnight, {@code 2026-03-01 06:00} otherwise, with seconds only where there are any. */
    public static String text(EffectiveDate date) {
        return date.isStartOfDay() ? date.local().toLocalDate().toString() : Moments.of(date.local());
    }

    /**
     * Reads what a date-time field sends.
     *
     * @throws InvalidInput {@code INVALID_DATE_TIME} on {@code field}
     */
    public static EffectiveDate parse(String field, String text) {
        return new EffectiveDate(Moments.parse(field, text));
    }
}
