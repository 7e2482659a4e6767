package io.menuboard.graphql;

import graphql.GraphQLError;
import graphql.InvalidSyntaxError;
import graphql.execution.MissingRootTypeException;
import graphql.execution.UnknownOperationException;
import graphql.introspection.GoodFaithIntrospection.BadFaithIntrospectionError;
import graphql.validation.ValidationError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Gives every error of a response its {@code extensions.code}, and keeps faults of this program to this program. */
final class ErrorCodes {
    private final Faults faults;

    ErrorCodes(Faults faults) {
        this.faults = faults;
    }

    /** Errors because of which nothing was executed. All of them are the client's, and say so to it. */
    List<GraphQlError> notExecuted(List<? extends GraphQLError> errors) {
        var coded = new ArrayList<GraphQlError>(errors.size());
        for (var error : errors) {
            coded.add(error instanceof GraphQlError ours ? ours : with(code(error), error));
        }
        return coded;
    }

    /** Errors of fields. Those without a code of ours mean that a fetcher and its schema do not agree. */
    List<GraphQlError> executed(List<? extends GraphQLError> errors) {
        var coded = new ArrayList<GraphQlError>(errors.size());
        for (var error : errors) {
            coded.add(error instanceof GraphQlError ours ? ours : faults.internal(error));
        }
        return coded;
    }

    /** Error of a request that failed without an answer. */
    GraphQlError internal(Throwable fault) {
        return faults.internal(fault);
    }

    private static String code(GraphQLError error) {
        return switch (error) {
            case InvalidSyntaxError _ -> "GRAPHQL_PARSE_FAILED";
            case ValidationError _ -> "GRAPHQL_VALIDATION_FAILED";
            case UnknownOperationException _, MissingRootTypeException _ -> "OPERATION_RESOLUTION_FAILED";
            case BadFaithIntrospectionError _ -> "INTROSPECTION_REFUSED";
            default -> "BAD_USER_INPUT"; // what is left are variables that do not fit their type
        };
    }

    private static GraphQlError with(String code, GraphQLError error) {
        return new GraphQlError(
                GraphQlError.excerpt(error.getMessage()), Map.of("code", code), error.getLocations(), error.getPath());
    }
}
