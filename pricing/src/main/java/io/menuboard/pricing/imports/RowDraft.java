package io.menuboard.pricing.imports;

import io.menuboard.kernel.csv.CsvRecord;
import org.jspecify.annotations.Nullable;

/** The contents of a row, before it is known whether they are right. */
interface RowDraft {
    CsvRecord row();

    /** Equal for rows of one file that would write the same item; null while parts of it are wrong. */
    @Nullable
    String key();

    /** The column that is named when the key is there twice. */
    String keyColumn();

    /** The rule that the key keeps, as a phrase: what a file must have once. */
    String keyRule();
}
