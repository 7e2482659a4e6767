package io.menuboard.kernel.csv;

import io.menuboard.kernel.InvalidInput;

/** The first bytes of a file, which tell text from what people take for a CSV file. */
final class CsvSignature {
    /** Enough for UTF-16 to show, whatever the language. */
    static final int LENGTH = 4096;

    private CsvSignature() {}

    /**
     * The number of bytes before the header, which are a byte order mark.
     *
     * @throws InvalidInput {@code EMPTY_FILE}, {@code NOT_CSV} or {@code NOT_UTF8}
     */
    static int check(CsvFormat format, byte[] head) {
        if (head.length == 0) {
            throw empty(format);
        }
        if (startsWith(head, 'P', 'K', 3, 4)) {
            throw refused(format, "NOT_CSV", "is a zip archive or an Excel workbook (.xlsx)");
        }
        if (startsWith(head, 0xD0, 0xCF, 0x11, 0xE0)) {
            throw refused(format, "NOT_CSV", "is an Excel workbook (.xls)");
        }
        if (startsWith(head, 0x1F, 0x8B)) {
            throw refused(format, "NOT_CSV", "is compressed");
        }
        if (startsWith(head, 0xFF, 0xFE) || startsWith(head, 0xFE, 0xFF)) {
            throw refused(format, "NOT_UTF8", "is UTF-16");
        }
        for (var next : head) {
            if (next == 0) {
                throw refused(format, "NOT_UTF8", "is UTF-16 or no text at all");
            }
        }
        return startsWith(head, 0xEF, 0xBB, 0xBF) ? 3 : 0;
    }

    static InvalidInput empty(CsvFormat format) {
        return new InvalidInput(
                "EMPTY_FILE",
                "file",
                "The " + format.label() + " file is empty: its first row must be a header with at least "
                        + String.join(", ", format.required()));
    }

    private static InvalidInput refused(CsvFormat format, String code, String problem) {
        return new InvalidInput(
                code, "file", "The " + format.label() + " file " + problem + "; save it as CSV in UTF-8");
    }

    private static boolean startsWith(byte[] head, int... signature) {
        for (var i = 0; i < signature.length; i++) {
            if (i == head.length || Byte.toUnsignedInt(head[i]) != signature[i]) {
                return false;
            }
        }
        return true;
    }
}
