package io.menuboard.app;

import io.menuboard.app.limits.OpenConnections;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.extensions.compression.WebSocketServerCompressionHandler;
import jakarta.inject.Singleton;
import java.util.List;

/** Closes connections where there are too many, and gives all others the handlers of this package, around Netty's codec. */
@Singleton
@SuppressWarnings("FutureReturnValueIgnored") // a connection that is refused is closed, whenever that is
final class Connections implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
    private static final String ARRIVING_HEADERS = "arriving-headers";
    private static final String WELL_FORMED_REQUESTS = "well-formed-requests";
    private static final String ARRIVING_BODY = "arriving-body";
    private static final String CONTENT_CODINGS = "content-codings";

    private final NettyHttpServerConfiguration server;
    private final BodiesConfig bodies;
    private final BeanProvider<OpenConnections> open;

    Connections(NettyHttpServerConfiguration server, BodiesConfig bodies, BeanProvider<OpenConnections> open) {
        this.server = server;
        this.bodies = bodies;
        this.open = open;
    }

    @Override
    public NettyServerCustomizer.Registry onCreated(BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
        var registry = event.getBean();
        registry.register(new NettyServerCustomizer() {
            @Override
            public NettyServerCustomizer specializeForChannel(Channel channel, ChannelRole role) {
                if (role != ChannelRole.CONNECTION) {
                    return this;
                }
                if (!open.get().admit(channel)) {
                    channel.close();
                }
                return new OfConnection(channel);
            }
        });
        return registry;
    }

    /** Takes the handlers of this package from a connection that goes on with another protocol. */
    static void leave(ChannelPipeline pipeline) {
        for (var handler : List.of(ARRIVING_HEADERS, WELL_FORMED_REQUESTS, ARRIVING_BODY, CONTENT_CODINGS)) {
            if (pipeline.get(handler) != null) {
                pipeline.remove(handler);
            }
        }
    }

    private final class OfConnection implements NettyServerCustomizer {
        private final Channel channel;

        OfConnection(Channel channel) {
            this.channel = channel;
        }

        @Override
        public void onStreamPipelineBuilt() {
            var codec = ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC;
            var pipeline = channel.pipeline();
            pipeline.replace(codec, codec, codec());
            var headers = new ArrivingHeaders(bodies.headers());
            pipeline.addBefore(codec, ARRIVING_HEADERS, headers);
            pipeline.addAfter(codec, WELL_FORMED_REQUESTS, new WellFormedRequests());
            pipeline.addAfter(WELL_FORMED_REQUESTS, ARRIVING_BODY, new ArrivingBody(bodies, headers));
            pipeline.addAfter(ARRIVING_BODY, CONTENT_CODINGS, new ContentCodings());
            // Micronaut offers permessage-deflate, and inflates a frame of a megabyte to a thousand before anybody
            // looks at it.
            if (pipeline.get(WebSocketServerCompressionHandler.class) != null) {
                pipeline.remove(WebSocketServerCompressionHandler.class);
            }
        }

        /** As Micronaut makes it, but for the headers. */
        private HttpServerCodec codec() {
            return new HttpServerCodec(new HttpDecoderConfig()
                    .setMaxInitialLineLength(server.getMaxInitialLineLength())
                    .setMaxHeaderSize(server.getMaxHeaderSize())
                    .setMaxChunkSize(server.getMaxChunkSize())
                    .setInitialBufferSize(server.getInitialBufferSize())
                    .setHeadersFactory(ReceivedHeaders.FACTORY));
        }
    }
}
