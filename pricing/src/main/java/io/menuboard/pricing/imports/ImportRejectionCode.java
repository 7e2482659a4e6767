package io.menuboard.pricing.imports;

import java.util.Arrays;

/** Rules that a row can break, as clients are told them; {@code imports.graphqls} says what each means. */
enum ImportRejectionCode {
    AMOUNT_TOO_LARGE,
    BLANK,
    BROKEN_QUOTING,
    DUPLICATE,
    INVALID_ADDRESS,
    INVALID_AMOUNT,
    INVALID_CHANGE,
    INVALID_CURRENCY,
    INVALID_EFFECTIVE_DATE,
    INVALID_ENDING,
    INVALID_ID,
    INVALID_NAME,
    INVALID_OPERATION,
    INVALID_PERCENT,
    INVALID_STATUS,
    INVALID_TIME_ZONE,
    NEGATIVE_AMOUNT,
    NOT_FOUND,
    NOT_SAVED,
    NOT_UTF8,
    PRICE_SET_AT_ONCE,
    PRODUCT_AND_COMBO,
    ROW_TOO_LONG,
    TOO_MANY_DECIMALS,
    TOO_MANY_ROWS,
    UNKNOWN_STORE,
    WRONG_COLUMN_COUNT,
    /** A rule of another version. */
    INVALID;

    /** The code with which a rejection is kept; {@link #INVALID} for one that only another version knows. */
    static ImportRejectionCode of(ImportRejection rejection) {
        return Arrays.stream(values())
                .filter(code -> code.name().equals(rejection.code()))
                .findFirst()
                .orElse(INVALID);
    }
}
