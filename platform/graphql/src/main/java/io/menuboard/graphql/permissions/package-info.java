/** Which permissions an operation needs, as {@code @requires} of the schema says. */
@NullMarked
package io.menuboard.graphql.permissions;

import org.jspecify.annotations.NullMarked;
