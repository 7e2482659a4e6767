package io.menuboard.graphql;

import com.fasterxml.jackson.core.io.SerializedString;
import graphql.execution.AsyncExecutionStrategy;
import graphql.execution.DataFetcherExceptionHandler;
import graphql.execution.DataFetcherResult;
import graphql.execution.ExecutionContext;
import graphql.execution.ExecutionStrategyParameters;
import graphql.execution.FieldCollectorParameters;
import graphql.execution.FieldValueInfo;
import graphql.execution.FieldValueInfo.CompleteValueType;
import graphql.execution.MergedField;
import graphql.introspection.Introspection;
import graphql.schema.GraphQLEnumType;
import graphql.schema.GraphQLList;
import graphql.schema.GraphQLNonNull;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLScalarType;
import graphql.schema.GraphQLType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Completes a list whose elements are only read ({@link PlainFetcher}) in a straight line: what the document selects
 * of an element, and how each of its values is written, is found out once for the list, where graphql-java does it once
 * for each element. The answer is the same. Where something is out of the ordinary, graphql-java completes the whole
 * list, and reports what is wrong and where. See ADR 8.
 */
final class ListStrategy extends AsyncExecutionStrategy {

    ListStrategy(DataFetcherExceptionHandler faults) {
        super(faults);
    }

    @Override
    protected FieldValueInfo completeValueForList(
            ExecutionContext context, ExecutionStrategyParameters parameters, Iterable<Object> elements) {
        var type = ((GraphQLList) parameters.getExecutionStepInfo().getUnwrappedNonNullType()).getWrappedType();
        return new Selection(context)
                .reader(type, parameters.getField())
                .flatMap(reader -> list(reader, elements))
                .map(list -> new FieldValueInfo(CompleteValueType.LIST, list))
                .orElseGet(() -> super.completeValueForList(context, parameters, elements));
    }

    private static Optional<List<@Nullable Object>> list(Reader reader, Iterable<?> elements) {
        try {
            return Optional.of(reader.readAll(elements));
        } catch (RuntimeException _) {
            // Whatever it is, graphql-java runs into it too, and knows the path to it.
            return Optional.empty();
        }
    }

    /** Turns what a fetcher returned into the value of a response. */
    @FunctionalInterface
    private interface Reader {
        /** Throws when the value is not as the schema says. */
        @Nullable
        Object read(@Nullable Object value);

        default List<@Nullable Object> readAll(Iterable<?> values) {
            var list = new ArrayList<@Nullable Object>();
            for (var value : values) {
                list.add(read(value));
            }
            return list;
        }
    }

    /** Writes a value once when it comes several times in a row, as the same currency and the same instant do. */
    private static final class Repeating implements Function<Object, @Nullable Object> {
        private final Function<Object, @Nullable Object> write;
        private @Nullable Object value;
        private @Nullable Object written;

        Repeating(Function<Object, @Nullable Object> write) {
            this.write = write;
        }

        @Override
        public @Nullable Object apply(Object next) {
            if (!next.equals(value)) {
                written = write.apply(next);
                value = next;
            }
            return written;
        }
    }

    /** Finds the readers of what one operation selects. */
    private final class Selection {
        private final ExecutionContext context;

        Selection(ExecutionContext context) {
            this.context = context;
        }

        /** Empty when reading alone will not do. */
        Optional<Reader> reader(GraphQLType type, MergedField field) {
            return switch (type) {
                case GraphQLNonNull nonNull ->
                    reader(nonNull.getWrappedType(), field).map(Selection::required);
                case GraphQLScalarType scalar ->
                    Optional.of(unlessNull(new Repeating(value ->
                            scalar.getCoercing().serialize(value, context.getGraphQLContext(), context.getLocale()))));
                case GraphQLEnumType values ->
                    Optional.of(unlessNull(
                            value -> values.serialize(value, context.getGraphQLContext(), context.getLocale())));
                case GraphQLList list ->
                    reader(list.getWrappedType(), field)
                            .map(element -> unlessNull(value -> element.readAll((Iterable<?>) value)));
                case GraphQLObjectType object -> object(object, field);
                default -> Optional.empty();
            };
        }

        private static Reader required(Reader reader) {
            return value -> {
                var read = reader.read(value);
                if (read == null) {
                    throw new IllegalStateException("null where the schema allows none");
                }
                return read;
            };
        }

        private static Reader unlessNull(Function<Object, @Nullable Object> write) {
            return value -> value == null ? null : write.apply(value);
        }

        private Optional<Reader> object(GraphQLObjectType type, MergedField field) {
            var collected = fieldCollector.collectFields(
                    FieldCollectorParameters.newParameters()
                            .schema(context.getGraphQLSchema())
                            .objectType(type)
                            .fragments(context.getFragmentsByName())
                            .variables(context.getCoercedVariables().toMap())
                            .graphQLContext(context.getGraphQLContext())
                            .build(),
                    field);
            var parts = new ArrayList<Reader>(collected.size());
            for (var part : collected.getSubFieldsList()) {
                var reader = part(type, part);
                if (reader.isEmpty()) {
                    return Optional.empty();
                }
                parts.add(reader.get());
            }
            return Optional.of(object(ResponseObject.encoded(collected.getKeys()), parts.toArray(Reader[]::new)));
        }

        private static Reader object(List<SerializedString> names, Reader[] parts) {
            return unlessNull(source -> {
                if (source instanceof DataFetcherResult<?>) {
                    throw new IllegalStateException("an element that has errors");
                }
                @Nullable Object[] values = new @Nullable Object[parts.length];
                for (var i = 0; i < parts.length; i++) {
                    values[i] = parts[i].read(source);
                }
                return new ResponseObject(names, values);
            });
        }

        /** Reads a field of an object, given the object. */
        private Optional<Reader> part(GraphQLObjectType type, MergedField field) {
            if (field.getName().equals(Introspection.TypeNameMetaFieldDef.getName())) {
                return Optional.of(_ -> type.getName());
            }
            var schema = context.getGraphQLSchema();
            var definition = getFieldDef(schema, type, field.getSingleField());
            if (!(schema.getCodeRegistry().getDataFetcher(type, definition) instanceof PlainFetcher accessor)) {
                return Optional.empty();
            }
            var unboxer = context.getValueUnboxer();
            return reader(definition.getType(), field)
                    .map(reader -> source -> reader.read(unboxer.unbox(accessor.read(source))));
        }
    }
}
