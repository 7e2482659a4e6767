package io.menuboard.pricing.imports;

import io.menuboard.kernel.csv.CsvRecord;
import io.menuboard.pricing.SaveOutcome;
import java.util.List;

/** Meaning of the rows of one kind of file, and their way into the table. Thread-safe. */
interface ImportFormat<D extends RowDraft> {

    /** Reads what the row says, without asking the table, and notes on the row what is wrong with that. */
    D draft(CsvRecord row);

    /** The same with what rows before it in the file mean for it. Of each row in order, by one thread. */
    default D after(D draft, SeenRows before) {
        return draft;
    }

    /**
     * Checks against what is stored, noting problems on the rows, and writes those that have none. One outcome per row
     * without problems, in order.
     */
    List<SaveOutcome> save(List<D> drafts);
}
