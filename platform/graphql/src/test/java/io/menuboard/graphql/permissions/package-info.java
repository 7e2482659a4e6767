@NullMarked
package io.menuboard.graphql.permissions;

import org.jspecify.annotations.NullMarked;
