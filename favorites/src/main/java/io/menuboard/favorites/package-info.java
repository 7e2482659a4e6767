/**
 * Owns which restaurants people love: the marks, the counts that equal a recount of them, and the rankings by those
 * counts.
 */
@NullMarked
package io.menuboard.favorites;

import org.jspecify.annotations.NullMarked;
