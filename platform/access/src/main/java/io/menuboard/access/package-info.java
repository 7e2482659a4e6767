/**
 * Who asks, and what they may do and see. Every use case of a context takes an {@link io.menuboard.access.Access} first, and
 * asks it; the words of all contexts are in one place here, so that one page shows what a role may do.
 */
@NullMarked
package io.menuboard.access;

import org.jspecify.annotations.NullMarked;
