/**
 * Owns webhooks: who wants to be told of changed prices over HTTPS, with what each is signed, and its deliveries, which are tasks.
 */
@NullMarked
package io.menuboard.pricing.webhooks;

import org.jspecify.annotations.NullMarked;
