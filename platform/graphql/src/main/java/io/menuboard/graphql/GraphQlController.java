package io.menuboard.graphql;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;

import graphql.ExecutionResult;
import io.menuboard.access.http.RequestAccess;
import io.menuboard.access.http.SignedIn;
import io.menuboard.access.http.TakesNoForms;
import io.menuboard.graphql.conditional.ConditionalGets;
import io.menuboard.graphql.conditional.Dependencies;
import io.menuboard.graphql.streams.ClientConnection;
import io.menuboard.graphql.streams.Json;
import io.menuboard.graphql.streams.Operations.Asked;
import io.menuboard.graphql.streams.ServerSentEvents;
import io.menuboard.kernel.Actor;
import io.micronaut.configuration.graphql.GraphQLController;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.ServerHttpRequest;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.body.ByteBody.SplitBackpressureMode;
import io.micronaut.http.body.CloseableAvailableByteBody;
import io.micronaut.http.exceptions.BufferLengthExceededException;
import io.micronaut.http.exceptions.ContentLengthExceededException;
import io.micronaut.http.exceptions.HttpStatusException;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * GraphQL over HTTP (stage 2 draft): GET with URL parameters, for queries only, and POST with a JSON body. A POST of any
 * other media type is refused, also because browsers send some of those across origins without asking first.
 *
 * <p>A request holds no thread while its body arrives, then is one hop to a thread of its own pool and back, if it gets a
 * place there ({@link Admission}). One whose client is known to have the answer already takes neither. A request that waits
 * for something to happen gives thread and place back meanwhile. Where its client goes away, waiting ends, and no further
 * field is fetched ({@link RequestTime}).
 */
@SignedIn // each operation says what it requires
@Controller("/graphql")
@Replaces(GraphQLController.class)
@Produces(MediaType.ALL)
final class GraphQlController {
    private static final String RETRY_AFTER_SECONDS = "1";

    private final Execution execution;
    private final Admission.Bodies bodies;
    private final ErrorCodes codes;
    private final GraphQlConfig config;
    private final ConditionalGets gets;
    private final ServerSentEvents streams;

    GraphQlController(
            Execution execution,
            Admission.Bodies bodies,
            ErrorCodes codes,
            GraphQlConfig config,
            ConditionalGets gets,
            ServerSentEvents streams) {
        this.execution = execution;
        this.bodies = bodies;
        this.codes = codes;
        this.config = config;
        this.gets = gets;
        this.streams = streams;
    }

    @Get
    CompletableFuture<? extends HttpResponse<?>> get(ServerHttpRequest<?> request) {
        if (isForStream(request)) {
            return streamGet(request);
        }
        return answer(request, type -> {
            request.setAttribute(Dependencies.class.getName(), new Dependencies());
            var conditional = conditional(request, type);
            gets.checkRemembered(conditional);
            return execution.execute(request, () -> {
                gets.check(conditional);
                return GraphQlRequest.fromUrl(request.getUri().getRawQuery());
            });
        });
    }

    @Post
    @TakesNoForms
    @Consumes(MediaType.ALL)
    CompletableFuture<? extends HttpResponse<?>> post(ServerHttpRequest<?> request) {
        if (isForStream(request)) {
            return streamPost(request);
        }
        return answer(request, _ -> {
            requireJson(request.getHeaders().get(HttpHeaders.CONTENT_TYPE));
            return body(request).thenCompose(body -> execution.execute(request, () -> GraphQlRequest.fromJson(body)));
        });
    }

    /** Whatever the client accepts. */
    @Get("/stream")
    CompletableFuture<? extends HttpResponse<?>> streamGet(ServerHttpRequest<?> request) {
        return stream(
                request,
                () -> CompletableFuture.completedFuture(
                        new Asked.Url(request.getUri().getRawQuery())));
    }

    @Post("/stream")
    @TakesNoForms
    @Consumes(MediaType.ALL)
    CompletableFuture<? extends HttpResponse<?>> streamPost(ServerHttpRequest<?> request) {
        return stream(request, () -> {
            requireJson(request.getHeaders().get(HttpHeaders.CONTENT_TYPE));
            return body(request).thenApply(body -> new Asked.Body(Json.of(body)));
        });
    }

    private CompletableFuture<? extends HttpResponse<?>> stream(
            ServerHttpRequest<?> request, Supplier<CompletableFuture<? extends Asked>> asked) {
        if (request.getMethod() == HttpMethod.HEAD) {
            return completedFuture(refusal(
                            ResponseType.JSON,
                            new RefusedRequest(405, "METHOD_NOT_ALLOWED", "a stream is asked for with GET or POST"))
                    .header(HttpHeaders.ALLOW, "GET, POST"));
        }
        CompletableFuture<? extends Asked> read;
        try {
            read = asked.get();
        } catch (RefusedRequest e) {
            read = failedFuture(e);
        }
        return streams.answer(request, read).exceptionally(fault -> failure(ResponseType.JSON, fault));
    }

    private static boolean isForStream(ServerHttpRequest<?> request) {
        return ServerSentEvents.areAskedFor(request.getHeaders().get(HttpHeaders.ACCEPT));
    }

    private interface Work {
        CompletableFuture<ExecutionResult> run(ResponseType type);
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
        CompletableFuture<ExecutionResult> result;
        try {
            result = work.run(type);
        } catch (RuntimeException e) {
            result = failedFuture(e);
        }
        return result.thenApply(done -> answer(request, type, done)).exceptionally(fault -> failure(type, fault));
    }

    private HttpResponse<byte[]> answer(ServerHttpRequest<?> request, ResponseType type, ExecutionResult result) {
        var extensions = request.getAttribute(AnswerCost.class.getName(), AnswerCost.class)
                .map(AnswerCost::extensions)
                .orElse(Map.of());
        if (result.isDataPresent()) {
            var errors = codes.executed(result.getErrors());
            var validators = errors.isEmpty() && extensions.isEmpty() ? validators(request, type) : null;
            if (validators != null && validators.areNamedBy(conditional(request, type))) {
                return notModified(validators);
            }
            var whole = GraphQlJson.whole(result.getData(), errors, extensions);
            var response = GraphQlResponse.of(200, type, whole.orElseGet(GraphQlJson::tooLarge));
            return validators == null || whole.isEmpty() ? response : kept(response, validators);
        }
        var errors = codes.notExecuted(result.getErrors());
        var body = GraphQlJson.response(errors, extensions);
        return errors.stream().anyMatch(error -> error.code().equals(Documents.METHOD_NOT_ALLOWED))
                ? GraphQlResponse.of(405, type, body).header(HttpHeaders.ALLOW, "POST")
                : GraphQlResponse.of(type.notExecutedStatus(), type, body);
    }

    /** Null for an answer that may be another one the next time. */
    private ConditionalGets.@Nullable Validators validators(ServerHttpRequest<?> request, ResponseType type) {
        var found = request.getAttribute(Dependencies.class.getName(), Dependencies.class);
        return found.isEmpty()
                ? null
                : gets.answered(
                        conditional(request, type),
                        request.getAttribute(Execution.DOCUMENT, String.class).orElseThrow(),
                        found.get());
    }

    private static ConditionalGets.Get conditional(ServerHttpRequest<?> request, ResponseType type) {
        return new ConditionalGets.Get(
                request.getUri().getRawQuery(),
                type.name(),
                RequestAccess.of(request, Actor.Source.GRAPHQL),
                request.getHeaders().get(HttpHeaders.IF_NONE_MATCH));
    }

    private static HttpResponse<byte[]> notModified(ConditionalGets.Validators validators) {
        return kept(HttpResponse.status(HttpStatus.NOT_MODIFIED), validators);
    }

    private static HttpResponse<byte[]> kept(
            MutableHttpResponse<byte[]> response, ConditionalGets.Validators validators) {
        response.getHeaders()
                .set(HttpHeaders.ETAG, validators.tag())
                .set(HttpHeaders.CACHE_CONTROL, validators.cacheControl())
                .set(HttpHeaders.VARY, "Accept, Authorization, Cookie");
        return response;
    }

    private HttpResponse<byte[]> failure(ResponseType type, Throwable fault) {
        return switch (fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault) {
            case RefusedRequest refused -> refusal(type, refused);
            case ConditionalGets.NotModified known -> notModified(known.validators());
            case PersistedDocuments.Refused refused ->
                GraphQlResponse.of(type.notExecutedStatus(), type, GraphQlJson.response(List.of(refused.error())));
            case Throwable other -> GraphQlResponse.of(500, type, GraphQlJson.response(List.of(codes.internal(other))));
        };
    }

    private static MutableHttpResponse<byte[]> refusal(ResponseType type, RefusedRequest refused) {
        var response = GraphQlResponse.of(refused.status(), type, GraphQlJson.response(List.of(refused.error())));
        return refused.isPassing() ? response.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS) : response;
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

    private CompletableFuture<byte[]> body(ServerHttpRequest<?> request) {
        var length = request.byteBody().expectedLength().orElse(config.maxBodyBytes());
        if (length > config.maxBodyBytes()) {
            throw tooLarge();
        }
        var arrived =
                bodies.take(RequestAccess.of(request, Actor.Source.GRAPHQL).principal(), length);
        // Micronaut buffers no more than micronaut.server.max-request-buffer-size.
        var buffered =
                request.byteBody().split(SplitBackpressureMode.FASTEST).buffer().whenComplete((_, _) -> arrived.run());
        return ClientConnection.whenClosed(request, buffered, arrived)
                .thenApply(this::bytes)
                // Out of time is the copy alone: what arrives later is still read, and its buffer given back.
                .copy()
                .orTimeout(config.bodyTimeout().toNanos(), TimeUnit.NANOSECONDS)
                .exceptionallyCompose(fault -> failedFuture(refused(fault)));
    }

    private byte[] bytes(CloseableAvailableByteBody body) {
        try (body) {
            if (body.length() > config.maxBodyBytes()) {
                throw tooLarge();
            }
            return body.toByteArray();
        }
    }

    private Throwable refused(Throwable fault) {
        return switch (fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault) {
            case ContentLengthExceededException _, BufferLengthExceededException _ -> tooLarge();
            case TimeoutException _ ->
                new RefusedRequest(
                        408,
                        "BODY_TOO_SLOW",
                        "the body must have arrived within "
                                + config.bodyTimeout().toSeconds() + " seconds");
            case HttpStatusException refused ->
                new RefusedRequest(
                        refused.getStatus().getCode(),
                        refused.getStatus() == HttpStatus.REQUEST_TIMEOUT ? "BODY_TOO_SLOW" : "BAD_REQUEST",
                        String.valueOf(refused.getMessage()));
            case DecoderException _ ->
                new RefusedRequest(400, "BAD_REQUEST", "the body is not in the coding that Content-Encoding names");
            case IOException _ ->
                new RefusedRequest(
                        GraphQlResponse.CLIENT_CLOSED_REQUEST, "CLIENT_CLOSED_REQUEST", "the body was broken off");
            case Throwable other -> other;
        };
    }

    private RefusedRequest tooLarge() {
        return new RefusedRequest(
                413, "BODY_TOO_LARGE", "the body may have at most " + config.maxBodyBytes() + " bytes");
    }
}
