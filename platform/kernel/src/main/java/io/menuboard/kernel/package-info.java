/**
 * Values that mean the same in every context: who asks, input that is refused, ids, pages of lists, money. Depends on
 * nothing else of Menuboard.
 */
@NullMarked
package io.menuboard.kernel;

import org.jspecify.annotations.NullMarked;
