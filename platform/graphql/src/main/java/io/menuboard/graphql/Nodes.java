package io.menuboard.graphql;

import graphql.TypeResolutionEnvironment;
import graphql.schema.DataFetchingEnvironment;
import graphql.schema.GraphQLObjectType;
import io.menuboard.access.Access;
import io.menuboard.graphql.permissions.Rules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Types whose objects have an id of their own, and how they are found by it. */
final class Nodes {
    private final Map<String, NodeType<?>> types = new LinkedHashMap<>();

    private record NodeType<T>(Class<T> source, Function<? super T, String> key, SchemaParts.NodeReader<T> reader) {

        List<@Nullable T> readAll(Access access, List<String> keys) {
            var found = reader.read(access, keys);
            return keys.stream().<@Nullable T>map(found::get).toList();
        }
    }

    <T> void add(String type, Class<T> source, Function<? super T, String> key, SchemaParts.NodeReader<T> reader) {
        types.put(type, new NodeType<>(source, key, reader));
    }

    boolean has(String type) {
        return types.containsKey(type);
    }

    /** {@code Query.node}: null for an id of nothing that there is, or that whoever asks may not see. */
    @Nullable
    CompletableFuture<@Nullable Object> find(DataFetchingEnvironment field, String id) {
        return GlobalId.parse(id)
                .filter(parsed -> has(parsed.type()) && maySee(field, parsed.type()))
                .map(parsed -> load(field, parsed.type(), parsed.key()))
                .orElse(null);
    }

    private static boolean maySee(DataFetchingEnvironment field, String type) {
        var access = field.getGraphQlContext().<Access>get(Access.class);
        return Rules.of(field.getGraphQLSchema().getObjectType(type)).stream()
                .allMatch(permission -> access != null && access.may(permission));
    }

    /** {@code Query.nodes}: in the order of the ids. */
    CompletableFuture<List<@Nullable Object>> findAll(DataFetchingEnvironment field, List<String> ids) {
        var found = ids.stream()
                .map(id -> Objects.requireNonNullElseGet(
                        find(field, id), () -> CompletableFuture.<@Nullable Object>completedFuture(null)))
                .toList();
        return CompletableFuture.allOf(found.toArray(CompletableFuture[]::new)).thenApply(_ -> found.stream()
                .<@Nullable Object>map(CompletableFuture::join)
                .toList());
    }

    /** A node of that type, read together with all others that are asked for on this level of the document. */
    CompletableFuture<@Nullable Object> load(DataFetchingEnvironment field, String type, String key) {
        var node = Objects.requireNonNull(types.get(type), type);
        var access = Arguments.of(field).access();
        return Batches.load(field, type, key, keys -> new ArrayList<>(node.readAll(access, keys)));
    }

    /** Type of an object that a field of type {@code Node} answers. */
    @Nullable
    GraphQLObjectType typeOf(TypeResolutionEnvironment environment) {
        Object source = environment.getObject();
        for (var type : types.entrySet()) {
            if (type.getValue().source.isInstance(source)) {
                return environment.getSchema().getObjectType(type.getKey());
            }
        }
        return null;
    }

    /** Reads {@code id} of the objects of a type. */
    <T> PlainFetcher id(String type, Class<T> source, Function<? super T, String> key) {
        return object -> new GlobalId(type, key.apply(source.cast(Objects.requireNonNull(object)))).toString();
    }
}
