/** Owns conditional requests: what answers depend on, and tags by which a client that has one need not get it again. */
@NullMarked
package io.menuboard.graphql.conditional;

import org.jspecify.annotations.NullMarked;
