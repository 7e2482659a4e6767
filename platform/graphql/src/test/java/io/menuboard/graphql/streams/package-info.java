@NullMarked
package io.menuboard.graphql.streams;

import org.jspecify.annotations.NullMarked;
