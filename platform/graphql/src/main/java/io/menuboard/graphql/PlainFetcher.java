package io.menuboard.graphql;

import graphql.TrivialDataFetcher;
import graphql.schema.DataFetchingEnvironment;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.LightDataFetcher;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads a field from the object that has it and from nothing else: at once, and the same every time. */
@FunctionalInterface
interface PlainFetcher extends LightDataFetcher<@Nullable Object>, TrivialDataFetcher<@Nullable Object> {

    /** Value of the field of that object. */
    @Nullable
    Object read(@Nullable Object source);

    @Override
    default @Nullable Object get(
            GraphQLFieldDefinition field, @Nullable Object source, Supplier<DataFetchingEnvironment> environment) {
        return read(source);
    }

    @Override
    default @Nullable Object get(DataFetchingEnvironment environment) {
        return read(environment.getSource());
    }
}
