package io.menuboard.pricing.imports;

import io.menuboard.kernel.csv.CsvProblem;
import java.util.List;

/**
 * One thing that is wrong with one row of an imported file. A row may have several.
 *
 * @param row as {@link CsvProblem#row}, and so are the others
 */
public record ImportRejection(ImportKind file, int row, String field, String value, String rule, String code) {
    /** Names of {@link #cells}. */
    public static final List<String> COLUMNS = List.of("row", "field", "value", "rule", "code", "file");

    static ImportRejection of(ImportKind file, CsvProblem problem) {
        return new ImportRejection(
                file, problem.row(), problem.field(), problem.value(), problem.rule(), problem.code());
    }

    /** A row of a report, in the order of {@link #COLUMNS}. */
    public List<String> cells() {
        return List.of(Integer.toString(row), field, value, rule, code, file.label());
    }
}
