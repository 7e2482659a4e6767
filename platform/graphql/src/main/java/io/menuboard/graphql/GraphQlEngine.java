package io.menuboard.graphql;

import graphql.ExecutionInput;
import graphql.GraphQL;
import graphql.GraphQLError;
import graphql.execution.ExecutionId;
import io.menuboard.kernel.Actor;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The one door to the schema: every query and mutation of every client is executed here. Thread-safe.
 *
 * <p>Fetchers run on the calling thread, and the answer is there when the call returns; unless one of them answers with
 * a future of its own, which is what those do that wait for something to happen. Then the thread that completes that
 * future does the rest.
 */
final class GraphQlEngine {
    /** Nothing of ours reads it, and graphql-java would make a random one for each request. */
    private static final ExecutionId EXECUTION_ID = ExecutionId.from("menuboard");

    private final GraphQL graphQl;
    private final Documents documents;
    private final Actor actor;

    /**
     * @param graphQl executes the documents that {@code documents} prepared
     * @param actor who asks, until there are logins; fetchers find it in the context under its class
     */
    GraphQlEngine(GraphQL graphQl, Documents documents, Actor actor) {
        this.graphQl = graphQl;
        this.documents = documents;
        this.actor = actor;
    }

    /** What came of a well-formed request. */
    sealed interface Outcome {
        List<? extends GraphQLError> errors();

        /**
         * Executed, as a whole or in part.
         *
         * @param data null if an error took all of it away
         */
        record Executed(@Nullable Object data, List<? extends GraphQLError> errors) implements Outcome {}

        /** Nothing was executed: the document, the choice of the operation, its cost or its variables are wrong. */
        record NotExecuted(List<? extends GraphQLError> errors) implements Outcome {}

        /** Nothing was executed: only a query may come by a safe HTTP method. */
        record NotByThisMethod(List<? extends GraphQLError> errors) implements Outcome {}
    }

    /** Executes an operation of any kind. */
    CompletableFuture<Outcome> execute(GraphQlRequest request) {
        return execute(request, true);
    }

    /** Executes a query and refuses anything else. */
    CompletableFuture<Outcome> executeQuery(GraphQlRequest request) {
        return execute(request, false);
    }

    private CompletableFuture<Outcome> execute(GraphQlRequest request, boolean anyKind) {
        var document = documents.prepare(request.document());
        return refusal(request, document, anyKind)
                .map(CompletableFuture::completedFuture)
                .orElseGet(() -> execute(request, document));
    }

    private static Optional<Outcome> refusal(GraphQlRequest request, Documents.Prepared document, boolean anyKind) {
        var operation = operation(document, request.operationName());
        if (operation != null && !anyKind && operation.kind() != graphql.language.OperationDefinition.Operation.QUERY) {
            return Optional.of(new Outcome.NotByThisMethod(List.of(GraphQlError.of(
                    "METHOD_NOT_ALLOWED", "a GET request may only execute a query: send this operation as POST"))));
        }
        if (!document.errors().isEmpty()) {
            return Optional.of(new Outcome.NotExecuted(document.errors()));
        }
        if (operation == null) {
            return Optional.of(new Outcome.NotExecuted(List.of(unknownOperation(document, request.operationName()))));
        }
        return operation.cost().refusal(request.variables()).map(error -> new Outcome.NotExecuted(List.of(error)));
    }

    private CompletableFuture<Outcome> execute(GraphQlRequest request, Documents.Prepared document) {
        return graphQl.executeAsync(ExecutionInput.newExecutionInput(request.document())
                        .operationName(request.operationName())
                        .variables(request.variables())
                        .graphQLContext(context -> {
                            context.of(Documents.Prepared.class, document, Actor.class, actor);
                            GraphQL.unusualConfiguration(context)
                                    .responseMapFactory()
                                    .setFactory(ResponseObject::new);
                        })
                        .executionId(EXECUTION_ID)
                        .locale(Locale.ENGLISH)
                        .build())
                .thenApply(result -> result.isDataPresent()
                        ? new Outcome.Executed(result.getData(), result.getErrors())
                        : new Outcome.NotExecuted(result.getErrors()));
    }

    /** GetOperation of the GraphQL specification; null where it raises an error. */
    private static Documents.@Nullable Operation operation(Documents.Prepared document, @Nullable String name) {
        var operations = document.operations();
        if (name != null) {
            return operations.get(name);
        }
        return operations.size() == 1 ? operations.values().iterator().next() : null;
    }

    private static GraphQlError unknownOperation(Documents.Prepared document, @Nullable String name) {
        var message = name == null
                ? "the document has %d operations: name one of them in operationName"
                        .formatted(document.operations().size())
                : "operationName: the document has no operation of this name";
        return GraphQlError.of("OPERATION_RESOLUTION_FAILED", message);
    }
}
