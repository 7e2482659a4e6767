package io.menuboard.kernel.csv;

import io.menuboard.kernel.InvalidInput;
import java.util.List;
import java.util.function.Function;

/**
 * A kind of file with a header.
 *
 * @param label name of such files in messages, such as {@code stores}
 * @param columns every column that one may have, in the order of examples
 * @param required those of them that it must have
 * @param maxRows most rows, the header not counted; those after them are not read
 * @param maxRowBytes longest row, without its line break
 * @param broken says what is wrong with a row that cannot be taken apart, on {@link CsvRecord#WHOLE_ROW}
 */
public record CsvFormat(
        String label,
        List<String> columns,
        List<String> required,
        int maxRows,
        int maxRowBytes,
        Function<CsvRow.Defect, InvalidInput> broken) {

    public CsvFormat {
        columns = List.copyOf(columns);
        required = List.copyOf(required);
    }
}
