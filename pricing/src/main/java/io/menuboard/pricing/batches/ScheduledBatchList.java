package io.menuboard.pricing.batches;

import static java.util.Comparator.comparing;

import io.menuboard.kernel.Count;
import io.menuboard.kernel.Edge;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.PageRequest.Direction;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The batches from one instant until before another, by instant, store, channel and effective date, read from where a page begins on: a day,
 * then two, then four, until the page is full.
 *
 * @param read batches from one instant until before another, in any order
 */
record ScheduledBatchList(Instant from, Instant to, BiFunction<Instant, Instant, List<ScheduledBatch>> read) {
    private static final int PARTS = 4;

    Page<ScheduledBatch> page(PageRequest request) {
        var towards = request.direction();
        var cursor = request.cursor() == null ? null : Place.of(request.cursor(), towards.cursorField());
        var found = find(request.size() + 1, towards, cursor);
        var edges = found.stream()
                .map(batch -> new Edge<>(batch, () -> Place.of(batch).toString()))
                .toList();
        // What the cursor stands at is behind the page, if it is still there.
        var nearest = found.isEmpty() ? cursor : Place.of(found.getFirst());
        BooleanSupplier isBehind =
                () -> cursor != null && !find(1, towards.opposite(), nearest).isEmpty();
        return Page.beyond(
                request,
                edges,
                isBehind,
                () -> Count.upTo(Page.COUNTED, find(Page.COUNTED + 1, Direction.FORWARD, null).stream()));
    }

    /** So many beyond a place, the nearest first. */
    private List<ScheduledBatch> find(int wanted, Direction towards, @Nullable Place beyond) {
        var found = new ArrayList<ScheduledBatch>();
        var isForward = towards == Direction.FORWARD;
        Comparator<ScheduledBatch> inOrder = comparing(Place::of);
        var order = isForward ? inOrder : inOrder.reversed();
        var begin = isForward ? later(from, beyond == null ? from : beyond.at()) : from;
        // A cursor that somebody made up may stand at the last instant that there is, which has none after it.
        var end = !isForward && beyond != null && beyond.at().isBefore(to)
                ? beyond.at().plusNanos(1)
                : to;
        for (var step = Duration.ofDays(1); begin.isBefore(end) && found.size() < wanted; step = step.multipliedBy(2)) {
            var low = isForward ? begin : later(begin, end.minus(step));
            var high = isForward ? earlier(end, begin.plus(step)) : end;
            read.apply(low, high).stream()
                    .filter(batch -> beyond == null
                            || (isForward
                                    ? Place.of(batch).compareTo(beyond) > 0
                                    : Place.of(batch).compareTo(beyond) < 0))
                    .sorted(order)
                    .forEach(found::add);
            begin = isForward ? high : begin;
            end = isForward ? end : low;
        }
        return found.subList(0, Math.min(wanted, found.size()));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /**
     * Where a batch stands in the list, which is its cursor. Several dates of a store may begin at one instant, to which the clock
     * jumps that it has got since.
     *
     * @param date empty in a cursor of an earlier version, which stands at all dates
     */
    private record Place(Instant at, String store, String channel, String date) implements Comparable<Place> {
        private static final Comparator<Place> ORDER =
                comparing(Place::at).thenComparing(Place::store).thenComparing(Place::channel);

        static Place of(ScheduledBatch batch) {
            var of = batch.batch();
            return new Place(
                    batch.at(),
                    of.store().value(),
                    of.channel().value(),
                    of.effectiveDate().toString());
        }

        static Place of(String cursor, String field) {
            var parts = cursor.split("#", PARTS);
            try {
                if (parts.length >= PARTS - 1) {
                    var date = parts.length == PARTS ? parts[PARTS - 1] : "";
                    return new Place(Instant.parse(parts[0]), parts[1], parts[2], date);
                }
            } catch (DateTimeException _) {
                // As below.
            }
            throw new InvalidInput("INVALID_CURSOR", field, "must be a cursor that this same list gave out");
        }

        @Override
        public int compareTo(Place other) {
            var order = ORDER.compare(this, other);
            return order != 0 || date.isEmpty() || other.date.isEmpty() ? order : date.compareTo(other.date);
        }

        @Override
        public String toString() {
            return at + "#" + store + "#" + channel + "#" + date;
        }
    }
}
