/**
 * Owns the work that has to be done and who is doing it: tasks, their append-only history, and the claims of workers,
 * each a lease with a fencing token.
 */
@NullMarked
package io.menuboard.tasks;

import org.jspecify.annotations.NullMarked;
