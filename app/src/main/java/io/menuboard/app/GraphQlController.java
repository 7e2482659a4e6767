package io.menuboard.app;

import static java.util.concurrent.CompletableFuture.completedFuture;

import io.menuboard.app.GraphQlEngine.Outcome;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.ServerHttpRequest;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.body.ByteBody.SplitBackpressureMode;
import io.micronaut.http.exceptions.BufferLengthExceededException;
import io.micronaut.http.exceptions.ContentLengthExceededException;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * GraphQL over HTTP (stage 2 draft): GET with URL parameters, for queries only, and POST with a JSON body. A POST of any
 * other media type is refused, also because browsers send some of those across origins without asking first. Each
 * request is one hop to a thread of its own pool and back. A request that waits for something to happen gives its thread
 * back meanwhile; where its client goes away, it still waits to its end, which has a bound.
 */
@Controller("/graphql")
@Produces(MediaType.ALL)
@ExecuteOn("graphql")
final class GraphQlController {
    private final GraphQlEngine engine;
    private final ErrorCodes codes;
    private final Faults faults;
    private final int maxBodyBytes;

    GraphQlController(GraphQlEngine engine, ErrorCodes codes, Faults faults, GraphQlConfig config) {
        this.engine = engine;
        this.codes = codes;
        this.faults = faults;
        this.maxBodyBytes = config.maxBodyBytes();
    }

    @Get
    CompletableFuture<HttpResponse<byte[]>> get(ServerHttpRequest<?> request) {
        return answer(
                request,
                () -> engine.executeQuery(
                        GraphQlRequest.fromUrl(request.getUri().getRawQuery())));
    }

    @Post
    @Consumes(MediaType.ALL)
    CompletableFuture<HttpResponse<byte[]>> post(ServerHttpRequest<?> request) {
        return answer(request, () -> {
            requireJson(request.getHeaders().get(HttpHeaders.CONTENT_TYPE));
            return engine.execute(GraphQlRequest.fromJson(body(request)));
        });
    }

    private interface Work {
        CompletableFuture<Outcome> run();
    }

    // The edge: nothing may leave it but an answer.
    private CompletableFuture<HttpResponse<byte[]>> answer(ServerHttpRequest<?> request, Work work) {
        var accepted = ResponseType.negotiate(request.getHeaders().get(HttpHeaders.ACCEPT));
        if (accepted.isEmpty()) {
            return completedFuture(refusal(
                    ResponseType.JSON,
                    new RefusedRequest(
                            406,
                            "NOT_ACCEPTABLE",
                            "responses are application/graphql-response+json or application/json, in UTF-8")));
        }
        var type = accepted.get();
        try {
            return work.run().thenApply(outcome -> answer(type, outcome)).exceptionally(fault -> failure(type, fault));
        } catch (RefusedRequest e) {
            return completedFuture(refusal(type, e));
        } catch (RuntimeException e) {
            return completedFuture(failure(type, e));
        }
    }

    private HttpResponse<byte[]> answer(ResponseType type, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Executed executed ->
                response(200, type, GraphQlJson.response(executed.data(), codes.executed(executed.errors())));
            case Outcome.NotExecuted not ->
                response(type.notExecutedStatus(), type, GraphQlJson.response(codes.notExecuted(not.errors())));
            case Outcome.NotByThisMethod not ->
                response(405, type, GraphQlJson.response(codes.notExecuted(not.errors())))
                        .header(HttpHeaders.ALLOW, "POST");
        };
    }

    private HttpResponse<byte[]> failure(ResponseType type, Throwable fault) {
        return response(500, type, GraphQlJson.response(List.of(faults.internal(fault))));
    }

    private static HttpResponse<byte[]> refusal(ResponseType type, RefusedRequest refused) {
        return response(refused.status(), type, GraphQlJson.response(List.of(refused.error())));
    }

    private static io.micronaut.http.MutableHttpResponse<byte[]> response(int status, ResponseType type, byte[] body) {
        return HttpResponse.<byte[]>status(HttpStatus.valueOf(status))
                .contentType(type.contentType())
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .header("X-Content-Type-Options", "nosniff")
                .body(body);
    }

    private static void requireJson(@Nullable String contentType) {
        if (MediaType.APPLICATION_JSON.equals(contentType)) {
            return;
        }
        var parts = contentType == null ? new String[] {""} : contentType.split(";", -1);
        var utf8 = true;
        for (var i = 1; i < parts.length; i++) {
            var parameter = parts[i].strip().toLowerCase(Locale.ROOT).replace("\"", "");
            utf8 &= !parameter.startsWith("charset=") || parameter.equals("charset=utf-8");
        }
        if (!parts[0].strip().equalsIgnoreCase(MediaType.APPLICATION_JSON) || !utf8) {
            throw new RefusedRequest(415, "UNSUPPORTED_MEDIA_TYPE", "Content-Type must be application/json, in UTF-8");
        }
    }

    private byte[] body(ServerHttpRequest<?> request) {
        if (request.byteBody().expectedLength().orElse(0) > maxBodyBytes) {
            throw tooLarge();
        }
        try (var body =
                request.byteBody().split(SplitBackpressureMode.FASTEST).buffer().join()) {
            if (body.length() > maxBodyBytes) {
                throw tooLarge();
            }
            return body.toByteArray();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ContentLengthExceededException
                    || e.getCause() instanceof BufferLengthExceededException) {
                throw tooLarge();
            }
            throw e;
        }
    }

    private RefusedRequest tooLarge() {
        return new RefusedRequest(413, "BODY_TOO_LARGE", "the body may have at most " + maxBodyBytes + " bytes");
    }
}
