package io.menuboard.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import graphql.schema.idl.SchemaParser;
import graphql.schema.idl.TypeDefinitionRegistry;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;

/** Names the parts of the schema. */
@Factory
final class SchemaFactory {

    @Singleton
    @Named("tasks")
    TypeDefinitionRegistry tasksTypes() {
        return fragment("tasks");
    }

    private static TypeDefinitionRegistry fragment(String name) {
        var path = "/graphql/" + name + ".graphqls";
        try (var resource = SchemaFactory.class.getResourceAsStream(path)) {
            if (resource == null) {
                throw new IllegalStateException(path + " is not on the class path");
            }
            return new SchemaParser().parse(new InputStreamReader(resource, UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
