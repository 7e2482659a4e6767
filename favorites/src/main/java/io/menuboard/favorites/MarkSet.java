package io.menuboard.favorites;

import java.util.Arrays;

/** Marks by their numbers, eight bytes each, and 24 while it grows. Not thread-safe. */
final class MarkSet {
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
        return Arrays.stream(sorted())
                .filter(mark -> !one.contains(mark) && !other.contains(mark))
                .toArray();
    }

    /** Those that are in this one too, each once, ascending. */
    long[] both(MarkSet other) {
        return Arrays.stream(sorted()).filter(other::contains).toArray();
    }

    /** Each once, ascending. */
    long[] sorted() {
        sort();
        return Arrays.stream(marks, 0, size).distinct().toArray();
    }

    private void sort() {
        if (!sorted) {
            Arrays.sort(marks, 0, size);
            sorted = true;
        }
    }
}
