/** What of the schema clients are told, and whether they are. */
@NullMarked
package io.menuboard.graphql.introspection;

import org.jspecify.annotations.NullMarked;
