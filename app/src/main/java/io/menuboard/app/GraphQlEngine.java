package io.menuboard.app;

import graphql.ExecutionInput;
import graphql.GraphQL;
import graphql.GraphQLError;
import graphql.execution.ExecutionId;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The one door to the schema: every query and mutation of every client is executed here, on the calling thread.
 * Thread-safe.
 */
final class GraphQlEngine {
    /** Nothing of ours reads it, and graphql-java would make a random one for each request. */
    private static final ExecutionId EXECUTION_ID = ExecutionId.from("menuboard");

    private final GraphQL graphQl;
    private final Documents documents;

    /**
     * @param graphQl executes the documents that {@code documents} prepared
     */
    GraphQlEngine(GraphQL graphQl, Documents documents) {
        this.graphQl = graphQl;
        this.documents = documents;
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
    Outcome execute(GraphQlRequest request) {
        return execute(request, true);
    }

    /** Executes a query and refuses anything else. */
    Outcome executeQuery(GraphQlRequest request) {
        return execute(request, false);
    }

    private Outcome execute(GraphQlRequest request, boolean anyKind) {
        var document = documents.prepare(request.document());
        var operation = operation(document, request.operationName());
        if (operation != null && !anyKind && operation.kind() != graphql.language.OperationDefinition.Operation.QUERY) {
            return new Outcome.NotByThisMethod(List.of(GraphQlError.of(
                    "METHOD_NOT_ALLOWED", "a GET request may only execute a query: send this operation as POST")));
        }
        if (!document.errors().isEmpty()) {
            return new Outcome.NotExecuted(document.errors());
        }
        if (operation == null) {
            return new Outcome.NotExecuted(List.of(unknownOperation(document, request.operationName())));
        }
        var refusal = operation.cost().refusal(request.variables());
        if (refusal.isPresent()) {
            return new Outcome.NotExecuted(List.of(refusal.get()));
        }
        var result = graphQl.execute(ExecutionInput.newExecutionInput(request.document())
                .operationName(request.operationName())
                .variables(request.variables())
                .graphQLContext(context -> {
                    context.of(Documents.Prepared.class, document);
                    GraphQL.unusualConfiguration(context).responseMapFactory().setFactory(ResponseObject::new);
                })
                .executionId(EXECUTION_ID)
                .locale(Locale.ENGLISH)
                .build());
        return result.isDataPresent()
                ? new Outcome.Executed(result.getData(), result.getErrors())
                : new Outcome.NotExecuted(result.getErrors());
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
