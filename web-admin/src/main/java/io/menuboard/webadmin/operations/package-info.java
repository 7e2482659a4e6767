/** Pages for operators: long operations, dead letters and price events. */
@NullMarked
package io.menuboard.webadmin.operations;

import org.jspecify.annotations.NullMarked;
