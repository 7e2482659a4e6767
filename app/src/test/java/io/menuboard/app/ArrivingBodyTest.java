package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.http.exceptions.HttpStatusException;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** By netty's own clock for tests, which stands still until it is moved. */
@SuppressWarnings("FutureReturnValueIgnored") // embedded channels do at once what they are told
final class ArrivingBodyTest {
    private static final BodiesConfig CONFIG = new BodiesConfig(
            Duration.ofSeconds(10), Duration.ofSeconds(10), 1000, Duration.ofSeconds(60), Duration.ofSeconds(5));

    private final List<Throwable> faults = new ArrayList<>();
    private final EmbeddedChannel channel = new EmbeddedChannel(
            new ArrivingBody(CONFIG, new ArrivingHeaders(CONFIG.headers())), new ChannelInboundHandlerAdapter() {
                @Override
                public void exceptionCaught(ChannelHandlerContext context, Throwable fault) {
                    faults.add(fault);
                }
            });

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
    void aBodyThatDripsFailsAfterOneWindowAndOnlyOnce() {
        begin();
        pass(9);
        receive(999);
        assertThat(faults).isEmpty();

        pass(1);
        receive(1);
        pass(100);

        assertThat(faults).singleElement().isInstanceOfSatisfying(HttpStatusException.class, slow -> assertThat(
                        slow.getStatus().getCode())
                .isEqualTo(408));
    }

    @Test
    void aBodyThatBringsEnoughInEachWindowMayTakeItsTime() {
        begin();
        for (var i = 0; i < 5; i++) {
            receive(1000);
            pass(10);
        }
        end();
        pass(100);

        assertThat(faults).isEmpty();
    }

    @Test
    void howeverFastItIsABodyMayNotTakeForEver() {
        begin();
        for (var i = 0; i < 6; i++) {
            assertThat(faults).isEmpty();
            receive(1_000_000);
            pass(10);
        }

        assertThat(faults).hasSize(1);
    }

    @Test
    void whatCameTogetherWithItsHeadersIsNotTimed() {
        channel.writeOneInbound(request());
        channel.writeOneInbound(new DefaultLastHttpContent(Unpooled.wrappedBuffer(new byte[10])));
        channel.flushInbound();
        pass(100);

        assertThat(faults).isEmpty();
        answer();
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void whoIsAnsweredTooEarlyHasTimeToReadTheAnswer() {
        begin();

        var answer = answer();

        assertThat(answer.headers().get(HttpHeaderNames.CONNECTION)).isEqualTo("close");
        channel.pipeline().close();
        pass(4);
        receive(1_000_000);
        assertThat(channel.isOpen()).isTrue();
        pass(1);
        assertThat(channel.isOpen()).isFalse();
        assertThat(faults).isEmpty();
    }

    @Test
    void theConnectionEndsWithTheRestOfABodyThatWasAnsweredBefore() {
        begin();
        answer();

        receive(1000);
        assertThat(channel.isOpen()).isTrue();
        end();

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void anAnswerThatIsNotFlushedYetIsNotLostWithTheEndOfTheBody() {
        begin();
        channel.pipeline().write(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));

        end();

        assertThat(channel.<Object>readOutbound()).isInstanceOf(DefaultFullHttpResponse.class);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aRequestThatCannotBeReadIsForOthersToRefuse() {
        var request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/imports");
        request.headers().set(HttpHeaderNames.CONTENT_LENGTH, "abc");
        request.setDecoderResult(DecoderResult.failure(new IllegalArgumentException("abc")));

        channel.writeInbound(request);

        assertThat(channel.<Object>readInbound()).isSameAs(request);
    }

    @Test
    void whoseRequestHasNoEndHasTimeToReadTheAnswer() {
        var request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_0, HttpMethod.GET, "/bad-request");
        request.setDecoderResult(DecoderResult.failure(new TooLongHttpLineException("too long")));
        channel.writeInbound(request);

        var answer = answer();

        assertThat(answer.headers().get(HttpHeaderNames.CONNECTION)).isEqualTo("close");
        channel.pipeline().close();
        pass(4);
        assertThat(channel.isOpen()).isTrue();
        pass(1);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void theConnectionEndsWithAnAnswerThatBeganTooEarly() {
        begin();
        channel.writeOutbound(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        end();
        assertThat(channel.isOpen()).isTrue();

        channel.writeOutbound(LastHttpContent.EMPTY_LAST_CONTENT);

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void theAnswerToAnEarlierRequestDoesNotEndTheConnection() {
        begin();
        end();
        begin();

        var first = answer();
        receive(1000);
        end();
        var second = answer();
        pass(100);

        assertThat(first.headers().contains(HttpHeaderNames.CONNECTION)).isFalse();
        assertThat(second.headers().contains(HttpHeaderNames.CONNECTION)).isFalse();
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void beingToldToGoOnIsNoAnswer() {
        begin();
        channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        end();

        var answer = answer();

        assertThat(answer.headers().contains(HttpHeaderNames.CONNECTION)).isFalse();
        assertThat(channel.isOpen()).isTrue();
    }

    private void begin() {
        channel.writeInbound(request());
    }

    private static DefaultHttpRequest request() {
        var request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/imports");
        request.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        return request;
    }

    private void receive(int bytes) {
        channel.writeInbound(new DefaultHttpContent(Unpooled.wrappedBuffer(new byte[bytes])));
    }

    private void end() {
        channel.writeInbound(LastHttpContent.EMPTY_LAST_CONTENT);
    }

    private HttpResponse answer() {
        var answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SERVICE_UNAVAILABLE);
        channel.writeOutbound(answer);
        return answer;
    }

    private void pass(int seconds) {
        for (var i = 0; i < seconds; i++) {
            channel.advanceTimeBy(1, TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();
        }
    }
}
