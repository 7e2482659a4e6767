/** Favorites of the running application, marked and asked over HTTP, counted through the queue. */
@NullMarked
package io.menuboard.app.favorites;

import org.jspecify.annotations.NullMarked;
