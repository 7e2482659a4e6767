package io.menuboard.webadmin.ui;

import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.csv.CsvWriter;
import io.menuboard.querydb.requests.Workload;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A whole list as a file that the import reads (RFC 4180, one header row, UTF-8 with a byte order mark, without which Excel
 * takes it for something else), read page by page as fast as the client takes it: never more than one page is in memory. A failure after the first page breaks the connection off, so
 * that nobody takes half a file for a whole one.
 */
public final class CsvDownload extends InputStream {
    public static final String MEDIA_TYPE = "text/csv";

    private static final int ENTRIES_AT_ONCE = 512;
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final Function<PageRequest, Page<List<List<?>>>> list;
    private final Supplier<Stream<List<String>>> rest;
    private byte[] chunk;
    private int position;
    private @Nullable String cursor;
    private @Nullable Stream<List<String>> open;
    private @Nullable Iterator<List<String>> last;

    private CsvDownload(
            List<String> header, Function<PageRequest, Page<List<List<?>>>> list, Supplier<Stream<List<String>>> rest) {
        this.list = list;
        this.rest = rest;
        var first = list.apply(PageRequest.forward(ENTRIES_AT_ONCE, null));
        this.chunk = (BYTE_ORDER_MARK + csv(List.of(header)) + csv(first)).getBytes(StandardCharsets.UTF_8);
        this.cursor = cursorAfter(first);
    }

    /**
     * An answer that the browser saves as {@code fileName}. Reads the first page now, so that what is wrong with the
     * question is said in place of the file.
     *
     * @param list gives any page of the list, each entry as the cells of a row in the order of the header
     */
    public static HttpResponse<InputStream> of(
            String fileName, List<String> header, Function<PageRequest, Page<List<String>>> list) {
        return of(fileName, header, list, Stream::empty);
    }

    /**
     * The same with more rows at the end.
     *
     * @param rest rows after those of the list; closed with the answer
     */
    public static HttpResponse<InputStream> of(
            String fileName,
            List<String> header,
            Function<PageRequest, Page<List<String>>> list,
            Supplier<Stream<List<String>>> rest) {
        return of(
                fileName,
                HttpResponse.<InputStream>ok(
                        new CsvDownload(header, page -> list.apply(page).map(row -> List.<List<?>>of(row)), rest)));
    }

    /** The same for a list whose entries have any number of rows; numbers in their cells stay numbers. */
    public static HttpResponse<InputStream> ofRows(
            String fileName, List<String> header, Function<PageRequest, Page<List<List<?>>>> list) {
        return of(fileName, HttpResponse.<InputStream>ok(new CsvDownload(header, list, Stream::empty)));
    }

    /** The same for a text that is there already. */
    public static HttpResponse<String> of(String fileName, String csv) {
        return of(fileName, HttpResponse.ok(BYTE_ORDER_MARK + csv));
    }

    private static <T> HttpResponse<T> of(String fileName, MutableHttpResponse<T> response) {
        return response.header(HttpHeaders.CONTENT_TYPE, MEDIA_TYPE + ";charset=utf-8;header=present")
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"" + plain(fileName) + "\"")
                .header(HttpHeaders.CACHE_CONTROL, "no-store");
    }

    @Override
    public int read() {
        return fill() ? Byte.toUnsignedInt(chunk[position++]) : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        var count = Math.min(length, chunk.length - position);
        System.arraycopy(chunk, position, target, offset, count);
        position += count;
        return count;
    }

    @Override
    public void close() {
        if (open != null) {
            open.close();
        }
    }

    /** Tells whether something is left to read; gets the next page where that is needed to know. */
    private boolean fill() {
        return Workload.BACKGROUND.call(this::fillBehindOthers);
    }

    private boolean fillBehindOthers() {
        while (position == chunk.length && cursor != null) {
            var page = list.apply(PageRequest.forward(ENTRIES_AT_ONCE, cursor));
            next(csv(page));
            cursor = cursorAfter(page);
        }
        if (position == chunk.length) {
            next(csv(nextOfRest()));
        }
        return position < chunk.length;
    }

    private void next(String text) {
        chunk = text.getBytes(StandardCharsets.UTF_8);
        position = 0;
    }

    private List<List<?>> nextOfRest() {
        if (open == null) {
            open = rest.get();
        }
        if (last == null) {
            last = open.iterator();
        }
        var rows = new ArrayList<List<?>>();
        while (rows.size() < ENTRIES_AT_ONCE && last.hasNext()) {
            rows.add(last.next());
        }
        return rows;
    }

    private static @Nullable String cursorAfter(Page<?> page) {
        return page.hasNextPage() ? page.endCursor() : null;
    }

    private static String csv(Page<List<List<?>>> page) {
        return csv(page.nodes().stream().<List<?>>flatMap(List::stream).toList());
    }

    private static String csv(List<List<?>> rows) {
        var text = new StringBuilder();
        try (var csv = new CsvWriter(text)) {
            for (var row : rows) {
                csv.row(row);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a StringBuilder takes everything", e);
        }
        return text.toString();
    }

    /** Characters that every file system takes: letters, digits, dot, hyphen and underscore, of ASCII. */
    static String plain(String fileName) {
        return fileName.replaceAll("[^A-Za-z0-9._-]", "_");
    }
}
