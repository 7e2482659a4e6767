/** Tests of the endpoint on a sample schema. */
@NullMarked
package io.menuboard.graphql;

import org.jspecify.annotations.NullMarked;
