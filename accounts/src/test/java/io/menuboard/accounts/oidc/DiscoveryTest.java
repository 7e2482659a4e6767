package io.menuboard.accounts.oidc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.menuboard.querydb.MovingClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DiscoveryTest {
    private final MovingClock clock = new MovingClock();
    private final IssuerHttp http = new IssuerHttp();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean hangs;
    private volatile int status = 200;
    private HttpServer server;
    private String issuer;
    private Discovery discovery;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer = "http://127.0.0.1:" + server.getAddress().getPort();
        server.createContext("/", this::answer);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        discovery = new Discovery(URI.create(issuer), "menuboard", http, clock);
    }

    @AfterEach
    void stop() {
        stopped.countDown();
        server.stop(0);
        http.close();
    }

    @Test
    void oneThatHangsLeavesTimeForTheSignInWhereWhatItSaidIsKnown() throws OidcFailed {
        var known = discovery.provider();
        hangs = true;
        clock.advance(Duration.ofHours(1));

        var left = Deadline.within(() -> {
            assertThat(discovery.provider().metadata()).isEqualTo(known.metadata());
            return Deadline.left();
        });

        assertThat(left).isGreaterThan(Duration.ofSeconds(2));
        assertThat(asked).hasValue(2);
    }

    @Test
    void oneThatHangsIsNotAskedAgainForAMinute() throws OidcFailed {
        discovery.provider();
        hangs = true;
        clock.advance(Duration.ofHours(1));
        discovery.provider();
        hangs = false;

        clock.advance(Duration.ofSeconds(59));
        discovery.provider();
        assertThat(asked).hasValue(2);
        clock.advance(Duration.ofSeconds(1));
        assertThat(discovery.provider().since()).isEqualTo(clock.instant());
        assertThat(asked).hasValue(3);
    }

    @Test
    void whatItSaidGoesOnForADay() throws OidcFailed {
        discovery.provider();
        status = 503;

        clock.advance(Duration.ofDays(1).minusSeconds(1));
        discovery.provider();
        clock.advance(Duration.ofSeconds(1));

        assertThatExceptionOfType(OidcFailed.class)
                .isThrownBy(discovery::provider)
                .returns(OidcFailure.UNAVAILABLE, OidcFailed::why);
    }

    private void answer(HttpExchange exchange) throws IOException {
        asked.incrementAndGet();
        if (hangs) {
            hang();
        } else {
            var body = """
                    {"issuer": "ISSUER", "authorization_endpoint": "ISSUER/authorize", "token_endpoint": "ISSUER/token",
                     "jwks_uri": "ISSUER/keys", "response_types_supported": ["code"],
                     "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"]}
                    """.replace("ISSUER", issuer).getBytes(UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private void hang() {
        try {
            stopped.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
