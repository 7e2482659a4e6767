package io.menuboard.pricing.webhooks;

import static io.menuboard.pricing.PricingFixture.FULL_SOAK;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.menuboard.pricing.webhooks.WebhookAnswer.Answered;
import io.menuboard.pricing.webhooks.WebhookAnswer.Unanswered;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.http.conn.ssl.SSLConnectionSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhookClientTest {
    private static final InetAddress THIS_MACHINE = InetAddress.getLoopbackAddress();
    private static final WebhookHeaders HEADERS = new WebhookHeaders("msg_1", Instant.ofEpochSecond(7), "v1,x");
    private static final char[] PASSWORD = "changeit".toCharArray();

    private final Receiver receiver = new Receiver();

    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    Path folder;

    @AfterEach
    void close() {
        receiver.close();
    }

    @Test
    void postsTheBodyAsItWasSignedWithTheHeadersOfTheSpecification() throws Exception {
        var answer = post("http://hooks.example:" + receiver.port() + "/prices?to=me", "{\"ä\":1}");

        assertThat(answer).isInstanceOfSatisfying(Answered.class, answered -> assertThat(answered.isTaken())
                .isTrue());
        assertThat(receiver.messages)
                .containsExactly(new Receiver.Message(
                        "/prices?to=me", "hooks.example:" + receiver.port(), "msg_1", "7", "v1,x", "{\"ä\":1}"));
    }

    @Test
    void connectsToTheAddressThatWasCheckedAndLooksItUpOnce() throws Exception {
        var lookUps = new AtomicInteger();
        var rebound = new Destinations(
                _ -> lookUps.incrementAndGet() == 1
                        ? new InetAddress[] {THIS_MACHINE}
                        : new InetAddress[] {InetAddress.ofLiteral("192.0.2.1")},
                true);

        var answer = client(rebound, Duration.ofSeconds(10))
                .post(DestinationsTest.settings("http://rebinding.example:" + receiver.port() + "/"), HEADERS, "{}");

        assertThat(answer).isInstanceOf(Answered.class);
        assertThat(lookUps).hasValue(1);
    }

    @Test
    void sendsNothingToAPrivateAddress() throws Exception {
        var strict = new Destinations(_ -> new InetAddress[] {THIS_MACHINE}, false);

        var answer = client(strict, Duration.ofSeconds(10))
                .post(DestinationsTest.settings("https://hooks.example:" + receiver.port() + "/"), HEADERS, "{}");

        assertThat(answer)
                .isEqualTo(new WebhookAnswer.Refused("the host has an address that is not of the public Internet"));
        assertThat(receiver.messages).isEmpty();
    }

    @Test
    void followsNoRedirect() throws Exception {
        for (var status : new int[] {301, 302, 303, 307, 308}) {
            receiver.answerNext(exchange -> {
                exchange.getResponseHeaders().add("Location", receiver.url("/elsewhere"));
                exchange.sendResponseHeaders(status, -1);
            });

            assertThat(post(receiver.url("/"), "{}"))
                    .isInstanceOfSatisfying(Answered.class, answered -> assertThat(answered.status())
                            .isEqualTo(status));
        }

        assertThat(receiver.messages)
                .extracting(Receiver.Message::path)
                .containsOnly("/")
                .hasSize(5);
    }

    @Test
    void waitsForNoBody() throws Exception {
        var ended = new CountDownLatch(1);
        receiver.answerNext(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (var body = exchange.getResponseBody()) {
                while (true) {
                    body.write(new byte[65_536]);
                }
            } catch (IOException _) {
                ended.countDown();
            }
        });

        assertThat(post(receiver.url("/"), "{}")).isInstanceOf(Answered.class);
        ended.await();
    }

    @Test
    void givesUpWhenThereIsNoAnswerInTime() throws Exception {
        var over = new CountDownLatch(1);
        receiver.answerNext(_ -> {
            try {
                over.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });

        var answer = client(new Destinations(_ -> new InetAddress[] {THIS_MACHINE}, true), Duration.ofSeconds(1))
                .post(DestinationsTest.settings(receiver.url("/")), HEADERS, "{}");

        assertThat(answer).isEqualTo(new Unanswered("no answer within 1 seconds"));
        over.countDown();
    }

    /** The connection times out at about the moment at which the whole attempt does. */
    @Test
    void givesUpAlsoWhereTheConnectionDoesSoAtThatMoment() throws Exception {
        var over = new CountDownLatch(1);
        var client = client(new Destinations(_ -> new InetAddress[] {THIS_MACHINE}, true), Duration.ofMillis(100));
        for (var attempt = 0; attempt < (FULL_SOAK ? 100 : 25); attempt++) {
            receiver.answerNext(_ -> {
                try {
                    over.await();
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
            });

            assertThat(client.post(DestinationsTest.settings(receiver.url("/")), HEADERS, "{}"))
                    .isEqualTo(new Unanswered("no answer within 0 seconds"));
        }
        over.countDown();
    }

    @Test
    void givesUpOnAnAnswerThatDrips() throws Exception {
        try (var server = new ServerSocket(0, 1, THIS_MACHINE)) {
            Thread.ofVirtual().start(() -> drip(server));

            var answer = client(new Destinations(_ -> new InetAddress[] {THIS_MACHINE}, true), Duration.ofSeconds(1))
                    .post(
                            DestinationsTest.settings("http://hooks.example:" + server.getLocalPort() + "/"),
                            HEADERS,
                            "{}");

            assertThat(answer).isEqualTo(new Unanswered("no answer within 1 seconds"));
        }
    }

    /** A header that grows by a character in a tenth of a second, for as long as somebody listens. */
    private static void drip(ServerSocket server) {
        try (var socket = server.accept();
                var answer = socket.getOutputStream()) {
            answer.write("HTTP/1.1 200 OK\r\nX-Slow: ".getBytes(StandardCharsets.US_ASCII));
            while (true) {
                answer.write('x');
                answer.flush();
                Thread.sleep(Duration.ofMillis(100));
            }
        } catch (IOException | InterruptedException _) {
            // Nobody listens any more.
        }
    }

    @Test
    void givesUpOnAnAnswerWithALongHeader() throws Exception {
        receiver.answerNext(exchange -> {
            exchange.getResponseHeaders().add("X-Long", "x".repeat(100_000));
            exchange.sendResponseHeaders(200, -1);
        });

        assertThat(post(receiver.url("/"), "{}")).isInstanceOf(Unanswered.class);
    }

    @Test
    void saysThatThereIsNobody() throws Exception {
        var port = receiver.port();
        receiver.close();
        var nowhere = new Destinations(
                _ -> {
                    throw new UnknownHostException("nowhere.example");
                },
                false);

        assertThat(post("http://hooks.example:" + port + "/", "{}"))
                .isEqualTo(new Unanswered("no connection, or it ended without an answer"));
        assertThat(client(nowhere, Duration.ofSeconds(10))
                        .post(DestinationsTest.settings("https://nowhere.example/"), HEADERS, "{}"))
                .isEqualTo(new Unanswered("the host cannot be found"));
    }

    @Test
    void takesTheCertificateOfTheHostOfTheUrlAndNoOther() throws Exception {
        var keys = keyStore("hooks.example");
        var tls = tls(keys);
        try (var secure = new Receiver(address -> {
            var server = HttpsServer.create(address, 0);
            server.setHttpsConfigurator(new HttpsConfigurator(tls));
            return server;
        })) {
            var destinations = new Destinations(_ -> new InetAddress[] {THIS_MACHINE}, true);
            var client = new WebhookClient(destinations, new SSLConnectionSocketFactory(tls), Duration.ofSeconds(10));
            var strict = client(destinations, Duration.ofSeconds(10));
            var right = DestinationsTest.settings("https://hooks.example:" + secure.port() + "/");
            var wrong = DestinationsTest.settings("https://other.example:" + secure.port() + "/");

            assertThat(client.post(right, HEADERS, "{}")).isInstanceOf(Answered.class);
            assertThat(client.post(wrong, HEADERS, "{}")).isInstanceOf(Unanswered.class);
            assertThat(strict.post(right, HEADERS, "{}")).isInstanceOf(Unanswered.class);
            assertThat(secure.messages).hasSize(1);
        }
    }

    private WebhookAnswer post(String url, String body) throws InterruptedException {
        return client(new Destinations(_ -> new InetAddress[] {THIS_MACHINE}, true), Duration.ofSeconds(10))
                .post(DestinationsTest.settings(url), HEADERS, body);
    }

    private static WebhookClient client(Destinations destinations, Duration timeout) {
        return new WebhookClient(destinations, SSLConnectionSocketFactory.getSocketFactory(), timeout);
    }

    private KeyStore keyStore(String host) throws Exception {
        var file = folder.resolve("keys.p12");
        var made = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "host",
                        "-dname",
                        "CN=" + host,
                        "-ext",
                        "san=dns:" + host,
                        "-validity",
                        "36500",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .inheritIO()
                .start()
                .waitFor();
        assertThat(made).isZero();
        var keys = KeyStore.getInstance("PKCS12");
        try (var content = Files.newInputStream(file)) {
            keys.load(content, PASSWORD);
        }
        return keys;
    }

    private static SSLContext tls(KeyStore keys) throws Exception {
        var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        var trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("host", keys.getCertificate("host"));
        var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(trust);
        var context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }
}
