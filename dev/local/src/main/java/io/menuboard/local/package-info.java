/** Menuboard on a developer's machine, as {@code mvn -Prun} starts it: with AWS in this process, and a sample that looks real. */
@NullMarked
package io.menuboard.local;

import org.jspecify.annotations.NullMarked;
