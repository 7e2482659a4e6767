/** Finds out from a request's cookie or token who sends it. */
@NullMarked
package io.menuboard.accounts.http;

import org.jspecify.annotations.NullMarked;
