/** How much a client may ask for, whoever it is, decided before any work is done. */
@NullMarked
package io.menuboard.app.limits;

import org.jspecify.annotations.NullMarked;
