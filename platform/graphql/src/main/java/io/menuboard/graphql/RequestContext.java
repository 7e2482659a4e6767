package io.menuboard.graphql;

import graphql.ExecutionInput;
import graphql.GraphQL;
import graphql.GraphQLContext;
import graphql.execution.ExecutionId;
import io.menuboard.access.Access;
import io.menuboard.access.http.RequestAccess;
import io.menuboard.graphql.conditional.Dependencies;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageLimits;
import io.micronaut.configuration.graphql.DefaultGraphQLExecutionInputCustomizer;
import io.micronaut.configuration.graphql.GraphQLExecutionInputCustomizer;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.function.Consumer;
import org.dataloader.DataLoaderRegistry;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** Gives every execution what fetchers and {@link Documents} look for in its context. */
@Singleton
@Replaces(DefaultGraphQLExecutionInputCustomizer.class)
final class RequestContext implements GraphQLExecutionInputCustomizer {
    /** Nothing of ours reads it, and graphql-java would make a random one for each request. */
    private static final ExecutionId EXECUTION_ID = ExecutionId.from("menuboard");

    private final PageLimits pages;
    private final Faults faults;

    RequestContext(PageLimits pages, Faults faults) {
        this.pages = pages;
        this.faults = faults;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public Publisher<ExecutionInput> customize(
            ExecutionInput input, HttpRequest request, @Nullable MutableHttpResponse<String> response) {
        var access = RequestAccess.of(request, Actor.Source.GRAPHQL);
        return Publishers.just(input.transform(builder -> fill(builder, access).graphQLContext(context -> {
            request.getAttribute(RequestTime.class.getName(), RequestTime.class)
                    .ifPresent(time -> context.of(RequestTime.class, time));
            request.getAttribute(AnswerCost.class.getName(), AnswerCost.class)
                    .ifPresent(cost -> context.of(AnswerCost.class, cost));
            request.getAttribute(Dependencies.class.getName(), Dependencies.class)
                    .ifPresent(dependencies -> context.of(Dependencies.class, dependencies));
            // HEAD, too, which is answered as GET.
            if (request.getMethod() != HttpMethod.POST) {
                context.of(Documents.QUERIES_ONLY, true);
            }
        })));
    }

    /** An execution for a stream, of which a request is no more than where it began. */
    ExecutionInput of(GraphQlRequest request, String document, Access access, Consumer<GraphQLContext.Builder> more) {
        var builder = ExecutionInput.newExecutionInput(document).variables(request.variables());
        if (request.operationName() != null) {
            builder.operationName(request.operationName());
        }
        return fill(builder, access)
                .graphQLContext(context -> {
                    context.of(Documents.STREAMS, true);
                    more.accept(context);
                })
                .build();
    }

    private ExecutionInput.Builder fill(ExecutionInput.Builder builder, Access access) {
        return builder.executionId(EXECUTION_ID)
                .locale(Locale.ENGLISH)
                .dataLoaderRegistry(new DataLoaderRegistry())
                .graphQLContext(context -> {
                    context.of(Access.class, access, PageLimits.class, pages, Faults.class, faults);
                    GraphQL.unusualConfiguration(context).responseMapFactory().setFactory(ResponseObject::of);
                });
    }
}
