package io.menuboard.querydb;

import io.menuboard.querydb.Pager.Found;
import io.menuboard.querydb.requests.Concurrently;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Function;

/** Reads several lists as one, in the order of their range keys. */
final class Merge {

    private static final int SMALLEST_FURTHER_READ = 4;
    private static final int LARGEST_FURTHER_READ = 1000;

    private Merge() {}

    /** The first edges of all lists, at most {@code wanted}; fewer only if there are no more. */
    static <T> List<Found<T>> find(
            int wanted, List<PartitionReader> readers, Comparator<Item> order, Function<Item, Optional<T>> edge) {
        // Together a little more than a page: lists of one kind have about as many entries each.
        var share = Math.ceilDiv(wanted, readers.size()) + 1;
        Concurrently.forEach(Lists.AT_ONCE, readers, reader -> reader.fill(share));
        var next = new PriorityQueue<>(Comparator.comparing(PartitionReader::head, order));
        readers.stream().filter(PartitionReader::hasHead).forEach(next::add);
        var found = new ArrayList<Found<T>>(wanted);
        var refused = 0;
        while (found.size() < wanted && !next.isEmpty()) {
            var reader = next.remove();
            var item = reader.takeHead();
            var node = edge.apply(item);
            if (node.isPresent()) {
                found.add(new Found<>(node.get(), reader.position(item)));
                refused = 0;
            } else {
                refused++;
            }
            // However few are wanted: after so many that are no edge, as many more may be none.
            var limit = Math.max(wanted - found.size(), refused);
            reader.fill(Math.clamp(limit, SMALLEST_FURTHER_READ, LARGEST_FURTHER_READ));
            if (reader.hasHead()) {
                next.add(reader);
            }
        }
        return found;
    }
}
