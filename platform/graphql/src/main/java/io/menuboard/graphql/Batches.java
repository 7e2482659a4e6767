package io.menuboard.graphql;

import graphql.language.OperationDefinition;
import graphql.schema.DataFetchingEnvironment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.dataloader.DataLoader;
import org.dataloader.DataLoaderFactory;
import org.dataloader.DataLoaderOptions;
import org.jspecify.annotations.Nullable;

/**
 * Reads what many fields of one request ask for together (java-dataloader): fields on the same level of a document wait for
 * each other, and each kind of thing is then read once. A query reads the same thing once, too; a mutation reads it again,
 * since what it changes may have changed it.
 *
 * <p>One thing that cannot be read fails the fields that asked for it alone. Its key is found by reading the halves of the keys
 * apart, and their halves, so that each is read at most once more for each time that their number can be halved.
 */
@SuppressWarnings("NullAway") // java-dataloader does not say that a value may be null; it may (BatchLoader.load)
final class Batches {
    private Batches() {}

    /** Values in the order of the keys, all of them different; null for what is not there. */
    @FunctionalInterface
    interface Reader<K> {
        List<@Nullable Object> read(List<K> keys);
    }

    /** Names of the loaders of one request, by what they read. Thread-safe. */
    private static final class Names {
        private final Map<Object, String> names = new HashMap<>();

        synchronized String of(Object kind) {
            return names.computeIfAbsent(kind, _ -> String.valueOf(names.size()));
        }
    }

    /**
     * A value that is read with all others of the same kind.
     *
     * @param kind equal for keys that may be read together, and for no others
     */
    static <K> CompletableFuture<@Nullable Object> load(
            DataFetchingEnvironment field, Object kind, K key, Reader<K> reader) {
        var names = field.getGraphQlContext().<Names>computeIfAbsent(Names.class, _ -> new Names());
        var name = names.of(kind);
        field.getDataLoaderRegistry().computeIfAbsent(name, _ -> loader(field, name, reader));
        return field.<K, Object>getDataLoader(name).load(key);
    }

    private static <K> DataLoader<K, Object> loader(DataFetchingEnvironment field, String name, Reader<K> reader) {
        var faults = Faults.of(field);
        var isQuery = field.getOperationDefinition().getOperation() == OperationDefinition.Operation.QUERY;
        return DataLoaderFactory.newDataLoader(
                name,
                (List<K> keys) -> CompletableFuture.completedFuture(distinct(keys, reader, faults)),
                DataLoaderOptions.newOptions().setCachingEnabled(isQuery).build());
    }

    private static <K> List<@Nullable Object> distinct(List<K> keys, Reader<K> reader, Faults faults) {
        var distinct = List.copyOf(new LinkedHashSet<>(keys));
        var values = read(distinct, reader, faults);
        if (distinct.size() == keys.size()) {
            return values;
        }
        var byKey = new HashMap<K, @Nullable Object>();
        for (var i = 0; i < distinct.size(); i++) {
            byKey.put(distinct.get(i), values.get(i));
        }
        return keys.stream().<@Nullable Object>map(byKey::get).toList();
    }

    /** In the order of the keys; for what cannot be read, an exception in its place, which java-dataloader tells that field. */
    private static <K> List<@Nullable Object> read(List<K> keys, Reader<K> reader, Faults faults) {
        try {
            return reader.read(keys);
        } catch (RuntimeException e) {
            if (keys.size() == 1 || !faults.isOfOneThing(e)) {
                return new ArrayList<>(Collections.nCopies(keys.size(), e));
            }
            var half = keys.size() / 2;
            var values = new ArrayList<>(read(keys.subList(0, half), reader, faults));
            values.addAll(read(keys.subList(half, keys.size()), reader, faults));
            return values;
        }
    }
}
