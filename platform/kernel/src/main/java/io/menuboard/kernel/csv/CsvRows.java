package io.menuboard.kernel.csv;

import io.menuboard.kernel.Texts;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads CSV (RFC 4180, UTF-8) row by row, so that one bad row costs nobody the rest of the file. It finds rows and their
 * fields in the bytes, which a parser over characters cannot do once it has met malformed UTF-8 or a stray quote. Lines end
 * with CR LF, LF or CR; blank rows are counted and skipped.
 *
 * <p>Fields are separated by commas, or by semicolons where the first row that is not blank has some of those and no comma,
 * as spreadsheets write files where numbers have a decimal comma.
 *
 * <p>Needs memory for one buffer of twice the longest row, whatever the size of the file. Not thread-safe.
 */
public final class CsvRows implements Closeable {
    private static final char UNREADABLE = '\uFFFD';
    /** More than any report shows. */
    private static final int START_LENGTH = 250;

    private final InputStream in;
    private final int maxRowBytes;
    private final byte[] buffer;

    private int begin;
    private int end;
    private boolean exhausted;
    private long discarded;
    private long unreadableUpTo;
    private int number;
    private boolean begun;
    private boolean semicolons;
    private FieldScanner scanner = new FieldScanner(',');

    /** @param maxRowBytes longest row, without its line break; a longer one is {@link CsvRow.Broken} */
    public CsvRows(InputStream in, int maxRowBytes) {
        this.in = in;
        this.maxRowBytes = maxRowBytes;
        this.buffer = new byte[Math.max(2 * maxRowBytes, 16 * 1024)];
    }

    /** The first bytes of the file that have not been read as rows, at most so many; fewer only where the file ends. */
    public byte[] peek(int length) throws IOException {
        while (end - begin < length && fill()) {
            // until there are so many
        }
        return Arrays.copyOfRange(buffer, begin, Math.min(end, begin + length));
    }

    /** Passes over bytes that belong to no row, such as a byte order mark that {@link #peek} has shown. */
    public void skip(int length) {
        begin += length;
    }

    /** The next row that is not blank; empty at the end of the file. */
    public Optional<CsvRow> next() throws IOException {
        while (peek(1).length > 0) {
            number++;
            if (!begun) {
                semicolons = firstLineHasSemicolons();
                scanner = new FieldScanner(semicolons ? ';' : ',');
            }
            var row = read();
            if (!(row instanceof CsvRow.Fields(var _, var values, var _)
                    && values.stream().allMatch(String::isBlank))) {
                begun = true;
                return Optional.of(row);
            }
        }
        return Optional.empty();
    }

    /** True if semicolons separate the fields, so that numbers may have a {@link DecimalComma}; known with the first row. */
    public boolean hasSemicolons() {
        return semicolons;
    }

    private boolean firstLineHasSemicolons() throws IOException {
        var found = false;
        for (var length = 0; length < maxRowBytes && (begin + length < end || fill()); length++) {
            var next = buffer[begin + length];
            if (next == ',') {
                return false;
            }
            if (isLineBreak(next)) {
                break;
            }
            found |= next == ';';
        }
        return found;
    }

    /** Bytes of the file that have become rows. */
    public long bytesRead() {
        return discarded + begin;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private CsvRow read() throws IOException {
        var row = findEnd();
        var quoted = scanner.isQuoted();
        if (row.length > maxRowBytes && !(quoted && row.firstBreak >= 0)) {
            return broken(row.length, CsvRow.Defect.TOO_LONG);
        }
        if (quoted || scanner.isDamaged()) {
            unreadableUpTo = Math.max(unreadableUpTo, bytesRead() + row.length);
            return broken(row.firstBreak >= 0 ? row.firstBreak : row.length, CsvRow.Defect.QUOTING);
        }
        var values = scanner.fieldsUntil(row.length).stream().map(this::text).toList();
        var malformed = values.stream().anyMatch(value -> value.indexOf(UNREADABLE) >= 0) && !isUtf8(row.length);
        begin += row.length;
        skipLineBreak();
        return new CsvRow.Fields(number, values, malformed);
    }

    private String text(FieldScanner.Field field) {
        var text = new String(buffer, begin + field.from(), field.to() - field.from(), StandardCharsets.UTF_8);
        return field.doubledQuotes() ? text.replace("\"\"", "\"") : text;
    }

    /** Tells a row that cannot be read from one in which somebody wrote {@code U+FFFD}. */
    private boolean isUtf8(int length) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(buffer, begin, length));
            return true;
        } catch (CharacterCodingException _) {
            return false;
        }
    }

    /**
     * Goes on with the next line: nobody can tell how much a quote that is not closed was meant to hold, and a line that
     * was meant to be inside it is a row with the wrong fields, and reported.
     */
    private CsvRow broken(int length, CsvRow.Defect defect) throws IOException {
        var start = new String(buffer, begin, Math.min(length, 4 * START_LENGTH), StandardCharsets.UTF_8);
        begin += length;
        while (begin == end || !isLineBreak(buffer[begin])) {
            if (begin == end && !fill()) {
                break;
            }
            while (begin < end && !isLineBreak(buffer[begin])) {
                begin++;
            }
        }
        skipLineBreak();
        return new CsvRow.Broken(number, Texts.cut(start, START_LENGTH), defect);
    }

    /**
     * End of the row at {@link #begin}; {@link #scanner} knows its fields.
     *
     * @param length bytes before its line break, or before one at which it is known to be broken, or more than a row may have
     * @param firstBreak bytes before the first line break inside quotes, or -1
     */
    private record Extent(int length, int firstBreak) {}

    /**
     * Reads no byte for more than two or three rows, whatever the file has. Up to where a row could not be read, all its line
     * breaks were inside quotes: a later row in whose quotes is one of them goes on as that one did, and ends no better.
     */
    private Extent findEnd() throws IOException {
        scanner.reset();
        var firstBreak = -1;
        for (var length = 0; ; length++) {
            if (begin + length == end && !fill()) {
                return new Extent(length, firstBreak);
            }
            var next = buffer[begin + length];
            var lineBreak = isLineBreak(next);
            if ((lineBreak && (!scanner.isQuoted() || isUnreadable(length))) || length > maxRowBytes) {
                return new Extent(length, firstBreak);
            }
            if (lineBreak && firstBreak < 0) {
                firstBreak = length;
            }
            scanner.accept(next, length);
        }
    }

    /** Tells whether a row with an open quote at so many bytes cannot be read, whatever follows. */
    private boolean isUnreadable(int length) {
        return scanner.isDamaged() || bytesRead() + length < unreadableUpTo;
    }

    private void skipLineBreak() throws IOException {
        if (begin < end && buffer[begin] == '\r') {
            begin++;
            if (begin == end) {
                fill();
            }
            if (begin < end && buffer[begin] == '\n') {
                begin++;
            }
        } else if (begin < end) {
            begin++;
        }
    }

    private static boolean isLineBreak(byte next) {
        return next == '\n' || next == '\r';
    }

    /** Reads more of the file behind {@link #end}; false where there is no more. Moves what is left to the front first. */
    private boolean fill() throws IOException {
        if (exhausted) {
            return false;
        }
        if (end == buffer.length) {
            System.arraycopy(buffer, begin, buffer, 0, end - begin);
            discarded += begin;
            end -= begin;
            begin = 0;
        }
        var read = in.read(buffer, end, buffer.length - end);
        exhausted = read < 0;
        end += Math.max(read, 0);
        return !exhausted;
    }
}
