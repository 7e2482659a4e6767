package io.menuboard.graphql;

import static java.nio.charset.StandardCharsets.UTF_8;

import graphql.GraphQL;
import graphql.schema.DataFetcher;
import graphql.schema.GraphQLScalarType;
import graphql.schema.GraphQLSchema;
import graphql.schema.idl.FieldWiringEnvironment;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import graphql.schema.idl.TypeDefinitionRegistry;
import graphql.schema.idl.TypeRuntimeWiring;
import graphql.schema.idl.WiringFactory;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageLimits;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Assembles the GraphQL engine. A context takes part with its {@code .graphqls} file, which is named here rather than
 * looked for, and with beans: a {@link TypeRuntimeWiring} for each type that needs fetchers, a
 * {@link GraphQLScalarType} for each scalar of its own. Fields without a fetcher are read from the accessor of the same
 * name ({@link AccessorFetcher}).
 */
@Factory
final class GraphQlFactory {

    /** Root types, scalars and what else all contexts share. */
    @Singleton
    @Named("menuboard")
    TypeDefinitionRegistry sharedTypes() {
        return fragment("menuboard");
    }

    @Singleton
    GraphQLSchema schema(
            List<TypeDefinitionRegistry> types, List<TypeRuntimeWiring> wirings, List<GraphQLScalarType> scalars) {
        var merged = new TypeDefinitionRegistry();
        types.forEach(merged::merge);
        var wiring = RuntimeWiring.newRuntimeWiring().wiringFactory(new WiringFactory() {
            @Override
            public DataFetcher<?> getDefaultDataFetcher(FieldWiringEnvironment field) {
                return new AccessorFetcher(field.getFieldDefinition().getName());
            }
        });
        ScalarTypes.ALL.forEach(wiring::scalar);
        scalars.forEach(wiring::scalar);
        wirings.forEach(wiring::type);
        return new SchemaGenerator().makeExecutableSchema(merged, wiring.build());
    }

    private static TypeDefinitionRegistry fragment(String name) {
        var path = "/graphql/" + name + ".graphqls";
        try (var resource = GraphQlFactory.class.getResourceAsStream(path)) {
            if (resource == null) {
                throw new IllegalStateException(path + " is not on the class path");
            }
            return new SchemaParser().parse(new InputStreamReader(resource, UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Singleton
    Documents documents(GraphQLSchema schema, GraphQlConfig config, PageLimits pages, MeterRegistry meters) {
        var limits =
                new OperationCost.Limits(config.maxDepth(), config.maxCost(), pages.defaultSize(), pages.maxSize());
        var documents = new Documents(schema, config, limits);
        CaffeineCacheMetrics.monitor(meters, documents.cache(), "graphql.documents");
        return documents;
    }

    @Singleton
    Faults faults(DataAccess data) {
        return new Faults(data);
    }

    @Singleton
    ErrorCodes errorCodes(Faults faults) {
        return new ErrorCodes(faults);
    }

    /**
     * Threads of requests, platform ones: the same load took less CPU than on virtual ones, which pay for each wait with a
     * trip through the poller. This kind of pool wakes the thread that went idle last, whose data the caches still have,
     * where a fixed pool takes turns. No more requests come here at once than there are threads.
     */
    @Singleton
    @Named("graphql")
    @Bean(preDestroy = "shutdown")
    ExecutorService threads(GraphQlConfig config) {
        return Executors.newWorkStealingPool(config.threads());
    }

    @Singleton
    Admission admission(GraphQlConfig config, DataAccess data, @Named("graphql") ExecutorService threads) {
        return new Admission(config.threads(), config.maxWaiting(), config.maxWait(), config.deadline(), data, threads);
    }

    /** Made at start, so that a schema or a setting that is wrong stops the start and not the first request. */
    @Context
    GraphQlEngine engine(GraphQLSchema schema, Documents documents, Faults faults, GraphQlConfig config) {
        var graphQl = GraphQL.newGraphQL(schema)
                .preparsedDocumentProvider(documents)
                .queryExecutionStrategy(new ListStrategy(faults))
                .defaultDataFetcherExceptionHandler(faults)
                .build();
        var actor = new Actor(Actor.Kind.USER, config.actor(), Actor.Source.GRAPHQL);
        return new GraphQlEngine(graphQl, documents, actor);
    }
}
