@NullMarked
package io.menuboard.graphql.conditional;

import org.jspecify.annotations.NullMarked;
