package io.menuboard.billing.reports;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Pages of an agency's CSV file, in both directions and without reading what lies before: a cursor is the number of bytes
 * before a line. Lines hold no line breaks of their own, so each line break ends one.
 */
final class LineFile {
    private static final int MOST_USUAL_ROW = 400;
    private static final int CURSOR_DIGITS = 16;

    private final ReportFiles files;
    private final String name;
    private final int header;

    LineFile(ReportFiles files, String name) throws IOException {
        header = new CsvBytes().of(LedgerLine.COLUMNS).length;
        this.files = files;
        this.name = name;
    }

    private record Placed(long offset, LedgerLine line) {
        String cursor() {
            return LineFile.cursor(offset);
        }
    }

    private static String cursor(long offset) {
        return String.format(Locale.ROOT, "%0" + CURSOR_DIGITS + "d", offset);
    }

    /** Throws {@link NumberFormatException} for a cursor at which no line begins. */
    Page<LedgerLine> page(PageRequest page) throws IOException {
        // One more on each side of the page tells whether there is more.
        var wanted = page.size() + 2;
        var cursor = page.cursor() == null ? null : Long.valueOf(page.cursor());
        // Cursors are compared as text, so that no other form of the number will do.
        if (cursor != null && !(cursor(cursor).equals(page.cursor()) && isLine(cursor))) {
            throw new NumberFormatException(page.cursor());
        }
        var lines = page.direction() == PageRequest.Direction.FORWARD
                ? from(cursor == null ? header : cursor, wanted)
                : before(cursor, wanted);
        return Page.of(lines, Placed::cursor, page).map(Placed::line);
    }

    /** A line begins behind each line break but the last. */
    private boolean isLine(long offset) throws IOException {
        if (offset < header) {
            return false;
        }
        var around = read(offset - 1, 2);
        return around.length == 2 && around[0] == '\n';
    }

    private List<Placed> from(long offset, int wanted) throws IOException {
        for (var length = (long) wanted * MOST_USUAL_ROW; ; length *= 4) {
            var bytes = read(offset, length);
            var lines = lines(bytes, 0, offset);
            if (lines.size() >= wanted || bytes.length < length) {
                return lines.subList(0, Math.min(wanted, lines.size()));
            }
        }
    }

    /** Lines up to the one at the cursor, which is among them; up to the end without one. */
    private List<Placed> before(@Nullable Long cursor, int wanted) throws IOException {
        var end = cursor == null ? files.length(name).orElseThrow() : cursor;
        for (var length = (long) wanted * MOST_USUAL_ROW; ; length *= 4) {
            var begin = Math.max(header, end - length);
            var bytes = read(begin, end - begin);
            var skipped = begin == header ? 0 : new String(bytes, ISO_8859_1).indexOf('\n') + 1;
            var lines = lines(bytes, skipped, begin);
            if (lines.size() >= wanted || begin == header) {
                var nearest = new ArrayList<>(lines.subList(Math.max(0, lines.size() - wanted), lines.size()));
                if (cursor != null) {
                    nearest.addAll(from(cursor, 1));
                }
                return nearest;
            }
        }
    }

    private static List<Placed> lines(byte[] bytes, int begin, long offset) throws IOException {
        var lines = new ArrayList<Placed>();
        var start = begin;
        for (var i = begin; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                var row = new ByteArrayInputStream(bytes, start, i + 1 - start);
                lines.add(
                        new Placed(offset + start, LedgerReader.part(row).next().orElseThrow()));
                start = i + 1;
            }
        }
        return lines;
    }

    private byte[] read(long from, long length) throws IOException {
        try (var in = files.open(name, from, length).orElseThrow(() -> new IllegalStateException("no file " + name))) {
            return in.readAllBytes();
        }
    }
}
