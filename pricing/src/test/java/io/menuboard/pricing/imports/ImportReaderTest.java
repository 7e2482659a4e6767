package io.menuboard.pricing.imports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.kernel.csv.CsvRecord;
import io.menuboard.pricing.SaveOutcome;
import io.menuboard.querydb.FreshTable;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A file of any size takes bounded memory: what has been read and not been saved yet is a few chunks. */
class ImportReaderTest {
    private static final int ROWS = 100_000;

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private ImportFixture fixture;

    @BeforeEach
    void open() {
        fixture = new ImportFixture(table);
    }

    @Test
    void chunksHaveAsManyRowsAsConfiguredAndTheFileIsReadNoFurtherThanTheyReach() throws IOException {
        var file = new GeneratedRows(ROWS, row -> "S,P" + row + ",2026-01-01,1\n");
        try (var reader = ImportReader.open(ImportKind.PRICES, new NeverSaved(), file, config())) {
            var rows = 0;
            for (var chunk = reader.next(); chunk.isPresent(); chunk = reader.next()) {
                rows += chunk.get().rows().size();

                assertThat(chunk.get().rows()).hasSizeLessThanOrEqualTo(500);
                assertThat(file.given.get() - chunk.get().bytesRead()).isLessThan(2L * config().maxRowBytes());
            }

            assertThat(rows).isEqualTo(ROWS);
        }
    }

    @Test
    void chunksOfLongRowsHaveFewerOfThem() throws IOException {
        var name = "x".repeat(4_000);
        var file = new GeneratedRows(2_000, row -> "S," + name + row + ",2026-01-01,1\n");
        try (var reader = ImportReader.open(ImportKind.PRICES, new NeverSaved(), file, config())) {
            var rows = 0;
            var before = 0L;
            for (var chunk = reader.next(); chunk.isPresent(); chunk = reader.next()) {
                rows += chunk.get().rows().size();

                assertThat(chunk.get().bytesRead() - before)
                        .isLessThan(ImportReader.CHUNK_BYTES + config().maxRowBytes());
                before = chunk.get().bytesRead();
            }

            assertThat(rows).isEqualTo(2_000);
        }
    }

    @Test
    void noMoreChunksAreInFlightThanConfigured() {
        var format = new Counting();
        var files = List.of(new ImportFile(
                ImportKind.PRICES,
                "prices.csv",
                0,
                () -> new GeneratedRows(ROWS, row -> "S,P" + row + ",2026-01-01,1\n")));
        var imports = new DynamoImports(fixture.db, fixture.audit, Duration.ofDays(30));
        var begun = fixture.imports().begin(ImportFixture.ACTOR, files);
        imports.claim(begun.id(), fixture.pricing.now());

        try (var run = new ImportRun(begun, imports, fixture.clock, config(), ImportListener.NONE)) {
            run.file(files.getFirst(), format);

            assertThat(run.finish(null).unchanged()).isEqualTo(ROWS);
        }
        assertThat(format.saved).hasValue(ROWS);
        assertThat(format.most.get()).isLessThanOrEqualTo(config().chunksInFlight());
    }

    @Test
    void aFileThatWasNotReadToItsEndHasFailedThoughTheTableIsBack() {
        var lost = (2 * config().chunksInFlight() + 1) * config().chunkRows();
        var files = List.of(new ImportFile(
                ImportKind.PRICES,
                "prices.csv",
                0,
                () -> new GeneratedRows(ROWS, row -> "S,P" + row + ",2026-01-01,1\n")));
        var imports = new DynamoImports(fixture.db, fixture.audit, Duration.ofDays(30));
        var begun = fixture.imports().begin(ImportFixture.ACTOR, files);

        try (var run = new ImportRun(
                imports.claim(begun.id(), fixture.pricing.now()),
                imports,
                fixture.clock,
                config(),
                ImportListener.NONE)) {
            assertThat(run.file(files.getFirst(), new LostAtFirst(lost))).isFalse();

            assertThat(run.finish(null).state()).isEqualTo(ImportState.FAILED);
            assertThat(run.finish(null).rows()).isBetween(lost + 1, ROWS - 1);
        }
    }

    private static ImportConfig config() {
        return new ImportConfig(1_000_000, 4096, 500, 4, 100, Duration.ofMinutes(1), Duration.ofDays(30));
    }

    /** Has a header and so many rows, made when they are read. */
    private static final class GeneratedRows extends InputStream {
        private final int rows;
        private final IntFunction<String> text;
        private final AtomicLong given = new AtomicLong();
        private byte[] current = "store,product,effectiveDate,amount\n".getBytes(UTF_8);
        private int position;
        private int row;

        GeneratedRows(int rows, IntFunction<String> text) {
            this.rows = rows;
            this.text = text;
        }

        @Override
        public int read() {
            throw new IllegalStateException("nobody reads single bytes");
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (position == current.length) {
                if (row == rows) {
                    return -1;
                }
                current = text.apply(row++).getBytes(UTF_8);
                position = 0;
            }
            var count = Math.min(length, current.length - position);
            System.arraycopy(current, position, target, offset, count);
            position += count;
            given.addAndGet(count);
            return count;
        }
    }

    private record Draft(CsvRecord row) implements RowDraft {
        @Override
        public @Nullable String key() {
            return row.value("product");
        }

        @Override
        public String keyColumn() {
            return "product";
        }

        @Override
        public String keyRule() {
            return "each product";
        }
    }

    private static final class NeverSaved implements ImportFormat<Draft> {
        @Override
        public Draft draft(CsvRecord row) {
            return new Draft(row);
        }

        @Override
        public List<SaveOutcome> save(List<Draft> drafts) {
            throw new IllegalStateException("nothing is saved");
        }
    }

    /** Takes no row of the first ones, and every other. */
    private record LostAtFirst(int rows) implements ImportFormat<Draft> {
        @Override
        public Draft draft(CsvRecord row) {
            return new Draft(row);
        }

        @Override
        public List<SaveOutcome> save(List<Draft> drafts) {
            // The header is row 1.
            return drafts.stream()
                    .<SaveOutcome>map(draft -> draft.row().number() <= rows + 1
                            ? new SaveOutcome.TableFailed()
                            : new SaveOutcome.Unchanged())
                    .toList();
        }
    }

    /** Takes every row, and counts how many calls there are at once. */
    private static final class Counting implements ImportFormat<Draft> {
        private final AtomicInteger running = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();
        private final AtomicInteger saved = new AtomicInteger();

        @Override
        public Draft draft(CsvRecord row) {
            return new Draft(row);
        }

        @Override
        public List<SaveOutcome> save(List<Draft> drafts) {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            var outcomes = new ArrayList<SaveOutcome>();
            drafts.forEach(draft -> outcomes.add(new SaveOutcome.Unchanged()));
            saved.addAndGet(drafts.size());
            running.decrementAndGet();
            return outcomes;
        }
    }
}
