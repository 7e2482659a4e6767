/**
 * Streams of GraphQL responses to clients: graphql-sse (distinct connections mode) and graphql-transport-ws, how many there are,
 * and when they end. Knows no engine: {@link Operations} is what it asks.
 */
@NullMarked
package io.menuboard.graphql.streams;

import org.jspecify.annotations.NullMarked;
