package io.menuboard.graphql;

import graphql.ExecutionResult;
import io.menuboard.access.http.RequestAccess;
import io.menuboard.graphql.streams.ClientConnection;
import io.menuboard.kernel.Actor;
import io.micronaut.configuration.graphql.GraphQLInvocation;
import io.micronaut.configuration.graphql.GraphQLInvocationData;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.ServerHttpRequest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** Executes requests that have one answer, as soon as there is a place. Thread-safe. */
final class Execution {
    /** Attribute of an HTTP request that was executed: the source of its document. */
    static final String DOCUMENT = Execution.class.getName() + ".document";

    private final GraphQLInvocation invocation;
    private final Admission admission;
    private final PersistedDocuments persisted;

    Execution(GraphQLInvocation invocation, Admission admission, PersistedDocuments persisted) {
        this.invocation = invocation;
        this.admission = admission;
        this.persisted = persisted;
    }

    /** @param request is read in the place that it gets; what that throws, the answer fails with */
    CompletableFuture<ExecutionResult> execute(ServerHttpRequest<?> http, Supplier<GraphQlRequest> request) {
        var time = admission.begin();
        http.setAttribute(RequestTime.class.getName(), time);
        var principal = RequestAccess.of(http, Actor.Source.GRAPHQL).principal();
        var result = admission.admit(principal, time, () -> invoke(http, request.get(), time));
        return ClientConnection.whenClosed(http, result, time::end);
    }

    private CompletableFuture<ExecutionResult> invoke(
            ServerHttpRequest<?> http, GraphQlRequest request, RequestTime time) {
        if (request.wantsCost()) {
            http.setAttribute(AnswerCost.class.getName(), new AnswerCost(time));
        }
        var document = persisted.source(request);
        http.setAttribute(DOCUMENT, document);
        var data = new GraphQLInvocationData(document, request.operationName(), request.variables());
        return Mono.from(invocation.invoke(data, http, HttpResponse.ok())).toFuture();
    }
}
