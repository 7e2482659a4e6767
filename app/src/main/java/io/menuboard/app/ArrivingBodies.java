package io.menuboard.app;

import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import jakarta.inject.Singleton;

/** Gives each connection an {@link ArrivingBody}. */
@Singleton
final class ArrivingBodies implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
    private final BodiesConfig config;

    ArrivingBodies(BodiesConfig config) {
        this.config = config;
    }

    @Override
    public NettyServerCustomizer.Registry onCreated(BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
        var registry = event.getBean();
        registry.register(new NettyServerCustomizer() {
            @Override
            public NettyServerCustomizer specializeForChannel(Channel channel, ChannelRole role) {
                return role == ChannelRole.CONNECTION ? new OfConnection(channel, config) : this;
            }
        });
        return registry;
    }

    private record OfConnection(Channel channel, BodiesConfig config) implements NettyServerCustomizer {
        @Override
        public void onStreamPipelineBuilt() {
            channel.pipeline()
                    .addAfter(
                            ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC,
                            "arriving-body",
                            new ArrivingBody(config));
        }
    }
}
