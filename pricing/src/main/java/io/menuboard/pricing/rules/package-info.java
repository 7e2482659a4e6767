/** Owns rules: which prices of which stores are to be changed, and how. */
@NullMarked
package io.menuboard.pricing.rules;

import org.jspecify.annotations.NullMarked;
