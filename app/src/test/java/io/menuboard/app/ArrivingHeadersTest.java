package io.menuboard.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** By netty's own clock for tests, which stands still until it is moved. */
@SuppressWarnings("FutureReturnValueIgnored") // embedded channels do at once what they are told
final class ArrivingHeadersTest {
    private static final BodiesConfig CONFIG = new BodiesConfig(
            Duration.ofSeconds(10), Duration.ofSeconds(30), 1000, Duration.ofSeconds(60), Duration.ofSeconds(5));
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private final ArrivingHeaders headers = new ArrivingHeaders(CONFIG.headers());
    private final EmbeddedChannel channel =
            new EmbeddedChannel(headers, new HttpServerCodec(), new ArrivingBody(CONFIG, headers));

    @BeforeEach
    void stopTheClock() {
        channel.freezeTime();
    }

    @AfterEach
    void stop() {
        channel.releaseInbound();
        channel.releaseOutbound();
        channel.close();
    }

    @Test
    void headersThatDripAreCutOffHoweverSteadily() {
        for (var i = 0; i < 10; i++) {
            receive("x");
            assertThat(channel.isOpen()).isTrue();
            pass(1);
        }

        assertThat(sent()).startsWith("HTTP/1.1 408");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void connectionsMayBeIdleBeforeAndBetweenRequests() {
        pass(100);
        receive(REQUEST);
        answer();
        pass(100);
        receive("GE");
        pass(9);
        receive(REQUEST.substring(2));
        answer();
        pass(100);

        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void theSecondRequestHasATimeToo() {
        receive(REQUEST);
        answer();
        receive("GE");
        pass(10);

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void bodiesAreNotTimedAsHeaders() {
        receive("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n");
        receive("x");
        pass(20);

        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void whoWaitsForAnAnswerIsNotCutOffBeforeIt() {
        receive(REQUEST);
        receive("GE");
        pass(100);
        assertThat(channel.isOpen()).isTrue();

        answer();
        pass(10);

        assertThat(channel.isOpen()).isFalse();
    }

    private void receive(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, US_ASCII));
    }

    private void answer() {
        channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        sent();
    }

    private String sent() {
        var text = new StringBuilder();
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            text.append(part.toString(US_ASCII));
            part.release();
        }
        return text.toString();
    }

    private void pass(long seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }
}
