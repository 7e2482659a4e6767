package io.menuboard.kernel.csv;

/**
 * Cells that a spreadsheet would take for a formula: those that begin with {@code =}, {@code +}, {@code -}, {@code @}, also as
 * wide as an ideogram, where some languages type them so, or with a tab, a line break or NUL. Files for download have an
 * apostrophe before them, which a spreadsheet does not show
 * (<a href="https://owasp.org/www-community/attacks/CSV_Injection">OWASP, CSV Injection</a>; ASVS 5.0.0, 1.2.10); imports take
 * it off.
 *
 * <p>Where lists are separated by semicolons, as in most of Europe, or by tabs, a spreadsheet takes a file apart at these, and at
 * line breaks, whatever quotes are around them: what follows one inside a cell of ours begins a cell there, and is guarded, too.
 */
public final class CsvFormulas {
    private static final String STARTS = "=+-@\0\uFF1D\uFF0B\uFF0D\uFF20";
    private static final String BLANKS = "\t\r\n";
    /** Doubled quotes after a separator are an empty quotation, which is taken off. */
    private static final String QUOTES = "'\"";

    private CsvFormulas() {}

    /** The cell as it may be written to a file that people open in a spreadsheet. */
    public static String neutralise(String cell) {
        var safe = new StringBuilder(cell.length() + 1);
        for (var at = 0; at < cell.length(); at++) {
            if (isFormula(cell, at)) {
                safe.append('\'');
            }
            safe.append(cell.charAt(at));
        }
        return safe.toString();
    }

    /** Undoes {@link #neutralise}. */
    public static String strip(String cell) {
        if (cell.indexOf('\'') < 0) {
            return cell;
        }
        var text = new StringBuilder(cell.length());
        for (var at = 0; at < cell.length(); at++) {
            if (cell.charAt(at) != '\'' || !isFormula(cell, at)) {
                text.append(cell.charAt(at));
            }
        }
        return text.toString();
    }

    /** True where a cell may begin, and does with a formula, be it behind apostrophes, as one is that is guarded already. */
    private static boolean isFormula(String cell, int at) {
        if (at > 0 && !isSeparator(cell.charAt(at - 1))) {
            return false;
        }
        var first = at;
        while (first < cell.length() && QUOTES.indexOf(cell.charAt(first)) >= 0) {
            first++;
        }
        return first < cell.length()
                && (STARTS.indexOf(cell.charAt(first)) >= 0 || (at == 0 && BLANKS.indexOf(cell.charAt(first)) >= 0));
    }

    private static boolean isSeparator(char character) {
        return switch (character) {
            case ';', '\t', '\r', '\n' -> true;
            default -> false;
        };
    }
}
