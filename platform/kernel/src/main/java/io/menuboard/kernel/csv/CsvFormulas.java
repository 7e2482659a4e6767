package io.menuboard.kernel.csv;

/**
 * Cells that a spreadsheet would take for a formula: those that begin with {@code =}, {@code +}, {@code -}, {@code @}, also as
 * wide as an ideogram, where some languages type them so, or with a tab, a line break or NUL. Files for download have an
 * apostrophe before them, which a spreadsheet does not show
 * (<a href="https://owasp.org/www-community/attacks/CSV_Injection">OWASP, CSV Injection</a>; ASVS 5.0.0, 1.2.10); imports take
 * it off.
 */
public final class CsvFormulas {
    private static final String STARTS = "=+-@\t\r\n\0\uFF1D\uFF0B\uFF0D\uFF20";

    private CsvFormulas() {}

    /** The cell as it may be written to a file that people open in a spreadsheet. */
    public static String neutralise(String cell) {
        return isFormula(cell, 0) || isNeutralised(cell) ? "'" + cell : cell;
    }

    /** Undoes {@link #neutralise}. */
    public static String strip(String cell) {
        return isNeutralised(cell) ? cell.substring(1) : cell;
    }

    private static boolean isNeutralised(String cell) {
        var apostrophes = 0;
        while (apostrophes < cell.length() && cell.charAt(apostrophes) == '\'') {
            apostrophes++;
        }
        return apostrophes > 0 && isFormula(cell, apostrophes);
    }

    private static boolean isFormula(String cell, int at) {
        return at < cell.length() && STARTS.indexOf(cell.charAt(at)) >= 0;
    }
}
