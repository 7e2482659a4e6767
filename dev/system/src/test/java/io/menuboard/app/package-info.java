@NullMarked
package io.menuboard.app;

import org.jspecify.annotations.NullMarked;
