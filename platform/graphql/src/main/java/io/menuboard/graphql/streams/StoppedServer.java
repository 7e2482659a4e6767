package io.menuboard.graphql.streams;

import io.micronaut.context.BeanProvider;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.server.netty.NettyEmbeddedServer;
import jakarta.inject.Singleton;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Objects;

/**
 * Has the server end its streams before it stops. A process that is told to end stops its server first, which closes all
 * connections without a word, and only then the application, which tells those who listen for that.
 */
@Singleton
final class StoppedServer implements BeanCreatedEventListener<NettyEmbeddedServer> {
    private final BeanProvider<OpenStreams> streams;

    StoppedServer(BeanProvider<OpenStreams> streams) {
        this.streams = streams;
    }

    @Override
    public NettyEmbeddedServer onCreated(BeanCreatedEvent<NettyEmbeddedServer> event) {
        NettyEmbeddedServer server = event.getBean();
        return (NettyEmbeddedServer) Proxy.newProxyInstance(
                server.getClass().getClassLoader(), server.getClass().getInterfaces(), (_, method, arguments) -> {
                    if (method.getName().equals("stop")) {
                        streams.get().stop();
                    }
                    try {
                        return method.invoke(server, arguments);
                    } catch (InvocationTargetException e) {
                        throw Objects.requireNonNullElse(e.getCause(), e);
                    }
                });
    }
}
