package io.menuboard.graphql;

import graphql.GraphQLError;
import graphql.execution.DataFetcherExceptionHandler;
import graphql.execution.DataFetcherExceptionHandlerParameters;
import graphql.execution.DataFetcherExceptionHandlerResult;
import graphql.execution.ResultPath;
import graphql.language.SourceLocation;
import graphql.schema.DataFetchingEnvironment;
import io.menuboard.access.Denied;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.UserError;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * GraphQL's edge: what fetchers throw becomes errors. A client's mistake, and a permission that is missing for what a field has, is
 * described in full; of anything else the log gets
 * everything, once, and the client an error id that finds it there, with {@code INTERNAL} or the code that {@link DataAccess}
 * knows it by.
 */
final class Faults implements DataFetcherExceptionHandler {
    private static final Logger log = LoggerFactory.getLogger(Faults.class);

    private static final String UNAVAILABLE = "UNAVAILABLE";
    private static final String OVER = "DEADLINE_EXCEEDED";

    private final DataAccess data;

    Faults(DataAccess data) {
        this.data = data;
    }

    /** Those of the request that a field belongs to. */
    static Faults of(DataFetchingEnvironment field) {
        return Objects.requireNonNull(field.getGraphQlContext().<Faults>get(Faults.class), "faults of the request");
    }

    /** As {@link DataAccess#isOfOneThing}. */
    boolean isOfOneThing(Throwable fault) {
        return data.isOfOneThing(fault);
    }

    @Override
    public CompletableFuture<DataFetcherExceptionHandlerResult> handleException(
            DataFetcherExceptionHandlerParameters parameters) {
        var error = error(parameters.getDataFetchingEnvironment(), parameters.getPath(), parameters.getException());
        return CompletableFuture.completedFuture(
                DataFetcherExceptionHandlerResult.newResult(error).build());
    }

    /** Error of a field, or of an element of the list that it answers, at that path. */
    GraphQlError error(DataFetchingEnvironment field, ResultPath path, Throwable thrown) {
        var time = RequestTime.of(field.getGraphQlContext());
        var cause = cause(thrown);
        var location = field.getField().getSourceLocation();
        if (time != null && cause instanceof RequestTime.Over) {
            return notBegun(time, path, location);
        }
        if (time != null && time.isOver() && isUnavailable(cause)) {
            return brokenOff(time, isChange(field), cause, path, location);
        }
        return error(cause, path, location);
    }

    private boolean isUnavailable(Throwable cause) {
        return data.explain(cause)
                .filter(known -> known.code().equals(UNAVAILABLE))
                .isPresent();
    }

    private static boolean isChange(DataFetchingEnvironment field) {
        return field.getParentType().equals(field.getGraphQLSchema().getMutationType());
    }

    /** There was no time left to fetch a field at all. */
    private static GraphQlError notBegun(RequestTime time, ResultPath path, @Nullable SourceLocation location) {
        if (time.isNews()) {
            log.warn("GraphQL request past its deadline path={}", path);
        }
        return GraphQlError.at(
                path, location, "Not done, because " + time.reason() + ": ask for less at once", Map.of("code", OVER));
    }

    /** The data did not answer in the time that was left. What a change wrote may be there. */
    private static GraphQlError brokenOff(
            RequestTime time, boolean isChange, Throwable cause, ResultPath path, @Nullable SourceLocation location) {
        var id = id();
        log.warn("GraphQL field failed code={} errorId={} path={} cause={}", OVER, id, path, cause.getMessage());
        var message = isChange
                ? "Perhaps not done, or in part: " + time.reason()
                : "Not read, because " + time.reason() + ": ask for less at once";
        return GraphQlError.at(path, location, message, GraphQlError.extensions(OVER, "errorId", id));
    }

    /** Logs a fault that no single field is to blame for. */
    GraphQlError internal(Throwable fault) {
        return error(cause(fault), ResultPath.rootPath(), null);
    }

    /** Logs an error of graphql-java's own: a fetcher returned what the schema does not allow. */
    GraphQlError internal(GraphQLError error) {
        var id = id();
        log.error(
                "GraphQL result does not fit the schema errorId={} path={} {}",
                id,
                error.getPath(),
                error.getMessage());
        return new GraphQlError(
                "Internal error",
                GraphQlError.extensions("INTERNAL", "errorId", id),
                error.getLocations(),
                error.getPath());
    }

    private GraphQlError error(Throwable cause, ResultPath path, @Nullable SourceLocation location) {
        if (cause instanceof InvalidInput input) {
            return GraphQlError.at(
                    path,
                    location,
                    input.getMessage(),
                    GraphQlError.extensions(input.code(), "path", UserError.path(input)));
        }
        if (cause instanceof Denied denied) {
            // Another part of the same may be allowed, so the door has let it in.
            return GraphQlError.at(
                    path,
                    location,
                    path + " needs the permission " + denied.permission(),
                    Map.of("code", Documents.PERMISSION_DENIED));
        }
        var id = id();
        var known = data.explain(cause);
        if (known.isPresent()) {
            // Expected, and a thousand times at once: a line is enough, with the reason.
            var code = known.get().code();
            log.warn("GraphQL field failed code={} errorId={} path={} cause={}", code, id, path, cause.getMessage());
            return GraphQlError.at(path, location, known.get().message(), GraphQlError.extensions(code, "errorId", id));
        }
        log.error("GraphQL field failed errorId={} path={}", id, path, cause);
        return GraphQlError.at(path, location, "Internal error", GraphQlError.extensions("INTERNAL", "errorId", id));
    }

    private static String id() {
        return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }

    private static Throwable cause(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }
}
