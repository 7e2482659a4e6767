package io.menuboard.kernel.csv;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVPrinter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvRowsTest {
    private static final int MAX_ROW_BYTES = 100;

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void everyKindOfLineBreakEndsARow(String lineBreak) throws IOException {
        assertThat(read("a,b" + lineBreak + "1,2" + lineBreak)).containsExactly(row(1, "a", "b"), row(2, "1", "2"));
    }

    @Test
    void theLastRowNeedsNoLineBreak() throws IOException {
        assertThat(read("a\nb")).containsExactly(row(1, "a"), row(2, "b"));
    }

    @Test
    void quotesHoldCommasLineBreaksAndDoubledQuotes() throws IOException {
        assertThat(read("\"a,b\",\"c\r\nd\",\"e\"\"f\"\n2,3,4\n"))
                .containsExactly(row(1, "a,b", "c\r\nd", "e\"f"), row(2, "2", "3", "4"));
    }

    @Test
    void semicolonsSeparateFieldsWhereTheFirstRowHasThemAndNoComma() throws IOException {
        assertThat(read(";\n\na;b\n2,79;\"x;y\"\n")).containsExactly(row(3, "a", "b"), row(4, "2,79", "x;y"));
        assertThat(read("a;b,c\n1;2,3\n")).containsExactly(row(1, "a;b", "c"), row(2, "1;2", "3"));
    }

    @Test
    void aQuoteInsideAnUnquotedFieldIsPartOfIt() throws IOException {
        assertThat(read("6\" sub,\"x\"\n2\n")).containsExactly(row(1, "6\" sub", "x"), row(2, "2"));
    }

    @Test
    void blankRowsAreCountedAndSkipped() throws IOException {
        assertThat(read("a,b\n\n ,\"\"\n,\n1,2\n\n")).containsExactly(row(1, "a", "b"), row(5, "1", "2"));
    }

    @Test
    void aRowThatIsNotUtf8DoesNotHarmTheOthers() throws IOException {
        assertThat(read("gut\nKöln\ngut\n".getBytes(ISO_8859_1)))
                .containsExactly(row(1, "gut"), new CsvRow.Fields(2, List.of("K\uFFFDln"), true), row(3, "gut"));
    }

    @Test
    void somethingAfterAClosingQuoteCostsOneRow() throws IOException {
        assertThat(read("a\n\"b\"c,d\ne\n")).containsExactly(row(1, "a"), broken(2, "\"b\"c,d"), row(3, "e"));
    }

    @Test
    void aQuoteThatIsNotClosedCostsOneLine() throws IOException {
        assertThat(read("a\n\"b,c\nd\ne\n")).containsExactly(row(1, "a"), broken(2, "\"b,c"), row(3, "d"), row(4, "e"));
    }

    @Test
    void aQuoteThatALaterOneClosesWronglyCostsOneLine() throws IOException {
        assertThat(read("\"a,b\nc,\"d\",e\nf\n"))
                .containsExactly(broken(1, "\"a,b"), row(2, "c", "d", "e"), row(3, "f"));
    }

    @Test
    void aQuoteThatIsNotClosedIsGivenUpAfterTheLongestRow() throws IOException {
        var lines = "some line\n".repeat(50);

        var rows = read("\"a\n" + lines);

        assertThat(rows).hasSize(51).startsWith(broken(1, "\"a"), row(2, "some line"));
    }

    @Test
    void rowsAfterOneThatCannotBeReadAreReadAllTheSame() throws IOException {
        assertThat(read("x,\"stray\n\"a\",\"b\nc\"\nd,\"e\nf\"\n"))
                .containsExactly(broken(1, "x,\"stray"), row(2, "a", "b\nc"), row(3, "d", "e\nf"));
    }

    /** Each line closes the quote of the one before and opens another; or is blank before the first row. */
    @ParameterizedTest
    @ValueSource(strings = {"a\",\"\"\"\n", "\"a\"b,\"\n", "\n", "a\",\"\"\"\n\"x\n"})
    void noFileTakesMuchMoreWorkThanAnotherOfItsLength(String line) throws IOException {
        var ordinary = "a,b,\"c\"\n".repeat(50_000).getBytes(UTF_8);
        var hostile = line.repeat(ordinary.length / line.length()).getBytes(UTF_8);
        read(new ByteArrayInputStream(ordinary), 1 << 16);

        var usual = processorTime(ordinary);

        assertThat(processorTime(hostile)).isLessThan(30 * usual);
    }

    private static long processorTime(byte[] file) throws IOException {
        var threads = ManagementFactory.getThreadMXBean();
        var before = threads.getCurrentThreadCpuTime();
        try (var rows = new CsvRows(new ByteArrayInputStream(file), 1 << 16)) {
            while (rows.next().isPresent()) {
                // to the end
            }
        }
        return threads.getCurrentThreadCpuTime() - before;
    }

    @Test
    void aRowAsLongAsTheLimitIsReadAndOneByteMoreIsNot() throws IOException {
        var longest = "x".repeat(MAX_ROW_BYTES);

        assertThat(read(longest + "\n" + longest + "y\nz\n"))
                .containsExactly(
                        row(1, longest), new CsvRow.Broken(2, longest + "y", CsvRow.Defect.TOO_LONG), row(3, "z"));
    }

    @Test
    void aRowFarLongerThanTheBufferIsPassedOver() throws IOException {
        var rows = read("a\n" + "x".repeat(100_000) + "\nb\n");

        assertThat(rows).hasSize(3).startsWith(row(1, "a")).endsWith(row(3, "b"));
        assertThat(rows.get(1)).isInstanceOf(CsvRow.Broken.class);
    }

    @Test
    void countsTheBytesOfTheRowsThatWereRead() throws IOException {
        var text = "ä,b\r\n\"c\nd\",e\n";
        try (var rows = new CsvRows(new ByteArrayInputStream(text.getBytes(UTF_8)), MAX_ROW_BYTES)) {
            rows.next();

            assertThat(rows.bytesRead()).isEqualTo(6);

            rows.next();

            assertThat(rows.bytesRead()).isEqualTo(14);
        }
    }

    @Property(tries = 300)
    void readsWhatAnyProgramWritesHoweverTheBytesArrive(
            @ForAll @NotEmpty List<@Size(min = 2, max = 4) List<String>> table,
            @ForAll @IntRange(min = 1, max = 7) int bytesAtOnce)
            throws IOException {
        var rows = table.stream()
                .map(row -> row.stream().map(CsvRowsTest::encodable).toList())
                .toList();
        var text = new StringBuilder();
        try (var printer = new CSVPrinter(text, CSVFormat.RFC4180)) {
            printer.printRecords(rows);
        }

        var read = read(new Trickle(text.toString().getBytes(UTF_8), bytesAtOnce), 1 << 16);

        var expected = new ArrayList<CsvRow>();
        for (var i = 0; i < rows.size(); i++) {
            if (!rows.get(i).stream().allMatch(String::isBlank)) {
                expected.add(new CsvRow.Fields(i + 1, rows.get(i), false));
            }
        }
        assertThat(read).isEqualTo(expected);
    }

    @Property(tries = 2000)
    void takesALineApartAsCommonsCsvDoes(@ForAll("lines") String line) throws IOException {
        assertThat(read(new ByteArrayInputStream(("head,er\n" + line).getBytes(UTF_8)), 1 << 16))
                .containsExactly(row(1, "head", "er"), byCommonsCsv(line));
    }

    @Provide
    Arbitrary<String> lines() {
        // Begins with something, so that no line is blank.
        return Arbitraries.strings()
                .withChars('a', 'ä', '\u20AC', '\uFFFD', '"', ',', ';', ' ', '\t', '\'')
                .ofMaxLength(20)
                .map(text -> "x," + text);
    }

    private static CsvRow byCommonsCsv(String line) throws IOException {
        try (var parser = CSVParser.parse(line, CSVFormat.RFC4180)) {
            return new CsvRow.Fields(2, parser.getRecords().getFirst().toList(), false);
        } catch (UncheckedIOException e) {
            return broken(2, line);
        }
    }

    @Property(tries = 300)
    void readsAnyBytesToTheEnd(@ForAll @Size(max = 3000) byte[] bytes) throws IOException {
        try (var rows = new CsvRows(new ByteArrayInputStream(bytes), MAX_ROW_BYTES)) {
            while (rows.next().isPresent()) {
                // to the end
            }

            assertThat(rows.bytesRead()).isEqualTo(bytes.length);
        }
    }

    /** A lone surrogate has no UTF-8. */
    private static String encodable(String text) {
        return new String(text.getBytes(UTF_8), UTF_8);
    }

    private static CsvRow row(int number, String... values) {
        return new CsvRow.Fields(number, List.of(values), false);
    }

    private static CsvRow broken(int number, String start) {
        return new CsvRow.Broken(number, start, CsvRow.Defect.QUOTING);
    }

    private static List<CsvRow> read(String text) throws IOException {
        return read(text.getBytes(UTF_8));
    }

    private static List<CsvRow> read(byte[] bytes) throws IOException {
        return read(new ByteArrayInputStream(bytes), MAX_ROW_BYTES);
    }

    private static List<CsvRow> read(InputStream in, int maxRowBytes) throws IOException {
        var read = new ArrayList<CsvRow>();
        try (var rows = new CsvRows(in, maxRowBytes)) {
            for (var row = rows.next(); row.isPresent(); row = rows.next()) {
                read.add(row.get());
            }
        }
        return read;
    }

    /** Gives a few bytes at a time, as a network does. */
    private static final class Trickle extends ByteArrayInputStream {
        private final int atOnce;

        Trickle(byte[] bytes, int atOnce) {
            super(bytes);
            this.atOnce = atOnce;
        }

        @Override
        public synchronized int read(byte[] target, int offset, int length) {
            return super.read(target, offset, Math.min(length, atOnce));
        }
    }
}
