package io.menuboard.querydb;

import io.menuboard.kernel.Count;
import io.menuboard.kernel.Edge;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.PageRequest.Direction;
import io.menuboard.querydb.Cursors.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes pages of what finders find, and cursors of where they found it. */
final class Pager {

    private static final int MOST_AT_ONCE = 128;

    private Pager() {}

    /** A node, and its place in the list. */
    record Found<T>(T node, Position position) {}

    /** Finds the edges of a list. */
    interface Finder<T> {
        /** The first edges in that direction, at most {@code wanted}; fewer only if there are no more. */
        List<Found<T>> find(int wanted, Direction towards, @Nullable Position from);
    }

    static <T> Page<T> page(Cursors cursors, PageRequest request, Finder<T> finder, Supplier<Count> total) {
        var towards = request.direction();
        var from = position(cursors, request);
        var found = finder.find(request.size() + 1, towards, from);
        var nearest = found.isEmpty() ? null : found.getFirst().position();
        // Nothing lies beyond the cursor when the page is empty, so the last edge of the list is the one before it.
        BooleanSupplier behind = from == null
                ? () -> false
                : new Once<>(() -> !finder.find(1, towards.opposite(), nearest).isEmpty())::get;
        var edges = found.stream()
                .map(edge -> new Edge<>(edge.node(), () -> cursors.write(edge.position())))
                .toList();
        return Page.beyond(request, edges, behind, new Once<>(total));
    }

    private static @Nullable Position position(Cursors cursors, PageRequest request) {
        if (request.cursor() == null) {
            return null;
        }
        var field = request.direction().cursorField();
        return cursors.read(request.cursor())
                .orElseThrow(() ->
                        new InvalidInput("INVALID_CURSOR", field, "must be a cursor that this same list gave out"));
    }

    /** Finds among items that are at hand, in list order. */
    static Finder<Item> among(List<Item> items) {
        return (wanted, towards, from) -> {
            var inOrder = towards == Direction.FORWARD ? items : items.reversed();
            return inOrder.stream()
                    .filter(item -> from == null
                            || isBeyond(item.key().sort(), from.key().sort(), towards))
                    .limit(wanted)
                    .map(item -> new Found<>(
                            item, new Position(item.key(), item.key().sort())))
                    .toList();
        };
    }

    /**
     * Finds among entries that are read by their sort keys, in whose order they are: as many at a time as are wanted, or twice as
     * many. A cursor of any item of a group stands for the group.
     */
    static <E, T> Finder<T> reading(
            PartitionQuery list,
            List<E> entries,
            Function<? super E, String> sort,
            Function<List<E>, List<Optional<T>>> edges) {
        return (wanted, towards, from) -> {
            var left = from == null
                    ? entries
                    : beyond(list, entries, sort, towards, from.key().sort());
            if (towards == Direction.BACKWARD) {
                left = left.reversed();
            }
            var found = new ArrayList<Found<T>>();
            for (var atOnce = wanted; !left.isEmpty() && found.size() < wanted; ) {
                var some = left.subList(0, Math.min(atOnce, left.size()));
                var read = edges.apply(some);
                for (var i = 0; i < some.size() && found.size() < wanted; i++) {
                    var entry = some.get(i);
                    read.get(i).ifPresent(node -> found.add(new Found<>(node, list.positionAt(sort.apply(entry)))));
                }
                left = left.subList(some.size(), left.size());
                atOnce = Math.max(atOnce, Math.min(2 * atOnce, MOST_AT_ONCE));
            }
            return found;
        };
    }

    private static <E> List<E> beyond(
            PartitionQuery list, List<E> entries, Function<? super E, String> sort, Direction towards, String from) {
        var first = 0;
        var end = entries.size();
        while (first < end) {
            var middle = (first + end) >>> 1;
            var there = sort.apply(entries.get(middle));
            if (list.isOneGroup(there, from)) {
                return towards == Direction.FORWARD
                        ? entries.subList(middle + 1, entries.size())
                        : entries.subList(0, middle);
            }
            var order = Key.compareUtf8(there, from);
            if (list.query().descending() ? order > 0 : order < 0) {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        return towards == Direction.FORWARD ? entries.subList(first, entries.size()) : entries.subList(0, first);
    }

    private static boolean isBeyond(String sort, String from, Direction towards) {
        var order = Key.compareUtf8(sort, from);
        return towards == Direction.FORWARD ? order > 0 : order < 0;
    }

    /** Asks once. */
    private static final class Once<T> implements Supplier<T> {

        private final Supplier<T> question;
        private @Nullable T answer;

        Once(Supplier<T> question) {
            this.question = question;
        }

        @Override
        public synchronized T get() {
            if (answer == null) {
                answer = question.get();
            }
            return answer;
        }
    }
}
