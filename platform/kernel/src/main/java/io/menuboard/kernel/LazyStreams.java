package io.menuboard.kernel;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Streams of more than memory should hold at once. */
public final class LazyStreams {
    private LazyStreams() {}

    /**
     * The elements of one stream after the other, each made when its first element is asked for, and closed after its last one.
     * {@link Stream#flatMap} promises the same, but puts all elements of an inner stream into memory where the outer one is read by its
     * {@link Stream#iterator iterator}: to be used where an inner stream may be long.
     *
     * @return a sequential stream; closing it closes the stream that is being read, and {@code sources}
     */
    public static <S, T> Stream<T> flatMap(Stream<S> sources, Function<? super S, ? extends Stream<T>> elements) {
        var each = new Elements<S, T>(sources.iterator(), elements);
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(each, Spliterator.ORDERED), false)
                .onClose(each::close)
                .onClose(sources::close);
    }

    private static final class Elements<S, T> implements Iterator<T> {
        private final Iterator<S> sources;
        private final Function<? super S, ? extends Stream<T>> elements;
        private Stream<T> current = Stream.empty();
        private Iterator<T> rest = current.iterator();

        Elements(Iterator<S> sources, Function<? super S, ? extends Stream<T>> elements) {
            this.sources = sources;
            this.elements = elements;
        }

        @Override
        public boolean hasNext() {
            while (!rest.hasNext()) {
                close();
                if (!sources.hasNext()) {
                    return false;
                }
                current = elements.apply(sources.next());
                rest = current.iterator();
            }
            return true;
        }

        @Override
        public T next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return rest.next();
        }

        void close() {
            current.close();
        }
    }
}
