/** What tests of GraphQL over HTTP share. */
@NullMarked
package io.menuboard.app.graphql;

import org.jspecify.annotations.NullMarked;
