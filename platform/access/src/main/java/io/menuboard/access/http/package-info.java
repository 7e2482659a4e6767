/** Who sends a request, and whether they may, decided from its headers before any of its body is read. */
@NullMarked
package io.menuboard.access.http;

import org.jspecify.annotations.NullMarked;
