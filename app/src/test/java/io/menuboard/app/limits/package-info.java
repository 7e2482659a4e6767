/** Tests of the limits of clients. */
@NullMarked
package io.menuboard.app.limits;

import org.jspecify.annotations.NullMarked;
