package io.menuboard.graphql;

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
    private final List<String> names;
    private final List<@Nullable Object> values;

    ResponseObject(List<String> names, List<@Nullable Object> values) {
        this.names = names;
        this.values = values;
    }

    /** Response names of the fields, in the order of {@link #fieldValues}. */
    List<String> fieldNames() {
        return names;
    }

    List<@Nullable Object> fieldValues() {
        return values;
    }

    @Override
    public Set<Map.Entry<String, @Nullable Object>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<String, @Nullable Object>> iterator() {
                return IntStream.range(0, size())
                        .<Map.Entry<String, @Nullable Object>>mapToObj(
                                i -> new SimpleImmutableEntry<>(names.get(i), values.get(i)))
                        .iterator();
            }

            @Override
            public int size() {
                return names.size();
            }
        };
    }
}
