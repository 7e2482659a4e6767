/** Runs contexts without the application, for tests of the fields that they bring. */
@NullMarked
package io.menuboard.context;

import org.jspecify.annotations.NullMarked;
