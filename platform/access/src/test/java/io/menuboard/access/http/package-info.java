@NullMarked
package io.menuboard.access.http;

import org.jspecify.annotations.NullMarked;
