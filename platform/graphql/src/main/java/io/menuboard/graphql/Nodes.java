package io.menuboard.graphql;

import graphql.TypeResolutionEnvironment;
import graphql.execution.DataFetcherResult;
import graphql.execution.ResultPath;
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
        var loads = new ArrayList<CompletableFuture<@Nullable Object>>();
        for (var id : ids) {
            var found = find(field, id);
            loads.add(found == null ? CompletableFuture.<@Nullable Object>completedFuture(null) : found);
        }
        return eachAlone(field, loads);
    }

    /** Nodes of a type, as {@link #load}, in the order of the keys. */
    CompletableFuture<List<@Nullable Object>> loadAll(DataFetchingEnvironment field, String type, List<String> keys) {
        var loads = new ArrayList<CompletableFuture<@Nullable Object>>();
        for (var key : keys) {
            loads.add(load(field, type, key));
        }
        return eachAlone(field, loads);
    }

    /** Elements of the list that a field answers; of one that failed, null and its error, so that the others are there. */
    private static CompletableFuture<List<@Nullable Object>> eachAlone(
            DataFetchingEnvironment field, List<CompletableFuture<@Nullable Object>> loads) {
        var path = field.getExecutionStepInfo().getPath();
        var elements = new ArrayList<CompletableFuture<@Nullable Object>>();
        for (var load : loads) {
            var place = path.segment(elements.size());
            elements.add(
                    load.<@Nullable Object>handle((node, fault) -> fault == null ? node : failed(field, place, fault)));
        }
        return CompletableFuture.allOf(elements.toArray(CompletableFuture[]::new))
                .thenApply(_ -> elements.stream()
                        .<@Nullable Object>map(CompletableFuture::join)
                        .toList());
    }

    private static Object failed(DataFetchingEnvironment field, ResultPath place, Throwable fault) {
        var error = Faults.of(field).error(field, place, fault);
        return DataFetcherResult.newResult().error(error).build();
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
