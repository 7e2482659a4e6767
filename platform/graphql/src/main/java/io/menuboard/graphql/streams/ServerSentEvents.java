package io.menuboard.graphql.streams;

import io.menuboard.access.Access;
import io.menuboard.access.http.RequestAccess;
import io.menuboard.graphql.streams.Operations.Asked;
import io.menuboard.graphql.streams.Operations.Outcome;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.WeightedValue;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Answers as graphql-sse has it in its distinct connections mode: a stream for each operation, queries and mutations too. */
public final class ServerSentEvents {
    private static final String RETRY_AFTER_SECONDS = "5";
    private static final MediaType EVENT_STREAM = MediaType.of("text/event-stream; charset=utf-8");

    private final Operations operations;
    private final OpenStreams streams;
    private final Places places;
    private final StreamsConfig config;
    private final LongSupplier nanos;

    ServerSentEvents(
            Operations operations, OpenStreams streams, Places places, StreamsConfig config, LongSupplier nanos) {
        this.operations = operations;
        this.streams = streams;
        this.places = places;
        this.config = config;
        this.nanos = nanos;
    }

    /**
     * Whether a client prefers a stream to all else that it takes; of equal weights the first counts.
     *
     * @param accept value of the Accept header (RFC 9110, 12.5.1)
     */
    public static boolean areAskedFor(@Nullable String accept) {
        if (accept == null) {
            return false;
        }
        var best = WeightedValue.listed(accept).stream()
                .reduce((first, next) -> next.weight() > first.weight() ? next : first)
                .orElseThrow();
        return best.weight() > 0 && best.value().equals(MediaType.TEXT_EVENT_STREAM);
    }

    /** Answers a request. Fails as the future of what it asks for does; refuses what is not executed by a status and JSON. */
    public CompletableFuture<HttpResponse<?>> answer(HttpRequest<?> http, CompletableFuture<? extends Asked> asked) {
        var access = RequestAccess.of(http, Actor.Source.GRAPHQL);
        return asked.thenCompose(what -> operations.start(http, access, what).outcome())
                .thenApply(outcome -> switch (outcome) {
                    case Outcome.Refused(var status, var errors) -> refusal(status, errors.utf8());
                    case Outcome.Answer(var response) -> stream(EventStreamBody.of(response.utf8()));
                    case Outcome.Events events -> stream(http, access, events);
                });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // whoever waits for the end waits for nothing else
    private HttpResponse<?> stream(HttpRequest<?> http, Access access, Outcome.Events events) {
        Runnable leave;
        try {
            leave = places.take(access.principal());
        } catch (Places.Taken e) {
            return refusal(HttpStatus.TOO_MANY_REQUESTS.getCode(), e.errors());
        }
        var channel = ClientConnection.channel(http).orElse(null);
        var closed = new CompletableFuture<Boolean>();
        var body = new EventStreamBody(config, channel, nanos.getAsLong(), () -> {
            leave.run();
            closed.complete(true);
        });
        var forget = streams.enter(http, access.principal(), body);
        closed.thenRun(forget);
        ClientConnection.whenClosed(http, closed, body::cancel);
        events.responses().subscribe(body);
        return stream(body);
    }

    private static HttpResponse<?> stream(Object body) {
        return protect(HttpResponse.ok(body))
                .contentType(EVENT_STREAM)
                // Compressed, an event would wait for others to fill a block; nginx would have it wait, too.
                .header(HttpHeaders.CONTENT_ENCODING, "identity")
                .header("X-Accel-Buffering", "no");
    }

    private static HttpResponse<?> refusal(int status, byte[] errors) {
        var response = protect(HttpResponse.status(HttpStatus.valueOf(status)))
                .body(StreamErrors.response(errors))
                .contentType(MediaType.of("application/json; charset=utf-8"));
        if (status == HttpStatus.SERVICE_UNAVAILABLE.getCode() || status == HttpStatus.TOO_MANY_REQUESTS.getCode()) {
            response.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        if (status == HttpStatus.METHOD_NOT_ALLOWED.getCode()) {
            response.header(HttpHeaders.ALLOW, "POST");
        }
        return response;
    }

    private static <T> MutableHttpResponse<T> protect(MutableHttpResponse<T> response) {
        return response.header(HttpHeaders.CACHE_CONTROL, "no-store").header("X-Content-Type-Options", "nosniff");
    }
}
