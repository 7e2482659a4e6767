package io.menuboard.pricing.webhooks;

import io.menuboard.pricing.webhooks.WebhookAnswer.Answered;
import io.menuboard.pricing.webhooks.WebhookAnswer.Refused;
import io.menuboard.pricing.webhooks.WebhookAnswer.Unanswered;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.HttpPost;
import org.apache.http.config.ConnectionConfig;
import org.apache.http.config.MessageConstraints;
import org.apache.http.config.RegistryBuilder;
import org.apache.http.conn.socket.ConnectionSocketFactory;
import org.apache.http.conn.socket.PlainConnectionSocketFactory;
import org.apache.http.conn.ssl.SSLConnectionSocketFactory;
import org.apache.http.entity.ContentType;
import org.apache.http.entity.StringEntity;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.impl.conn.PoolingHttpClientConnectionManager;

/**
 * Posts messages. Each has a connection of its own, to an address that {@link Destinations} has looked up and allowed: nothing
 * looks up the host again. Follows no redirects, reads no body of an answer, and waits ten seconds at most. Thread-safe.
 */
final class WebhookClient {
    private static final int MOST_HEADERS = 100;
    private static final int LONGEST_HEADER = 8_192;
    private static final ConnectionConfig BOUNDED = ConnectionConfig.custom()
            .setMessageConstraints(MessageConstraints.custom()
                    .setMaxHeaderCount(MOST_HEADERS)
                    .setMaxLineLength(LONGEST_HEADER)
                    .build())
            .build();

    private final Destinations destinations;
    private final SSLConnectionSocketFactory tls;
    private final Duration timeout;

    /** @param timeout for everything, from looking up the host to the status of the answer */
    WebhookClient(Destinations destinations, SSLConnectionSocketFactory tls, Duration timeout) {
        this.destinations = destinations;
        this.tls = tls;
        this.timeout = timeout;
    }

    WebhookAnswer post(WebhookSettings to, WebhookHeaders headers, String body) throws InterruptedException {
        var request = new HttpPost(to.url());
        headers.forEach(request::setHeader);
        request.setEntity(new StringEntity(body, ContentType.APPLICATION_JSON.withCharset(StandardCharsets.UTF_8)));
        var millis = (int) timeout.toMillis();
        request.setConfig(RequestConfig.custom()
                .setConnectTimeout(millis)
                .setSocketTimeout(millis)
                .build());
        var post = new FutureTask<>(() -> post(to, request));
        // Looking up a host holds the thread that a virtual one is on, for as long as a name server likes.
        Thread.ofPlatform().daemon().name("webhook").start(post);
        try {
            return post.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | CancellationException _) {
            return tooLate();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a message could not be posted", e.getCause());
        } finally {
            post.cancel(true);
            request.abort();
        }
    }

    private WebhookAnswer post(WebhookSettings to, HttpPost request) {
        var begun = System.nanoTime();
        try {
            var addresses = destinations.addresses(to);
            try (var client = client(addresses);
                    var answer = client.execute(request)) {
                // Its body is of no interest, and could be endless: closing the connection ends it.
                request.abort();
                return new Answered(
                        answer.getStatusLine().getStatusCode(), Duration.ofNanos(System.nanoTime() - begun));
            }
        } catch (Destinations.Refused e) {
            return new Refused(e.reason());
        } catch (UnknownHostException _) {
            return new Unanswered("the host cannot be found");
        } catch (InterruptedIOException _) {
            return tooLate();
        } catch (SSLException _) {
            return new Unanswered("no secure connection: the host's certificate or its TLS is not accepted");
        } catch (IOException _) {
            return new Unanswered("no connection, or it ended without an answer");
        }
    }

    private Unanswered tooLate() {
        return new Unanswered("no answer within " + timeout.toSeconds() + " seconds");
    }

    private CloseableHttpClient client(List<InetAddress> addresses) {
        var sockets = RegistryBuilder.<ConnectionSocketFactory>create()
                .register("https", tls)
                .register("http", PlainConnectionSocketFactory.getSocketFactory())
                .build();
        // The simpler one for a single connection is not for two threads, of which the second ends the first one's
        // wait.
        var connections = new PoolingHttpClientConnectionManager(sockets, _ -> addresses.toArray(InetAddress[]::new));
        connections.setDefaultConnectionConfig(BOUNDED);
        return HttpClients.custom()
                .setConnectionManager(connections)
                .setUserAgent("Menuboard-Webhooks/1")
                .disableAutomaticRetries()
                .disableRedirectHandling()
                .disableCookieManagement()
                .disableAuthCaching()
                .disableContentCompression()
                .build();
    }
}
