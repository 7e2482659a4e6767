/** Puts the modules together: main class, GraphQL endpoint, clients of AWS, configuration. Nothing depends on it. */
@NullMarked
package io.menuboard.app;

import org.jspecify.annotations.NullMarked;
