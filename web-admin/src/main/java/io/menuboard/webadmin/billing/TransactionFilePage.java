package io.menuboard.webadmin.billing;

import io.menuboard.billing.transactions.TransactionFile;
import io.menuboard.billing.transactions.TransactionFile.Recorded;
import io.menuboard.kernel.csv.CsvProblem;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code billing/record}.
 *
 * @param done what was recorded of the file that was sent; null where none was
 * @param rejections as many of the file's as are shown
 * @param rejectionsNote how many that is
 */
record TransactionFilePage(
        String maxRows,
        String maxBytes,
        String columns,
        String required,
        @Nullable Problem problem,
        @Nullable String done,
        List<CsvProblem> rejections,
        String rejectionsNote) {

    /** More than anybody mends before sending the file again. */
    private static final int SHOWN = 200;

    static TransactionFilePage of(TransactionFile file, @Nullable Recorded recorded, @Nullable Problem problem) {
        var all = recorded == null ? List.<CsvProblem>of() : recorded.rejections();
        var shown = all.subList(0, Math.min(SHOWN, all.size()));
        return new TransactionFilePage(
                Counts.of(file.maxRows()),
                Counts.bytes(file.maxBytes()),
                String.join(", ", TransactionFile.COLUMNS),
                String.join(", ", TransactionFile.REQUIRED),
                problem,
                recorded == null ? null : done(recorded),
                shown,
                recorded == null || recorded.rejected() == shown.size()
                        ? Counts.of(shown.size()) + (shown.size() == 1 ? " row" : " rows") + " not recorded"
                        : "The first " + SHOWN + " of " + Counts.of(recorded.rejected()) + " rows not recorded");
    }

    private static String done(Recorded recorded) {
        return Counts.of(recorded.rows()) + (recorded.rows() == 1 ? " row read: " : " rows read: ")
                + Counts.of(recorded.recorded()) + " recorded, "
                + Counts.of(recorded.replayed()) + " recorded before, "
                + Counts.of(recorded.rejected()) + " not recorded.";
    }
}
