/** Menuboard on a developer's machine: the servers that stand in for AWS, and sample data that looks real. */
@NullMarked
package io.menuboard.app.local;

import org.jspecify.annotations.NullMarked;
