/**
 * The protocol of workers: claims, each a lease with a fencing token, how an instance finds tasks for them, and what
 * happens when a lease ends.
 */
@NullMarked
package io.menuboard.tasks.claims;

import org.jspecify.annotations.NullMarked;
