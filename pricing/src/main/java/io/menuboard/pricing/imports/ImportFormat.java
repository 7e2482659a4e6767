package io.menuboard.pricing.imports;

import io.menuboard.pricing.SaveOutcome;
import java.util.List;

/** What the rows of one kind of file mean and where they go. Thread-safe. */
interface ImportFormat<D extends ImportRow.Draft> {

    /** Reads what the row says, without asking the table, and notes on the row what is wrong with that. */
    D draft(ImportRow row);

    /**
     * Checks against what is stored, noting problems on the rows, and writes those that have none. One outcome per row
     * without problems, in order.
     */
    List<SaveOutcome> save(List<D> drafts);
}
