package io.menuboard.graphql;

import com.fasterxml.jackson.core.io.SerializedString;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An object of a response: what graphql-java gathered, in the order of the document, not copied into a hash table that
 * nobody looks anything up in. Read-only; a look-up takes a walk over the fields.
 *
 * @see graphql.execution.ResponseMapFactory
 */
final class ResponseObject extends AbstractMap<String, @Nullable Object> {
    private final List<SerializedString> names;
    private final @Nullable Object[] values;

    /**
     * @param names response names of the fields, {@link #encoded}: all objects of a list have the same
     * @param values in the order of the names
     */
    ResponseObject(List<SerializedString> names, @Nullable Object[] values) {
        this.names = names;
        this.values = values;
    }

    /** An object whose names no other has. */
    static ResponseObject of(List<String> names, List<@Nullable Object> values) {
        return new ResponseObject(encoded(names), values.toArray());
    }

    /** Response names, each of which is quoted and encoded once, however many objects have it. */
    static List<SerializedString> encoded(List<String> names) {
        return names.stream().map(SerializedString::new).toList();
    }

    /** Response name of a field, by its place in the order of the document. */
    SerializedString name(int field) {
        return names.get(field);
    }

    @Nullable
    Object value(int field) {
        return values[field];
    }

    @Override
    public int size() {
        return values.length;
    }

    @Override
    public Set<Map.Entry<String, @Nullable Object>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<String, @Nullable Object>> iterator() {
                return IntStream.range(0, size())
                        .<Map.Entry<String, @Nullable Object>>mapToObj(
                                i -> new SimpleImmutableEntry<>(names.get(i).getValue(), values[i]))
                        .iterator();
            }

            @Override
            public int size() {
                return values.length;
            }
        };
    }
}
