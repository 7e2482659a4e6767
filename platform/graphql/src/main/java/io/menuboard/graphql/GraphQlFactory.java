package io.menuboard.graphql;

import graphql.GraphQL;
import graphql.schema.GraphQLSchema;
import io.menuboard.graphql.conditional.ConditionalGets;
import io.menuboard.graphql.streams.StreamsConfig;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageLimits;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import io.micronaut.configuration.graphql.GraphQLInvocation;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Assembles the GraphQL engine, which Micronaut's GraphQL module and our endpoint share. */
@Factory
final class GraphQlFactory {

    @Singleton
    GraphQLSchema schema(List<GraphQlModule> modules) {
        var parts = new SchemaParts();
        parts.definitions("menuboard");
        ScalarTypes.ALL.forEach(parts::scalar);
        parts.object("Actor", Actor.class).field("key", Actor::id);
        modules.forEach(module -> module.contribute(parts));
        return parts.schema();
    }

    @Singleton
    Documents documents(GraphQLSchema schema, GraphQlConfig config, PageLimits pages, MeterRegistry meters) {
        var limits =
                new OperationCost.Limits(config.maxDepth(), config.maxCost(), pages.defaultSize(), pages.maxSize());
        var documents = new Documents(schema, config, limits, new DeprecatedUse(schema, meters));
        CaffeineCacheMetrics.monitor(meters, documents.cache(), "graphql.documents");
        return documents;
    }

    /** Made at start, so that a registered document that is not valid stops the start. */
    @Context
    PersistedDocuments persistedDocuments(Documents documents, DocumentsConfig config, List<GraphQlModule> modules) {
        var path = config.path();
        var registered = path == null ? RegisteredDocuments.NONE : RegisteredDocuments.read(path);
        var own = modules.stream().flatMap(module -> module.documents().stream());
        return new PersistedDocuments(documents, registered.and(own.toList()), config);
    }

    @Singleton
    ConditionalGets conditionalGets(GraphQlConfig config, PageLimits pages, DataAccess data) {
        var settings = String.join("#", data.identity(), pages.toString());
        return new ConditionalGets(
                settings, config.maxAge(), config.sharedCaches(), config.documentCacheBytes(), data.clock());
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
        var limits =
                new Admission.Limits(config.threads(), config.maxWaiting(), config.maxWait(), config.maxSharePercent());
        return new Admission(limits, config.deadline(), data, threads);
    }

    @Singleton
    Admission.Bodies bodies(GraphQlConfig config) {
        return new Admission.Bodies(config.maxBodyBytes(), config.maxSharePercent());
    }

    @Singleton
    Execution execution(GraphQLInvocation invocation, Admission admission, PersistedDocuments persisted) {
        return new Execution(invocation, admission, persisted);
    }

    /** Threads of events, so that one that many subscribe to keeps no request waiting. */
    @Singleton
    @Named("graphql-events")
    @Bean(preDestroy = "shutdown")
    ExecutorService eventThreads(StreamsConfig config) {
        return Executors.newWorkStealingPool(config.threads());
    }

    /** Made at start, so that a schema or a setting that is wrong stops the start and not the first request. */
    @Context
    GraphQL graphQl(GraphQLSchema schema, Documents documents, Faults faults) {
        var fields = new ListStrategy(faults);
        return GraphQL.newGraphQL(schema)
                .preparsedDocumentProvider(documents)
                .queryExecutionStrategy(fields)
                .subscriptionExecutionStrategy(new SubscriptionStrategy(faults, fields))
                .defaultDataFetcherExceptionHandler(faults)
                .build();
    }
}
