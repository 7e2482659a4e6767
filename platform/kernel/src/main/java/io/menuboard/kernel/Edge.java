package io.menuboard.kernel;

import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** One entry of a list, and the place where it stands. */
public final class Edge<T> {

    private final T node;
    private final Supplier<String> cursor;

    /**
     * An entry of a list that is read elsewhere.
     *
     * @param cursor called each time that somebody asks for it
     */
    public Edge(T node, Supplier<String> cursor) {
        this.node = node;
        this.cursor = cursor;
    }

    public T node() {
        return node;
    }

    /** Opaque; valid for every page of the same query as long as the signing key is. Made on each call, no request. */
    public String cursor() {
        return cursor.get();
    }

    <U> Edge<U> map(Function<? super T, ? extends U> change, BiFunction<? super U, String, String> newCursor) {
        U changed = change.apply(node);
        return new Edge<>(changed, () -> newCursor.apply(changed, cursor.get()));
    }

    <U> Edge<U> map(Function<? super T, ? extends U> change) {
        return new Edge<>(change.apply(node), cursor);
    }
}
