package io.menuboard.pricing.imports;

import io.menuboard.kernel.csv.SeenKeys;
import io.menuboard.pricing.EffectiveDate;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** The rows of a file so far, by their keys, and the dates that they have. 24 to 72 bytes for every row. Not thread-safe. */
final class SeenRows {
    private static final int MOST_DATES = 50;

    private final SeenKeys keys = new SeenKeys();
    private final NavigableSet<EffectiveDate> dates = new TreeSet<>();
    private boolean hasMoreDates;

    /**
     * Rows before one that are about the same, from other dates on.
     *
     * @param areUnknown where the file has so many dates that those of earlier dates are not looked for
     * @param earlier the rows of earlier dates
     * @param later the rows of later dates
     */
    record Others(boolean areUnknown, List<Integer> earlier, List<Integer> later) {
        static final Others NONE = new Others(false, List.of(), List.of());
    }

    /** The row that had the key before; 0 for none, which then is this one. */
    int firstRow(String key, int row) {
        return keys.firstRow(key, row);
    }

    /** @param key of a row that is about the same from a date on */
    Others others(EffectiveDate date, Function<EffectiveDate, String> key) {
        hasMoreDates |= dates.size() == MOST_DATES && !dates.contains(date);
        var others = new Others(hasMoreDates, rows(dates.headSet(date), key), rows(dates.tailSet(date, false), key));
        if (!hasMoreDates) {
            dates.add(date);
        }
        return others;
    }

    private List<Integer> rows(Set<EffectiveDate> some, Function<EffectiveDate, String> key) {
        return some.stream()
                .map(date -> keys.row(key.apply(date)))
                .filter(row -> row != 0)
                .toList();
    }
}
