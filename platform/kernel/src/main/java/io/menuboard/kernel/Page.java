package io.menuboard.kernel;

import io.menuboard.kernel.PageRequest.Direction;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A stretch of a list. Thread-safe if its nodes are. */
public final class Page<T> {

    /** Most entries of a list that are counted where that takes reading them. */
    public static final int COUNTED = 10_000;

    private final List<Edge<T>> edges;
    private final BooleanSupplier next;
    private final BooleanSupplier previous;
    private final Supplier<Count> total;

    /**
     * A page of a list that is read elsewhere.
     *
     * @param edges in the list's order
     * @param next whether edges follow; called when somebody asks
     * @param previous whether edges precede; called when somebody asks
     * @param total number of edges in the whole list; called when somebody asks
     */
    public Page(List<Edge<T>> edges, BooleanSupplier next, BooleanSupplier previous, Supplier<Count> total) {
        this.edges = List.copyOf(edges);
        this.next = next;
        this.previous = previous;
        this.total = total;
    }

    /**
     * A page of what lies beyond the request's cursor, or of the list's beginning or end.
     *
     * @param found the nearest first; with one more than the page has room for, where there is one
     * @param behind whether anything lies on the other side of the page; called when somebody asks
     * @param total as of {@link #Page}
     */
    public static <T> Page<T> beyond(
            PageRequest request, List<Edge<T>> found, BooleanSupplier behind, Supplier<Count> total) {
        var more = found.size() > request.size();
        var onPage = more ? found.subList(0, request.size()) : found;
        BooleanSupplier ahead = () -> more;
        return request.direction() == Direction.FORWARD
                ? new Page<>(onPage, ahead, behind, total)
                : new Page<>(onPage.reversed(), behind, ahead, total);
    }

    /** A page of a list that has no entries. */
    public static <T> Page<T> empty() {
        return new Page<>(List.of(), () -> false, () -> false, () -> Count.exactly(0));
    }

    /**
     * A page of a list that is in memory. Any text is a cursor: it stands where it sorts.
     *
     * @param cursor by which the list is sorted; no two entries have the same
     */
    public static <T> Page<T> of(List<T> list, Function<? super T, String> cursor, PageRequest request) {
        var from = request.cursor();
        var forward = request.direction() == PageRequest.Direction.FORWARD;
        var begin = 0;
        var end = list.size();
        if (from != null && forward) {
            begin = (int) list.stream()
                    .takeWhile(entry -> cursor.apply(entry).compareTo(from) <= 0)
                    .count();
        } else if (from != null) {
            end = (int) list.stream()
                    .takeWhile(entry -> cursor.apply(entry).compareTo(from) < 0)
                    .count();
        }
        var first = forward ? begin : Math.max(begin, end - request.size());
        var last = forward ? Math.min(end, begin + request.size()) : end;
        var edges = list.subList(first, last).stream()
                .map(entry -> new Edge<>(entry, () -> cursor.apply(entry)))
                .toList();
        return new Page<>(edges, () -> last < list.size(), () -> first > 0, () -> Count.exactly(list.size()));
    }

    /** In the list's order, whichever way the page was asked for. */
    public List<Edge<T>> edges() {
        return edges;
    }

    public List<T> nodes() {
        return edges.stream().map(Edge::node).toList();
    }

    /**
     * True if the list has an edge after this page. For a list in the table this is free when the page was asked for
     * forward or without a cursor; else the first call makes a request, usually one, and throws what a failed read throws.
     */
    public boolean hasNextPage() {
        return next.getAsBoolean();
    }

    /** True if the list has an edge before this page; costs as {@link #hasNextPage} does, the other way round. */
    public boolean hasPreviousPage() {
        return previous.getAsBoolean();
    }

    /**
     * Number of edges in the whole list, of which this page is a stretch. For a list in the table the first call reads it,
     * up to {@value #COUNTED} entries, and throws what a failed read throws; says so where it stopped.
     */
    public Count totalCount() {
        return total.get();
    }

    /** The same page of a list whose entries are counted otherwise. */
    public Page<T> withTotal(Supplier<Count> otherTotal) {
        return new Page<>(edges, next, previous, otherTotal);
    }

    /** Null when the page is empty. */
    public @Nullable String startCursor() {
        return edges.isEmpty() ? null : edges.getFirst().cursor();
    }

    /** Null when the page is empty. */
    public @Nullable String endCursor() {
        return edges.isEmpty() ? null : edges.getLast().cursor();
    }

    /** This: a page knows what lies before and after it, and looks only when asked. */
    public Page<T> pageInfo() {
        return this;
    }

    /**
     * The same page of other nodes, whose cursors say more.
     *
     * @param change called once per edge, now
     * @param cursor makes the cursor from the new node and what it was; the caller takes it apart again
     */
    public <U> Page<U> map(Function<? super T, ? extends U> change, BiFunction<? super U, String, String> cursor) {
        return new Page<>(
                edges.stream().map(edge -> edge.<U>map(change, cursor)).toList(), next, previous, total);
    }

    /** The same page of other nodes; {@code change} is called once per edge, now. */
    public <U> Page<U> map(Function<? super T, ? extends U> change) {
        return new Page<>(edges.stream().map(edge -> edge.<U>map(change)).toList(), next, previous, total);
    }
}
