package io.menuboard.graphql;

import static java.nio.charset.StandardCharsets.UTF_8;

import graphql.schema.DataFetcher;
import graphql.schema.GraphQLScalarType;
import graphql.schema.GraphQLSchema;
import graphql.schema.idl.FieldWiringEnvironment;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import graphql.schema.idl.TypeDefinitionRegistry;
import graphql.schema.idl.WiringFactory;
import io.menuboard.kernel.InvalidInput;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Collects what modules contribute to the schema. A field that nobody names here is read from the accessor of the same name
 * ({@link AccessorFetcher}).
 */
public final class SchemaParts {
    private final TypeDefinitionRegistry types = new TypeDefinitionRegistry();
    private final RuntimeWiring.Builder wiring = RuntimeWiring.newRuntimeWiring()
            .wiringFactory(new WiringFactory() {
                @Override
                public DataFetcher<?> getDefaultDataFetcher(FieldWiringEnvironment field) {
                    return new AccessorFetcher(field.getFieldDefinition().getName());
                }
            });

    SchemaParts() {}

    /** Reads a field of a root type. */
    @FunctionalInterface
    public interface Fetcher {
        @Nullable
        Object fetch(Arguments args);
    }

    /** Reads a field of an object. */
    @FunctionalInterface
    public interface Reader<S> {
        @Nullable
        Object read(S object);
    }

    /** Reads a field of an object that has arguments. */
    @FunctionalInterface
    public interface FetcherOf<S> {
        @Nullable
        Object fetch(S object, Arguments args);
    }

    /** Adds the definitions of {@code graphql/<name>.graphqls} on the class path. */
    public void definitions(String name) {
        var path = "/graphql/" + name + ".graphqls";
        try (var resource = SchemaParts.class.getResourceAsStream(path)) {
            if (resource == null) {
                throw new IllegalStateException(path + " is not on the class path");
            }
            types.merge(new SchemaParser().parse(new InputStreamReader(resource, UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void scalar(GraphQLScalarType scalar) {
        wiring.scalar(scalar);
    }

    /** Reads a field of {@code Query}. A {@link java.util.concurrent.CompletionStage} is waited for without a thread. */
    public void query(String field, Fetcher read) {
        fetch("Query", field, args -> read.fetch(new Arguments(args)));
    }

    /**
     * Executes a field of {@code Mutation}.
     *
     * @param refused payload that tells what was wrong with the input
     */
    public <P> void mutation(String field, Function<Arguments, P> change, Function<InvalidInput, P> refused) {
        fetch("Mutation", field, args -> {
            try {
                return change.apply(new Arguments(args));
            } catch (InvalidInput e) {
                return refused.apply(e);
            }
        });
    }

    /** Names the fields of an object type that are not read from the accessor of their name. */
    public <S> ObjectFields<S> object(String type, Class<S> source) {
        return new ObjectFields<>(type, source);
    }

    /** Fields of one object type. */
    public final class ObjectFields<S> {
        private final String type;
        private final Class<S> source;

        private ObjectFields(String type, Class<S> source) {
            this.type = type;
            this.source = source;
        }

        /** Reads a field without arguments. */
        public ObjectFields<S> field(String name, Reader<S> read) {
            return field(name, (object, _) -> read.read(object));
        }

        /** Reads a field with arguments. */
        public ObjectFields<S> field(String name, FetcherOf<S> read) {
            fetch(
                    type,
                    name,
                    args -> read.fetch(
                            source.cast(Objects.requireNonNull(args.<Object>getSource())), new Arguments(args)));
            return this;
        }
    }

    GraphQLSchema schema() {
        return new SchemaGenerator().makeExecutableSchema(types, wiring.build());
    }

    private void fetch(String type, String field, DataFetcher<@Nullable Object> fetcher) {
        wiring.type(type, fields -> fields.dataFetcher(field, fetcher));
    }
}
