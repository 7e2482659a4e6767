package io.menuboard.kernel.csv;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;

/**
 * Reads CSV (RFC 4180, UTF-8) row by row, so that one bad row costs nobody the rest of the file. It finds where rows
 * end in the bytes, which a parser over characters cannot do once it has met malformed UTF-8 or a stray quote, and
 * leaves taking a row apart to commons-csv. Lines end with CR LF, LF or CR; blank rows are counted and skipped.
 *
 * <p>Fields are separated by commas, or by semicolons where the first row that is not blank has some of those and no comma,
 * as spreadsheets write files where numbers have a decimal comma.
 *
 * <p>Needs memory for one buffer of twice the longest row, whatever the size of the file. Not thread-safe.
 */
public final class CsvRows implements Closeable {
    private static final CSVFormat COMMAS = CSVFormat.RFC4180;
    private static final CSVFormat SEMICOLONS =
            CSVFormat.RFC4180.builder().setDelimiter(';').get();
    /** More than any report shows. */
    private static final int START_LENGTH = 250;

    private final InputStream in;
    private final int maxRowBytes;
    private final byte[] buffer;
    private final CharsetDecoder strict = StandardCharsets.UTF_8.newDecoder();

    private int begin;
    private int end;
    private boolean exhausted;
    private long discarded;
    private int number;
    private boolean begun;
    private boolean semicolons;

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

    /** Whether semicolons separate the fields, so that numbers may have a {@link DecimalComma}; known with the first row. */
    public boolean hasSemicolons() {
        return semicolons;
    }

    private boolean firstLineHasSemicolons() throws IOException {
        var found = false;
        for (var next : peek(maxRowBytes)) {
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
        if (row.length > maxRowBytes && !(row.quoted && row.firstBreak >= 0)) {
            return broken(row.length, CsvRow.Defect.TOO_LONG);
        }
        var line = row.firstBreak >= 0 ? row.firstBreak : row.length;
        if (row.quoted) {
            return broken(line, CsvRow.Defect.QUOTING);
        }
        var malformed = false;
        String text;
        try {
            text = strict.decode(ByteBuffer.wrap(buffer, begin, row.length)).toString();
        } catch (CharacterCodingException e) {
            malformed = true;
            text = new String(buffer, begin, row.length, StandardCharsets.UTF_8);
        }
        var values = parse(text);
        if (values.isEmpty()) {
            return broken(line, CsvRow.Defect.QUOTING);
        }
        begin += row.length;
        skipLineBreak();
        return new CsvRow.Fields(number, values, malformed);
    }

    /** The fields, or none where the quoting is broken. */
    private List<String> parse(String text) throws IOException {
        if (text.isEmpty()) {
            return List.of("");
        }
        try (var parser = CSVParser.parse(text, semicolons ? SEMICOLONS : COMMAS)) {
            var records = parser.getRecords();
            return records.size() == 1 ? records.getFirst().toList() : List.of();
        } catch (UncheckedIOException e) {
            return List.of();
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
        return new CsvRow.Broken(number, start.substring(0, Math.min(start.length(), START_LENGTH)), defect);
    }

    /**
     * How far the row at {@link #begin} reaches.
     *
     * @param length bytes before its line break, or more than a row may have
     * @param firstBreak bytes before the first line break inside quotes, or -1
     * @param quoted whether a quote is still open there
     */
    private record Extent(int length, int firstBreak, boolean quoted) {}

    private Extent findEnd() throws IOException {
        var state = State.FIELD_START;
        var separator = semicolons ? ';' : ',';
        var firstBreak = -1;
        for (var length = 0; ; length++) {
            if (begin + length == end && !fill()) {
                return new Extent(length, firstBreak, state == State.QUOTED);
            }
            var next = buffer[begin + length];
            var lineBreak = isLineBreak(next);
            if (lineBreak && state != State.QUOTED) {
                return new Extent(length, firstBreak, false);
            }
            if (length > maxRowBytes) {
                return new Extent(length, firstBreak, state == State.QUOTED);
            }
            if (lineBreak && firstBreak < 0) {
                firstBreak = length;
            }
            state = switch (state) {
                case FIELD_START -> next == '"' ? State.QUOTED : next == separator ? State.FIELD_START : State.PLAIN;
                case PLAIN -> next == separator ? State.FIELD_START : State.PLAIN;
                case QUOTED -> next == '"' ? State.CLOSED : State.QUOTED;
                // A quote after the closing one means that the two were an escaped quote.
                case CLOSED -> next == '"' ? State.QUOTED : next == separator ? State.FIELD_START : State.PLAIN;
            };
        }
    }

    private enum State {
        FIELD_START,
        PLAIN,
        QUOTED,
        CLOSED
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
