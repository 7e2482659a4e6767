package io.menuboard.accounts.oidc;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.util.Resource;
import com.nimbusds.jose.util.ResourceRetriever;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPRequestSender;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.http.ReadOnlyHTTPRequest;
import com.nimbusds.oauth2.sdk.http.ReadOnlyHTTPResponse;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends requests to the issuer. An answer has to be complete before the {@link Deadline}, however it drips, and to be of a size that
 * answers of issuers have. Follows no redirects.
 */
final class IssuerHttp implements HTTPRequestSender, ResourceRetriever, AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final long MAX_BYTES = 1024 * 1024;

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(CONNECT).build();

    @Override
    public ReadOnlyHTTPResponse send(ReadOnlyHTTPRequest request) throws IOException {
        var body = Objects.requireNonNullElse(request.getBody(), "");
        var builder = HttpRequest.newBuilder(request.getURI())
                .method(
                        request.getMethod().name(),
                        request.getMethod() == HTTPRequest.Method.GET
                                ? BodyPublishers.noBody()
                                : BodyPublishers.ofString(body));
        request.getHeaderMap().forEach((name, values) -> values.forEach(value -> builder.header(name, value)));
        var answer = send(builder);
        var response = new HTTPResponse(answer.statusCode());
        try {
            var type = answer.headers().firstValue("Content-Type");
            if (type.isPresent()) {
                response.setContentType(type.get());
            }
        } catch (ParseException _) {
            // One without a type that can be read is refused where it has to be JSON.
        }
        response.setBody(new String(answer.body(), UTF_8));
        return response;
    }

    /** @throws IOException for what is no answer with 200, too */
    @Override
    public Resource retrieveResource(URL address) throws IOException {
        var answer = send(HttpRequest.newBuilder(URI.create(address.toString())).header("Accept", "application/json"));
        if (answer.statusCode() != 200) {
            throw new IOException("status " + answer.statusCode());
        }
        return new Resource(
                new String(answer.body(), UTF_8),
                answer.headers().firstValue("Content-Type").orElse(null));
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException {
        var left = Deadline.left();
        if (left.isZero()) {
            throw new IOException("no time left");
        }
        var sent = client.sendAsync(
                request.timeout(left).build(), BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BYTES));
        try {
            return sent.get(left.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            throw new IOException("not in time");
        } catch (ExecutionException e) {
            throw new IOException(
                    Objects.requireNonNullElse(e.getCause(), e).getClass().getSimpleName());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted");
        } finally {
            sent.cancel(true);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
