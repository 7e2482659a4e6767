package io.menuboard.graphql.streams;

import java.util.function.LongSupplier;

/** What all {@link WebSocketConnection} share. */
record WebSockets(
        Operations operations, OpenStreams streams, Places places, StreamsConfig config, LongSupplier nanos) {}
