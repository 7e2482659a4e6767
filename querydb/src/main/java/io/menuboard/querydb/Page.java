package io.menuboard.querydb;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A stretch of a list. Thread-safe if its nodes are. */
public final class Page<T> {

    private final List<Edge<T>> edges;
    private final BooleanSupplier next;
    private final BooleanSupplier previous;

    Page(List<Edge<T>> edges, BooleanSupplier next, BooleanSupplier previous) {
        this.edges = List.copyOf(edges);
        this.next = next;
        this.previous = previous;
    }

    /** A page of a list that has no entries. */
    public static <T> Page<T> empty() {
        return new Page<>(List.of(), () -> false, () -> false);
    }

    /** In the list's order, whichever way the page was asked for. */
    public List<Edge<T>> edges() {
        return edges;
    }

    public List<T> nodes() {
        return edges.stream().map(Edge::node).toList();
    }

    /**
     * Whether the list has an edge after this page. Free for a page asked for forward or without a cursor; else the
     * first call makes a request, usually one, and throws {@link NotLoaded} when that fails.
     */
    public boolean hasNextPage() {
        return next.getAsBoolean();
    }

    /** Whether the list has an edge before this page; costs as {@link #hasNextPage} does, the other way round. */
    public boolean hasPreviousPage() {
        return previous.getAsBoolean();
    }

    /** Null when the page is empty. */
    public @Nullable String startCursor() {
        return edges.isEmpty() ? null : edges.getFirst().cursor();
    }

    /** Null when the page is empty. */
    public @Nullable String endCursor() {
        return edges.isEmpty() ? null : edges.getLast().cursor();
    }

    /** The same page of other nodes; {@code change} is called once per edge, now. */
    public <U> Page<U> map(Function<? super T, ? extends U> change) {
        return new Page<>(edges.stream().map(edge -> edge.<U>map(change)).toList(), next, previous);
    }
}
