/** Measurements: what the application costs, and what a change of it has changed. */
@NullMarked
package io.menuboard.bench;

import org.jspecify.annotations.NullMarked;
