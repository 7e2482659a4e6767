/** Webhooks: who is told of changed prices, where, and what has come of it. */
@NullMarked
package io.menuboard.webadmin.webhooks;

import org.jspecify.annotations.NullMarked;
