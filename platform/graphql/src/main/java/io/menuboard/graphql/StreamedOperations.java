package io.menuboard.graphql;

import static java.util.concurrent.CompletableFuture.completedFuture;

import graphql.ExecutionResult;
import graphql.GraphQL;
import graphql.GraphQLContext;
import io.menuboard.access.Access;
import io.menuboard.graphql.streams.ClientConnection;
import io.menuboard.graphql.streams.Json;
import io.menuboard.graphql.streams.Operations;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Executes operations for streams, under the limits of all requests: an operation takes a place as a request does, and the
 * events of a subscription, one at a time, threads of their own. Each event has the deadline of a request. Thread-safe.
 */
@Singleton
final class StreamedOperations implements Operations {
    private final GraphQL engine;
    private final Admission admission;
    private final PersistedDocuments persisted;
    private final RequestContext contexts;
    private final ErrorCodes codes;
    private final ExecutorService threads;

    StreamedOperations(
            GraphQL engine,
            Admission admission,
            PersistedDocuments persisted,
            RequestContext contexts,
            ErrorCodes codes,
            @Named("graphql-events") ExecutorService threads) {
        this.engine = engine;
        this.admission = admission;
        this.persisted = persisted;
        this.contexts = contexts;
        this.codes = codes;
        this.threads = threads;
    }

    /** An operation that may be executed, and who asks for it. */
    private record Operation(GraphQlRequest request, String document, Access access, boolean mayChange) {}

    @Override
    public Started start(HttpRequest<?> http, Access access, Asked asked) {
        var time = admission.begin();
        var outcome = admission
                .admit(access.principal(), time, () -> {
                    var operation = operation(access, asked);
                    var cost = new AnswerCost(time);
                    return engine.executeAsync(contexts.of(operation.request, operation.document, access, context -> {
                                note(context, operation, time, cost);
                                if (!operation.mayChange) {
                                    context.of(Documents.QUERIES_ONLY, true);
                                }
                            }))
                            .thenApply(result -> outcome(operation, result, cost));
                })
                .exceptionally(this::failure);
        return new Started(ClientConnection.whenClosed(http, outcome, time::end), time::end);
    }

    private Operation operation(Access access, Asked asked) {
        var request =
                switch (asked) {
                    case Asked.Body(var object) -> GraphQlRequest.fromJson(object.utf8());
                    case Asked.Url(var query) -> GraphQlRequest.fromUrl(query);
                };
        return new Operation(request, persisted.source(request), access, asked instanceof Asked.Body);
    }

    private Outcome outcome(Operation operation, ExecutionResult result, AnswerCost cost) {
        if (result.getData() instanceof Publisher<?> events) {
            return new Outcome.Events(responses(operation, events));
        }
        if (result.isDataPresent()) {
            return new Outcome.Answer(Json.of(response(result, cost)));
        }
        var errors = codes.notExecuted(result.getErrors());
        var isMethod = errors.stream().anyMatch(error -> error.code().equals(Documents.METHOD_NOT_ALLOWED));
        return new Outcome.Refused(
                isMethod ? 405 : ResponseType.GRAPHQL_RESPONSE.notExecutedStatus(),
                Json.of(GraphQlJson.errors(errors)));
    }

    /** Makes responses one after the other, and at most one before it is asked for. A fault of the source waits for its turn. */
    private Publisher<byte[]> responses(Operation operation, Publisher<?> events) {
        return Flux.from(events)
                .<Object>concatMapDelayError(
                        event -> Mono.fromFuture(() -> respond(operation, event).<Object>handle(this::orFailed)),
                        true,
                        0)
                .map(StreamedOperations::orThrown)
                .onErrorMap(fault -> fault instanceof Failed ? fault : failed(fault));
    }

    private Object orFailed(byte @Nullable [] response, @Nullable Throwable fault) {
        return response == null ? failed(Objects.requireNonNull(fault)) : response;
    }

    private static byte[] orThrown(Object response) {
        if (response instanceof Failed failed) {
            throw failed;
        }
        return (byte[]) response;
    }

    private Failed failed(Throwable fault) {
        return new Failed(GraphQlJson.errors(List.of(codes.internal(fault))));
    }

    private CompletableFuture<byte[]> respond(Operation operation, Object event) {
        return completedFuture(event)
                .thenComposeAsync(
                        _ -> {
                            var time = admission.begin();
                            var cost = new AnswerCost(time);
                            return time.call(() -> engine.executeAsync(contexts.of(
                                            operation.request, operation.document, operation.access, context -> {
                                                SubscriptionStrategy.event(context, event);
                                                note(context, operation, time, cost);
                                            })))
                                    .thenApply(result -> response(result, cost));
                        },
                        threads);
    }

    /** Has the execution note its cost only where the client wants to know it: a stream has an execution for each event. */
    private static void note(GraphQLContext.Builder context, Operation operation, RequestTime time, AnswerCost cost) {
        context.of(RequestTime.class, time);
        if (operation.request.wantsCost()) {
            context.of(AnswerCost.class, cost);
        }
    }

    private byte[] response(ExecutionResult result, AnswerCost cost) {
        var extensions = cost.extensions();
        return result.isDataPresent()
                ? GraphQlJson.response(result.getData(), codes.executed(result.getErrors()), extensions)
                : GraphQlJson.response(codes.notExecuted(result.getErrors()), extensions);
    }

    private Outcome failure(Throwable fault) {
        return switch (fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault) {
            case RefusedRequest refused -> refused(refused.status(), refused.error());
            case PersistedDocuments.Refused refused ->
                refused(ResponseType.GRAPHQL_RESPONSE.notExecutedStatus(), refused.error());
            case Throwable other -> refused(500, codes.internal(other));
        };
    }

    private static Outcome refused(int status, GraphQlError error) {
        return new Outcome.Refused(status, Json.of(GraphQlJson.errors(List.of(error))));
    }
}
