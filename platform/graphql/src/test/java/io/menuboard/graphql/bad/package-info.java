/** Generated requests that break rules, for any server of GraphQL and pages, and the check of its answers. */
@NullMarked
package io.menuboard.graphql.bad;

import org.jspecify.annotations.NullMarked;
