package io.menuboard.graphql;

import graphql.GraphQLError;
import graphql.execution.DataFetcherExceptionHandler;
import graphql.execution.DataFetcherExceptionHandlerParameters;
import graphql.execution.DataFetcherExceptionHandlerResult;
import graphql.execution.ResultPath;
import graphql.language.SourceLocation;
import io.menuboard.access.Denied;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.UserError;
import java.util.HexFormat;
import java.util.Map;
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

    private final DataAccess data;

    Faults(DataAccess data) {
        this.data = data;
    }

    @Override
    public CompletableFuture<DataFetcherExceptionHandlerResult> handleException(
            DataFetcherExceptionHandlerParameters parameters) {
        var time = RequestTime.of(parameters.getDataFetchingEnvironment().getGraphQlContext());
        var cause = cause(parameters.getException());
        var error = time != null && isOver(time, cause)
                ? over(time, parameters.getPath(), parameters.getSourceLocation())
                : error(cause, parameters.getPath(), parameters.getSourceLocation());
        return CompletableFuture.completedFuture(
                DataFetcherExceptionHandlerResult.newResult(error).build());
    }

    /** True where a field was not fetched, or the data that it needs not read, because there was no time left. */
    private boolean isOver(RequestTime time, Throwable cause) {
        return cause instanceof RequestTime.Over
                || (time.isOver()
                        && data.explain(cause)
                                .filter(known -> known.code().equals(UNAVAILABLE))
                                .isPresent());
    }

    private static GraphQlError over(RequestTime time, ResultPath path, @Nullable SourceLocation location) {
        if (time.isNews()) {
            log.warn("GraphQL request past its deadline path={}", path);
        }
        return GraphQlError.at(path, location, time.message(), Map.of("code", "DEADLINE_EXCEEDED"));
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
