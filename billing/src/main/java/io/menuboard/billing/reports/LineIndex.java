package io.menuboard.billing.reports;

import io.menuboard.billing.transactions.Transaction.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Index of a part of a ledger, whose lines come in the order of arrival: at most {@value #MOST_POINTS} of
 * the seconds in which some arrived, so that one line is found by reading a small share of the part, and 64 KB at most of a
 * small one.
 *
 * @param points in ascending order; none where it is not known, and then a line may be anywhere
 */
record LineIndex(List<Point> points) {
    static final int MOST_POINTS = 64;
    static final LineIndex NONE = new LineIndex(List.of());

    private static final int LEAST_STEP = 64 * 1024;

    LineIndex {
        points = List.copyOf(points);
    }

    /**
     * A second.
     *
     * @param second since the quarter hour began
     * @param offset bytes of the part before its first line
     */
    record Point(int second, long offset) {}

    /** Bytes from one up to before another. */
    record Range(long from, long to) {
        /** The same behind so many bytes. */
        Range after(long bytes) {
            return new Range(bytes + from, bytes + to);
        }
    }

    /** Range of a part of that length in which a line with that place is, if it is in it. */
    Range around(Place place, long length) {
        var second = second(place);
        var from = 0L;
        for (var point : points) {
            if (point.second > second) {
                return new Range(from, point.offset);
            }
            from = point.offset;
        }
        return new Range(from, length);
    }

    private static int second(Place place) {
        var time = place.receivedAt().getEpochSecond();
        return (int) (time - place.quarter().start().getEpochSecond());
    }

    /** {@code {second}:{offset} {second}:{offset}} */
    String written() {
        return points.stream().map(point -> point.second + ":" + point.offset).collect(Collectors.joining(" "));
    }

    /** Undoes {@link #written}. */
    static LineIndex read(String written) {
        if (written.isEmpty()) {
            return NONE;
        }
        var points = new ArrayList<Point>();
        for (var point : written.split(" ", -1)) {
            var colon = point.indexOf(':');
            points.add(
                    new Point(Integer.parseInt(point.substring(0, colon)), Long.parseLong(point.substring(colon + 1))));
        }
        return new LineIndex(points);
    }

    /** Takes note of lines as they come. Not thread-safe. */
    static final class Builder {
        private List<Point> points = new ArrayList<>();
        private long step = LEAST_STEP;
        private long last;
        private int before = -1;

        /** @param offset bytes of the part before the line */
        void add(Place place, long offset) {
            var second = second(place);
            if (second == before) {
                return;
            }
            before = second;
            if (offset - last >= step) {
                points.add(new Point(second, offset));
                last = offset;
            }
            if (points.size() > MOST_POINTS) {
                thin();
            }
        }

        /** Leaves every other one. */
        private void thin() {
            var kept = new ArrayList<Point>();
            for (var i = 1; i < points.size(); i += 2) {
                kept.add(points.get(i));
            }
            points = kept;
            last = kept.getLast().offset;
            step *= 2;
        }

        LineIndex built() {
            return new LineIndex(points);
        }
    }
}
