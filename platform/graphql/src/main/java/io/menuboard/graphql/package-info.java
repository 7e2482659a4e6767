/**
 * GraphQL over HTTP: the endpoint, the engine behind it, its limits, error codes and shared scalars. Knows no business word;
 * contexts bring their part of the schema.
 */
@NullMarked
package io.menuboard.graphql;

import org.jspecify.annotations.NullMarked;
