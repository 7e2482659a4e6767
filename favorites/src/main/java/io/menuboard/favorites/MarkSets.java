package io.menuboard.favorites;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Several sets of the marks that a restaurant ever had, by their numbers: in memory as long as they are few, then sorted in
 * a temporary file, eight bytes each. They are compared in parts, none of which has many more, because numbers are drawn at
 * random. Not thread-safe.
 */
final class MarkSets implements AutoCloseable {
    /** Number of marks that are held in memory: 4 MB, and 12 while sets grow. */
    static final int MOST = 500_000;

    private static final int BUFFER = 8_192;

    private final int most;
    private final Path folder;
    private final List<Run> runs = new ArrayList<>();
    private Map<Kind, MarkSet> held = nothing();
    private long size;
    private @Nullable FileChannel file;

    enum Kind {
        /** Marks that are listed. */
        THERE,
        /** Those of which it was counted that they were made. */
        MADE,
        /** Those of which it was counted that they were taken back. */
        TAKEN_BACK,
        /** Those of which something was counted of late. */
        RECENT
    }

    /**
     * @param most number of marks held in memory
     * @param folder where the file is made, if it is needed
     */
    MarkSets(int most, Path folder) {
        this.most = most;
        this.folder = folder;
    }

    /** @throws UncheckedIOException where there is no room for the file */
    void add(Kind kind, long mark) {
        set(held, kind).add(mark);
        size++;
        if (size % most == 0) {
            spill();
        }
    }

    /** Every mark with all sets it is in, a stretch of numbers after the other. Once only, when all were added. */
    void forEachPart(Consumer<Map<Kind, MarkSet>> action) {
        if (runs.isEmpty()) {
            action.accept(held);
            return;
        }
        spill();
        var parts = 1 + size / most;
        var stretch = Long.divideUnsigned(-1L, parts);
        for (var part = 1; part <= parts; part++) {
            var last = part == parts ? Long.MAX_VALUE : Long.MIN_VALUE + part * stretch;
            var marks = nothing();
            runs.forEach(run -> run.moveTo(set(marks, run.kind), last));
            action.accept(marks);
        }
    }

    private void spill() {
        try {
            if (file == null) {
                file = FileChannel.open(
                        Files.createTempFile(folder, "menuboard-marks-", null),
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.DELETE_ON_CLOSE);
            }
            for (var kind : Kind.values()) {
                var marks = set(held, kind).sorted();
                var begin = file.size();
                write(file, marks);
                runs.add(new Run(file, kind, begin, begin + (long) marks.length * Long.BYTES));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing marks to a temporary file", e);
        }
        held = nothing();
    }

    private static void write(FileChannel file, long[] marks) throws IOException {
        var buffer = ByteBuffer.allocate(BUFFER);
        var end = file.size();
        for (var from = 0; from < marks.length; from += BUFFER / Long.BYTES) {
            buffer.clear();
            var count = Math.min(BUFFER / Long.BYTES, marks.length - from);
            buffer.asLongBuffer().put(marks, from, count);
            buffer.limit(count * Long.BYTES);
            while (buffer.hasRemaining()) {
                end += file.write(buffer, end);
            }
        }
    }

    /** Deletes the file. */
    @Override
    public void close() {
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                throw new UncheckedIOException("deleting a temporary file of marks", e);
            }
        }
    }

    private static Map<Kind, MarkSet> nothing() {
        var sets = new EnumMap<Kind, MarkSet>(Kind.class);
        for (var kind : Kind.values()) {
            sets.put(kind, new MarkSet());
        }
        return sets;
    }

    private static MarkSet set(Map<Kind, MarkSet> sets, Kind kind) {
        return Objects.requireNonNull(sets.get(kind));
    }

    /** Marks of one kind that were written at once, ascending; those that were read are gone. */
    private static final class Run {
        private final FileChannel file;
        private final Kind kind;
        private final long end;
        private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).limit(0);
        private long position;

        Run(FileChannel file, Kind kind, long begin, long end) {
            this.file = file;
            this.kind = kind;
            this.position = begin;
            this.end = end;
        }

        void moveTo(MarkSet marks, long last) {
            while (buffer.hasRemaining() || fill()) {
                if (buffer.getLong(buffer.position()) > last) {
                    return;
                }
                marks.add(buffer.getLong());
            }
        }

        private boolean fill() {
            buffer.clear().limit((int) Math.min(BUFFER, end - position));
            try {
                while (buffer.hasRemaining()) {
                    var read = file.read(buffer, position);
                    if (read < 0) {
                        throw new EOFException("the file ends at " + file.size() + ", marks at " + end);
                    }
                    position += read;
                }
            } catch (IOException e) {
                throw new UncheckedIOException("reading marks from a temporary file", e);
            }
            return buffer.flip().hasRemaining();
        }
    }

    /** Marks by their numbers, eight bytes each, and 24 while it grows. Not thread-safe. */
    static final class MarkSet {
        private static final int FIRST_LENGTH = 64;

        private long[] marks = new long[FIRST_LENGTH];
        private int size;
        private boolean sorted = true;

        void add(long mark) {
            if (size == marks.length) {
                marks = Arrays.copyOf(marks, 2 * size);
            }
            marks[size++] = mark;
            sorted = false;
        }

        boolean contains(long mark) {
            sort();
            return Arrays.binarySearch(marks, 0, size, mark) >= 0;
        }

        /** Those that are in none of these, each once, ascending. */
        long[] without(MarkSet one, MarkSet other) {
            return stream()
                    .filter(mark -> !one.contains(mark) && !other.contains(mark))
                    .toArray();
        }

        /** Those that are in this one too, each once, ascending. */
        long[] both(MarkSet other) {
            return stream().filter(other::contains).toArray();
        }

        /** Each once, ascending. */
        long[] sorted() {
            return stream().toArray();
        }

        private LongStream stream() {
            sort();
            return Arrays.stream(marks, 0, size);
        }

        private void sort() {
            if (!sorted) {
                Arrays.sort(marks, 0, size);
                dropRepeated();
                sorted = true;
            }
        }

        /** Of equal neighbours. In place, where a stream's {@code distinct} makes an object of each mark. */
        private void dropRepeated() {
            var kept = 0;
            for (var i = 0; i < size; i++) {
                if (kept == 0 || marks[i] != marks[kept - 1]) {
                    marks[kept++] = marks[i];
                }
            }
            size = kept;
        }
    }
}
