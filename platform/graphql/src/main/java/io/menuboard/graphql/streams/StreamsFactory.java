package io.menuboard.graphql.streams;

import io.menuboard.access.http.Principals;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.ShutdownEvent;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** Streams, and what keeps them. */
@Factory
final class StreamsFactory {

    @Singleton
    Places places(StreamsConfig config, MeterRegistry meters) {
        return new Places(config.most(), config.mostPerPrincipal(), meters);
    }

    @Singleton
    @Named("graphql-streams")
    @Bean(preDestroy = "shutdownNow")
    ScheduledExecutorService timer() {
        return Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("graphql-streams").factory());
    }

    @Singleton
    OpenStreams openStreams(
            Principals principals, StreamsConfig config, @Named("graphql-streams") ScheduledExecutorService timer) {
        var streams = new OpenStreams(principals, config, System::nanoTime);
        streams.lookAfter(timer);
        return streams;
    }

    @Singleton
    ServerSentEvents serverSentEvents(Operations operations, OpenStreams streams, Places places, StreamsConfig config) {
        return new ServerSentEvents(operations, streams, places, config, System::nanoTime);
    }

    @Singleton
    WebSockets webSockets(Operations operations, OpenStreams streams, Places places, StreamsConfig config) {
        return new WebSockets(operations, streams, places, config, System::nanoTime);
    }

    /** Clients are told before the server closes their connections. */
    @Singleton
    ApplicationEventListener<ShutdownEvent> stop(OpenStreams streams) {
        return _ -> streams.stop();
    }
}
