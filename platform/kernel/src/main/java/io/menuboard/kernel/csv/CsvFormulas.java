package io.menuboard.kernel.csv;

/**
 * Cells that a spreadsheet would take for a formula: those that begin with {@code =}, {@code +}, {@code -}, {@code @}, a
 * tab or a carriage return. Files for download have an apostrophe before them, which a spreadsheet does not show
 * (<a href="https://owasp.org/www-community/attacks/CSV_Injection">OWASP, CSV Injection</a>); imports take it off.
 */
public final class CsvFormulas {
    private static final String STARTS = "=+-@\t\r";

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
